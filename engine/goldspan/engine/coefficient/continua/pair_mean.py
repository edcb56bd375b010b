"""PairMean: the plain mean over pairs of annotators of what each two of them have.

Counts of a pair add up over its tasks. A pair weighs as much as any other, however many units it
has, and one without anything to count has no part in the mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from goldspan.engine.coefficient.continua.continuum_coefficient import ContinuumCoefficient
from goldspan.engine.coefficient.resampling import Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldspan.engine.alignment.clusters import Floats

Pair: TypeAlias = tuple[str, str]
"""Two annotators; the first is the reference of those that have one."""

Counts: TypeAlias = tuple[float, float]
"""Faults, and as many as there could be."""


class PairMean(ContinuumCoefficient):
    """The mean over pairs of one minus faults by all that could be."""

    without_count: ClassVar[ReasonKind] = ReasonKind.NO_UNIT

    @property
    def nothing(self) -> Reason:
        """Why there is no value if no pair has anything to count."""
        return Reason.of(self.without_count)

    def sums(self, counts: Mapping[Pair, Counts], n: int, seen: float | None) -> Sums | Reason:
        """What a task adds, from the counts of its pairs."""
        if not any(faults or whole for faults, whole in counts.values()):
            return self.nothing
        parts = tuple(count for own in counts.values() for count in own)
        return Sums(parts, n, seen=seen, of=tuple(counts))

    def value(self, total: Sequence[float]) -> float | Reason:
        found = float(self.values(np.array([total]))[0])
        return self.nothing if np.isnan(found) else found

    def values(self, totals: Floats) -> Floats:
        faults, whole = totals[..., 0::2], totals[..., 1::2]
        counted = whole > 0
        shares = np.where(counted, 1 - faults / np.where(counted, whole, 1.0), 0.0)
        pairs = counted.sum(axis=-1)
        # In order, so that names of annotators do not change the last digit.
        found = np.sort(shares, axis=-1).sum(axis=-1) / np.maximum(pairs, 1)
        return np.asarray(np.where(pairs > 0, found, np.nan))
