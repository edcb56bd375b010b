"""Drawing: how a crowd's annotators draw boundaries in text, learned from pairs of them.

An annotator draws a boundary where it is with probability ω, and else at a distance with density
exp(-|distance| / h) / (2h), in lengths of the span. Two who draw the same boundary both have it
right, or agree by chance; so ω_i·ω_j is about the share of pairs that agree more often than chance.
The start and the end are learned apart. P(v) of a drawn boundary v then is the product over the
units of the site, and the median of that distribution is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from goldspan.engine.gold.sites import Site
    from goldspan.engine.model import Position

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FARTHEST = 2.0
"""Distances above this many lengths count as this."""

USUAL_DISTANCE, DISTANCE_PAIRS = 0.2, 10.0
USUAL_SQUARE, SQUARE_PAIRS = 0.36, 5.0
"""The square of the usual ω, and how many pairs it is worth."""

OWN_PAIRS = 10.0
"""How many pairs the crowd's ω and h are worth in an annotator's own."""

MOST_CHANCE = 0.5
LEAST, MOST = 0.02, 0.98
STEPS = 50
NEAR = 1e-9
"""Sums this close are equal: in another order they differ by as much."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side's boundaries: ω and h of each annotator."""

    skills: Mapping[str, tuple[float, float]]

    def median(
        self, names: Sequence[str], drawn: Sequence[Position], length: float, *, low_first: bool
    ) -> Position:
        """The median of what the boundary may be, given what these annotators drew. Between two
        that are equally good, `low_first` takes the lower.
        """
        values = sorted(set(drawn))
        if len(values) == 1:
            return values[0]
        floor = min(1 / length, 1.0)
        logs = [0.0] * len(values)
        for name, own in zip(names, drawn, strict=True):
            right, width = self.skills[name]
            scale, other = length * width, (1 - right) * floor / (2 * width)
            for at, value in enumerate(values):
                p = other * math.exp(-abs(own - value) / scale)
                logs[at] += math.log(p + right if own == value else max(p, 1e-300))
        top = max(logs)
        weights = [math.exp(one - top) for one in logs]
        half, reached = math.fsum(weights) / 2, 0.0
        for at, weight in enumerate(weights):
            reached += weight
            if math.isclose(reached, half, rel_tol=NEAR):
                return values[at] if low_first else values[at + 1]
            if reached > half:
                return values[at]
        return values[-1]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Both sides."""

    start: Side
    end: Side


def learn_drawing(sites: Sequence[Site], real: Sequence[float]) -> Drawing | None:
    """How the annotators of these sites draw boundaries; `real` are the sites' probabilities.

    None where no two annotators marked a place.
    """
    names = sorted({unit.annotator for site in sites for unit in site.units})
    index = {name: at for at, name in enumerate(names)}
    pairs = [_Pairs.of(own, index) for own in _by_size(sites, real)]
    if not pairs:
        return None
    start, end = (_side(pairs, names, side) for side in (0, 1))
    return Drawing(start, end)


def _by_size(
    sites: Sequence[Site], real: Sequence[float]
) -> Iterable[tuple[list[Site], list[float]]]:
    sizes: dict[int, tuple[list[Site], list[float]]] = {}
    for site, p in zip(sites, real, strict=True):
        if site.k > 1:
            own = sizes.setdefault(site.k, ([], []))
            own[0].append(site)
            own[1].append(p)
    return sizes.values()


@dataclass(frozen=True, slots=True)
class _Pairs:
    """All ordered pairs of units of the sites with k units, flat: who, with whom, how far apart on
    each side in lengths of the span, and the weight. `length` is that of the span.
    """

    who: Ints
    other: Ints
    apart: tuple[Floats, Floats]
    weight: Floats
    length: Floats

    @classmethod
    def of(cls, own: tuple[list[Site], list[float]], index: Mapping[str, int]) -> _Pairs:
        sites, real = own
        k = sites[0].k
        one, two = np.nonzero(~np.eye(k, dtype=bool))
        who = np.array([[index[unit.annotator] for unit in site.units] for site in sites])
        starts = np.array([[unit.start for unit in site.units] for site in sites], dtype=float)
        ends = np.array([[unit.end for unit in site.units] for site in sites], dtype=float)
        length = np.repeat(np.median(ends - starts, axis=1), len(one))
        apart = [np.abs(at[:, one] - at[:, two]).reshape(-1) / length for at in (starts, ends)]
        return cls(
            who[:, one].reshape(-1),
            who[:, two].reshape(-1),
            (apart[0], apart[1]),
            np.repeat(np.array(real) / (k - 1), len(one)),
            length,
        )


def _side(pairs: Sequence[_Pairs], names: Sequence[str], side: int) -> Side:
    size = len(names)
    who, other = (
        np.concatenate(part) for part in zip(*((p.who, p.other) for p in pairs), strict=True)
    )
    apart = np.concatenate([p.apart[side] for p in pairs])
    weight = np.concatenate([p.weight for p in pairs])
    length = np.concatenate([p.length for p in pairs])
    far = np.minimum(apart, FARTHEST)
    unequal = weight * (apart > 0)
    usual = (float(unequal @ far) + DISTANCE_PAIRS * USUAL_DISTANCE) / (
        float(unequal.sum()) + DISTANCE_PAIRS
    )
    own = np.bincount(who, unequal * far, size) + OWN_PAIRS * usual
    own /= np.bincount(who, unequal, size) + OWN_PAIRS
    width = np.maximum(own - usual / 2, usual / 8)
    chance = np.minimum(1 / (2 * usual * length), MOST_CHANCE)
    agreed, could = weight * ((apart == 0) - chance), weight * (1 - chance)
    square = (float(agreed.sum()) + SQUARE_PAIRS * USUAL_SQUARE) / (
        float(could.sum()) + SQUARE_PAIRS
    )
    common = math.sqrt(min(max(square, LEAST**2), MOST**2))
    exact: Floats = np.full(size, common)
    total = np.bincount(who, agreed, size) + OWN_PAIRS * common**2
    for _ in range(STEPS):
        against = np.bincount(who, could * exact[other], size) + OWN_PAIRS * common
        exact = np.clip(total / against, LEAST, MOST)
    return Side(dict(zip(names, zip(exact.tolist(), width.tolist(), strict=True), strict=True)))
