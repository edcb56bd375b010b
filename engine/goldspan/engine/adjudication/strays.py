"""Strays: a mark beside a place that its annotator left out may mean that place, drawn elsewhere.

Two sites of a task are beside each other if no annotator has units in both, they have a label in
common, and the gap between them is smaller than the shorter one. Where annotators miss and invent
spans, many sites are beside each other by chance; where they only misplace boundaries, all are. So
the share of lone marks that have such a neighbour is the probability that they are strays. If they
are, the suggestion is wrong with the probability `LONE` where one annotator has units, and `SHARED`
where several have.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.adjudication.site import Site

LONE, SHARED = 0.3, 0.9
"""Both from simulated annotators who only misplace boundaries."""

PRIOR_STRAYS, PRIOR_LONE = 0.5, 5.0
"""Strays and lone marks that are counted beside those that are there."""


def astray(sites: Sequence[Site]) -> list[float]:
    """For each site the probability that its suggestion is wrong because of a stray mark; 0 where
    no other site is beside it.
    """
    beside = _beside(sites)
    lone = [len({unit.annotator for unit in site.units}) == 1 for site in sites]
    strays = sum(at in beside for at, alone in enumerate(lone) if alone)
    share = (PRIOR_STRAYS + strays) / (PRIOR_LONE + sum(lone))
    return [
        share * (LONE if alone else SHARED) if at in beside else 0.0
        for at, alone in enumerate(lone)
    ]


def _beside(sites: Sequence[Site]) -> set[int]:
    """The sites that another one is beside."""
    tasks: dict[str, list[int]] = defaultdict(list)
    for at, site in enumerate(sites):
        tasks[site.task].append(at)
    names = [{unit.annotator for unit in site.units} for site in sites]
    found: set[int] = set()
    for own in tasks.values():
        own.sort(key=lambda at: sites[at].start)
        for place, at in enumerate(own):
            one = sites[at]
            length = one.end - one.start
            for other in own[place + 1 :]:
                gap = sites[other].start - one.end
                if gap >= length:
                    break
                near = gap < sites[other].end - sites[other].start
                if near and not names[at] & names[other] and _share_label(one, sites[other]):
                    found |= {at, other}
    return found


def _share_label(one: Site, other: Site) -> bool:
    return not set(one.labels).isdisjoint(other.labels)
