"""Stop: how many errors are left, with their uncertainty, and whether it is enough.

Over the undecided sites with probabilities q of a wrong suggestion, M = Σq and g = Σ q(1-q)·row.
Audits, which are drawn at random, correct M: with e errors in them where m were expected,
λ = (2 + e)/(2 + m), and

    E = λ·M,  Var = E + M²·(2 + e)/(2 + m)² + λ²·max(0, gᵀCg - Σq²)

where C is the covariance of the weights. The interval is that of a Gamma distribution with this
mean and variance. Stopping at the first good moment is optimistic, so a confirmation by random
sites follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldspan.engine.adjudication.odds import Floats, SiteModel

LEAST_JUDGED = 30
"""With fewer decisions it is too early to tell."""

AUDIT_EVERY = 10
"""Of the decisions every so many is on a site drawn at random."""

CONFIRMATION = 60
"""Random sites that confirm that it is enough."""

REACH = 1.5
"""Audits count up to so many times the p that the queue has reached."""

PRIOR = 2.0
LOWEST, HIGHEST = 0.025, 0.975


class Advice(str, Enum):
    """What a person should do: it is too early to tell; go on; confirm; it is enough."""

    EARLY = "early"
    CONTINUE = "continue"
    CONFIRM = "confirm"
    ENOUGH = "enough"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Audit:
    """A site drawn at random: what was expected before the answer, and what came out."""

    expected: float
    wrong: bool


@dataclass(frozen=True, slots=True)
class Remaining:
    """The errors that are expected in undecided sites, with a 95 % interval."""

    expected: float
    low: float
    high: float
    audits: int
    audit_errors: int
    audit_expected: float


def remaining(rows: Floats, model: SiteModel, audits: Iterable[Audit], reached: float) -> Remaining:
    """The errors left in the sites of these rows; `reached` is the p that the queue is at."""
    from scipy.special import gammaincinv  # noqa: PLC0415 - loads much

    counted = [one for one in audits if one.expected <= REACH * reached]
    errors = sum(one.wrong for one in counted)
    expected = sum(one.expected for one in counted)
    rate = (PRIOR + errors) / (PRIOR + expected)
    q = model.wrong(rows)
    total = float(q.sum())
    slope = (q * (1 - q)) @ rows
    doubt = float(slope @ model.covariance @ slope - (q * q).sum())
    mean = rate * total
    variance = mean + total**2 * (PRIOR + errors) / (PRIOR + expected) ** 2
    variance += rate**2 * max(0.0, doubt)
    if mean <= 0:
        return Remaining(0.0, 0.0, 0.0, len(counted), errors, expected)
    shape, scale = mean**2 / variance, variance / mean
    low, high = (float(gammaincinv(shape, at)) * scale for at in (LOWEST, HIGHEST))
    return Remaining(mean, low, high, len(counted), errors, expected)


def decisions_to(
    rows: Floats, model: SiteModel, order: Iterable[int], now: Remaining, target: float
) -> int | None:
    """How many more decisions in this order bring the upper limit to the target, if errors come
    as expected; None if even all of them do not.
    """
    q = model.wrong(rows)
    left, ratio = float(q.sum()), now.expected / max(float(q.sum()), 1e-12)
    spread = now.high / max(now.expected, 1e-12)
    if now.high <= target:
        return 0
    for count, at in enumerate(order, start=1):
        left -= float(q[at])
        mean = max(ratio * left, 0.0)
        # The interval narrows as the mean falls, no faster than that of a Poisson number.
        if mean * spread <= target or mean + 2 * np.sqrt(mean) + 2 <= target:
            return count
    return None
