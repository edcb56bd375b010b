"""Segments: errors of a segmentation: of its inner boundaries (2015, §6.3.2).

position          each boundary moves by a uniform draw from ±shift·m·mean length of a segment; the
                  boundaries keep their number and order
false negatives   each boundary is left out with probability m
false positives   Binomial(extra·N, m) boundaries are added, N being the number of segments
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.errors import InputError
from goldspan.engine.simulation.separation import separated

if TYPE_CHECKING:
    from numpy.random import Generator

    from goldspan.engine.model import Position
    from goldspan.engine.simulation.error_model import Errors

Segment = tuple["Position", "Position", str]


def shuffled_segments(
    segments: Sequence[Segment], errors: Errors, rng: Generator, where: str
) -> set[Segment]:
    """The segments between the boundaries that an annotator sets; each has the category of the
    reference's segment that it begins in.
    """
    for one, other in pairwise(segments):
        if one[1] != other[0]:
            raise InputError(
                f"the reference is not a segmentation: nothing is marked from {one[1]} to "
                f"{other[0]}; choose a reference without gaps",
                where=where,
            )
    low, high = segments[0][0], segments[-1][1]
    on_grid = all(isinstance(edge, int) for segment in segments for edge in segment[:2])
    inner = [segment[0] for segment in segments[1:]]
    kept = rng.random(len(inner)) >= errors.false_negatives
    most = errors.shift * errors.position * (float(high) - float(low)) / len(segments)
    moved = [
        _inside(edge + shift, low, high)
        for edge, shift in zip(inner, (rng.uniform(-1, 1, len(inner)) * most).tolist(), strict=True)
    ]
    added = rng.random((round(errors.extra * len(segments)), 2))
    edges = [edge for edge, keeps in zip(moved, kept, strict=True) if keeps]
    new = added[added[:, 0] < errors.false_positives, 1] * (float(high) - float(low)) + float(low)
    edges += new.tolist()
    return _between(edges, segments, low, high, on_grid=on_grid)


def _inside(edge: float, low: Position, high: Position) -> float:
    """The edge, reflected at the ends."""
    if edge < low:
        return float(min(2 * low - edge, high))
    return float(max(2 * high - edge, low)) if edge > high else float(edge)


def _between(
    edges: Sequence[float],
    segments: Sequence[Segment],
    low: Position,
    high: Position,
    *,
    on_grid: bool,
) -> set[Segment]:
    """The segments between these boundaries, one step long at least."""
    step = 1 if on_grid else 0
    # A boundary is a place that has one step of its own; as many as there is room for stay apart.
    steps = [(round(edge), round(edge) + 1) if on_grid else (edge, edge) for edge in sorted(edges)]
    room = int(high - low) - 1 if on_grid else len(steps)
    places = separated(steps[:room], low + step, high, on_grid=on_grid) if on_grid else steps
    cuts = [low, *(place[0] for place in places), high]
    starts = np.array([float(segment[0]) for segment in segments])
    found = set()
    for start, end in pairwise(cuts):
        if start < end:
            own = int(np.searchsorted(starts, float(start), side="right")) - 1
            found.add((start, end, segments[max(own, 0)][2]))
    return found
