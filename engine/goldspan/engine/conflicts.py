"""Conflicts: one annotator has one unit where another has several of the same category.

Which reading is right is a person's decision. For the suggestion the readings are weighed: a cut
that more annotators made, at about the same place, than left the unit whole is kept; otherwise
the pieces count as votes for the whole unit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from goldspan.engine.boundaries import overlap
from goldspan.engine.model import Position, Unit
from goldspan.engine.sites import Site, place_of

SAME_CUT = 0.1
"""Two cuts are the same within this part of the unit that is cut."""

ENOUGH = 0.5
"""The part of a unit that its pieces must cover, and of a piece that must lie in the unit."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Units that speak of one place, whole and in pieces; `whole` says what is suggested."""

    units: tuple[Unit, ...]
    whole: bool


def resolve(sites: Sequence[Site]) -> tuple[list[Site], list[Conflict]]:
    """The sites of one task with their conflicts settled, and the conflicts."""
    settled: list[Site] = []
    conflicts: list[Conflict] = []
    for group in _groups(sites):
        if len(group) > 1:
            for cut in _cuts(group):
                whole = cut.is_whole
                conflicts.append(cut.conflict(whole=whole))
                group = _join(group, cut) if whole else group  # noqa: PLW2901 - settled in turn
        settled.extend(group)
    return settled, conflicts


@dataclass(frozen=True, slots=True)
class _Cut:
    """Units that some left whole, and the pieces of those who did not."""

    wholes: tuple[Unit, ...]
    pieces: tuple[tuple[Unit, ...], ...]

    @property
    def is_whole(self) -> bool:
        """Whether as many left it whole as made the most frequent cut."""
        width = SAME_CUT * (sum(u.length for u in self.wholes) / len(self.wholes))
        cuts = [
            [(one.end + other.start) / 2 for one, other in pairwise(own)] for own in self.pieces
        ]
        most = max(
            sum(any(abs(cut - other) <= width for other in others) for others in cuts)
            for own in cuts
            for cut in own
        )
        return len({unit.annotator for unit in self.wholes}) >= most

    def conflict(self, *, whole: bool) -> Conflict:
        drawn = (*self.wholes, *(piece for own in self.pieces for piece in own))
        return Conflict(tuple(sorted(drawn)), whole)


def _groups(sites: Sequence[Site]) -> Iterator[list[Site]]:
    """Sites that hang together by overlap; most stand alone and can have no conflict."""
    group: list[Site] = []
    reach: Position = 0
    for site in sorted(sites, key=lambda site: site.units[0].start):
        if group and site.units[0].start >= reach:
            yield group
            group = []
        end = max([unit.end for unit in site.units])
        reach = max(reach, end) if group else end
        group.append(site)
    if group:
        yield group


def _cuts(group: Sequence[Site]) -> list[_Cut]:
    """Each set of units that are cut by others, with all their pieces."""
    by_annotator: dict[str, list[Unit]] = defaultdict(list)
    for site in group:
        for unit in site.units:
            by_annotator[unit.annotator].append(unit)
    found: list[tuple[Unit, tuple[Unit, ...]]] = []
    for name, units in by_annotator.items():
        for whole in units:
            if any(other is not whole and _lies_in(other, whole) for other in units):
                continue  # who draws both levels has no part in the conflict
            for author, others in by_annotator.items():
                pieces = _pieces(whole, others) if author != name else ()
                if pieces:
                    found.append((whole, pieces))
    return _merged(found)


def _pieces(whole: Unit, others: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units that together stand for the whole one; none if one of them does so better."""
    within = sorted(
        (u for u in others if u.category == whole.category and _lies_in(u, whole)), key=place_of
    )
    if len(within) < 2:
        return ()
    if any(one.end > other.start for one, other in pairwise(within)):
        return ()
    if sum(u.length for u in within) < ENOUGH * whole.length:
        return ()
    span = (whole.start, whole.end)
    joined = overlap((within[0].start, within[-1].end), span)
    best = max(overlap((u.start, u.end), span) for u in others)
    return tuple(within) if joined > best else ()


def _merged(found: Iterable[tuple[Unit, tuple[Unit, ...]]]) -> list[_Cut]:
    """Cuts that share a unit are one; a piece of a longer unit is not itself cut."""
    cuts: list[tuple[set[Unit], set[tuple[Unit, ...]]]] = []
    whole_ones: set[Unit] = set()
    loose: set[Unit] = set()
    for whole, pieces in sorted(found, key=lambda cut: (-cut[0].length, place_of(cut[0]))):
        if whole in loose or whole_ones & set(pieces):
            continue
        whole_ones.add(whole)
        loose.update(pieces)
        wholes, parts = {whole}, {pieces}
        apart = []
        for cut in cuts:
            if whole in cut[0] or any(set(pieces) & set(other) for other in cut[1]):
                wholes |= cut[0]
                parts |= cut[1]
            else:
                apart.append(cut)
        cuts = [*apart, (wholes, parts)]
    kept = [
        _Cut(
            tuple(sorted(wholes, key=place_of)),
            tuple(sorted(parts, key=lambda own: [place_of(u) for u in own])),
        )
        for wholes, parts in cuts
        if len({own[0].annotator for own in parts}) == len(parts)
    ]
    kept.sort(key=lambda cut: place_of(cut.wholes[0]))
    return kept


def _join(group: Sequence[Site], cut: _Cut) -> list[Site]:
    """The sites when the pieces vote for the whole unit."""
    home = next(site for site in group if cut.wholes[0] in site.units)
    drawn: dict[Unit, tuple[Unit, ...]] = {unit: (unit,) for unit in cut.wholes}
    for own in cut.pieces:
        first, last = own[0], own[-1]
        drawn[Unit(first.annotator, first.start, last.end, first.category, _sources(own))] = own
    taken = {unit.annotator for unit in drawn}
    drawn |= {unit: _of(home, unit) for unit in home.units if unit.annotator not in taken}
    moved = {unit for own in drawn.values() for unit in own} | set(drawn)
    rest = []
    for site in group:
        left = tuple(unit for unit in site.units if unit not in moved)
        if left:
            pieces = tuple(piece for unit in left for piece in _of(site, unit))
            rest.append(Site(site.task, left, site.seen, pieces))
    # Of one annotator's two whole units only the first can vote here; the other stays a site.
    voters: dict[str, Unit] = {}
    for unit in sorted(drawn, key=place_of):
        if unit.annotator in voters:
            rest.append(Site(home.task, (unit,), home.seen, drawn[unit]))
        else:
            voters[unit.annotator] = unit
    units = tuple(sorted(voters.values(), key=place_of))
    return [*rest, Site(home.task, units, home.seen, tuple(p for u in units for p in drawn[u]))]


def _of(site: Site, unit: Unit) -> tuple[Unit, ...]:
    """What the unit's annotator drew at the site."""
    return tuple(piece for piece in site.drawn if piece.annotator == unit.annotator)


def _sources(pieces: Iterable[Unit]) -> str:
    return ", ".join(piece.source for piece in pieces if piece.source)


def _lies_in(unit: Unit, whole: Unit) -> bool:
    shared = min(unit.end, whole.end) - max(unit.start, whole.start)
    return shared >= ENOUGH * unit.length
