"""Workers: the judgement of a crowd, many annotators of whom few saw each task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from goldspan.engine.facts import Fact, FactKind
from goldspan.engine.gold.reliability import PROPOSED, Judgement, Odds, Reliability
from goldspan.engine.gold.visibility import (
    LEVELS,
    STEPS,
    Floats,
    Posterior,
    Skills,
    Votes,
    arrange,
    learn,
)

if TYPE_CHECKING:
    from goldspan.engine.gold.sites import Ballot

TEAMS = 2.0
"""A crowd has this many times as many annotators as saw a task on average, or more."""


LEAST = 1 / 3
"""A crowd's site is not proposed with a smaller probability than this, whatever F1 it promises."""

DIGITS = 9
"""The least probability is rounded to so many: sums in another order differ by less."""


def is_crowd(seen: Mapping[str, Sequence[str]]) -> bool:
    """Whether these tasks were done by a crowd, given who saw each."""
    return len({name for names in seen.values() for name in names}) >= TEAMS * _each(seen)


def judge_crowd(
    ballots: Mapping[Ballot, int], seen: Mapping[str, Sequence[str]], categories: Sequence[str]
) -> Judgement:
    """The judgement of a crowd; as `judge` gives it for a team."""
    names = sorted({name for annotators in seen.values() for name in annotators})
    votes = arrange(ballots, names, categories)
    skills, found = learn(votes)
    tasks = Counter([name for annotators in seen.values() for name in annotators])
    odds = _odds(votes, found, categories)
    likely = [one.exists * max(one.categories.values()) for one in odds]
    least = least_probability(np.array(likely), votes.count, _wanted(votes, found))
    return Judgement(
        odds=dict(zip(ballots, odds, strict=True)),
        reliabilities=_reliabilities(votes, skills, found, names, tasks),
        n_sites=int(votes.count.sum()),
        model=Fact.of(FactKind.MODEL_CROWD, annotators=len(names), each=_each(seen)),
        estimates={"real": skills.real, "least_probability": least}
        | {
            f"visible_{level:+g}": p
            for level, p in zip(LEVELS, skills.levels.tolist(), strict=True)
        },
        least=least,
    )


def least_probability(likely: Floats, count: Floats, wanted: float) -> float:
    """From which probability on sites are proposed, so that the expected F1 is greatest.

    `likely` are the probabilities of the sites with their categories, `count` how many sites have
    each, `wanted` how many spans there are. A site raises F1 if its probability is more than half
    of the F1 that the likelier sites reach. From .5 on, taking half of the F1 that was reached
    leads to the best one (Dinkelbach 1967).
    """
    least = PROPOSED
    for _ in range(STEPS):
        proposed = count * (likely >= least)
        right = float(proposed @ likely)
        before, least = least, right / (float(proposed.sum()) + wanted)
        if before == least:
            break
    return round(max(least, LEAST), DIGITS)


def _wanted(votes: Votes, found: Posterior) -> float:
    """How many spans there are, with those that nobody marked."""
    each = (found.candidates + found.unseen).sum(axis=1)
    return float(each @ votes.count[votes.ballot])


def _each(seen: Mapping[str, Sequence[str]]) -> float:
    """How many annotators saw a task, on average."""
    return sum(map(len, seen.values())) / len(seen)


def _odds(votes: Votes, found: Posterior, categories: Sequence[str]) -> list[Odds]:
    """For each ballot, with the categories that somebody gave."""
    real = found.candidates.sum(axis=1)
    exists = 1 - found.spurious
    share = real / np.maximum(exists, 1e-300)[votes.ballot]
    given = set(zip(votes.at.tolist(), votes.label.tolist(), strict=True))
    labels: list[dict[str, float]] = [{} for _ in votes.count]
    for at, label, p in zip(
        votes.ballot.tolist(), votes.category.tolist(), share.tolist(), strict=True
    ):
        if (at, label) in given:
            labels[at][categories[label]] = p
    return list(map(Odds, exists.tolist(), labels))


def _reliabilities(
    votes: Votes, skills: Skills, found: Posterior, names: Sequence[str], tasks: Mapping[str, int]
) -> dict[str, Reliability]:
    """Over the categories as frequent as they are, and over the levels of visibility."""
    seen = expit(skills.recall[:, :, None] + LEVELS) @ skills.levels
    recall = seen @ skills.prevalence
    right = np.diagonal(skills.confusion, axis1=1, axis2=2) / skills.confusion.sum(axis=2)
    wrong = np.bincount(votes.by, (found.spurious * votes.count)[votes.at], votes.workers)
    spurious = [(one + 1) / (tasks[name] + 1) for one, name in zip(wrong, names, strict=True)]
    rows = zip(
        recall.tolist(), (right @ skills.prevalence).tolist(), map(float, spurious), strict=True
    )
    return {name: Reliability(*row) for name, row in zip(names, rows, strict=True)}
