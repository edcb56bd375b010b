"""Visibility: which sites of a crowd's work are real, and their categories.

A crowd's workers are very unequal, and so are places: some are seen by everybody, some only by the
best. With annotator i, categories z and y, and levels of visibility δ,

    real:      τ·π_z·w_δ · Π_marked σ(b_iz + δ)·C_i[z, y_i] · Π_not (1 - σ(b_iz + δ))
               / (1 - Π (1 - σ(b_iz + δ)))
    spurious:  (1 - τ) · Π_marked a_i·u_i[y_i] · Π_not (1 - a_i) / (1 - Π (1 - a_i))

over the annotators who saw the task. The parameters are learned over all sites of the project by
expectation maximisation. What an annotator does is shrunk to what the crowd does, so that three
tasks are enough to take part: b_iz ~ N(μ_z, 1), C_i ~ Dirichlet(10·crowd), a_i ~ Beta(3, 27).

What one annotator marked alone may be a place that is hard to see, or a mistake. The annotations
hardly distinguish the two, so the weights of the levels and τ decide how many of these marks are
real. Their priors therefore count as a share of all sites and not as a few of them. For the same
reason C and u are both used by their means: with the mean of the logarithm for one of them, as in
variational methods, whichever has more parameters would seem less likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import expit

if TYPE_CHECKING:
    from goldspan.engine.gold.sites import Ballot

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEVELS = np.array([-3.0, -1.5, 0.0, 1.5, 3.0])
LEVEL_SHARE = 0.3
"""How much the prior of the levels' weights is worth, as a share of the sites."""

LEVEL_SPREAD = 1.25
"""The prior is normal around 0 with this standard deviation, on the levels that there are."""

USUAL_RECALL = np.log(3.0)
"""The logit of .75, which the prior takes for a category's recall; it is worth RECALL_WEIGHT."""

RECALL_WEIGHT = 5.0
STRENGTH = 10.0
"""How many labels the crowd's confusion is worth in an annotator's own."""

DIAGONAL = 0.9
ATTRACTED, NOT_ATTRACTED = 3.0, 27.0
USUAL_REAL = 0.85
"""The prior of τ, which is worth REAL_SHARE of the sites."""

REAL_SHARE = 0.05
MOST_MISSED = 0.99
STEPS = 200
TOLERANCE = 1e-4
MOST_CANDIDATES = 3_000_000
"""With more triples of site, category and annotator, only categories that somebody gave to a site
are considered for it.
"""


@dataclass(frozen=True, slots=True)
class Votes:
    """The different ballots as arrays.

    A candidate is a ballot with a category it may have; `seen` maps candidates to the annotators
    who saw the place, in cells annotator·K + category; `marked` to those of them who marked it. The
    labels given are in `by`, `at` and `label`, one entry for a mark. `count` says how many sites
    have each ballot.
    """

    workers: int
    categories: int
    count: Floats
    ballot: Ints
    category: Ints
    seen: csr_array
    marked: csr_array
    audience: csr_array
    by: Ints
    at: Ints
    label: Ints
    said: tuple[Ints, Ints]
    """For each pair of a candidate and a mark there: the candidate and the mark."""


@dataclass(frozen=True, slots=True)
class Skills:
    """What is learned: `recall` are the logits b, `confusion` the counts behind C, by annotator."""

    recall: Floats
    confusion: Floats
    attracted: Floats
    wrong_label: Floats
    levels: Floats
    prevalence: Floats
    real: float


@dataclass(frozen=True, slots=True)
class Posterior:
    """P(real, z, δ) of each candidate; P(spurious) of each ballot; both with the sites of the same
    kind that nobody marked, for each that somebody did.
    """

    candidates: Floats
    unseen: Floats
    spurious: Floats
    unseen_spurious: Floats


def learn(votes: Votes) -> tuple[Skills, Posterior]:
    """The skills of all annotators, and what they say of each ballot."""
    skills = _prior(votes)
    found = expect(votes, skills)
    for _ in range(STEPS):
        before, skills = found, _maximise(votes, skills, found)
        found = expect(votes, skills)
        if float(np.abs(found.spurious - before.spurious).max()) < TOLERANCE:
            break
    return skills, found


def arrange(
    ballots: Mapping[Ballot, int], names: Sequence[str], categories: Sequence[str]
) -> Votes:
    """The ballots as arrays."""
    index = {name: at for at, name in enumerate(names)}
    order = {category: at for at, category in enumerate(categories)}
    k = len(categories)
    where, who, by, at, label = [], [], [], [], []
    for number, (seen, marks) in enumerate(ballots):
        where += [number] * len(seen)
        who += [index[name] for name in seen]
        by += [index[name] for name in marks[::2]]
        at += [number] * (len(marks) // 2)
        label += [order[category] for category in marks[1::2]]
    size = len(ballots)
    audience = _matrix(where, who, (size, len(names)))
    ballot, category = _candidates(np.array(at), np.array(label), size, k, len(where) * k)
    cells = audience[ballot]
    width = len(names) * k
    spread = np.repeat(category, np.diff(cells.indptr))
    seen_by = csr_array(
        (cells.data, cells.indices * k + spread, cells.indptr), (len(ballot), width)
    )
    present = _matrix(at, range(len(by)), (size, len(by)))[ballot]
    candidate = np.repeat(np.arange(len(ballot)), np.diff(present.indptr))
    mark = present.indices.astype(np.int64)
    marked = _matrix(candidate, np.array(by)[mark] * k + category[candidate], (len(ballot), width))
    return Votes(
        len(names), k, np.array(list(ballots.values()), dtype=np.float64),
        ballot, category, seen_by, marked, audience,
        np.array(by), np.array(at), np.array(label), (candidate, mark),
    )  # fmt: skip


def _matrix(
    rows: Sequence[int] | Ints, columns: Sequence[int] | Ints, shape: tuple[int, int]
) -> csr_array:
    """Ones at these places; the rows must not go down."""
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=shape[0]))))
    return csr_array((np.ones(len(rows)), np.array(columns, dtype=np.int64), starts), shape)


def _candidates(at: Ints, label: Ints, size: int, k: int, triples: int) -> tuple[Ints, Ints]:
    if triples <= MOST_CANDIDATES:
        return np.repeat(np.arange(size), k), np.tile(np.arange(k), size)
    keys = np.unique(at * k + label)
    return keys // k, keys % k


def _prior(votes: Votes) -> Skills:
    k, workers = votes.categories, votes.workers
    usual = np.exp(-((LEVELS / LEVEL_SPREAD) ** 2) / 2)
    return Skills(
        recall=np.full((workers, k), USUAL_RECALL),
        confusion=np.tile(STRENGTH * _mostly_right(k), (workers, 1, 1)),
        attracted=np.full(workers, ATTRACTED / (ATTRACTED + NOT_ATTRACTED)),
        wrong_label=np.full((workers, k), 1 / k),
        levels=usual / usual.sum(),
        prevalence=np.full(k, 1 / k),
        real=USUAL_REAL,
    )


def _mostly_right(k: int) -> Floats:
    if k == 1:
        return np.ones((1, 1))
    found = np.full((k, k), (1 - DIAGONAL) / (k - 1))
    np.fill_diagonal(found, DIAGONAL)
    return found


def expect(votes: Votes, skills: Skills) -> Posterior:
    """What these skills say of each ballot."""
    flat = skills.recall.reshape(-1)[:, None] + LEVELS
    hit, miss = np.log(expit(flat)), np.log(expit(-flat))
    missed = votes.seen @ miss
    real = missed + votes.marked @ (hit - miss)
    real += np.log(skills.real) + np.log(skills.levels)
    real += np.log(skills.prevalence)[votes.category][:, None]
    log_c = np.log(skills.confusion / skills.confusion.sum(axis=2)[:, :, None])
    candidate, mark = votes.said
    given = log_c[votes.by[mark], votes.category[candidate], votes.label[mark]]
    real += np.bincount(candidate, given, len(votes.ballot))[:, None]
    m = np.minimum(np.exp(missed), MOST_MISSED)
    real -= np.log1p(-m)
    ignored = np.log1p(-skills.attracted)
    blank = votes.audience @ ignored
    odds = np.log(skills.attracted)[votes.by] - ignored[votes.by]
    odds += np.log(skills.wrong_label[votes.by, votes.label])
    size = len(votes.count)
    m0 = np.minimum(np.exp(blank), MOST_MISSED)
    spurious = np.log1p(-skills.real) + blank + np.bincount(votes.at, odds, size) - np.log1p(-m0)
    starts = np.concatenate(([0], np.flatnonzero(np.diff(votes.ballot)) + 1))
    top = np.maximum(np.maximum.reduceat(real.max(axis=1), starts), spurious)
    each = np.exp(real - top[votes.ballot][:, None])
    none = np.exp(spurious - top)
    total = np.add.reduceat(each.sum(axis=1), starts) + none
    each /= total[votes.ballot][:, None]
    none /= total
    return Posterior(each, each * m / (1 - m), none, none * m0 / (1 - m0))


def _maximise(votes: Votes, skills: Skills, found: Posterior) -> Skills:
    """The skills that fit these probabilities best, given the priors."""
    weight = votes.count[votes.ballot][:, None]
    q, unseen = found.candidates * weight, found.unseen * weight
    q0, x0 = found.spurious * votes.count, found.unseen_spurious * votes.count
    k, workers = votes.categories, votes.workers
    candidate, mark = votes.said
    real = q.sum(axis=1)
    cells = (votes.by[mark] * k + votes.category[candidate]) * k + votes.label[mark]
    said = _sum(cells, real[candidate], workers * k * k).reshape(workers, k, k)
    wrong = np.bincount(votes.by * k + votes.label, q0[votes.at], workers * k).reshape(workers, k)
    pooled = (wrong.sum(axis=0) + 1) / (wrong.sum() + k)
    own = wrong.sum(axis=1)
    levels = q.sum(axis=0)
    prior = _prior(votes).levels
    frequent = np.bincount(votes.category, real, k) + 1
    could = votes.audience.T @ (q0 + x0)
    sites = float(votes.count.sum())
    weight_of_prior = LEVEL_SHARE * sites
    return Skills(
        recall=_recalls(skills.recall, votes.marked.T @ q, votes.seen.T @ (q + unseen)),
        confusion=_confusion(said),
        attracted=(own + ATTRACTED) / (could + ATTRACTED + NOT_ATTRACTED),
        wrong_label=(wrong + STRENGTH * pooled) / (own + STRENGTH)[:, None],
        levels=(levels + weight_of_prior * prior) / (levels.sum() + weight_of_prior),
        prevalence=frequent / frequent.sum(),
        real=(float(real.sum()) / sites + REAL_SHARE * USUAL_REAL) / (1 + REAL_SHARE),
    )


def _recalls(recall: Floats, marked: Floats, there: Floats) -> Floats:
    """Two steps of Newton's method for each annotator and category."""
    workers, k = recall.shape
    middle = (recall.sum(axis=0) + RECALL_WEIGHT * USUAL_RECALL) / (workers + RECALL_WEIGHT)
    centre = np.tile(middle, workers)
    b = recall.reshape(-1)
    for _ in range(2):
        p = expit(b[:, None] + LEVELS)
        slope = (marked - there * p).sum(axis=1) - (b - centre)
        curve = (there * p * (1 - p)).sum(axis=1) + 1
        b = b + np.clip(slope / curve, -1, 1)
    return b.reshape(workers, k)


def _confusion(said: Floats) -> Floats:
    """What each annotator said for each true category, and so much of what the crowd says."""
    k = said.shape[1]
    if k == 1:
        return np.asarray(said + STRENGTH)
    shares = STRENGTH / (STRENGTH + said.sum(axis=2))
    crowd = (said * shares[:, :, None]).sum(axis=0) + STRENGTH * _mostly_right(k)
    crowd /= crowd.sum(axis=1, keepdims=True)
    found: Floats = said + STRENGTH * crowd
    return found


def _sum(index: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(index, values, size).astype(np.float64)
