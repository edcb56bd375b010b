"""Independence: what is left of spans that overlap.

Targets that hold no overlaps get the likeliest spans without any. In a crowd, of two suggestions
that overlap, often one is a mistake: another category, other boundaries, or a mark at random. But
spans may be nested. So the less likely one stays only if it is sure enough by itself.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from goldspan.engine.gold.boundaries import Extent
    from goldspan.engine.gold.gold import GoldSpan

SURE_ENOUGH = 0.8
"""From this probability on a suggestion is kept, whatever it overlaps."""

DIGITS = 9
"""Probabilities are compared to so many: sums in another order differ by less."""


def without_overlaps(spans: Sequence[GoldSpan]) -> list[GoldSpan]:
    """The spans of greatest total logit of their confidence that do not overlap, in order.

    A span that is as likely wrong as right adds next to nothing, but is kept where there is room.
    """
    ordered = sorted(spans, key=lambda span: (span.end, span.start, span.category))
    ends = [span.end for span in ordered]
    # best[i]: the greatest weight of the first i spans, and how many spans it takes.
    best: list[tuple[float, int]] = [(0.0, 0)]
    taken: list[int] = []
    for at, span in enumerate(ordered):
        before = bisect_right(ends, span.start, 0, at)
        with_it = (best[before][0] + _weight(span), best[before][1] + 1)
        taken.append(before if with_it > best[-1] else -1)
        best.append(max(with_it, best[-1]))
    kept = []
    at = len(ordered)
    while at:
        if taken[at - 1] >= 0:
            kept.append(ordered[at - 1])
            at = taken[at - 1]
        else:
            at -= 1
    return kept[::-1]


def _weight(span: GoldSpan) -> float:
    p = min(max(span.confidence, 0.5 + 1e-6), 1 - 1e-9)
    return round(math.log(p / (1 - p)), 9)


class Proposal(NamedTuple):
    """A span that may be suggested, and the probability that it is real and has its category."""

    task: str
    place: Extent
    category: str
    likely: float


def giving_way(proposals: Sequence[Proposal]) -> set[int]:
    """The numbers of the proposals that give way. The likeliest of a place is always kept."""
    beside: dict[int, list[int]] = defaultdict(list)
    for one, other in _overlapping(proposals):
        beside[one].append(other)
        beside[other].append(one)
    kept: set[int] = set()
    for at in sorted(beside, key=lambda at: _rank(proposals[at])):
        sure = round(proposals[at].likely, DIGITS) >= SURE_ENOUGH
        if sure or kept.isdisjoint(beside[at]):
            kept.add(at)
    return set(beside) - kept


def _overlapping(proposals: Sequence[Proposal]) -> Iterator[tuple[int, int]]:
    """Pairs in one task. The same span twice is one suggestion, and no pair."""
    reaching: list[int] = []
    for at in sorted(range(len(proposals)), key=lambda at: proposals[at][:3]):
        one = proposals[at]
        reaching = [other for other in reaching if _reaches(proposals[other], one)]
        yield from ((other, at) for other in reaching if proposals[other][:3] != one[:3])
        reaching.append(at)


def _reaches(before: Proposal, one: Proposal) -> bool:
    """Whether a proposal ends behind the start of one that is not before it."""
    return before.task == one.task and before.place[1] > one.place[0]


def _rank(proposal: Proposal) -> tuple[float, Extent, str]:
    return -round(proposal.likely, DIGITS), proposal.place, proposal.category
