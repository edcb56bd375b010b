"""View: a result as plain values that templates lay out; nothing here knows markup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from goldspan.adapters.facts import settled_tasks
from goldspan.engine.coefficient.resampling import BLOCK, LEAST_BLOCKS, LEAST_TASKS
from goldspan.engine.disagreement import DISAGREEMENT_KINDS, Disagreements
from goldspan.engine.result import OWN_NAMES, AnnotatorResult, PairResult, Result, TaskResult
from goldspan.plugin.report import wording
from goldspan.plugin.report.against import AgainstView, view_against
from goldspan.plugin.report.charts import (
    Axis,
    Histogram,
    Whisker,
    coefficient_axis,
    histogram,
    stacked,
    whisker,
)
from goldspan.plugin.report.counts import SIDES, Counts, count
from goldspan.plugin.report.drawing import drawing, weight
from goldspan.plugin.report.findings import GAMMA, Finding, find, rank_task
from goldspan.plugin.report.surroundings import NOWHERE, Surroundings
from goldspan.plugin.report.task_rows import TaskRow, decisions_of, task_rows

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Coefficient
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.facts import Reason
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.gold.overview import GoldOverview
    from goldspan.engine.model import Continuum, Corpus

DRAWN = 200
DRAWN_BYTES = 600_000
"""The worst tasks are drawn: so many at most, and no more than fit in so many bytes."""

LISTED = 1_000
"""So many tasks are listed, worst first; the others are summed up."""

MOST_LABELS = 24
MOST_RARE = 1_000
MOST_ANNOTATORS = 30
"""Matrices stay readable up to about here; what is left out is said. So many labels are listed in
all, the rare ones folded.
"""


@dataclass(frozen=True, slots=True)
class Headline:
    """A coefficient of the whole corpus, or the warning that stands in its place."""

    name: str
    about: str
    figure: Figure
    based_on: str
    meaning: str
    scale: str
    warning: str | None
    mark: Whisker
    axis: Axis


@dataclass(frozen=True, slots=True)
class OtherFigure:
    """A further coefficient of the whole corpus; 0 need not be chance on its scale."""

    name: str
    about: str
    blind: str
    figure: Figure
    based_on: str


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label's γk with its place in the chart."""

    name: str
    number: int
    figure: Figure
    mark: Whisker


@dataclass(frozen=True, slots=True)
class KindRow:
    """Disagreements of one annotator or label: cases, and widths of a stacked bar."""

    name: str
    cases: tuple[int, ...]
    bars: tuple[tuple[float, float], ...]
    share: float


@dataclass(frozen=True, slots=True)
class Report:
    """A scored corpus, ready to be laid out; `drawings` can be gone through once."""

    title: str
    version: str
    result: Result
    gold: Gold | GoldOverview | None
    headlines: tuple[Headline, ...]
    others: tuple[OtherFigure, ...]
    findings: tuple[Finding, ...]
    categories: tuple[str, ...]
    labels: tuple[LabelRow, ...]
    label_axis: Axis
    counts: Counts
    confused: tuple[str, ...]
    names: tuple[str, ...]
    pairs: Mapping[tuple[str, str], PairResult]
    without: tuple[tuple[AnnotatorResult, Whisker], ...]
    without_axis: Axis
    by_annotator: tuple[KindRow, ...]
    by_label: tuple[KindRow, ...]
    histogram: Histogram
    rows: tuple[TaskRow, ...]
    unlisted: tuple[TaskResult, ...]
    excluded: Mapping[str, Sequence[str]]
    drawings: Iterator[dict[str, Any]]
    against: AgainstView | None = None
    surroundings: Surroundings = NOWHERE

    @property
    def colours(self) -> tuple[str, ...]:
        """The colour of each category that has one of its own, else nothing."""
        return tuple(self.surroundings.colours.get(name, "") for name in self.categories)

    @property
    def n_drawn(self) -> int:
        return sum(row.drawn for row in self.rows)

    @property
    def mean_of_pairs(self) -> float:
        """What the pairs are compared with: γ of fewer annotators is higher by construction."""
        known = [p.gamma.value for p in self.pairs.values() if p.gamma.value is not None]
        return sum(known) / len(known) if known else 0.0

    @property
    def ranked_pairs(self) -> list[PairResult]:
        """Lowest γ first, undefined last."""
        return sorted(self.pairs.values(), key=lambda pair: rank(pair.gamma))


def listed_tasks(result: Result) -> list[str]:
    """The ids of the tasks that a report lists."""
    return [task.id for task in nsmallest(LISTED, result.tasks.values(), key=rank_task)]


def view(
    title: str,
    corpus: Corpus,
    result: Result,
    gold: Gold | GoldOverview | None = None,
    surroundings: Surroundings = NOWHERE,
) -> Report:
    """The report of a result, with the suggested gold where there is one."""
    counts = count(result)
    settled = settled_tasks(corpus.notes)
    against = None if result.against is None else view_against(result.against)
    worst = sorted(result.tasks.values(), key=rank_task)
    unsettled = [task for task in worst if task.id not in settled]
    continua = {c.id: c for c in corpus.continua if c.id in result.tasks}
    drawn = _drawn(worst, continua)
    categories = tuple(corpus.categories)
    category = {name: number for number, name in enumerate(categories)}
    names = tuple(one.name for one in result.annotators)
    label_axis = coefficient_axis(result.gamma_k.values())
    without_axis = coefficient_axis([result.gamma, *(a.gamma_without for a in result.annotators)])
    return Report(
        title=title,
        version=version("goldspan"),
        result=result,
        gold=gold,
        headlines=_headlines(result),
        others=_others(result),
        findings=(
            *_against(against),
            *find(result, counts, unsettled),
        ),
        categories=categories,
        labels=tuple(
            LabelRow(label, category[label], figure, whisker(figure, label_axis))
            for label, figure in _ordered_labels(result.gamma_k)
        ),
        label_axis=label_axis,
        counts=counts,
        confused=_confused(categories, counts),
        names=names,
        pairs={pair.annotators: pair for pair in result.pairs},
        without=tuple((a, whisker(a.gamma_without, without_axis)) for a in result.annotators),
        without_axis=without_axis,
        by_annotator=_by_annotator(names, counts),
        by_label=_by_label(result.disagreements_by_label),
        histogram=histogram(
            [value for t in worst if (value := t.value(GAMMA)) is not None], result.median_gamma
        ),
        rows=tuple(
            task_rows(
                worst[:LISTED], result, names, category, len(drawn), gold, surroundings, settled
            )
        ),
        unlisted=tuple(worst[LISTED:]),
        excluded=_excluded(result),
        drawings=(
            drawing(
                task,
                continua[task.id],
                _spans(gold, task.id),
                category,
                decisions_of(gold, task.id),
            )
            for task in drawn
        ),
        against=against,
        surroundings=surroundings,
    )


def _against(against: AgainstView | None) -> Iterator[Finding]:
    """The annotator who differs most, as a finding."""
    if against is not None and against.findings:
        about = "Stability" if against.is_stability else "Reference"
        yield Finding(about, " ".join(against.findings), "against")


def rank(figure: Figure) -> tuple[bool, float]:
    """Sorts the lowest value first, and undefined ones last."""
    return figure.value is None, figure.value or 0.0


def _ordered_labels(figures: Mapping[str, Figure]) -> list[tuple[str, Figure]]:
    """The lowest γk first; where there are too many labels to read them all, those first whose γk
    rests on most pairs.
    """
    if len(figures) <= MOST_LABELS:
        return sorted(figures.items(), key=lambda item: rank(item[1]))
    return sorted(figures.items(), key=lambda item: (item[1].value is None, -item[1].n, item[0]))


def _spans(gold: Gold | GoldOverview | None, task: str) -> Any:
    return None if gold is None else gold.spans.get(task, ())


def _drawn(
    worst: Sequence[TaskResult], continua: Mapping[str, Continuum]
) -> tuple[TaskResult, ...]:
    kept: list[TaskResult] = []
    used = 0
    for task in worst[:DRAWN]:
        used += weight(task, continua[task.id])
        if kept and used > DRAWN_BYTES:
            break
        kept.append(task)
    return tuple(kept)


def _headlines(result: Result) -> tuple[Headline, ...]:
    if not result.tasks and result.layers:
        return tuple(_layer_headlines(result))
    axis = coefficient_axis([result.gamma, result.gamma_cat])
    where = (
        f"{wording.many(result.gamma.n or result.n_units, 'unit')} in "
        f"{wording.many(result.n_unitary, 'unitary alignment')}, "
        f"{wording.many(len(result.tasks), 'task')}, "
        f"{wording.many(len(result.annotators), 'annotator')}"
    )
    few = _few(result)
    on = f"{wording.many(result.gamma_cat.n, 'pair')} of aligned units"
    return (
        _headline(
            "γ", "where units are, and how they are labelled", result.gamma, where, axis, few
        ),
        _headline("γcat", "labels only, where units are aligned", result.gamma_cat, on, axis, few),
    )


def _layer_headlines(result: Result) -> Iterator[Headline]:
    """Where nobody marked places, the figures that fit labels of whole tasks come first."""
    axis = coefficient_axis([layer.alpha for layer in result.layers.values()])
    for name, layer in result.layers.items():
        few = None
        if layer.n_tasks < LEAST_TASKS:
            few = f"no disagreement was observed, but in {wording.many(layer.n_tasks, 'task')} only"
        on = (
            f"{wording.many(layer.n_labels, 'label')}, {wording.many(layer.n_tasks, 'task')}, "
            f"{wording.many(len(layer.annotators), 'annotator')}"
        )
        yield _headline(layer.symbol, f"labels of “{name}”", layer.alpha, on, axis, few)


def _others(result: Result) -> tuple[OtherFigure, ...]:
    return tuple(
        OtherFigure(one.symbol, one.about, one.blind, figure, _based_on(one, figure))
        for one in result.coefficients
        if one.key not in OWN_NAMES and (figure := result.figures.get((one.key, "")))
    )


def _based_on(one: Coefficient, figure: Figure) -> str:
    """What a figure rests on, and the part of the data that it looked at."""
    on = wording.many(figure.n, one.counts)
    if figure.coverage is None or figure.coverage == 1:
        return on
    return f"{on}, {figure.coverage:.0%} of the data"


def _few(result: Result) -> str | None:
    """Why even unanimity says little, if so: too few tasks, or too little in the only one."""
    tasks = list(result.tasks.values())
    if len(tasks) >= LEAST_TASKS:
        return None
    if len(tasks) == 1 and len(tasks[0].alignment.unitary) >= BLOCK * LEAST_BLOCKS:
        return None
    return f"no disagreement was observed, but in {wording.many(len(tasks), 'task')} only"


def _headline(
    name: str, about: str, figure: Figure, based_on: str, axis: Axis, few: str | None
) -> Headline:
    warning = few if figure.is_unanimous else None
    if wording.is_too_little(figure):
        warning = figure.remark or "there is too little data"
    return Headline(
        name=name,
        about=about,
        figure=figure,
        based_on=based_on,
        meaning=wording.meaning(figure),
        scale="" if warning else wording.borrowed(figure),
        warning=warning,
        mark=whisker(figure, axis),
        axis=axis,
    )


def _confused(categories: Sequence[str], counts: Counts) -> tuple[str, ...]:
    """The labels of the confusion matrix: those most often involved, in the corpus's order."""
    involved = {name: counts.of(name) + counts.unmatched.get(name, 0) for name in categories}
    used = [name for name in categories if involved[name]]
    kept = set(sorted(used, key=lambda name: -involved[name])[:MOST_LABELS])
    return tuple(name for name in used if name in kept)


def _by_annotator(names: Sequence[str], counts: Counts) -> tuple[KindRow, ...]:
    costs = {n: [counts.costs.get(n, {}).get(side, 0.0) for side in SIDES] for n in names}
    cases = {n: tuple(counts.cases.get(n, {}).get(side, 0) for side in SIDES) for n in names}
    return _kind_rows(costs, cases)


def _by_label(parts: Mapping[str, Disagreements]) -> tuple[KindRow, ...]:
    costs = {
        label: [part[kind].disorder for kind in DISAGREEMENT_KINDS] for label, part in parts.items()
    }
    cases = {
        label: tuple(part[kind].count for kind in DISAGREEMENT_KINDS)
        for label, part in parts.items()
    }
    return _kind_rows(costs, cases)


def _kind_rows(
    costs: Mapping[str, Sequence[float]], cases: Mapping[str, tuple[int, ...]]
) -> tuple[KindRow, ...]:
    """Highest cost first; the bars share one scale."""
    totals = {name: sum(parts) for name, parts in costs.items()}
    most, whole = max(totals.values(), default=0.0), sum(totals.values())
    return tuple(
        KindRow(
            name, cases[name], stacked(costs[name], most), totals[name] / whole if whole else 0.0
        )
        for name in sorted(totals, key=lambda name: -totals[name])
    )


def _excluded(result: Result) -> dict[str, list[str]]:
    """The tasks that were left out, by reason."""
    by_reason: dict[Reason, list[str]] = {}
    for one in result.excluded:
        by_reason.setdefault(one.reason, []).append(one.task)
    return {str(reason): tasks for reason, tasks in by_reason.items()}
