"""Fragments: the parts of spans with gaps, while positions are counted and cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from goldspan.engine.model import Position

Parts: TypeAlias = tuple[tuple[Position, Position], ...]
"""Half-open intervals in order, with gaps between them; () for a span without gaps."""


def fitted(parts: Parts, start: Position, end: Position) -> Parts:
    """The parts inside of a span whose edges were cut; () if there is no gap any more."""
    inside = [(max(one, start), min(other, end)) for one, other in parts]
    kept = [(one, other) for one, other in inside if one < other]
    if len(kept) < 2 or (kept[0][0], kept[-1][1]) != (start, end):
        return ()
    return tuple(kept)


def moved(parts: Parts, move: Callable[[Position], Position]) -> Parts:
    """The parts at other positions."""
    return tuple((move(start), move(end)) for start, end in parts)
