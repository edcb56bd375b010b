"""Edges: a span without the white space at its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.model import Position


def trimmed_span(text: str, start: Position, end: Position) -> tuple[int, int]:
    """Where the span starts and ends without white space; the same place twice if it has no
    other.
    """
    first, last = int(start), int(end)
    while first < last and text[last - 1].isspace():
        last -= 1
    while first < last and text[first].isspace():
        first += 1
    return first, last
