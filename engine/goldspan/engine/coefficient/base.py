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
    Ends,
    IntervalMethod,
    SumColumns,
    Sums,
    added_columns,
    added_up,
    interval_of,
    ratio_value,
    totals,
)
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.measured import Measured, MeasuredTasks
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task

    Flags = NDArray[np.bool_]

Key: TypeAlias = tuple[str, str]
"""A coefficient's key and a label; the label is empty for the figure of all labels."""

GAMMA: Key = ("gamma", "")
GAMMA_CAT: Key = ("gamma_cat", "")

Figures: TypeAlias = Mapping[Key, Figure]


@dataclass(frozen=True, slots=True)
class SettledAlone:
    """Of each task whether it has a figure of its own, and whether that needs no settling."""

    exists: Flags
    stays: Flags


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


class ColumnCoefficient(Coefficient):
    """A coefficient whose sums of many tasks are columns, and that knows which of its figures
    `settle` would leave as they are. One that overrides `settle` overrides both.
    """

    @abstractmethod
    def settled_alone(self, measured: MeasuredTasks, sums: SumColumns, label: str) -> SettledAlone:
        """In which of many tasks there is a figure, and `settle` leaves it as it is. `sums` are
        what the tasks add.
        """


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
                covered = coverage_of(one, sums, tasks)
            figure = pooled(one, sums, measured, scheme, covered)
            found[one.key, label] = one.settle(measured, label, figure)
    return found


def figures_of_tasks(
    coefficients: Sequence[TaskCoefficient], tasks: Sequence[Task], scheme: Scheme
) -> dict[Key, Figure]:
    """The same of tasks that nobody aligned, for coefficients that need no alignment."""
    found = {}
    for one in coefficients:
        for label in one.labels_of(tasks, scheme):
            sums = one.observe_tasks(tasks, scheme, label)
            covered = coverage_of(one, sums, tasks)
            found[one.key, label] = pooled(one, sums, (), scheme, covered)
    return found


def coverage_of(
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
