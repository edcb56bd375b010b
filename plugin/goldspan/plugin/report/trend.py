"""Trend: rounds side by side, as a page and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from goldspan.engine.coefficient.base import Key
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.comparison import GAMMA, Change, Comparison, Round, Step
from goldspan.plugin.report.charts import Axis, Line, Whisker, coefficient_axis, line
from goldspan.plugin.report.markdown import render
from goldspan.plugin.report.page import write_page

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
    """A comparison, ready to be laid out."""

    title: str
    version: str
    comparison: Comparison
    lines: tuple[tuple[str, Line], ...]
    label_lines: tuple[tuple[str, Line], ...]
    axis: Axis
    steps: tuple[StepView, ...]


def trend(comparison: Comparison) -> Trend:
    """The comparison with every mark in its place."""
    rounds = comparison.rounds
    labels = dict.fromkeys(label for one in rounds for label in one.labels)
    axis = coefficient_axis([figure for one in rounds for figure in one.figures.values()])
    return Trend(
        title=" → ".join(one.name for one in rounds),
        version=version("goldspan"),
        comparison=comparison,
        lines=tuple(
            (rounds[-1].symbols[name], line(_series(rounds, (name, label)), axis))
            for name, label in rounds[-1].figures
            if not label
        ),
        label_lines=tuple(
            (label, line(_series(rounds, ("gamma_k", label)), axis)) for label in labels
        ),
        axis=axis,
        steps=tuple(_step(one) for one in comparison.steps),
    )


def write_trend(path: Path, comparison: Comparison) -> None:
    """Write the page."""
    write_page(path, "trend.html.j2", trend=trend(comparison))


def trend_text(comparison: Comparison) -> str:
    """The comparison for a pull request."""
    return render("trend.md.j2", trend=trend(comparison))


def _series(rounds: Sequence[Round], key: Key) -> list[Figure | None]:
    return [one.figures.get(key) for one in rounds]


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
