"""Trend: rounds side by side, as a page and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.base import GAMMA
from goldspan.plugin.report.charts import Axis, Line, Whisker, coefficient_axis, line
from goldspan.plugin.report.markdown import render
from goldspan.plugin.report.page import pieces, write_pieces

if TYPE_CHECKING:
    from goldspan.engine.change import Change, Round
    from goldspan.engine.coefficient.base import Key
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.comparison import Comparison, Step

MOST_TASKS = 10
"""So many tasks that gained most are listed, and as many that lost most."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A coefficient's change, and its interval's place on an axis around 0."""

    change: Change
    mark: Whisker


@dataclass(frozen=True, slots=True)
class TaskChange:
    """A shared task's γ in two rounds, which somebody changed."""

    id: str
    old: float
    new: float

    @property
    def difference(self) -> float:
        return self.new - self.old


@dataclass(frozen=True, slots=True)
class StepView:
    """One step: its rows on one axis, and the tasks that changed most."""

    step: Step
    axis: Axis
    rows: tuple[ChangeRow, ...]
    gained: tuple[TaskChange, ...]
    lost: tuple[TaskChange, ...]


@dataclass(frozen=True, slots=True)
class Trend:
    """A comparison, ready to be laid out. `symbols` are those of the coefficients of all labels
    together, γ and γcat first; `lines` are their lines. `label_lines` has, for each coefficient
    with a figure of each label, its symbol and a line for each label.
    """

    title: str
    version: str
    comparison: Comparison
    symbols: Mapping[str, str]
    lines: tuple[tuple[str, Line], ...]
    label_lines: tuple[tuple[str, tuple[tuple[str, Line], ...]], ...]
    axis: Axis
    steps: tuple[StepView, ...]


def trend(comparison: Comparison) -> Trend:
    """The comparison with every mark in its place."""
    rounds = comparison.rounds
    axis = coefficient_axis([figure for one in rounds for figure in one.figures.values()])
    names = {key: name for one in rounds for key, name in one.symbols.items()}
    # The newest round's come first: a coefficient may have been added or dropped since.
    keys = list(dict.fromkeys(key for one in reversed(rounds) for key in one.figures))
    symbols = {key: names.get(key, key) for key, label in keys if not label}
    by_label = dict.fromkeys(key for key, label in keys if label)
    return Trend(
        title=" → ".join(one.name for one in rounds),
        version=version("goldspan"),
        comparison=comparison,
        symbols=symbols,
        lines=tuple(
            (symbol, line(_series(rounds, (key, "")), axis)) for key, symbol in symbols.items()
        ),
        label_lines=tuple(
            (names.get(key, key), tuple(_label_lines(rounds, key, axis))) for key in by_label
        ),
        axis=axis,
        steps=tuple(_step(one) for one in comparison.steps),
    )


def write_trend(path: Path, comparison: Comparison) -> None:
    """Write the page."""
    write_pieces(path, trend_pieces(comparison))


def trend_pieces(comparison: Comparison) -> Iterator[str]:
    """The same page, piece by piece."""
    return pieces("trend.html.j2", trend=trend(comparison))


def trend_text(comparison: Comparison) -> str:
    """The comparison for a pull request."""
    return render("trend.md.j2", trend=trend(comparison))


def _series(rounds: Sequence[Round], key: Key) -> list[Figure | None]:
    return [one.figures.get(key) for one in rounds]


def _label_lines(rounds: Sequence[Round], key: str, axis: Axis) -> Iterator[tuple[str, Line]]:
    labels = dict.fromkeys(
        label for one in rounds for name, label in one.figures if name == key and label
    )
    for label in labels:
        yield label, line(_series(rounds, (key, label)), axis)


def _step(step: Step) -> StepView:
    changes = (*step.overall, *step.labels)
    ends = [abs(e) for c in changes for e in (c.low, c.high, c.difference) if e is not None]
    reach = min(1.0, max(0.2, max(ends, default=0.2)))
    axis = Axis(-reach, reach)
    tasks = sorted(
        (
            TaskChange(task, before, after)
            for task in step.shared
            if task not in step.untouched
            and (before := step.old.tasks[task][GAMMA].value) is not None
            and (after := step.new.tasks[task][GAMMA].value) is not None
        ),
        key=lambda task: task.difference,
    )
    return StepView(
        step=step,
        axis=axis,
        rows=tuple(ChangeRow(change, _mark(change, axis)) for change in changes),
        gained=tuple(t for t in reversed(tasks[-MOST_TASKS:]) if t.difference > 0),
        lost=tuple(t for t in tasks[:MOST_TASKS] if t.difference < 0),
    )


def _mark(change: Change, axis: Axis) -> Whisker:
    places = (change.difference, change.low, change.high)
    value, low, high = (None if end is None else axis.at(end) for end in places)
    return Whisker(value, low, high)
