"""Sites: the places that annotators marked, read off the alignments.

γ's best alignment may join units that do not even touch: two lone units are joined up to a
dissimilarity of 1 + C(n, 2). Gold needs units that speak of the same place, so each unitary
alignment is cut into its overlap-connected parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from goldspan.engine.alignment import Alignment
from goldspan.engine.model import Position, Unit

Ballot: TypeAlias = tuple[tuple[str, ...], frozenset[tuple[str, str]]]
"""Who saw a place, and the pairs of annotator and category of those who marked it."""


@dataclass(frozen=True, slots=True)
class Site:
    """Overlapping units of different annotators in one task, and who saw the task.

    Units are sorted by place and category, never by annotator: what is read off them first does
    not depend on names. Where an annotator's several units were joined into one, `pieces` are
    the units as they were drawn.
    """

    task: str
    units: tuple[Unit, ...]
    seen: tuple[str, ...]
    pieces: tuple[Unit, ...] = ()

    @property
    def k(self) -> int:
        """How many annotators marked the place."""
        return len(self.units)

    @property
    def n(self) -> int:
        """How many annotators saw the task."""
        return len(self.seen)

    @property
    def votes(self) -> Mapping[str, int]:
        """How many gave each category."""
        return Counter([unit.category for unit in self.units])

    @property
    def ballot(self) -> Ballot:
        """Who saw the place, and who said what of it: all that counts besides positions."""
        return self.seen, frozenset([(unit.annotator, unit.category) for unit in self.units])

    @property
    def drawn(self) -> tuple[Unit, ...]:
        """The annotators' own units, sorted."""
        return tuple(sorted(self.pieces or self.units))

    @property
    def bounds(self) -> tuple[Position, Position]:
        return min(u.start for u in self.units), max(u.end for u in self.units)


def find_sites(task: str, alignment: Alignment) -> list[Site]:
    """The sites of one task, in the order of the continuum."""
    return [
        Site(task, part, alignment.annotators)
        for unitary in alignment.unitary
        for part in connected(unitary.units)
    ]


def connected(units: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
    """The parts that hang together by overlap; touching is not overlapping."""
    if len(units) == 1:
        yield tuple(units)
        return
    ordered = sorted(units, key=place_of)
    begun, reach = 0, ordered[0].end
    for at, unit in enumerate(ordered):
        if unit.start >= reach:
            yield tuple(ordered[begun:at])
            begun, reach = at, unit.end
        reach = max(reach, unit.end)
    yield tuple(ordered[begun:])


def place_of(unit: Unit) -> tuple[Position, Position, str, str]:
    """What units are sorted by: the annotator comes last, between equals only."""
    return unit.start, unit.end, unit.category, unit.annotator
