"""Separation: units that overlap are cut in the middle of what they share; none is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from goldspan.engine.model import SHORTEST, Position

Place: TypeAlias = tuple[Position, Position]
"""Where a unit starts and ends."""


def separated(
    places: Sequence[Place], low: Position, high: Position, *, on_grid: bool
) -> list[Place]:
    """As many places without overlaps, in the order of their midpoints, between the two bounds.

    Two neighbours that overlap meet in the middle of their overlap. Where that would leave nothing
    of a place, it keeps one step and moves those behind it. There must be room for one step each.
    """
    ordered = sorted(places, key=lambda place: (place[0] + place[1], place))
    starts = [place[0] for place in ordered]
    ends = [place[1] for place in ordered]
    for at in range(len(ordered) - 1):
        first, last = (
            max(ordered[at][0], ordered[at + 1][0]),
            min(ordered[at][1], ordered[at + 1][1]),
        )
        if first < last:
            middle = (first + last) // 2 if on_grid else (first + last) / 2
            ends[at], starts[at + 1] = min(ends[at], middle), max(starts[at + 1], middle)
    step: Position = 1 if on_grid else max(2 * SHORTEST, (high - low) * SHORTEST)
    reach = low
    for at in range(len(ordered)):
        starts[at] = max(starts[at], reach)
        ends[at] = reach = max(ends[at], starts[at] + step)
    reach = high
    for at in reversed(range(len(ordered))):
        ends[at] = min(ends[at], reach)
        starts[at] = reach = min(starts[at], ends[at] - step)
    return list(zip(starts, ends, strict=True))
