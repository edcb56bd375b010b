"""Resampling: the one place where intervals are made, for every coefficient.

From 5 tasks on an interval is taken over tasks: t on the log scale of 1 - value, or a bootstrap.
Within a single task it is a bootstrap over blocks of neighbouring unitary alignments. All include
the sampling error of chance. There is one bootstrap, `draws.resample`: over tasks, over blocks, and
over the tasks that two rounds share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from goldspan.engine.coefficient.draws import resample
from goldspan.engine.coefficient.made import Made
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.quantile import normal_quantile, student_quantile

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.chance.estimate import Estimate
    from goldspan.engine.coefficient.draws import Value
    from goldspan.engine.coefficient.figure import Figure

LEAST_TASKS = 5
"""From this many tasks on there is an interval over tasks; docs/scoring.md says what it covers."""

BLOCK = 5
LEAST_BLOCKS = 5
"""A single continuum is resampled in blocks of neighbouring unitary alignments."""

RESAMPLES = 2000

BY_INTERVALS = "from the intervals of both rounds"


@dataclass(frozen=True, slots=True)
class Blocks:
    """The parts of a task's unitary alignments, a row each; most tasks have too few of them to make
    an interval of, so the rows are made when somebody asks for them.
    """

    unitary: int
    rows: Callable[[], Floats]


@dataclass(frozen=True, slots=True)
class Sums:
    """What one task adds to a coefficient; everything in it adds up over tasks.

    The coefficient is a function of the total of `parts`. `n` counts what they rest on. If the last
    part comes from chance samples, `chance` is their estimate. `blocks` are those of the task's
    unitary alignments, which add up to the parts. `seen` is how much of the task's `extent`
    was looked at. If the parts are those of pairs of annotators, equally many each, `of` says of
    which: parts of the same pair add up, and the value is that of the pairs that are there.
    """

    parts: tuple[float, ...]
    n: int
    chance: Estimate | None = None
    blocks: Blocks | None = None
    seen: float | None = None
    of: tuple[tuple[str, str], ...] | None = None


Named: TypeAlias = tuple[Sequence[float], Sequence[tuple[str, str]] | None]
"""Parts, and the pairs of annotators that they are of, if they are."""


def rows_of(named: Sequence[Named]) -> tuple[Floats, tuple[tuple[str, str], ...] | None]:
    """A row for each, with the parts of the same pair in the same columns; and the pairs."""
    if not named or named[0][1] is None:
        return np.array([parts for parts, _ in named], dtype=np.float64), None
    pairs = sorted({pair for _, of in named for pair in of or ()})
    width = max(len(parts) // len(of) for parts, of in named if of)
    place = {pair: at for at, pair in enumerate(pairs)}
    found = np.zeros((len(named), len(pairs), width))
    for row, (parts, of) in zip(found, named, strict=True):
        row[[place[pair] for pair in of or ()]] = np.reshape(parts, (-1, width))
    return found.reshape(len(named), -1), tuple(pairs)


@dataclass(frozen=True, slots=True)
class IntervalMethod:
    """How intervals are made: their level, over tasks by t or bootstrap, and the seed."""

    level: float = 0.95
    bootstrap: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Ends:
    """The two ends of an interval and its method; or the reason why there is none."""

    low: float | None = None
    high: float | None = None
    method: str | None = None
    reason: Reason | None = None


def interval_of(
    rows: Floats,
    noise: float,
    single: Sums | Reason,
    value: Value,
    interval: IntervalMethod,
    *,
    is_ratio: bool,
) -> Ends:
    """The interval of a coefficient over the tasks that add these sums, a row each. `noise` is the
    variance that comes from chance; `single` is what a task adds that is the only one.
    """
    if len(rows) >= LEAST_TASKS:
        if interval.bootstrap:
            return Ends(*_percentiles(rows, value, noise, interval), "bootstrap over tasks")
        total = totals(rows)
        if is_ratio:
            disorder, variance = float(total[0] / total[1]), _ratio_variance(rows)
        else:
            disorder = 1 - float(value(total[None])[0])
            variance = _jackknife_variance(rows, value)
        return Ends(
            *_log_t(disorder, variance + noise, len(rows), interval.level),
            "log-scale t over tasks",
        )
    if len(rows) > 1 or isinstance(single, Reason):
        return Ends(reason=_few_tasks(len(rows)))
    return _within_a_task(single, noise, value, interval)


def _within_a_task(sums: Sums, noise: float, value: Value, interval: IntervalMethod) -> Ends:
    """The interval over blocks of neighbouring unitary alignments."""
    blocks = sums.blocks
    if blocks is None:
        return Ends(reason=_few_tasks(1))
    if blocks.unitary < BLOCK * LEAST_BLOCKS:
        return Ends(reason=few_unitary(blocks.unitary))
    edges = np.arange(0, blocks.unitary, BLOCK)
    stretches = np.add.reduceat(blocks.rows(), edges, axis=0)
    telling = int(np.count_nonzero(stretches[:, -1]))
    if telling < LEAST_BLOCKS:
        return Ends(reason=_few_stretches(telling))
    ends = _percentiles(stretches, value, noise, interval)
    return Ends(*ends, "bootstrap over blocks of unitary alignments")


def totals(rows: Floats) -> Floats:
    """The sum of each column, to the same digit as of a column alone."""
    if len(rows) == 1:
        return np.asarray(rows[0])
    return np.array([column.sum() for column in rows.T])


def chance_variance(sums: Sequence[Sums]) -> float:
    """The squared relative error of the last part's total: tasks with one chance err together."""
    by_chance: dict[Estimate, float] = {}
    for one in sums:
        if one.chance is not None:
            by_chance[one.chance] = by_chance.get(one.chance, 0.0) + one.parts[-1]
    return variance_of(by_chance)


def variance_of(by_chance: Mapping[Estimate, float]) -> float:
    """The same, where each chance gives so much of the total."""
    total = sum(by_chance.values())
    if total <= 0:
        return 0.0
    return sum(chance.variance * (part / total) ** 2 for chance, part in by_chance.items())


def _few_tasks(found: int) -> Reason:
    return Reason.of(ReasonKind.FEW_TASKS, needed=LEAST_TASKS, found=found)


@cache
def few_unitary(found: int) -> Reason:
    """Why there is no interval within a task: it is short."""
    least = BLOCK * LEAST_BLOCKS
    return Reason.of(ReasonKind.FEW_UNITARY_ALIGNMENTS, needed=least, found=found)


def _few_stretches(found: int) -> Reason:
    """The same: so few of its stretches have a part in the figure."""
    return Reason.of(ReasonKind.FEW_STRETCHES, needed=LEAST_BLOCKS, size=BLOCK, found=found)


def _log_t(disorder: float, variance: float, count: int, level: float) -> tuple[float, float]:
    """1 - (1 - value)·exp(± t·s), s² being the variance of log(1 - value)."""
    reach = student_quantile(0.5 + level / 2, count - 1) * math.sqrt(variance)
    return float(1 - disorder * math.exp(reach)), float(1 - disorder * math.exp(-reach))


def _ratio_variance(rows: Floats) -> float:
    """Of the logarithm of a ratio of two sums: Σ (o - r·e)² / (Σ o)²."""
    observed, expected = rows.T
    residuals = observed - observed.sum() / expected.sum() * expected
    count = len(rows)
    return count / (count - 1) * float((residuals**2).sum()) / float(observed.sum() ** 2)


def _jackknife_variance(rows: Floats, value: Value) -> float:
    """Of log(1 - value), by leaving out one task after the other."""
    left = np.log(np.maximum(1 - value(totals(rows) - rows), 1e-12))
    left = left[~np.isnan(left)]
    count = len(left)
    return (count - 1) / count * float(((left - left.mean()) ** 2).sum()) if count > 1 else 0.0


def ratio_value(totals: Floats) -> Floats:
    """1 - observed / expected, a row each; NaN where nothing is expected."""
    observed, expected = totals.T
    return np.asarray(1 - observed / np.where(expected > 0, expected, math.nan), dtype=np.float64)


def _percentiles(
    rows: Floats, value: Value, noise: float, interval: IntervalMethod
) -> tuple[float, float]:
    """A draw for which the coefficient is undefined does not count."""
    (found,) = resample((rows,), (math.sqrt(noise),), (value,), RESAMPLES, interval.seed)
    tail = (1 - interval.level) / 2
    quantile = np.nanquantile if np.isnan(found).any() else np.quantile  # twice as fast
    low, high = quantile(found, [tail, 1 - tail])
    return float(low), float(high)


def independent_difference(before: Figure, after: Figure, level: float, seed: int) -> Ends:
    """The interval of the difference of two figures, by their own intervals; for coefficients
    whose sums cannot be mixed. The figures are taken as independent, so it is rather too wide.
    """
    rng = np.random.default_rng(seed)
    first, second = (_drawn(one, rng) for one in (before, after))
    if first is None or second is None:
        return Ends(reason=(before if first is None else after).reason)
    tail = (1 - level) / 2
    low, high = np.quantile(second - first, [tail, 1 - tail]).tolist()
    return Ends(low, high, BY_INTERVALS)


def _drawn(figure: Figure, rng: np.random.Generator) -> Floats | None:
    """Values as a figure's interval has them: normal on the log scale of 1 - value."""
    if figure.value is None or figure.low is None or figure.high is None:
        return None
    low, high = max(1 - figure.low, 1e-12), max(1 - figure.high, 1e-12)
    deviation = math.log(low / high) / 2 / normal_quantile(0.5 + figure.level / 2)
    return np.asarray(1 - (1 - figure.value) * np.exp(deviation * rng.standard_normal(10_000)))


@dataclass(frozen=True)
class SumColumns(Made["Sums | Reason"]):
    """A row of parts for each task, observed and expected, and what they rest on.

    `which` says which of the chances a task's expected part comes from; where it is -1, the task
    adds nothing, for a reason. `unitary` counts the unitary alignments, and `blocks` makes the
    parts of each of them. `task` numbers the tasks.
    """

    rows: Floats
    n: Ints
    chances: Sequence[Estimate]
    which: Ints
    reasons: Mapping[int, Reason]
    unitary: Ints
    blocks: Callable[[int], Callable[[], Floats]]
    task: Ints

    def __len__(self) -> int:
        return len(self.which)

    def _make(self, at: int) -> Sums | Reason:
        number = int(self.task[at])
        if self.which[at] < 0:
            return self.reasons[number]
        return Sums(
            parts=tuple(self.rows[at].tolist()),
            n=int(self.n[at]),
            chance=self.chances[self.which[at]],
            blocks=Blocks(int(self.unitary[at]), self.blocks(number)),
        )

    def known(self) -> SumColumns:
        """The tasks that add something, in the order of what they add."""
        at = np.flatnonzero(self.which >= 0)
        means = np.array([one.mean for one in self.chances])[self.which[at]]
        at = at[np.lexsort((means, self.rows[at, 1], self.rows[at, 0]))]
        return SumColumns(
            self.rows[at], self.n[at], self.chances, self.which[at], self.reasons,
            self.unitary[at], self.blocks, self.task[at],
        )  # fmt: skip

    def parts_of_chances(self) -> dict[Estimate, float]:
        """The sum of the expected parts that come from each chance, in the order of the rows."""
        used, first = np.unique(self.which, return_index=True)
        found: dict[Estimate, list[int]] = {}
        for which in used[np.argsort(first)].tolist():
            found.setdefault(self.chances[which], []).append(which)
        # One after the other, as they would be added up without columns.
        return {
            chance: float(np.cumsum(self.rows[np.isin(self.which, those), 1])[-1])
            for chance, those in found.items()
        }


@dataclass(frozen=True, slots=True)
class Added:
    """What tasks add together: their rows in order, the pairs of annotators that these are of, if
    they are, what they rest on, the chances behind them and the variance that comes from these.
    `single` is what the first one adds.
    """

    rows: Floats
    of: tuple[tuple[str, str], ...] | None
    n: int
    chances: Collection[Estimate]
    noise: float
    single: Sums | Reason


def added_columns(found: SumColumns) -> Added | None:
    """What these tasks add; None if no task adds anything."""
    known = found.known()
    if not len(known):
        return None
    parts = known.parts_of_chances()
    return Added(known.rows, None, int(known.n.sum()), parts, variance_of(parts), known[0])


def added_up(found: Sequence[Sums | Reason]) -> Added | None:
    """The same of tasks that are not in columns."""
    known = [one for one in found if isinstance(one, Sums)]
    if not known:
        return None
    sums = sorted(known, key=_in_order) if len(known) > 1 else known
    rows, of = rows_of([(one.parts, one.of) for one in sums])
    chances = {one.chance for one in sums if one.chance is not None}
    return Added(rows, of, sum(one.n for one in sums), chances, chance_variance(sums), sums[0])


def _in_order(sums: Sums) -> tuple[object, ...]:
    return sums.of or (), sums.parts, 0.0 if sums.chance is None else sums.chance.mean
