"""Figure: a value with its interval and what it rests on; or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from goldspan.engine.clusters import Floats

LEAST_TASKS = 5
"""From this many tasks on, the interval over tasks covers what it promises."""

BLOCK = 5
LEAST_BLOCKS = 5
"""A single continuum is resampled in blocks of neighbouring unitary alignments."""

RESAMPLES = 2000

UNANIMOUS = "no disagreement was observed, so no interval can be estimated"


@dataclass(frozen=True, slots=True)
class Figure:
    """A coefficient between annotators.

    `n` counts what it rests on: units for γ, pairs of aligned units for γcat and γk. The interval
    from `low` to `high` is at `level`, and holds for these annotators; `method` says over what it
    was taken. Whatever is missing is None, and `reason` says why. `observed` and `expected` are
    the two sums that the value is one minus the ratio of; they add up over tasks.

    `chance` names the model that `expected` comes from, `samples` counts the chance samples, and
    `error` is the relative error of `expected` at `level` that comes from sampling.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    method: str | None = None
    reason: str | None = None
    observed: float | None = None
    expected: float | None = None
    chance: str | None = None
    samples: int = 0
    error: float | None = None

    @classmethod
    def undefined(cls, reason: str, level: float, n: int = 0) -> Figure:
        return cls(None, None, None, level, n, None, reason)

    def without_value(self, reason: str) -> Figure:
        """The sums stay, so that they add up; the value is undefined for this reason."""
        return replace(self, value=None, low=None, high=None, method=None, reason=reason)

    @property
    def sampling_bounds(self) -> tuple[float, float] | None:
        """Between which values the figure would lie if all of chance were known (2017, §6)."""
        if self.value is None or self.error is None or self.error >= 1:
            return None
        disorder = 1 - self.value
        ends = 1 - disorder / (1 - self.error), 1 - disorder / (1 + self.error)
        return min(ends), max(ends)

    def as_json(self) -> dict[str, Any]:
        bounds = self.sampling_bounds or (None, None)
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "n": self.n,
            "method": self.method,
            "reason": self.reason,
            "observed": self.observed,
            "expected": self.expected,
            "chance": self.chance,
            "samples": self.samples,
            "error": self.error,
            "sampling_low": bounds[0],
            "sampling_high": bounds[1],
        }


@dataclass(frozen=True, slots=True)
class Estimate:
    """A ratio of two sums over chance samples, its coefficient of variation, and their number.

    The coefficient of variation is that of one sample's part in the ratio. `telling` counts the
    samples that have a part in it.
    """

    mean: float
    variation: float
    count: int
    telling: int

    @classmethod
    def of(cls, above: Floats, below: Floats) -> Estimate | None:
        """Σ above / Σ below; None if nothing is below."""
        if below.sum() <= 0:
            return None
        count = len(above)
        ratio = float(above.sum() / below.sum())
        residuals = above - ratio * below
        spread = math.sqrt(float((residuals**2).sum()) / max(count - 1, 1))
        mean = float(above.mean())
        variation = spread / mean if mean > 0 else 0.0
        return cls(ratio, variation, count, int(np.count_nonzero(below)))

    @property
    def variance(self) -> float:
        """The squared relative sampling error of the ratio."""
        return self.variation**2 / self.count


@dataclass(frozen=True, slots=True)
class Share:
    """One task's part in a ratio: what was observed, and the weight chance is given there.

    `blocks` are the same two, for each unitary alignment in order.
    """

    observed: float
    weight: float
    chance: Estimate
    blocks: tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Interval:
    """How intervals are made: their level, over tasks by t or bootstrap, and the seed."""

    level: float = 0.95
    bootstrap: bool = False
    seed: int = 0


def corrected(shares: Sequence[Share], n: int, interval: Interval) -> Figure:
    """1 - Σ observed / Σ weight·chance, with an interval.

    From 5 tasks on it is taken over tasks; for one continuum over blocks of unitary alignments.
    Both include the sampling error of chance. The order of the shares changes nothing.
    """
    level = interval.level
    shares = sorted(shares, key=lambda s: (s.observed, s.weight, s.chance.mean))
    observed = np.array([s.observed for s in shares])
    expected = np.array([s.weight * s.chance.mean for s in shares])
    if expected.sum() <= 0:
        reason = "chance would agree perfectly, so nothing can be above it"
        return Figure.undefined(reason, level, n)
    return replace(
        _estimated(shares, observed, expected, n, interval),
        observed=float(observed.sum()),
        expected=float(expected.sum()),
        samples=sum(chance.count for chance in {share.chance for share in shares}),
        error=_normal(level) * math.sqrt(_chance_variance(shares, expected)),
    )


def _estimated(
    shares: Sequence[Share], observed: Floats, expected: Floats, n: int, interval: Interval
) -> Figure:
    level = interval.level
    if observed.sum() == 0:
        return Figure(1.0, None, None, level, n, reason=UNANIMOUS)
    value = float(1 - observed.sum() / expected.sum())
    noise = _chance_variance(shares, expected)
    if len(shares) >= LEAST_TASKS:
        if interval.bootstrap:
            ends = _resample(observed, expected, noise, interval)
            return Figure(value, *ends, level, n, "bootstrap over tasks")
        ends = _log_t(observed, expected, noise, level)
        return Figure(value, *ends, level, n, "log-scale t over tasks")
    if len(shares) > 1:
        reason = f"an interval over tasks needs {LEAST_TASKS} tasks, there are {len(shares)}"
        return Figure(value, None, None, level, n, reason=reason)
    costs, weights = shares[0].blocks
    edges = np.arange(0, len(costs), BLOCK)
    chance = np.add.reduceat(weights, edges) * shares[0].chance.mean
    too_few = _too_few(len(costs), int(np.count_nonzero(chance)))
    if too_few:
        return Figure(value, None, None, level, n, reason=too_few)
    ends = _resample(np.add.reduceat(costs, edges), chance, noise, interval)
    return Figure(value, *ends, level, n, "bootstrap over blocks of unitary alignments")


def _too_few(unitary: int, telling: int) -> str | None:
    """Why there is no interval within a task, if so; `telling` blocks have a part in the figure."""
    least = BLOCK * LEAST_BLOCKS
    if unitary < least:
        return f"an interval within one task needs {least} unitary alignments, there are {unitary}"
    if telling < LEAST_BLOCKS:
        return (
            f"an interval within one task needs {LEAST_BLOCKS} stretches of {BLOCK} unitary "
            f"alignments with pairs to compare, there are {telling}"
        )
    return None


def _chance_variance(shares: Sequence[Share], expected: Floats) -> float:
    """The squared relative error of Σ expected: shares with the same chance err together."""
    by_chance: dict[Estimate, float] = {}
    for share, part in zip(shares, expected.tolist(), strict=True):
        by_chance[share.chance] = by_chance.get(share.chance, 0.0) + part
    total = sum(by_chance.values())
    return sum(chance.variance * (part / total) ** 2 for chance, part in by_chance.items())


def _log_t(observed: Floats, expected: Floats, noise: float, level: float) -> tuple[float, float]:
    """1 - (1-γ)·exp(± t·s): the ratio estimator's error on the log scale."""
    count = len(observed)
    ratio = observed.sum() / expected.sum()
    residuals = observed - ratio * expected
    variance = count / (count - 1) * float((residuals**2).sum()) / observed.sum() ** 2 + noise
    reach = float(stdtrit(count - 1, 0.5 + level / 2)) * math.sqrt(variance)
    return float(1 - ratio * math.exp(reach)), float(1 - ratio * math.exp(-reach))


def _resample(
    observed: Floats, expected: Floats, noise: float, interval: Interval
) -> tuple[float, float]:
    """The percentiles of the ratio over resampled parts, chance varying too. A draw in which chance
    expects nothing has no ratio and does not count.
    """
    count = len(observed)
    rng = np.random.default_rng(interval.seed)
    chance = np.maximum(1 + math.sqrt(noise) * rng.standard_normal(RESAMPLES), 1e-9)
    ratios = np.empty(RESAMPLES)
    step = max(1, 1_000_000 // count)  # resamples at a time, to bound the memory
    for low in range(0, RESAMPLES, step):
        rows = slice(low, min(low + step, RESAMPLES))
        picked = rng.integers(count, size=(rows.stop - low, count), dtype=np.int32)
        below = expected[picked].sum(axis=1) * chance[rows]
        ratios[rows] = 1 - observed[picked].sum(axis=1) / np.where(below > 0, below, math.nan)
    tail = (1 - interval.level) / 2
    low, high = np.nanquantile(ratios, [tail, 1 - tail])
    return float(low), float(high)


def sample_size(estimate: Estimate, precision: float, level: float) -> int:
    """The paper's rule (2015, §5.3): samples needed to know the mean to a relative precision."""
    return math.ceil((estimate.variation * _normal(level) / precision) ** 2)


def _normal(level: float) -> float:
    """z: so many standard errors reach to either end at this level."""
    return float(ndtri(0.5 + level / 2))
