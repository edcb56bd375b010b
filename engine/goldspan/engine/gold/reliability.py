"""Reliability: how far each annotator can be trusted, and what follows for each site.

A site is real, with a category z, or spurious: one annotator marked it by mistake, and others
perhaps joined by coincidence. With recall r, label accuracy a and origin share f per annotator,
prior τ of a real site, coincidence ρ and prevalence q of the categories,

    real:      P(y|z) = Π_marked r·[a if y = z else (1-a)·q(y)/(1-q(z))] · Π_not (1-r)
                        / (1 - Π (1-r))
    spurious:  P(y)   = Σ_marked f · ρ^(k-1)·(1-ρ)^(n-k) · Π q(y)

over the annotators who saw the task. The parameters are those of greatest posterior density under
r, a ~ Beta(8, 2) and τ ~ Beta(4, 1), found by expectation maximisation over all sites of the
project.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.facts import Fact, FactKind

if TYPE_CHECKING:
    from goldspan.engine.gold.sites import Ballot

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST_SITES = 60
"""With fewer sites the parameters stay at their prior means, and votes decide."""

PROPOSED = 0.5
"""The least probability of a proposed span with its category, except in a crowd."""

HITS, MISSES = 8.0, 2.0
REAL, SPURIOUS = 4.0, 1.0
COINCIDENCE, NO_COINCIDENCE = 1.0, 13.0
STEPS = 200
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Reliability:
    """One annotator: the chance to mark a real site, and to label it right; and how many
    spurious sites start with this annotator, per task.
    """

    recall: float
    accuracy: float
    spurious: float


@dataclass(frozen=True, slots=True)
class Odds:
    """The probability that a site is real, and of each category somebody gave it, if it is."""

    exists: float
    categories: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the annotators' reliabilities say of each ballot.

    `estimated` is False where the `n_sites` sites were too few. `model` says how they were
    estimated, and why so. `estimates` are the parameters that are not an annotator's. `least` is
    the probability from which a site and its category are proposed.
    """

    odds: Mapping[Ballot, Odds]
    reliabilities: Mapping[str, Reliability]
    n_sites: int
    model: Fact
    estimates: Mapping[str, float]
    least: float = PROPOSED

    @property
    def estimated(self) -> bool:
        return self.n_sites >= LEAST_SITES

    @property
    def by_crowd(self) -> bool:
        """Whether the model for crowds made it."""
        return self.model.kind is FactKind.MODEL_CROWD


@dataclass(frozen=True, slots=True)
class _Ballots:
    """The different ballots, flat: one entry for a ballot and an annotator who saw the place.

    `count` says how many sites have each ballot. `pair` numbers a ballot's different labels; -1
    where the annotator marked nothing. `tasks` counts those each annotator saw.
    """

    site: Ints
    annotator: Ints
    pair: Ints
    pair_site: Ints
    pair_label: Ints
    count: Floats
    k: Ints
    n: Ints
    tasks: Floats
    prevalence: Floats

    @property
    def marked(self) -> NDArray[np.bool_]:
        return self.pair >= 0


@dataclass(frozen=True, slots=True)
class _Parameters:
    recall: Floats
    accuracy: Floats
    spurious: Floats
    real: float
    coincidence: float

    def distance(self, other: _Parameters) -> float:
        """The largest change."""
        return max(
            float(np.abs(self.recall - other.recall).max()),
            float(np.abs(self.accuracy - other.accuracy).max()),
            abs(self.real - other.real),
            abs(self.coincidence - other.coincidence),
        )


def judge(
    ballots: Mapping[Ballot, int], seen: Mapping[str, Sequence[str]], categories: Sequence[str]
) -> Judgement:
    """The judgement of a project: how often each ballot was cast, and who saw each task.

    `categories` names all there are.
    """
    sites = sum(ballots.values())
    names = sorted({name for annotators in seen.values() for name in annotators})
    tasks = Counter([name for annotators in seen.values() for name in annotators])
    flat = _flatten(ballots, names, {c: at for at, c in enumerate(categories)}, tasks)
    count = len(names)
    parameters = _Parameters(
        np.full(count, HITS / (HITS + MISSES)),
        np.full(count, HITS / (HITS + MISSES)),
        np.ones(count),
        REAL / (REAL + SPURIOUS),
        COINCIDENCE / NO_COINCIDENCE,
    )
    exists, pairs = _expect(flat, parameters)
    for _ in range(STEPS if sites >= LEAST_SITES else 0):
        before, parameters = parameters, _maximise(flat, parameters, exists, pairs)
        exists, pairs = _expect(flat, parameters)
        if parameters.distance(before) < TOLERANCE:
            break
    labels: list[dict[str, float]] = [{} for _ in ballots]
    given = (pairs / np.where(exists > 0, exists, 1.0)[flat.pair_site]).tolist()
    for at, label, p in zip(flat.pair_site.tolist(), flat.pair_label.tolist(), given, strict=True):
        labels[at][categories[label]] = p
    odds = map(Odds, exists.tolist(), labels)
    return Judgement(
        odds=dict(zip(ballots, odds, strict=True)),
        reliabilities=_name(names, parameters),
        n_sites=sites,
        model=_model(sites, len(names)),
        estimates={
            "real": float(parameters.real),
            "coincidence": float(parameters.coincidence),
        },
    )


def _model(sites: int, annotators: int) -> Fact:
    if sites < LEAST_SITES:
        return Fact.of(FactKind.MODEL_VOTES, found=sites, needed=LEAST_SITES)
    return Fact.of(FactKind.MODEL_TEAM, annotators=annotators)


def _name(names: Sequence[str], parameters: _Parameters) -> dict[str, Reliability]:
    columns = (parameters.recall, parameters.accuracy, parameters.spurious)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {name: Reliability(*row) for name, row in zip(names, rows, strict=True)}


def _flatten(
    ballots: Mapping[Ballot, int],
    names: Sequence[str],
    categories: Mapping[str, int],
    tasks: Mapping[str, int],
) -> _Ballots:
    index = {name: at for at, name in enumerate(names)}
    of, annotator, label = [], [], []
    for at, (seen, marks) in enumerate(ballots):
        said = dict(zip(marks[::2], marks[1::2], strict=True))
        for name in seen:
            of.append(at)
            annotator.append(index[name])
            label.append(categories[said[name]] if name in said else -1)
    y = np.array(label, dtype=np.int64)
    where = np.array(of, dtype=np.int64)
    count = np.array(list(ballots.values()), dtype=np.float64)
    marked = y >= 0
    keys, back = np.unique(where[marked] * len(categories) + y[marked], return_inverse=True)
    pair = np.full(len(y), -1, dtype=np.int64)
    pair[marked] = back
    frequent = _sum(y[marked], count[where[marked]], len(categories)) + 1
    return _Ballots(
        site=where,
        annotator=np.array(annotator, dtype=np.int64),
        pair=pair,
        pair_site=keys // len(categories),
        pair_label=keys % len(categories),
        count=count,
        k=np.bincount(where[marked], minlength=len(ballots)),
        n=np.bincount(where, minlength=len(ballots)),
        tasks=np.array([tasks[name] for name in names], dtype=np.float64),
        prevalence=frequent / frequent.sum(),
    )


def _expect(ballots: _Ballots, parameters: _Parameters) -> tuple[Floats, Floats]:
    """P(real) of each ballot, and P(real, z) of each of its labels."""
    sites = len(ballots.k)
    who, marked = ballots.annotator, ballots.marked
    prevalence = ballots.prevalence
    # With one category there is no other one to confuse it with.
    rest = 1 - prevalence if len(prevalence) > 1 else np.ones(1)
    wrong = np.log1p(-parameters.accuracy)
    label = ballots.pair_label[ballots.pair[marked]]
    log_q = np.log(prevalence)

    presence = np.where(marked, np.log(parameters.recall)[who], np.log1p(-parameters.recall)[who])
    unseen = _sum(ballots.site, np.log1p(-parameters.recall)[who], sites)
    said = _sum(ballots.site[marked], wrong[who[marked]] + log_q[label], sites)
    base = np.log(parameters.real) + _sum(ballots.site, presence, sites)
    base += said - np.log(-np.expm1(unseen))
    gain = (np.log(parameters.accuracy) - wrong)[who[marked]] - log_q[label] + np.log(rest[label])
    right = _sum(ballots.pair[marked], gain, len(ballots.pair_label))
    k = ballots.k[ballots.pair_site]
    blank = log_q[ballots.pair_label] - k * np.log(rest[ballots.pair_label])
    # Categories that nobody gave: all of them together, less those that were given.
    all_blank = _blanks(prevalence, rest, int(ballots.k.max()))[ballots.k]
    others = np.maximum(all_blank - _sum(ballots.pair_site, np.exp(blank), sites), 0.0)

    share = parameters.spurious[who]
    started = _sum(ballots.site[marked], share[marked], sites) / _sum(ballots.site, share, sites)
    rho = parameters.coincidence
    spurious = np.log1p(-parameters.real) + np.log(started)
    spurious += (ballots.k - 1) * np.log(rho) + (ballots.n - ballots.k) * np.log1p(-rho)
    spurious += _sum(ballots.site[marked], log_q[label], sites)

    joint = base[ballots.pair_site] + blank + right
    top = np.maximum(spurious, base)
    np.maximum.at(top, ballots.pair_site, joint)
    each = np.exp(joint - top[ballots.pair_site])
    real = _sum(ballots.pair_site, each, sites) + others * np.exp(base - top)
    total = real + np.exp(spurious - top)
    return real / total, each / total[ballots.pair_site]


def _blanks(prevalence: Floats, rest: Floats, most: int) -> Floats:
    """Σ_z q(z)·(1-q(z))^-k for k from 0 to `most`."""
    powers = np.arange(most + 1, dtype=np.float64)[:, None]
    totals: Floats = (prevalence * rest**-powers).sum(axis=1)
    return totals


def _maximise(
    ballots: _Ballots, parameters: _Parameters, exists: Floats, pairs: Floats
) -> _Parameters:
    """The parameters that fit these probabilities best, given the priors."""
    size, count = len(ballots.k), len(parameters.recall)
    who, marked, where = ballots.annotator, ballots.marked, ballots.site
    by, at = who[marked], where[marked]
    real, spurious = ballots.count * exists, ballots.count * (1 - exists)
    # For each real site that was seen there are some that everybody missed.
    missed = np.exp(_sum(where, np.log1p(-parameters.recall)[who], size))
    found = _sum(by, real[at], count)
    there = _sum(who, (real / (1 - missed))[where], count)
    recall = (found + HITS - 1) / (there + HITS + MISSES - 2)
    right = _sum(by, (ballots.count[ballots.pair_site] * pairs)[ballots.pair[marked]], count)
    accuracy = (right + HITS - 1) / (found + HITS + MISSES - 2)

    share = parameters.spurious
    began = share[by] / _sum(at, share[by], size)[at]
    joined = (spurious * (ballots.k - 1)).sum() + COINCIDENCE
    could = (spurious * (ballots.n - 1)).sum() + NO_COINCIDENCE
    tau = (real.sum() + REAL - 1) / (ballots.count.sum() + REAL + SPURIOUS - 2)
    return _Parameters(
        recall,
        accuracy,
        (_sum(by, spurious[at] * began, count) + 1) / (ballots.tasks + 1),
        min(float(tau), 1 - 1e-9),
        float(joined / could),
    )


def _sum(index: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(index, values, size).astype(np.float64)
