"""Estimate: a disorder that chance samples give, and how precisely they give it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine import quantile

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats


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

    @classmethod
    def of_ratios(cls, above: Floats, below: Floats) -> Estimate | None:
        """The mean of the samples' own ratios; None if nothing is below."""
        known = below > 0
        return cls.of(
            np.where(known, above, 0.0) / np.where(known, below, 1.0), known.astype(np.float64)
        )

    def __hash__(self) -> int:
        # Each task of a corpus has one; the mean tells them apart as well as all four numbers.
        return hash(self.mean)

    @property
    def variance(self) -> float:
        """The squared relative sampling error of the ratio."""
        return self.variation**2 / self.count


def sample_size(estimate: Estimate, precision: float, level: float) -> int:
    """The paper's rule (2015, §5.3): samples needed to know the mean to a relative precision."""
    return math.ceil((estimate.variation * normal_quantile(level) / precision) ** 2)


def normal_quantile(level: float) -> float:
    """z: so many standard errors reach to either end at this level."""
    return quantile.normal_quantile(0.5 + level / 2)
