"""Cuts: places where an annotator begins a new unit of the same category, put to the vote.

Others who marked the place back the cut with a boundary there, or speak against it with a unit
that runs across. Whether cuts are real (neighbouring units) or accidents (a unit split by mistake)
differs between projects, so it is estimated: a cut is real with probability π, and then each voter
backs it with probability b₁, else with b₀; under b₁ ~ Beta(8, 2) and b₀ ~ Beta(2, 8).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.batch.unitaries import pairs_within
from goldspan.engine.gold.boundaries import Floats, parts_of
from goldspan.engine.gold.sites import Site, place_of

if TYPE_CHECKING:
    from goldspan.engine.model import Position, Unit

GAP = 0.25
"""The widest gap between two units that could be one, as a part of their joint length."""

MOST_SLACK = 0.15
SLACKS = 2.0
"""Boundaries this many times as far apart as usual are different ones."""

LEAST_CUTS = 30
"""With fewer cuts the parameters are not estimated, and a majority decides."""

STEPS = 100


@dataclass(frozen=True, slots=True)
class Cut:
    """Two neighbouring units of one annotator, and the others' units that run across the cut.

    `backed` counts the other annotators with a boundary there.
    """

    before: Unit
    after: Unit
    across: tuple[Unit, ...]
    backed: int

    @property
    def touches(self) -> bool:
        """Whether the second unit begins just where the first one ends."""
        return self.before.end == self.after.start

    @property
    def votes(self) -> tuple[int, int]:
        """How many annotators back it, and how many vote."""
        return self.backed, self.backed + len(self.across)


def usual_slack(sites: Iterable[Site]) -> float:
    """How far apart annotators draw the same boundary, as a part of the unit's length.

    Of each pair of units the closer side counts, so that a unit and a piece of it tell nothing
    wrong; and of all pairs the three fifths that agree best.
    """
    listed = list(sites)
    parts = (listed[part] for part in parts_of(len(listed)))
    return slack_of(_drawn(part) for part in parts)


def _drawn(sites: Sequence[Site]) -> tuple[Floats, Floats, Sequence[int]]:
    units = [unit for site in sites for unit in site.units]
    start = np.array([unit.start for unit in units], dtype=np.float64)
    end = np.array([unit.end for unit in units], dtype=np.float64)
    return start, end, [len(site.units) for site in sites]


def slack_of(parts: Iterable[tuple[Floats, Floats, Sequence[int]]]) -> float:
    """The same of sites in columns: where their units start and end, and how many each has."""
    found: list[Floats] = [np.empty(0)]
    for start, end, sizes in parts:
        one, other = pairs_within(np.repeat(np.arange(len(sizes)), sizes))
        near = np.minimum(abs(start[one] - start[other]), abs(end[one] - end[other]))
        found.append(near / (end[one] - start[one] + end[other] - start[other]))
    apart = np.concatenate(found)
    usual = 3 * len(apart) // 5
    return 2 * float(np.partition(apart, usual)[usual]) if len(apart) else 0.0


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The units of one task by category and annotator, sorted; and for each category the pairs
    of neighbours that could be one unit cut in two.
    """

    drawn: Mapping[tuple[str, str], Sequence[Unit]]
    pairs: Mapping[str, Sequence[tuple[Unit, Unit]]]


def neighbourhood(units: Iterable[Unit]) -> Neighbourhood:
    """The neighbours of one task: two units of one annotator and category that nearly touch."""
    drawn: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in units:
        drawn[unit.category, unit.annotator].append(unit)
    pairs: dict[str, list[tuple[Unit, Unit]]] = defaultdict(list)
    for (category, _), own in drawn.items():
        own.sort(key=place_of)
        for before, after in pairwise(own):
            gap = after.start - before.end
            if 0 <= gap <= GAP * (after.end - before.start):
                pairs[category].append((before, after))
    return Neighbourhood(drawn, pairs)


def find_cuts(near: Neighbourhood, slack: float) -> Iterator[Cut]:
    """The cuts of one task that another annotator votes on."""
    versions: dict[str, list[_Version]] = defaultdict(list)
    for (category, _), own in near.drawn.items():
        if category in near.pairs:
            versions[category].append(_Version(own))
    for category, pairs in near.pairs.items():
        for before, after in pairs:
            cut = _put_to_vote(before, after, versions[category], slack)
            if cut is not None:
                yield cut


def _put_to_vote(
    before: Unit, after: Unit, versions: Iterable[_Version], slack: float
) -> Cut | None:
    """The cut with its votes; None if nobody votes, or its author draws both levels."""
    width = min(SLACKS * slack, MOST_SLACK) * (after.end - before.start)
    low, high = before.end - width, after.start + width
    backed = 0
    across: list[Unit] = []
    for version in versions:
        own = version.annotator == before.annotator
        over = version.over(low, high)
        if own and over is not None:
            return None
        if own:
            continue
        if version.has_edge(low, high):
            backed += 1
        elif over is not None:
            across.append(over)
    return Cut(before, after, tuple(sorted(across)), backed) if backed or across else None


class _Version:
    """One annotator's units of one category in one task, sorted, ready to be asked."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.annotator = units[0].annotator
        self._units = units
        self._starts = [unit.start for unit in units]
        self._edges = sorted([*self._starts, *[unit.end for unit in units]])
        self._longest = max([unit.end - unit.start for unit in units])

    def has_edge(self, low: Position, high: Position) -> bool:
        at = bisect_left(self._edges, low)
        return at < len(self._edges) and self._edges[at] <= high

    def over(self, low: Position, high: Position) -> Unit | None:
        """A unit that begins before `low` and ends after `high`."""
        at = bisect_left(self._starts, low) - 1
        while at >= 0 and self._starts[at] + self._longest > high:
            if self._units[at].end > high:
                return self._units[at]
            at -= 1
        return None


def standing(cuts: Iterable[Cut]) -> list[Cut]:
    """The cuts that stand; units that touch are judged apart from those with a gap between."""
    kinds: dict[bool, list[Cut]] = defaultdict(list)
    for cut in cuts:
        kinds[cut.touches].append(cut)
    kept = []
    for own in kinds.values():
        stands = _outcomes(Counter(cut.votes for cut in own))
        kept += [cut for cut in own if stands[cut.votes]]
    return kept


def _outcomes(counts: Mapping[tuple[int, int], int]) -> Mapping[tuple[int, int], bool]:
    """For each outcome of a vote whether the cut stands."""
    if sum(counts.values()) < LEAST_CUTS:
        return {(b, t): 1 + b > t - b for b, t in counts}
    real, backs, joins = 0.5, 0.8, 0.2
    odds: dict[tuple[int, int], float] = {}
    for _ in range(STEPS):
        for b, t in counts:
            one = real * backs**b * (1 - backs) ** (t - b)
            other = (1 - real) * joins**b * (1 - joins) ** (t - b)
            odds[b, t] = one / (one + other)
        total = sum(counts.values())
        yes = {votes: count * odds[votes] for votes, count in counts.items()}
        no = {votes: count - yes[votes] for votes, count in counts.items()}
        real = (sum(yes.values()) + 1) / (total + 2)
        backs = (_backed(yes) + 7) / (_asked(yes) + 8)
        joins = (_backed(no) + 1) / (_asked(no) + 8)
        # What is called real must be what is backed.
        backs, joins = max(backs, 0.5), min(joins, 0.5)
    return {votes: p >= 0.5 for votes, p in odds.items()}


def _backed(weights: Mapping[tuple[int, int], float]) -> float:
    return sum(weight * b for (b, _), weight in weights.items())


def _asked(weights: Mapping[tuple[int, int], float]) -> float:
    return sum(weight * t for (_, t), weight in weights.items())
