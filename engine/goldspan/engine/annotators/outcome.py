"""Outcome: one annotator's work on one task beside a version that is taken for right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldspan.engine.coefficient.continua.matching import best_matching

if TYPE_CHECKING:
    from goldspan.engine.model import Position, Unit

SAME_LABEL = 0.25
"""How much of the joint length a common label is worth when units are matched with spans."""

COVERED = 0.5
"""A unit covers a span if it has this part of it or more."""


class Span(NamedTuple):
    """A place and its label."""

    start: Position
    end: Position
    label: str


@dataclass(frozen=True, slots=True)
class Version:
    """What is right in a task: the spans, and places where nobody can say; units there are neither
    right nor wrong.
    """

    spans: tuple[Span, ...]
    unsettled: tuple[tuple[Position, Position], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the spans and of the units.

    found      a span with the annotator's unit there, whatever its label
    missed     spans without a unit
    spurious   units without a span
    unsettled  units at places where nobody can say; they count nowhere
    joined     units over two or more spans that others keep apart
    split      spans with two or more units instead of one
    """

    task: str
    found: tuple[tuple[Span, Span], ...]
    missed: tuple[Span, ...]
    spurious: tuple[Span, ...]
    unsettled: int = 0
    joined: int = 0
    split: int = 0

    @property
    def starts(self) -> list[float]:
        """How far the annotator's starts are behind the right ones, negative for before."""
        return [float(unit.start - span.start) for span, unit in self.found]

    @property
    def ends(self) -> list[float]:
        return [float(unit.end - span.end) for span, unit in self.found]


def compare(task: str, units: Iterable[Unit], version: Version) -> Outcome:
    """Match units and spans that overlap, each once at most, so that they share most."""
    own = sorted(Span(unit.start, unit.end, unit.category) for unit in units)
    spans = sorted(version.spans)
    near = _overlapping(spans, own)
    chosen = _matched(spans, own, near)
    known, used = {at for at, _ in chosen}, {by for _, by in chosen}
    rest = [unit for by, unit in enumerate(own) if by not in used]
    spurious = [unit for unit in rest if not _touches_any(unit, version.unsettled)]
    covered, pieces = _covered(spans, own, near)
    by_span, by_unit = dict(chosen), {by: at for at, by in chosen}
    joined = sum(
        _several(spans, [at for at in places if by_span.get(at, by) == by])
        for by, places in covered.items()
    )
    split = sum(
        _several(own, [by for by in parts if by_unit.get(by, at) == at])
        for at, parts in pieces.items()
    )
    return Outcome(
        task,
        tuple((spans[at], own[by]) for at, by in chosen),
        tuple(span for at, span in enumerate(spans) if at not in known),
        tuple(spurious),
        len(rest) - len(spurious),
        joined,
        split,
    )


def _overlapping(spans: Sequence[Span], own: Sequence[Span]) -> list[tuple[int, int]]:
    """The pairs that overlap, by number; both are sorted by their starts."""
    found, first = [], 0
    longest = max((unit.end - unit.start for unit in own), default=0)
    for at, span in enumerate(spans):
        while first < len(own) and own[first].start <= span.start - longest:
            first += 1
        for by in range(first, len(own)):
            if own[by].start >= span.end:
                break
            if own[by].end > span.start:
                found.append((at, by))
    return found


def _matched(
    spans: Sequence[Span], own: Sequence[Span], near: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    if not near:
        return []
    weights = []
    for at, by in near:
        span, unit = spans[at], own[by]
        joint = max(span.end, unit.end) - min(span.start, unit.start)
        weights.append(_shared(span, unit) / joint + SAME_LABEL * (span.label == unit.label))
    one, other = np.array([at for at, _ in near]), np.array([by for _, by in near])
    return [near[number] for number in best_matching(one, other, np.array(weights)).tolist()]


def _covered(
    spans: Sequence[Span], own: Sequence[Span], near: Sequence[tuple[int, int]]
) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """The spans that each unit covers, and the units that each span covers, of the same label."""
    covered: dict[int, set[int]] = defaultdict(set)
    pieces: dict[int, set[int]] = defaultdict(set)
    for at, by in near:
        span, unit = spans[at], own[by]
        if span.label != unit.label:
            continue
        shared = _shared(span, unit)
        if shared >= COVERED * (span.end - span.start):
            covered[by].add(at)
        if shared >= COVERED * (unit.end - unit.start):
            pieces[at].add(by)
    return covered, pieces


def _several(places: Sequence[Span], numbers: Sequence[int]) -> bool:
    """Whether two of them do not overlap."""
    own = [places[number] for number in numbers]
    return len(own) > 1 and max(one.start for one in own) >= min(one.end for one in own)


def _shared(one: Span, other: Span) -> float:
    return float(min(one.end, other.end) - max(one.start, other.start))


def _touches_any(unit: Span, places: Iterable[tuple[Position, Position]]) -> bool:
    return any(start < unit.end and unit.start < end for start, end in places)
