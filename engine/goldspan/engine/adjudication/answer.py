"""Answer: the spans that belong to a place, as a person or a merge gives them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from goldspan.engine.gold.boundaries import SAME_PLACE, overlap
from goldspan.engine.model import Position  # noqa: TC001 - msgspec reads the fields


class Span(NamedTuple):
    """A place with its label, half-open as every unit."""

    start: Position
    end: Position
    label: str


Answer: TypeAlias = tuple[Span, ...]
"""All spans that belong to a site, sorted; empty where nothing belongs there."""


def answer(spans: Iterable[Sequence[object]]) -> Answer:
    """The answer of these spans, each of them once."""
    return tuple(sorted({Span(*span) for span in spans}))  # type: ignore[arg-type]


def is_right(suggested: Answer, settled: Answer) -> bool:
    """Whether each span has its partner in the other: the same label, and half of the joint length
    shared. The closest pairs are joined first.
    """
    if len(suggested) != len(settled):
        return False
    pairs = []
    for s, one in enumerate(suggested):
        for t, other in enumerate(settled):
            if one.label == other.label:
                shared = overlap(one[:2], other[:2])
                if shared >= SAME_PLACE:
                    pairs.append((-shared, s, t))
    left: set[int] = set(range(len(suggested)))
    free: set[int] = set(range(len(settled)))
    for _, s, t in sorted(pairs):
        if s in left and t in free:
            left.remove(s)
            free.remove(t)
    return not left
