"""Suggestion: what the default merge says of each site, and whether it proposes it as gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from goldspan.engine.boundaries import Placing, Span, overlap
from goldspan.engine.calibration import pair_rate
from goldspan.engine.gold import Evidence, GoldSpan, Grade
from goldspan.engine.model import Measure
from goldspan.engine.reliability import Judgement, Odds, judge
from goldspan.engine.sites import Ballot, Site

PROPOSED = 0.5
"""The least probability of a proposed span with its category."""

SAME_PLACE = 0.5
"""Two spans that share this part of their joint length are at the same place."""

PSEUDO_UNITS = 2.0
"""What the project's share of well-placed units counts at each site."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A site's best reading. Only `proposed` ones become gold."""

    site: Site
    span: GoldSpan
    proposed: bool


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
class _Verdict:
    """What a ballot leads to, wherever it is found."""

    category: str
    exists: float
    labelled: float
    proposed: bool
    grade: Grade


def suggest(
    sites: Sequence[Site],
    ranking: Ranking,
    placing: Placing,
    measures: Mapping[str, Measure],
) -> tuple[list[Suggestion], Judgement | None]:
    """A suggestion for each site, in order; and what was estimated, if three or more saw a task."""
    many = [site for site in sites if site.n > 2]
    judgement = judge(many, tuple(ranking.order)) if many else None
    verdicts: dict[Ballot, _Verdict] = {}
    decided = []
    for site in sites:
        verdict = verdicts.get(ballot := site.ballot)
        if verdict is None:
            odds = judgement.odds[ballot] if judgement and site.n > 2 else None
            weighed = judgement is not None and judgement.estimated
            verdict = _by_odds(site, odds, ranking, weighed) if odds else _of_two(site, ranking)
            verdicts[ballot] = verdict
        decided.append(verdict)
    places = [placing.place(site, measures[site.task]) for site in sites]
    hits = [_hits(site, place) for site, place in zip(sites, places, strict=True)]
    joint = [(hit, site.k) for hit, site in zip(hits, sites, strict=True) if site.k > 1]
    usual = (sum(hit for hit, _ in joint) + 1) / (sum(k for _, k in joint) + 1)
    return [
        _suggestion(site, verdict, place, (hit + PSEUDO_UNITS * usual) / (site.k + PSEUDO_UNITS))
        for site, verdict, place, hit in zip(sites, decided, places, hits, strict=True)
    ], judgement


def _by_odds(site: Site, odds: Odds, ranking: Ranking, weighed: bool) -> _Verdict:
    """By reliabilities; where they could not be estimated, by votes."""
    votes = site.votes
    if weighed:
        category = ranking.best(odds.categories, site)
        proposed = odds.exists * odds.categories[category] >= PROPOSED - 1e-9
    else:
        category = ranking.best(votes, site)
        proposed = 2 * site.k > site.n and 2 * votes[category] > site.k
    proposed = proposed and site.k > 1
    disputed = not proposed and (2 * site.k > site.n or odds.exists >= PROPOSED)
    return _Verdict(
        category,
        _bounded(odds.exists),
        _bounded(odds.categories[category]),
        proposed,
        grade(site, category, disputed=disputed),
    )


def _of_two(site: Site, ranking: Ranking) -> _Verdict:
    """Two annotators: what both marked with one category is proposed, the rest is left open."""
    category = ranking.best(site.votes, site)
    agreed = site.k == 2 and len(site.votes) == 1
    how = grade(site, category, disputed=not agreed)
    return _Verdict(category, pair_rate(how), 1.0, agreed, how)


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
    same = all(u.start == first.start and u.end == first.end for u in site.units)
    return Grade.EXACT if same else how


def _suggestion(site: Site, verdict: _Verdict, place: Span, placed: float) -> Suggestion:
    how = refined(verdict.grade, site)
    if site.n == 2:
        evidence = Evidence(pair_rate(how), 1.0, 1.0)
    else:
        evidence = Evidence(verdict.exists, verdict.labelled, placed)
    span = GoldSpan(
        place[0], place[1], verdict.category, evidence.product, site.drawn, site.n, how, evidence
    )
    return Suggestion(site, span, verdict.proposed)


def _hits(site: Site, place: Span) -> int:
    """How many of the site's units are at the place."""
    return sum([overlap(place, (u.start, u.end)) >= SAME_PLACE for u in site.units])


def _bounded(p: float) -> float:
    return min(max(p, 0.0), 1.0)
