"""Conflicts: one annotator has one unit where another has several of the same category.

Which reading is right is a person's decision. For the suggestion the cuts that do not stand
(`cuts`) are undone, and what is left of the place is aligned again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.alignment.partition import best_alignment
from goldspan.engine.gold.cuts import (
    Cut,
    Neighbourhood,
    find_cuts,
    neighbourhood,
    standing,
    usual_slack,
)
from goldspan.engine.gold.sites import Site, find_sites, place_of
from goldspan.engine.model import Continuum, Position, Presence, Unit

if TYPE_CHECKING:
    from goldspan.engine.settings import Settings


@dataclass(frozen=True, slots=True)
class Conflict:
    """Units that speak of one place, whole and in pieces; sorted."""

    task: str
    units: tuple[Unit, ...]


def resolve(sites: Sequence[Site], settings: Settings) -> tuple[list[Site], list[Conflict]]:
    """The sites of a project with their conflicts settled, task by task, and the conflicts."""
    by_task: dict[str, list[Site]] = defaultdict(list)
    for site in sites:
        by_task[site.task].append(site)
    near = {
        task: found
        for task, own in by_task.items()
        if (found := neighbourhood([u for site in own for u in site.units])).pairs
    }
    slack = usual_slack(sites) if near else 0.0
    changed, conflicts = settle(near.items(), by_task.__getitem__, slack, settings)
    return [site for task, own in by_task.items() for site in changed.get(task, own)], conflicts


def settle(
    near: Iterable[tuple[str, Neighbourhood]],
    sites_of: Callable[[str], Sequence[Site]],
    slack: float,
    settings: Settings,
) -> tuple[dict[str, list[Site]], list[Conflict]]:
    """The sites of the tasks in which cuts are undone, and all conflicts; `near` has the tasks with
    neighbours, and `slack` is usual for the project.
    """
    cuts = {task: list(find_cuts(found, slack)) for task, found in near}
    stands = set(standing(cut for own in cuts.values() for cut in own))
    changed: dict[str, list[Site]] = {}
    conflicts: list[Conflict] = []
    for task, own in cuts.items():
        conflicts += _conflicts(task, own)
        undone = [cut for cut in own if cut.across and cut not in stands]
        if undone:
            changed[task] = _joined(sites_of(task), undone, settings)
    return changed, conflicts


def _conflicts(task: str, cuts: Iterable[Cut]) -> list[Conflict]:
    """The cuts that somebody speaks against; those that share a unit are one conflict."""
    found: list[set[Unit]] = []
    for cut in cuts:
        if not cut.across:
            continue
        units = {cut.before, cut.after, *cut.across}
        apart = []
        for other in found:
            if units & other:
                units |= other
            else:
                apart.append(other)
        found = [*apart, units]
    return [Conflict(task, tuple(sorted(units))) for units in found]


def _joined(sites: Sequence[Site], cuts: Iterable[Cut], settings: Settings) -> list[Site]:
    """The sites of one task when these cuts are undone."""
    run: dict[Unit, list[Unit]] = {unit: [unit] for site in sites for unit in site.units}
    for cut in sorted(cuts, key=lambda cut: place_of(cut.before)):
        first, second = run[cut.before], run[cut.after]
        first += second
        for unit in second:
            run[unit] = first
    pieces = {_one(units): tuple(units) for units in run.values()}
    touched = {unit for unit, own in pieces.items() if len(own) > 1}
    settled: list[Site] = []
    for group in _groups(sites):
        units = {_one(run[unit]) for site in group for unit in site.units}
        settled += _aligned(group[0], units, pieces, settings) if units & touched else group
    return settled


def _groups(sites: Iterable[Site]) -> Iterator[list[Site]]:
    """Sites that hang together by overlap or touch; what is joined stays within a group."""
    group: list[Site] = []
    reach: Position = 0
    for site in sorted(sites, key=lambda site: site.bounds):
        start, end = site.bounds
        if group and start > reach:
            yield group
            group = []
        reach = max(reach, end) if group else end
        group.append(site)
    if group:
        yield group


def _aligned(
    like: Site, units: Iterable[Unit], pieces: Mapping[Unit, tuple[Unit, ...]], settings: Settings
) -> list[Site]:
    """The sites of these units, aligned on their own."""
    presence = dict.fromkeys(like.seen, Presence.DONE)
    continuum = Continuum(like.task, tuple(units), presence)
    alignment = best_alignment(
        continuum, settings.dissimilarity, solver=settings.solver, seconds=settings.seconds
    )
    return [_with_pieces(site, pieces) for site in find_sites(like.task, alignment)]


def _one(units: Sequence[Unit]) -> Unit:
    if len(units) == 1:
        return units[0]
    first, last = units[0], units[-1]
    source = ", ".join(unit.source for unit in units if unit.source)
    return Unit(first.annotator, first.start, last.end, first.category, source)


def _with_pieces(site: Site, pieces: Mapping[Unit, tuple[Unit, ...]]) -> Site:
    drawn = tuple(piece for unit in site.units for piece in pieces[unit])
    return Site(site.task, site.units, site.seen, drawn if len(drawn) > site.k else ())
