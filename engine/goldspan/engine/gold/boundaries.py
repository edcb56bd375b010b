"""Boundaries: where a gold span starts and ends, given the units of its site.

In text a boundary is always one that somebody drew: an average falls inside a word more often than
not. In time it is a mean, weighted by how precisely each annotator places boundaries. Steps may be
anything, so their boundaries are drawn ones too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.errors import SettingsError
from goldspan.engine.model import Measure, Position, Unit
from goldspan.engine.positional import RATIO

if TYPE_CHECKING:
    from goldspan.engine.gold.drawing import Drawing
    from goldspan.engine.gold.sites import Site

Extent: TypeAlias = tuple[Position, Position]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

SAME_PLACE = 0.5
"""Two spans that share this part of their joint length are at the same place."""

AVERAGED = frozenset({Measure.MILLISECOND, Measure.FRAME})
"""The measures of time, where a mean of boundaries is a boundary."""

PSEUDO_RESIDUALS = 3.0
PSEUDO_VARIANCE = 0.01
"""An annotator of whom nothing is known misplaces boundaries by a tenth of the length."""

SITES_AT_ONCE = 50_000

NEAR = 1e-9
"""Weights this close are equal: sums over annotators in another order differ by as much."""


@dataclass(frozen=True, slots=True)
class Placing:
    """How boundaries are chosen: `weights` are the annotators' precisions, 1/σ².

    `outer` breaks a tie between two drawn boundaries to the longer span, else to the shorter.
    `drawing` says how a crowd draws boundaries in text; without it each annotator counts the same.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    outer: bool = True
    drawing: Drawing | None = None

    def place(self, site: Site, measure: Measure) -> Extent:
        """The start and end of the gold span of a site."""
        units = site.units
        if len(units) == 1:
            return units[0].start, units[0].end
        starts, ends = [unit.start for unit in units], [unit.end for unit in units]
        if measure in AVERAGED:
            start, end = _mean(units, [self._weight(unit, site.n) for unit in units])
        else:
            start = self._drawn(site, starts, first=True)
            end = self._drawn(site, ends, first=False)
        if starts.count(start) == ends.count(end) == len(units):
            return start, end
        if start < end and 2 * _hits((start, end), units) >= len(units):
            return start, end
        # Each side alone made a span that few of them meant.
        unit = self.medoid(site)
        return unit.start, unit.end

    def medoid(self, site: Site) -> Unit:
        """The unit that is closest to all others."""

        def rank(unit: Unit) -> tuple[float, float, Position, Position, str]:
            apart = sum(RATIO.between(unit, other) for other in site.units)
            size = -unit.length if self.outer else unit.length
            return (
                round(apart, 9),
                -_rounded(self._weight(unit, site.n)),
                size,
                unit.start,
                unit.category,
            )

        return min(site.units, key=rank)

    def _drawn(self, site: Site, drawn: Sequence[Position], *, first: bool) -> Position:
        """The median of what was drawn; of two in the middle the one with more behind it."""
        if self.drawing is not None:
            side = self.drawing.start if first else self.drawing.end
            length = median(unit.length for unit in site.units)
            names = [unit.annotator for unit in site.units]
            return side.median(names, drawn, length, low_first=first == self.outer)
        values = sorted(drawn)
        middle = len(values) // 2
        if len(values) % 2:
            return values[middle]
        low, high = values[middle - 1], values[middle]
        if low == high:
            return low
        if (more := values.count(low) - values.count(high)) != 0:
            return low if more > 0 else high
        least = greatest = 0.0
        for unit, at in zip(site.units, drawn, strict=True):
            if at == low:
                least = max(least, self._weight(unit, site.n))
            elif at == high:
                greatest = max(greatest, self._weight(unit, site.n))
        if not math.isclose(least, greatest, rel_tol=NEAR):
            return low if least > greatest else high
        return low if first == self.outer else high

    def _weight(self, unit: Unit, n: int) -> float:
        # Of two annotators nobody can say who is the better one.
        return self.weights.get(unit.annotator, 1 / PSEUDO_VARIANCE) if n > 2 else 1.0


def placing(sites: Iterable[Site], *, ties: str = "outer") -> Placing:
    """Estimate the precisions from all sites of a project; `ties` is `outer` or `inner`.

    A residual is the distance of a boundary from the mean of the others', relative to the mean
    length of their units.
    """
    if ties not in ("outer", "inner"):
        raise SettingsError(f"ties between boundaries go 'outer' or 'inner', not '{ties}'")
    joint = [site.units for site in sites if len(site.units) > 1]
    names = sorted({unit.annotator for own in joint for unit in own})
    index = {name: at for at, name in enumerate(names)}
    parts = (_drawn_by(joint[part], index) for part in parts_of(len(joint)))
    weights = precisions(parts, len(names)) if names else ()
    return Placing(dict(zip(names, weights, strict=True)), outer=ties == "outer")


def _drawn_by(
    joint: Sequence[Sequence[Unit]], index: Mapping[str, int]
) -> tuple[Floats, Floats, Ints, Ints]:
    units = [unit for own in joint for unit in own]
    return (
        np.array([unit.start for unit in units], dtype=np.float64),
        np.array([unit.end for unit in units], dtype=np.float64),
        np.array([index[unit.annotator] for unit in units]),
        np.array([len(own) for own in joint]),
    )


def precisions(parts: Iterable[tuple[Floats, Floats, Ints, Ints]], names: int) -> list[float]:
    """1/σ² of each of so many annotators, from sites of two units and more in columns: where their
    units start and end, the number of the annotator of each, and how many units each site has.
    """
    squares, counts = np.zeros(names), np.zeros(names)
    for drawn_start, drawn_end, who, k in parts:
        start, other_start = _and_others(drawn_start, k)
        end, other_end = _and_others(drawn_end, k)
        apart = (start - other_start) ** 2 + (end - other_end) ** 2
        # One after the other, so that parts change no digit.
        np.add.at(squares, who, apart / (other_end - other_start) ** 2)
        np.add.at(counts, who, 2)
    prior = PSEUDO_RESIDUALS * PSEUDO_VARIANCE
    found: list[float] = ((counts + PSEUDO_RESIDUALS) / (squares + prior)).tolist()
    return found


def parts_of(count: int) -> Iterator[slice]:
    """So many sites in parts: columns of all of them would take much memory for a moment."""
    return (slice(low, low + SITES_AT_ONCE) for low in range(0, count, SITES_AT_ONCE))


def _and_others(own: Floats, k: Ints) -> tuple[Floats, Floats]:
    """What was drawn, site by site of k units; and beside each the mean of the site's others."""
    total = np.repeat(np.add.reduceat(own, np.cumsum(k) - k), k)
    return own, (total - own) / np.repeat(k - 1, k)


def overlap(one: Extent, other: Extent) -> float:
    """The shared part of the joint length (intersection over union)."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    if shared <= 0:
        return 0.0
    return shared / (max(one[1], other[1]) - min(one[0], other[0]))


def _hits(place: Extent, units: Iterable[Unit]) -> int:
    """How many units are at the place: `overlap` without its calls, which run very often."""
    start, end = place
    hits = 0
    for unit in units:
        first, last = unit.start, unit.end
        shared = (end if end < last else last) - (start if start > first else first)  # noqa: FURB136 - quicker
        joint = (end if end > last else last) - (start if start < first else first)  # noqa: FURB136 - quicker
        hits += shared >= SAME_PLACE * joint
    return hits


def _mean(units: Sequence[Unit], precisions: Iterable[float]) -> Extent:
    weights = [_rounded(precision) for precision in precisions]
    total = math.fsum(weights)
    positions = [(unit.start, unit.end) for unit in units]
    sides = (
        math.fsum(w * p[side] for w, p in zip(weights, positions, strict=True)) / total
        for side in (0, 1)
    )
    start, end = (_on_grid(value, [p for pair in positions for p in pair]) for value in sides)
    return start, end


def _on_grid(value: float, drawn: Iterable[Position]) -> Position:
    """Rounded to the finest decimal place that anybody used."""
    places = 0
    for position in drawn:
        exponent = Decimal(str(position)).normalize().as_tuple().exponent
        places = max(places, -int(exponent))
    return round(value, places) if places else round(value)


def _rounded(weight: float) -> float:
    """To nine digits, so that the order of summation does not matter."""
    return float(f"{weight:.9g}")
