"""Change: what became of a figure from one round to the next, and whether that is clear.

A coefficient is a function of sums over tasks. Resampling tasks (the same ones in both rounds, if
the rounds share them) gives the distribution of the difference. The interval is the expanded
percentile interval of Hesterberg (2015), which is wider than the plain one where tasks are few. The
sampling error of each figure's chance is drawn along; where a result does not state it, as large as
its precision allows.

Chance is drawn from all tasks of a round, so it differs between two rounds even for a task that
nobody touched. Such a task gets the mean of both chances in both rounds: it has not changed. Of a
round that has new tasks, and most of the old ones as they were, what is new or changed counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.coefficient.base import Coefficient, Key, TaskCoefficient
from goldspan.engine.coefficient.draws import resample
from goldspan.engine.coefficient.registry import known_coefficients
from goldspan.engine.coefficient.resampling import (
    LEAST_TASKS,
    Named,
    independent_difference,
    rows_of,
)
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Fact, Reason, ReasonKind, Verdict
from goldspan.engine.quantile import normal_quantile, student_quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldspan.engine.coefficient.base import Binding
    from goldspan.engine.coefficient.figure import Figure

RESAMPLES = 10_000
LEAST_RESAMPLES = 2_000
DRAWS = 20_000_000
"""Large rounds are resampled less often: their percentiles are steadier."""

PAIRED = "paired bootstrap over shared tasks"
APART = "bootstrap over the tasks of each round"

Sums = NDArray[np.float64]
"""A row for each task: the sums of a coefficient, what chance expects last."""


@dataclass(frozen=True, slots=True)
class Round:
    """One scored round: the figures of the corpus and of each task, by coefficient; the marks in
    each task, and its text, as digests; how far apart labels are, where not all are at 1.
    `bindings` are what coefficients whose sums are by annotators or labels were bound to.
    """

    name: str
    settings: Mapping[str, Any]
    figures: Mapping[Key, Figure]
    tasks: Mapping[str, Mapping[Key, Figure]]
    marked: Mapping[str, str]
    texts: Mapping[str, str]
    distances: Mapping[tuple[str, str], float]
    n_units: int
    n_annotators: int
    symbols: Mapping[str, str]
    bindings: Mapping[str, Binding] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for name, label in self.figures if name == "gamma_k")

    def shares(self, task: str, other: Round) -> bool:
        """Whether both rounds have this task; of two texts under one name they do not."""
        if task not in self.tasks or task not in other.tasks:
            return False
        one, another = self.texts.get(task), other.texts.get(task)
        return one is None or another is None or one == another


@dataclass(frozen=True, slots=True)
class Change:
    """The difference of one coefficient, new minus old, on what can be compared.

    `old` and `new` are the values on the shared tasks if `method` is paired, else the rounds' own;
    the new round's is that of its new tasks if it brought the old ones along as they were.
    Without an interval, `reason` says why. `level` is that of the interval.
    """

    name: str
    label: str
    old: float | None
    new: float | None
    low: float | None
    high: float | None
    level: float
    n_tasks: int
    method: str | None
    reason: Reason | None

    @property
    def difference(self) -> float | None:
        return None if self.old is None or self.new is None else self.new - self.old

    @property
    def outcome(self) -> Verdict:
        """Whether the interval of the difference is above 0, below it, or includes it."""
        if self.low is None or self.high is None:
            return Verdict.CANNOT_BE_TOLD
        if self.low > 0:
            return Verdict.BETTER
        return Verdict.WORSE if self.high < 0 else Verdict.NO_CLEAR_CHANGE

    @property
    def verdict(self) -> str:
        """The outcome in words."""
        return str(Fact.of(self.outcome))

    def as_json(self) -> dict[str, Any]:
        return {
            "coefficient": self.name,
            "label": self.label or None,
            "old": self.old,
            "new": self.new,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "n_tasks": self.n_tasks,
            "method": self.method,
            "reason": None if self.reason is None else str(self.reason),
            "verdict": self.verdict,
            "reason_code": None if self.reason is None else self.reason.code,
            "verdict_code": self.outcome.code,
        }


@dataclass(frozen=True, slots=True)
class RoundTasks:
    """The tasks of two rounds: `shared` ones, those of them that are `untouched`, and those of the
    new round that are `fresh`.
    """

    shared: tuple[str, ...]
    untouched: frozenset[str]
    fresh: tuple[str, ...]

    @classmethod
    def of(cls, old: Round, new: Round) -> RoundTasks:
        shared = tuple(task for task in old.tasks if old.shares(task, new))
        untouched = frozenset(task for task in shared if old.marked[task] == new.marked[task])
        fresh = tuple(task for task in new.tasks if not old.shares(task, new))
        return cls(shared, untouched, fresh)

    @property
    def are_carried(self) -> bool:
        """Whether the shared tasks were only brought along, and tell nothing of the new round."""
        return bool(self.fresh) and 2 * len(self.untouched) > len(self.shared)

    @property
    def judged(self) -> tuple[str, ...]:
        """The tasks of the new round by which it is measured where tasks are not paired."""
        if not self.are_carried:
            return (*self.shared, *self.fresh)
        return (*(task for task in self.shared if task not in self.untouched), *self.fresh)


def change_of(
    old: Round, new: Round, key: Key, tasks: RoundTasks, level: float, seed: int
) -> Change:
    """How a figure differs between two rounds."""
    before, after = old.figures[key], new.figures[key]
    name = new.symbols.get(key[0], key[0]), key[1]
    coefficient = known_coefficients().get(key[0])
    if before.value is None or after.value is None or coefficient is None:
        reason = before.reason if before.value is None else after.reason
        if coefficient is None:
            reason = Reason.of(ReasonKind.NOT_INSTALLED, coefficient=key[0])
        return Change(*name, before.value, after.value, None, None, level, 0, None, reason)
    bound = _bound(old, key, coefficient), _bound(new, key, coefficient)
    if bound[0] is None or bound[1] is None:
        count = min(len(_rows(one, key, one.tasks)) for one in (old, new))
        found = independent_difference(before, after, level, seed)
        return Change(
            *name, before.value, after.value, found.low, found.high, level, count,
            found.method, found.reason,
        )  # fmt: skip
    noises = _deviation(old, key, coefficient), _deviation(new, key, coefficient)
    measures = bound[0].values, bound[1].values
    sampled = not isinstance(coefficient, TaskCoefficient)
    one, other = _pairs(old, new, key, tasks, sampled=sampled)
    values = _value(bound[0], one), _value(bound[1], other)
    if len(one) >= LEAST_TASKS and None not in values:
        drawn = resample((one, other), noises, measures, _times(one), seed)
        ends = _interval(drawn[1] - drawn[0], level, len(one))
        return Change(*name, *values, *ends, level, len(one), PAIRED, None)
    one, other = _rows(old, key, old.tasks), _rows(new, key, tasks.judged)
    values = before.value, _value(bound[1], other) if tasks.are_carried else after.value
    fewest = min(len(one), len(other))
    if fewest < LEAST_TASKS:
        reason = Reason.of(ReasonKind.FEW_COMPARED_TASKS, needed=LEAST_TASKS, found=fewest)
        return Change(*name, *values, None, None, level, fewest, None, reason)
    (first,) = resample((one,), noises[:1], measures[:1], _times(one), seed)
    (second,) = resample((other,), noises[1:], measures[1:], _times(other), seed + 1)
    least = min(len(first), len(second))
    ends = _interval(second[:least] - first[:least], level, fewest)
    return Change(*name, *values, *ends, level, fewest, APART, None)


def _bound(one: Round, key: Key, coefficient: Coefficient) -> Coefficient | None:
    """The coefficient as it measured a round; none where the round does not say."""
    binding = one.bindings.get(coefficient.key)
    if coefficient.is_bound and binding is None:
        return None
    try:
        bound = coefficient.bound_by(binding) if binding else coefficient
        _value(bound, _rows(one, key, one.tasks))
    except (ValueError, IndexError):
        raise InputError(
            f"the sums of '{coefficient.key}' do not fit what the file says they are by; "
            "write the file again with goldspan score --json",
            where=one.name,
        ) from None
    return bound


def _pairs(
    old: Round, new: Round, key: Key, tasks: RoundTasks, *, sampled: bool
) -> tuple[Sums, Sums]:
    """The sums of each shared task in both rounds; none where they do not tell."""
    before, after = [], []
    for task in () if tasks.are_carried else tasks.shared:
        one, other = _named(old.tasks[task], key), _named(new.tasks[task], key)
        if one is None or other is None:
            continue
        if sampled and task in tasks.untouched:
            # The last sum is chance's; where nobody touched anything it is the same.
            chance = (one[0][-1] + other[0][-1]) / 2
            one, other = (((*parts[:-1], chance), of) for parts, of in (one, other))
        before.append(one)
        after.append(other)
    return rows_of(before)[0], rows_of(after)[0]


def _rows(one: Round, key: Key, tasks: Iterable[str]) -> Sums:
    found = (_named(one.tasks[task], key) for task in tasks)
    return rows_of([row for row in found if row is not None])[0]


def _named(task: Mapping[Key, Figure], key: Key) -> Named | None:
    figure = task.get(key)
    return None if figure is None or figure.sums is None else (figure.sums, figure.sums_of)


def _value(coefficient: Coefficient, sums: Sums) -> float | None:
    if not len(sums):
        return None
    value = coefficient.value(sums.sum(axis=0).tolist())
    return None if isinstance(value, Reason) else value


def _times(sums: Sums) -> int:
    return max(LEAST_RESAMPLES, min(RESAMPLES, DRAWS // len(sums)))


def _deviation(one: Round, key: Key, coefficient: Coefficient) -> float:
    """The relative standard error of what chance expects of a figure."""
    if isinstance(coefficient, TaskCoefficient):
        return 0.0
    figure = one.figures[key]
    error = figure.error
    if error is None:
        error = float(one.settings.get("precision", 0.0))
    return error / normal_quantile(0.5 + figure.level / 2)


def _interval(drawn: Sums, level: float, count: int) -> tuple[float, float]:
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    reach = math.sqrt(count / (count - 1)) * student_quantile(0.5 + level / 2, count - 1)
    tail = float(ndtr(-reach))
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    return float(low), float(high)
