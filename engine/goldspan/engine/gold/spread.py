"""Spread: how far apart annotators draw the boundaries of a site, and how well that places a span.

Let annotators draw a boundary around the true one with variance σ², in lengths of the span. Of k
drawn boundaries the mean has variance σ²/k, and the median τ² = σ²·π/(2k + π - 2), where an even
number counts as one less, for one of the two in the middle has to be taken. A span is in the right
place when it shares half of the joint length with the true one. With normal errors of its two
sides, which leave the right place at the distance 1/c(θ) in the direction θ,

    P(right place) = 1 - mean over θ of exp(-1 / (2·c(θ)²·τ²))

σ² is the median over the sites of the project, and more where the units of a site are further
apart. It is never less: a few units may be close together by chance, or by a shared mistake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.gold.boundaries import (
    AVERAGED,
    PSEUDO_RESIDUALS,
    PSEUDO_VARIANCE,
    Extent,
    parts_of,
)

if TYPE_CHECKING:
    from goldspan.engine.gold.sites import Site
    from goldspan.engine.model import Measure

Floats = NDArray[np.float64]

PSEUDO_FREEDOM = 4.0
"""What the usual spread counts at a site whose units are further apart, in degrees of freedom."""

NODES = 5
"""Directions for each way in which two sides can be wrong: exact to four digits."""


def well_placed(
    sites: Sequence[Site], places: Sequence[Extent], measures: Mapping[str, Measure]
) -> list[float]:
    """For each site the probability that its place shares half of the joint length with the true
    one, if there is a true one.
    """
    if not sites:
        return []
    k = np.array([len(site.units) for site in sites])
    starts = np.array([place[0] for place in places], dtype=np.float64)
    ends = np.array([place[1] for place in places], dtype=np.float64)
    squares = np.concatenate(
        [
            squares_around(_starts(sites[own]), starts[own], k[own])
            + squares_around(_ends(sites[own]), ends[own], k[own])
            for own in parts_of(len(sites))
        ]
    )
    averaged = [measures[site.task] in AVERAGED for site in sites]
    found: list[float] = in_place(squares, ends - starts, k, np.array(averaged)).tolist()
    return found


def _starts(sites: Sequence[Site]) -> Floats:
    return np.array([unit.start for site in sites for unit in site.units], dtype=np.float64)


def _ends(sites: Sequence[Site]) -> Floats:
    return np.array([unit.end for site in sites for unit in site.units], dtype=np.float64)


def in_place(
    squares: Floats, length: Floats, k: NDArray[np.int64], averaged: NDArray[np.bool_]
) -> Floats:
    """The same of sites in columns: the sum of squares around the place of each, the length of the
    place, how many units it has, and whether the place is a mean.
    """
    variance = _variance(squares / length**2, (2.0 * (k - 1)).astype(np.float64))
    variance *= np.where(averaged, 1 / k, _of_median(k))
    found = [_in_place(variance[own]) for own in parts_of(len(variance))]
    return np.concatenate(found) if found else variance


def squares_around(drawn: Floats, places: Floats, k: NDArray[np.int64]) -> Floats:
    """The sum of squares of what was drawn at each site around its mean."""
    apart = drawn - np.repeat(places, k)
    first = np.cumsum(k) - k
    squares: Floats = np.add.reduceat(apart**2, first) - np.add.reduceat(apart, first) ** 2 / k
    return np.maximum(squares, 0.0)


def _variance(spread: Floats, free: Floats) -> Floats:
    """σ² at each site, given the relative squares and their degrees of freedom."""
    several = free > 0
    known = float(free.sum())
    usual = float(np.median(spread[several] / free[several])) if known else 0.0
    usual = (known * usual + PSEUDO_RESIDUALS * PSEUDO_VARIANCE) / (known + PSEUDO_RESIDUALS)
    own: Floats = (PSEUDO_FREEDOM * usual + spread) / (PSEUDO_FREEDOM + free)
    return np.maximum(own, usual)


def _of_median(k: NDArray[np.int64]) -> Floats:
    """The variance of a median of k, as a part of that of one."""
    odd = (k - 1 + k % 2).astype(np.float64)
    return np.pi / (2 * odd + np.pi - 2)


def _in_place(variance: Floats) -> Floats:
    """P(right place), given the variance of each side.

    With x for the start and y for the end, outwards, the right place ends where x + y = 1, and
    inwards where 2x + 2y = 1; with one side inwards by x, the other outwards by y: 2x + y = 1.
    """
    points, weights = np.polynomial.legendre.leggauss(NODES)
    x, y = np.cos((points + 1) * np.pi / 4), np.sin((points + 1) * np.pi / 4)
    sides = np.concatenate((x + y, 2 * (x + y), 2 * x + y))
    shares = np.concatenate((weights, weights, 2 * weights)) / 8
    beyond: Floats = np.exp((-0.5 / variance)[:, None] / sides**2) @ shares
    return 1 - beyond
