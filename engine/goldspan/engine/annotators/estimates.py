"""Estimates: rates and means with intervals, where what is counted comes in tasks.

Spans of one task are alike, so that intervals over spans would be too narrow. A rate has Wilson's
interval with so many fewer observations as its variance over tasks is larger than the binomial one;
a mean has Student's interval with the variance over tasks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from goldspan.engine.quantile import normal_quantile, student_quantile

LEAST_TASKS = 3
"""A mean has no interval with fewer tasks."""

LEAST_VALUES = 5

NEAR = 1e-9
"""Means of the same values in another order differ by less."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` of `n`, and the interval; `effective` is how many independent cases the `n` cases are
    worth, which come in tasks.
    """

    count: int
    n: int
    low: float
    high: float
    effective: float = 0.0

    @property
    def value(self) -> float | None:
        return self.count / self.n if self.n else None

    def at(self, level: float) -> Rate:
        """The same with the interval of another level."""
        ends = _wilson(self.count, self.n, self.effective, level)
        return Rate(self.count, self.n, *ends, self.effective)

    def with_more(self, other: Rate) -> Rate:
        """Both together; without an interval until `at` gives it one."""
        count, n = self.count + other.count, self.n + other.n
        return Rate(count, n, 0.0, 1.0, self.effective + other.effective)


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `n` values; without an interval where the values or tasks are too few."""

    value: float
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Usual:
    """The median of all annotators, and half of its interval's width."""

    value: float = 0.0
    half: float = 0.0


def is_beyond(found: Mean | Change, usual: Usual) -> bool:
    """Whether an interval is there, does not include 0, and is further from 0 than what is usual by
    more than both intervals leave open.
    """
    if found.low is None or found.high is None or found.low <= 0 <= found.high:
        return False
    sign = 1 if found.value > 0 else -1
    half = found.value - found.low if sign > 0 else found.high - found.value
    return sign * (found.value - usual.value) > math.hypot(half, usual.half) + NEAR


def rate(by_task: Sequence[tuple[int, int]], level: float) -> Rate:
    """The rate of a pair (count, of how many) for each task."""
    known = [(count, n) for count, n in by_task if n]
    count, n = sum(one for one, _ in known), sum(one for _, one in known)
    if not n:
        return Rate(0, 0, 0.0, 1.0)
    p = count / n
    effective = float(n)
    if 0 < p < 1 and len(known) > 1:
        spread = sum((one - p * of) ** 2 for one, of in known) * len(known) / (len(known) - 1)
        effective = n / max(1.0, spread / (n * p * (1 - p)))
    return Rate(count, n, *_wilson(count, n, effective, level), effective)


def _wilson(count: int, n: int, effective: float, level: float) -> tuple[float, float]:
    if not n:
        return 0.0, 1.0
    p, z = count / n, normal_quantile((1 + level) / 2)
    middle = (p + z * z / (2 * effective)) / (1 + z * z / effective)
    half = z / (1 + z * z / effective)
    half *= math.sqrt(p * (1 - p) / effective + (z / (2 * effective)) ** 2)
    # The ends are exact where everything or nothing counts; rounding would put them beside it.
    low = max(middle - half, 0.0) if count else 0.0
    return low, min(middle + half, 1.0) if count < n else 1.0


def mean(by_task: Sequence[Sequence[float]], level: float) -> Mean | None:
    """The mean of the values of all tasks; None if there is none."""
    known = [values for values in by_task if values]
    n = sum(map(len, known))
    if not n:
        return None
    middle = math.fsum(map(math.fsum, known)) / n
    if len(known) < LEAST_TASKS or n < LEAST_VALUES:
        return Mean(middle, n)
    half = student_quantile((1 + level) / 2, len(known) - 1) * math.sqrt(_variance(known, middle))
    return Mean(middle, n, middle - half, middle + half)


def _variance(known: Sequence[Sequence[float]], middle: float) -> float:
    """Of the mean, over tasks."""
    n, tasks = sum(map(len, known)), len(known)
    spread = math.fsum(math.fsum(value - middle for value in values) ** 2 for values in known)
    return spread / n**2 * tasks / (tasks - 1)


@dataclass(frozen=True, slots=True)
class Change:
    """From `first` to `second`: the difference of the two and its interval."""

    first: float
    second: float
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.second - self.first


def change_of_rates(first: Rate, second: Rate) -> Change | None:
    """Newcombe's interval (1998, method 10) from those of the two; None if one is unknown."""
    before, after = first.value, second.value
    if before is None or after is None:
        return None
    low = math.hypot(after - second.low, first.high - before)
    high = math.hypot(second.high - after, before - first.low)
    return Change(before, after, after - before - low, after - before + high)


def change_of_means(
    first: Sequence[Sequence[float]], second: Sequence[Sequence[float]], level: float
) -> Change | None:
    """Welch's interval with variances over tasks; None with fewer than three tasks on a side."""
    sides = [[values for values in side if values] for side in (first, second)]
    found = [mean(side, level) for side in sides]
    if any(one is None or one.low is None for one in found):
        return None
    before, after = (one.value for one in found if one is not None)
    parts = [_variance(side, one) for side, one in zip(sides, (before, after), strict=True)]
    total = sum(parts)
    if total == 0:
        return Change(before, after, after - before, after - before)
    tasks = map(len, sides)
    freedom = total**2 / sum(
        part**2 / (count - 1) for part, count in zip(parts, tasks, strict=True)
    )
    half = student_quantile((1 + level) / 2, freedom) * math.sqrt(total)
    return Change(before, after, after - before - half, after - before + half)
