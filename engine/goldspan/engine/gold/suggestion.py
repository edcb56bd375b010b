"""Suggestion: what the default merge says of each site, and whether it proposes it as gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from goldspan.engine.gold.boundaries import AVERAGED
from goldspan.engine.gold.calibration import pair_rate
from goldspan.engine.gold.drawing import learn_drawing
from goldspan.engine.gold.gold import Evidence, GoldSpan, Grade
from goldspan.engine.gold.independence import Proposal, giving_way
from goldspan.engine.gold.reliability import LEAST_SITES, PROPOSED, Judgement, Odds, judge
from goldspan.engine.gold.spread import well_placed
from goldspan.engine.gold.workers import is_crowd, judge_crowd

if TYPE_CHECKING:
    from goldspan.engine.gold.boundaries import Extent, Placing
    from goldspan.engine.gold.drawing import Drawing
    from goldspan.engine.gold.sites import Ballot, Site
    from goldspan.engine.model import Measure

PROPOSED_ALONE = 2 / 3
"""The least probability of a span that one of three or more annotators marked, in a team: most
such spans are mistakes, unless the project shows that annotators miss much and invent nothing.
"""

SHARED_MISTAKES = 0.04
CATEGORY_DOUBT = 1.5
"""In a crowd so many spans are wrong although the model is sure of them, and so many times as many
categories as it says: mistakes that workers share. No annotation shows how many they are, so both
are guesses, from simulated crowds, that calibration replaces.
"""


class Suggestion(NamedTuple):
    """A site with its class, the likeliest span, and whether that is proposed as gold."""

    site: Site
    grade: Grade
    candidate: GoldSpan
    proposed: bool

    @property
    def span(self) -> GoldSpan | None:
        """The span that is proposed; None where none is."""
        return self.candidate if self.proposed else None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chooses between categories: `distance` between two, and their `order` in the scheme."""

    distance: Callable[[str, str], float]
    order: Mapping[str, int]

    def best(self, odds: Mapping[str, float], site: Site) -> str:
        """The likeliest; of equals the one closest to what was said, then the first in order."""

        def rank(category: str) -> tuple[float, float, int]:
            apart = sum(self.distance(category, unit.category) for unit in site.units)
            return -round(odds[category], 9), round(apart, 9), self.order[category]

        return min(odds, key=rank)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a ballot leads to, wherever it is found."""

    category: str
    exists: float
    labelled: float
    proposed: bool
    grade: Grade

    @property
    def likely(self) -> float:
        """The probability that there is a span of this category."""
        return self.exists * self.labelled


def suggest(
    sites: Sequence[Site],
    ranking: Ranking,
    placing: Placing,
    measures: Mapping[str, Measure],
) -> tuple[Iterator[Suggestion], Judgement | None]:
    """A suggestion for each site, in order; and what was estimated, if three or more saw a task.
    A suggestion is made when it is asked for: a large corpus has hundreds of thousands.
    """
    once: dict[Ballot, Ballot] = {}
    ballots = [once.setdefault(ballot, ballot) for ballot in (site.ballot for site in sites)]
    many = Counter([ballot for ballot in ballots if len(ballot[0]) > 2])
    seen = {site.task: site.seen for site in sites if site.n > 2}
    judgement = judged(many, seen, tuple(ranking.order)) if many else None
    verdicts: dict[Ballot, Verdict] = {}
    decided = []
    for site, ballot in zip(sites, ballots, strict=True):
        verdict = verdicts.get(ballot)
        if verdict is None:
            verdict = verdicts[ballot] = verdict_on(site, ballot, judgement, ranking)
        decided.append(verdict)
    if judgement is not None and judgement.by_crowd:
        placing = replace(placing, drawing=_drawing(sites, decided, measures))
    places = [placing.place(site, measures[site.task]) for site in sites]
    placed = well_placed(sites, places, measures) if judgement else [1.0] * len(sites)
    crowd = judgement is not None and judgement.by_crowd
    if crowd:
        decided = _without_rivals(sites, decided, places)
    found = zip(sites, decided, places, placed, strict=True)
    return (suggestion(*one, crowd=crowd) for one in found), judgement


def judged(
    ballots: Mapping[Ballot, int], seen: Mapping[str, Sequence[str]], categories: Sequence[str]
) -> Judgement:
    """By the model for crowds, if it is one and there is enough of it; else by that for teams."""
    crowd = is_crowd(seen) and sum(ballots.values()) >= LEAST_SITES
    return (judge_crowd if crowd else judge)(ballots, seen, categories)


def _drawing(
    sites: Sequence[Site], decided: Sequence[Verdict], measures: Mapping[str, Measure]
) -> Drawing | None:
    """How annotators draw boundaries in text."""
    inside = [
        (site, verdict.exists)
        for site, verdict in zip(sites, decided, strict=True)
        if measures[site.task] not in AVERAGED
    ]
    return learn_drawing([site for site, _ in inside], [real for _, real in inside])


def verdict_on(
    site: Site, ballot: Ballot, judgement: Judgement | None, ranking: Ranking
) -> Verdict:
    """What the ballot of a site leads to, and that of all sites with the same one."""
    if site.n == 2 or judgement is None:
        return _of_two(site, ranking)
    return _by_odds(site, judgement.odds[ballot], ranking, judgement)


def _without_rivals(
    sites: Sequence[Site], decided: Sequence[Verdict], places: Sequence[Extent]
) -> list[Verdict]:
    """What overlaps a likelier suggestion, and is not sure by itself, is left to a person."""
    at = [number for number, verdict in enumerate(decided) if verdict.proposed]
    at = [number for number in at if sites[number].n > 2]
    proposals = [
        Proposal(sites[n].task, places[n], decided[n].category, decided[n].likely) for n in at
    ]
    left = {at[number] for number in giving_way(proposals)}
    return [
        replace(verdict, proposed=False) if number in left else verdict
        for number, verdict in enumerate(decided)
    ]


def _by_odds(site: Site, odds: Odds, ranking: Ranking, judgement: Judgement) -> Verdict:
    """By reliabilities; where they could not be estimated, by votes."""
    votes = site.votes
    if judgement.estimated:
        category = ranking.best(odds.categories, site)
        alone = site.k == 1 and not judgement.by_crowd
        least = PROPOSED_ALONE if alone else judgement.least
        proposed = odds.exists * odds.categories[category] >= least - 1e-9
    else:
        category = ranking.best(votes, site)
        proposed = 2 * site.k > site.n and 2 * votes[category] > site.k
    disputed = not proposed and (2 * site.k > site.n or odds.exists >= PROPOSED)
    return Verdict(
        category,
        _bounded(odds.exists),
        _bounded(odds.categories[category]),
        proposed,
        grade(site, category, disputed=disputed),
    )


def _of_two(site: Site, ranking: Ranking) -> Verdict:
    """Two annotators: what both marked with one category is proposed, the rest is left open."""
    category = ranking.best(site.votes, site)
    agreed = site.k == 2 and len(site.votes) == 1
    how = grade(site, category, disputed=not agreed)
    return Verdict(category, pair_rate(how), 1.0, agreed, how)


def grade(site: Site, category: str, *, disputed: bool = False) -> Grade:
    """The class of a site when it is given this category, whatever its boundaries."""
    if site.k == 1:
        return Grade.SINGLE
    votes = site.votes
    if disputed and len(votes) > 1:
        return Grade.DISPUTED
    if votes[category] == site.n:
        return Grade.OVERLAP
    return Grade.MAJORITY if 2 * votes[category] > site.n else Grade.MINORITY


def refined(how: Grade, site: Site) -> Grade:
    """The class, boundaries included."""
    if how is not Grade.OVERLAP or site.pieces:
        return how
    first = site.units[0]
    for unit in site.units:
        if unit.start != first.start or unit.end != first.end:
            return how
    return Grade.EXACT


def suggestion(
    site: Site, verdict: Verdict, place: Extent, placed: float, *, crowd: bool
) -> Suggestion:
    """What is said of a site; `placed` is the probability that its place is right."""
    how = refined(verdict.grade, site)
    if site.n == 2:
        evidence = Evidence(pair_rate(how), 1.0, 1.0)
    else:
        evidence = Evidence(verdict.exists, verdict.labelled, placed)
    start, end = place
    sure = _modest(evidence) if crowd and site.n > 2 else evidence.product
    span = GoldSpan(start, end, verdict.category, sure, site.drawn, site.n, how, evidence)
    return Suggestion(site, how, span, verdict.proposed)


def _modest(evidence: Evidence) -> float:
    """The confidence in a crowd's span before calibration."""
    labelled = max(1 - CATEGORY_DOUBT * (1 - evidence.labelled), 0.0)
    return (1 - SHARED_MISTAKES) * evidence.exists * labelled * evidence.placed


def _bounded(p: float) -> float:
    return min(max(p, 0.0), 1.0)
