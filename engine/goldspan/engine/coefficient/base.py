"""Coefficient: what every measure of agreement has to say about itself.

Every coefficient of this field is a function of sums over tasks. So a coefficient says what a task
adds (`observe`) and what the total means (`value`). Pooling, intervals, pairs of annotators,
reports and comparisons are the same code for all coefficients.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from goldspan.engine.chance.estimate import normal_quantile
from goldspan.engine.coefficient.figure import UNANIMOUS, Figure
from goldspan.engine.coefficient.resampling import (
    BLOCK,
    LEAST_BLOCKS,
    Ends,
    IntervalMethod,
    SumColumns,
    Sums,
    added_columns,
    added_up,
    few_unitary,
    interval_of,
    ratio_value,
    totals,
    variance_of,
)
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.measured import Measured
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task

Key: TypeAlias = tuple[str, str]
"""A coefficient's key and a label; the label is empty for the figure of all labels."""

GAMMA: Key = ("gamma", "")
GAMMA_CAT: Key = ("gamma_cat", "")

Figures: TypeAlias = Mapping[Key, Figure]


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What the sums of a coefficient are by, in their order: annotators, and the values that a
    judgement can have, with their distances. `size` is the number of values where it is given
    otherwise.
    """

    coders: tuple[str, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()
    distances: tuple[tuple[float, ...], ...] | None = None
    size: int = 0


class Coefficient(ABC):
    """A measure of agreement.

    `key` names it in JSON and on the command line, `symbol` for people, `about` says in a few words
    what it looks at, `blind` in a sentence what it cannot see, and `counts` what its `n` counts.
    """

    key: ClassVar[str]
    symbol: ClassVar[str]
    about: ClassVar[str]
    blind: ClassVar[str] = ""
    counts: ClassVar[str] = "unit"
    is_ratio: ClassVar[bool] = False
    """Whether the value is one minus the ratio of two sums, observed and expected."""
    is_bound: ClassVar[bool] = False
    """Whether the sums are by annotators or labels of one corpus, so that those of another corpus
    mean something else. Then `binding` says what they are by.
    """

    def bind(self, tasks: Sequence[Task], scheme: Scheme) -> Coefficient:
        """The coefficient as it measures this corpus: one that needs to know all annotators or
        labels keeps them. Its parts are in bound tasks, and any of them, the same.
        """
        return self

    def binding(self) -> Binding | None:
        """What `bind` kept, where the sums cannot be read without it; a result keeps it."""
        return None

    def bound_by(self, binding: Binding) -> Coefficient:
        """The coefficient as it measured the corpus with this binding."""
        return self

    def labels(self, measured: Sequence[Measured], scheme: Scheme) -> Sequence[str]:
        """The labels that have a figure each; one empty label for a single figure."""
        return ("",)

    @abstractmethod
    def observe(self, measured: Measured, scheme: Scheme, label: str) -> Sums | Reason:
        """What a task adds; or the reason why it adds nothing."""

    def observe_all(
        self, measured: Sequence[Measured], blank: Sequence[Task], scheme: Scheme, label: str
    ) -> Sequence[Sums | Reason]:
        """What each task adds; `blank` tasks, in which nobody marked a unit, come last, if at all.

        γ and its relatives see nothing in blank tasks.
        """
        return [self.observe(one, scheme, label) for one in measured]

    def extent(self, task: Task) -> float:
        """How much there is to look at in a task; of this a figure's coverage is a part."""
        units = task.continuum.units
        if len(task.annotators) == len(task.continuum.presence):
            return len(units)  # of everybody: no need to look at each
        return sum(unit.annotator in task.annotators for unit in units)

    def value(self, total: Sequence[float]) -> float | Reason:
        """Apply the formula to the sums of all tasks; a reason where the formula has no value."""
        observed, expected = total
        if expected <= 0:
            return Reason.of(ReasonKind.CERTAIN_CHANCE)
        return float(1 - observed / expected)

    def values(self, totals: Floats) -> Floats:
        """The formula for many totals, a row each; NaN where it has no value."""
        if self.is_ratio:
            return ratio_value(totals)
        found = (self.value(total) for total in totals.tolist())
        return np.array([math.nan if isinstance(one, Reason) else one for one in found])

    def settle(
        self,
        measured: Sequence[Measured],
        label: str,
        figure: Figure,
    ) -> Figure:
        """The figure, or what it has to be in the light of all tasks at once."""
        return figure


class TaskCoefficient(Coefficient):
    """A coefficient of tasks as they are: it needs neither alignments nor chance samples."""

    needs_alignment: ClassVar[bool] = False

    @abstractmethod
    def observe_tasks(
        self, tasks: Sequence[Task], scheme: Scheme, label: str
    ) -> Sequence[Sums | Reason]:
        """What each task adds; or the reason why it adds nothing."""

    def labels_of(self, tasks: Sequence[Task], scheme: Scheme) -> Sequence[str]:
        """As `labels`, of tasks that were not measured."""
        return ("",)

    def labels(self, measured: Sequence[Measured], scheme: Scheme) -> Sequence[str]:
        return self.labels_of([one.observation.task for one in measured], scheme)

    def observe(self, measured: Measured, scheme: Scheme, label: str) -> Sums | Reason:
        return self.observe_all([measured], (), scheme, label)[0]

    def observe_all(
        self, measured: Sequence[Measured], blank: Sequence[Task], scheme: Scheme, label: str
    ) -> Sequence[Sums | Reason]:
        tasks = [one.observation.task for one in measured]
        return self.observe_tasks([*tasks, *blank], scheme, label)


Observed: TypeAlias = Mapping[Key, Sequence[Sums | Reason]]
"""What each task adds to each figure, blank tasks last."""


def observe_tasks(
    coefficients: Sequence[Coefficient],
    measured: Sequence[Measured],
    scheme: Scheme,
    blank: Sequence[Task] = (),
) -> Observed:
    """What these tasks add; some of them may be blank."""
    return {
        (one.key, label): one.observe_all(measured, blank, scheme, label)
        for one in coefficients
        for label in one.labels(measured, scheme)
    }


def figures(
    coefficients: Sequence[Coefficient],
    observed: Observed,
    measured: Sequence[Measured],
    scheme: Scheme,
    blank: Sequence[Task] = (),
) -> dict[Key, Figure]:
    """The figures of these tasks together, from what they add."""
    found = {}
    for one in coefficients:
        for label in one.labels(measured, scheme):
            sums = observed[one.key, label]
            covered = None
            if not isinstance(sums, SumColumns):
                tasks = [*(each.observation.task for each in measured), *blank]
                covered = _coverage(one, sums, tasks)
            figure = pooled(one, sums, measured, scheme, covered)
            found[one.key, label] = one.settle(measured, label, figure)
    return found


class FiguresOfEach:
    """The figures of each task by itself, made when somebody looks."""

    def __init__(
        self,
        coefficients: Sequence[Coefficient],
        observed: Observed,
        measured: Sequence[Measured],
        scheme: Scheme,
    ) -> None:
        self._coefficients, self._observed = {one.key: one for one in coefficients}, observed
        self._measured, self._scheme = measured, scheme
        self._single = {
            (one.key, label): _SingleFigures(sums, measured[0].chance.value, scheme.settings.level)
            for one in coefficients
            if type(one).value is Coefficient.value
            for label in one.labels(measured, scheme)
            if isinstance(sums := observed[one.key, label], SumColumns)
        }
        self._values: dict[Key, list[float | None]] = {}

    def values(self, key: Key) -> list[float | None]:
        """The value of one figure of each task, made once: tasks are ranked by it more than once;
        None if it is undefined, or there is none.
        """
        if key not in self._values:
            found = (self.figure(key, at) for at in range(len(self._measured)))
            self._values[key] = [None if one is None else one.value for one in found]
        return self._values[key]

    def of(self, at: int) -> dict[Key, Figure]:
        """All figures of a task."""
        alone = [self._measured[at]]
        return {
            (key, label): self._figure((key, label), at, alone)
            for key, one in self._coefficients.items()
            for label in one.labels(alone, self._scheme)
        }

    def figure(self, key: Key, at: int) -> Figure | None:
        """One figure of a task; None if it has none."""
        alone, one = [self._measured[at]], self._coefficients.get(key[0])
        if one is None or key[1] not in one.labels(alone, self._scheme):
            return None
        return self._figure(key, at, alone)

    def _figure(self, key: Key, at: int, alone: Sequence[Measured]) -> Figure:
        one, quick = self._coefficients[key[0]], self._single.get(key)
        figure = None if quick is None else quick.of(at)
        if figure is None:
            sums = self._observed[key][at : at + 1]
            covered = _coverage(one, sums, [alone[0].observation.task])
            figure = pooled(one, sums, alone, self._scheme, covered)
        return one.settle(alone, key[1], figure)


def figures_of_tasks(
    coefficients: Sequence[TaskCoefficient], tasks: Sequence[Task], scheme: Scheme
) -> dict[Key, Figure]:
    """The same of tasks that nobody aligned, for coefficients that need no alignment."""
    found = {}
    for one in coefficients:
        for label in one.labels_of(tasks, scheme):
            sums = one.observe_tasks(tasks, scheme, label)
            covered = _coverage(one, sums, tasks)
            found[one.key, label] = pooled(one, sums, (), scheme, covered)
    return found


def _coverage(
    coefficient: Coefficient, found: Sequence[Sums | Reason], tasks: Sequence[Task]
) -> float | None:
    """The part of the tasks that was looked at, where the coefficient says so."""
    seen = [one.seen for one in found if isinstance(one, Sums) and one.seen is not None]
    if not seen:
        return None
    whole = math.fsum(map(coefficient.extent, tasks))
    return math.fsum(seen) / whole if whole else None


def pooled(
    coefficient: Coefficient,
    found: Sequence[Sums | Reason],
    measured: Sequence[Measured],
    scheme: Scheme,
    coverage: float | None = None,
) -> Figure:
    """A coefficient of the total of all tasks, with its interval. Their order changes nothing."""
    settings = scheme.settings
    interval = IntervalMethod(settings.level, settings.bootstrap, settings.seed)
    added = added_columns(found) if isinstance(found, SumColumns) else added_up(found)
    if added is None:
        return Figure.undefined(_commonest(found), interval.level)
    rows, of, n = added.rows, added.of, added.n
    # Pairs are in the order of names, and names must not change the last digit.
    total = [math.fsum(column) for column in rows.T] if of else totals(rows).tolist()
    value = coefficient.value(total)
    if isinstance(value, Reason):
        return Figure.undefined(value, interval.level, n, coverage)
    # All tasks of a run have one model of chance.
    model = measured[0].chance.value if added.chances else None
    if value == 1:
        ends = Ends(reason=UNANIMOUS)
    else:
        ends = interval_of(
            rows, added.noise, added.single, coefficient.values, interval,
            is_ratio=coefficient.is_ratio,
        )  # fmt: skip
    return Figure(
        value, ends.low, ends.high, interval.level, n, ends.method, ends.reason,
        observed=total[0] if coefficient.is_ratio else None,
        expected=total[1] if coefficient.is_ratio else None,
        chance=model,
        samples=sum(chance.count for chance in added.chances),
        error=normal_quantile(interval.level) * math.sqrt(added.noise) if model else None,
        sums=tuple(total),
        coverage=coverage,
        sums_of=of,
    )  # fmt: skip


def _commonest(found: Sequence[Sums | Reason]) -> Reason:
    """Why most tasks add nothing."""
    reasons = Counter(one for one in found if isinstance(one, Reason))
    if not reasons:
        return Reason.of(ReasonKind.NO_UNIT)
    return min(reasons, key=lambda reason: (-reasons[reason], reason))


class _SingleFigures:
    """The figures of tasks by themselves, for values that are one minus a ratio of two sums: what
    `pooled` makes of one task, without its detours.
    """

    def __init__(self, sums: SumColumns, model: str, level: float) -> None:
        self._sums, self._model, self._level = sums, model, level
        reach = normal_quantile(level)
        self._errors = [reach * math.sqrt(variance_of({one: 1.0})) for one in sums.chances]

    def of(self, at: int) -> Figure | None:
        """The figure of a task; None if it is long enough for an interval within it."""
        sums, level = self._sums, self._level
        which, n, unitary = sums.which.item(at), sums.n.item(at), sums.unitary.item(at)
        if which < 0:
            return Figure.undefined(sums.reasons[at], level)
        observed, expected = sums.rows[at].tolist()
        if expected <= 0:
            return Figure.undefined(Reason.of(ReasonKind.CERTAIN_CHANCE), level, n)
        if unitary >= BLOCK * LEAST_BLOCKS:
            return None
        value = 1 - observed / expected
        reason = UNANIMOUS if value == 1 else few_unitary(unitary)
        return Figure(
            value, None, None, level, n, None, reason, observed, expected, self._model,
            sums.chances[which].count, self._errors[which], (observed, expected),
        )  # fmt: skip
