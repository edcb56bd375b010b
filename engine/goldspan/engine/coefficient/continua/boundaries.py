"""Boundaries: where segments meet, and what it takes to make two segmentations the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.coefficient.continua.matching import best_matching
from goldspan.engine.coefficient.continua.spans import Spans, ranges

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Ints

NEAR = 2
"""Boundaries fewer places apart than this are a near miss (nₜ of Fournier 2013)."""


def boundaries(segments: Spans, low: float) -> Ints:
    """The places between segments that cover a continuum, counted from its start."""
    return np.asarray(segments.end[:-1] - low, dtype=np.int64)


def window_size(reference: Ints, length: int) -> int:
    """Half the mean segment of the reference, 1 at least."""
    return max(1, round(length / (len(reference) + 1) / 2))


def differing_windows(
    one: Ints, other: Ints, length: int, size: int, *, counting: bool
) -> tuple[float, float]:
    """Of all windows of `size` places, how many differ, and how many there are.

    They differ if one alone has a boundary in them or, `counting`, if one has more than the other.
    """
    windows = length - size
    if windows <= 0:
        return 0.0, 0.0
    # A boundary b is in the windows from b - size to b - 1: both counts change only there.
    at = np.concatenate([_steps(own, size, windows) for own in (one, other)])
    change = np.repeat([1, -1, 1, -1], np.repeat([len(one), len(other)], 2))
    is_one = np.arange(len(at)) < 2 * len(one)
    order = np.argsort(at, kind="stable")
    lengths = np.diff(np.append(at[order], windows))
    here = np.cumsum(np.where(is_one, change, 0)[order])
    there = np.cumsum(np.where(is_one, 0, change)[order])
    differ = here != there if counting else (here > 0) != (there > 0)
    return float(lengths[differ].sum()), float(windows)


def _steps(own: Ints, size: int, windows: int) -> Ints:
    """The windows in which boundaries begin to be, and those from which on they are no more."""
    return np.concatenate((np.maximum(own - size, 0), np.minimum(own, windows)))


def hamming_cost(one: Ints, other: Ints, insertion: float, deletion: float, shift: float) -> float:
    """The generalized Hamming distance: the least cost to insert, delete and shift boundaries."""
    both = insertion + deletion
    cost = deletion * len(one) + insertion * len(other)
    if not len(one) or not len(other):
        return cost
    a, b = _within(one, other, both / shift if shift > 0 else np.inf)
    saved = both - shift * np.abs(one[a] - other[b])
    a, b, saved = a[saved > 0], b[saved > 0], saved[saved > 0]
    return cost - float(saved[best_matching(a, b, saved)].sum()) if len(saved) else cost


def _within(one: Ints, other: Ints, reach: float) -> tuple[Ints, Ints]:
    """The pairs of places that are `reach` apart at most."""
    low = np.searchsorted(other, one - reach, side="left")
    high = np.searchsorted(other, one + reach, side="right")
    return ranges(low, high)


@dataclass(frozen=True, slots=True)
class Edits:
    """Boundary edits: `additions`, near misses with their `distance`, and `matches`."""

    additions: int
    near_misses: int
    distance: int
    matches: int

    @property
    def count(self) -> int:
        return self.additions + self.near_misses

    @property
    def cost(self) -> float:
        """An addition costs 1, a near miss its distance by nₜ."""
        return self.additions + self.distance / NEAR


def boundary_edits(one: Ints, other: Ints) -> Edits:
    """Boundary edit distance (Fournier 2013), near misses from left to right, the nearest first."""
    here, there = set(one.tolist()), set(other.tolist())
    matches = len(here & there)
    alone = {place: place in here for place in here ^ there}
    near = distance = 0
    for apart in range(1, NEAR):
        for place in sorted(alone):
            partner = place + apart
            if place in alone and partner in alone and alone[place] != alone[partner]:
                del alone[place], alone[partner]
                near, distance = near + 1, distance + apart
    return Edits(len(alone), near, distance, matches)
