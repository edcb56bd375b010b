"""Sites: the places that annotators marked, read off the alignments.

γ's best alignment may join units that do not even touch: two lone units are joined up to a
dissimilarity of 1 + C(n, 2). Gold needs units that speak of the same place, so each unitary
alignment is cut into its overlap-connected parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment
    from goldspan.engine.model import Position, Unit

place_of = attrgetter("start", "end", "category", "annotator")
"""What units are sorted by: the annotator comes last, between equals only."""

Ballot: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The annotators who saw a place; then name and category of each who marked it, in turn."""


class Site(NamedTuple):
    """Overlapping units of different annotators in one task, and who saw the task.

    Units are sorted by annotator. Where an annotator's several units were joined into one,
    `pieces` are the units as they were drawn.
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
        """The annotators who saw the place, and their categories: all that counts but positions."""
        return self.seen, tuple([said for u in self.units for said in (u.annotator, u.category)])

    @property
    def drawn(self) -> tuple[Unit, ...]:
        """The annotators' own units, sorted."""
        return self.pieces or self.units

    @property
    def bounds(self) -> tuple[Position, Position]:
        return min([unit.start for unit in self.units]), max([unit.end for unit in self.units])


def find_sites(task: str, alignment: Alignment) -> list[Site]:
    """The sites of one task, in the order of the continuum."""
    return [
        Site(task, part, alignment.annotators)
        for unitary in alignment.unitary
        for part in connected(unitary.units)
    ]


def connected(units: tuple[Unit, ...]) -> Iterator[tuple[Unit, ...]]:
    """The parts of sorted units that hang together by overlap; touching is not overlapping."""
    if max([unit.start for unit in units]) < min([unit.end for unit in units]):
        yield units
        return
    ordered = sorted(units, key=place_of)
    begun, reach = 0, ordered[0].end
    for at, unit in enumerate(ordered):
        if unit.start >= reach:
            yield tuple(sorted(ordered[begun:at]))
            begun, reach = at, unit.end
        reach = max(reach, unit.end)
    yield tuple(sorted(ordered[begun:]))
