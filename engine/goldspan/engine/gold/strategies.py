"""Strategies: the simple merges, by name. Their confidence is a share of those who saw the task.

vote            what half of them or more marked, two at least; median boundaries
medoid          the same places; the unit that is closest to the others
intersection    what all of them marked with one category; the part common to all
union           whatever anybody drew
best-annotator  the units of the one whom the others agree with most
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from goldspan.engine.gold.boundaries import SAME_PLACE, Extent, Placing, overlap
from goldspan.engine.gold.gold import GoldSpan
from goldspan.engine.gold.sites import Site
from goldspan.engine.gold.suggestion import Ranking, grade, refined
from goldspan.engine.model import Measure, Position, Unit

Spans: TypeAlias = Iterable[tuple[str, GoldSpan]]
"""A task's id and one of its spans."""

Strategy: TypeAlias = Callable[[Sequence[Site], Ranking, Placing, Mapping[str, Measure]], Spans]


def vote(
    sites: Sequence[Site], ranking: Ranking, placing: Placing, measures: Mapping[str, Measure]
) -> Spans:
    for site in _frequent(sites):
        category = ranking.best(site.votes, site)
        yield site.task, _span(site, placing.place(site, measures[site.task]), category)


def medoid(
    sites: Sequence[Site], _ranking: Ranking, placing: Placing, _measures: Mapping[str, Measure]
) -> Spans:
    for site in _frequent(sites):
        unit = placing.medoid(site)
        yield site.task, _span(site, (unit.start, unit.end), unit.category)


def intersection(
    sites: Sequence[Site], _ranking: Ranking, _placing: Placing, _measures: Mapping[str, Measure]
) -> Spans:
    for site in sites:
        start, end = max(u.start for u in site.units), min(u.end for u in site.units)
        if site.k == site.n and len(site.votes) == 1 and start < end:
            yield site.task, _span(site, (start, end), site.units[0].category)


def union(
    sites: Sequence[Site], _ranking: Ranking, _placing: Placing, _measures: Mapping[str, Measure]
) -> Spans:
    drawn: dict[tuple[str, Position, Position, str], tuple[Site, list[Unit]]] = {}
    for site in sites:
        for unit in site.units:
            key = (site.task, unit.start, unit.end, unit.category)
            drawn.setdefault(key, (site, []))[1].append(unit)
    for (task, start, end, category), (site, units) in drawn.items():
        whole = Site(task, tuple(units), site.seen)
        yield task, _span(whole, (start, end), category)


def best_annotator(
    sites: Sequence[Site], _ranking: Ranking, _placing: Placing, _measures: Mapping[str, Measure]
) -> Spans:
    ranks = _agreement(sites)
    for site in sites:
        best = min(site.seen, key=lambda name: ranks[name])
        for unit in site.units:
            if unit.annotator == best:
                yield site.task, _span(site, (unit.start, unit.end), unit.category)


STRATEGIES: Mapping[str, Strategy] = {
    "vote": vote,
    "medoid": medoid,
    "intersection": intersection,
    "union": union,
    "best-annotator": best_annotator,
}


def _frequent(sites: Iterable[Site]) -> Iterable[Site]:
    return (site for site in sites if site.k > 1 and 2 * site.k >= site.n)


def _span(site: Site, place: Extent, category: str) -> GoldSpan:
    backed = sum(
        u.category == category and overlap(place, (u.start, u.end)) >= SAME_PLACE
        for u in site.units
    )
    return GoldSpan(
        start=place[0],
        end=place[1],
        category=category,
        confidence=backed / site.n,
        votes=site.drawn,
        seen=site.n,
        grade=refined(grade(site, category), site),
    )


def _agreement(sites: Sequence[Site]) -> Mapping[str, tuple[float, list[tuple[object, ...]]]]:
    """How each annotator ranks: by the share of agreeing pairs, never by name.

    Among annotators who agree equally well, what they marked decides; those who marked exactly
    the same are interchangeable.
    """
    agreed: dict[str, float] = defaultdict(float)
    possible: dict[str, float] = defaultdict(float)
    marked: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for site in sites:
        for unit in site.units:
            backed = site.votes[unit.category] - 1
            agreed[unit.annotator] += 2 * backed
            marked[unit.annotator].append((site.task, unit.start, unit.end, unit.category))
        for name in site.seen:
            own = any(unit.annotator == name for unit in site.units)
            possible[name] += (site.n - 1 + site.k - 1) if own else site.k
    return {
        name: (-round(agreed[name] / total if total else 0.0, 9), sorted(marked[name]))
        for name, total in possible.items()
    }
