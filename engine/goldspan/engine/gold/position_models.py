"""Models of positions: Dawid & Skene (1979), and HMM-Crowd (Nguyen et al. 2017).

Both give each annotator a confusion matrix between what is there and what the annotator says, and
learn it by expectation maximisation. Dawid and Skene take every position by itself; HMM-Crowd has
transitions between what follows what. They know nothing of spans as wholes, and one tag for a
position, so nested and overlapping spans are lost. A category that nobody gave a position is not
considered there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma

from goldspan.engine.gold.tagging import Tagging, spans, tag

if TYPE_CHECKING:
    from goldspan.engine.gold.boundaries import Placing
    from goldspan.engine.gold.gold import GoldSpan
    from goldspan.engine.gold.sites import Site
    from goldspan.engine.gold.suggestion import Ranking
    from goldspan.engine.model import Measure

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SMOOTHING = 1.0
"""How often each annotator said each tag before anything was seen, for Dawid and Skene."""

RIGHT, WRONG = 10.0, 0.5
"""The same for HMM-Crowd: right tags, and each wrong one."""

STEPS = 50
TOLERANCE = 1e-4
LEAST = 1e-300
DIGITS = 9
"""Probabilities are rounded to so many: sums in another order differ by less, and where annotators
are interchangeable such a difference would grow from step to step.
"""


def dawid_skene(
    sites: Sequence[Site], ranking: Ranking, _placing: Placing, _measures: Mapping[str, Measure]
) -> Iterable[tuple[str, GoldSpan]]:
    """What Dawid and Skene make of every position; runs of one category are spans."""
    tagging = tag(sites, tuple(ranking.order), begins=False)
    posterior = learn_positions(tagging)
    yield from spans(
        tagging, np.round(posterior, DIGITS).argmax(axis=1), posterior[:, 1:], begins=False
    )


def learn_positions(tagging: Tagging) -> Floats:
    """P(tag) of each stretch. A stretch counts as many positions as it is long."""
    votes, given = tagging.votes, tagging.given
    posterior: Floats = votes / votes.sum(axis=1, keepdims=True)
    for _ in range(STEPS):
        weighted = posterior * tagging.length[:, None]
        counts = _by_worker(tagging, weighted) + SMOOTHING
        shares = np.log(counts / counts.sum(axis=1, keepdims=True))
        prior = weighted.sum(axis=0) + SMOOTHING
        logs = tagging.said @ _flat(shares) + np.log(prior / prior.sum())
        allowed = _normalised(np.where(given, logs, -np.inf))
        before, posterior = posterior, np.round(allowed, DIGITS)
        if float(np.abs(posterior - before).max()) < TOLERANCE:
            break
    return posterior


def _by_worker(tagging: Tagging, weighted: Floats) -> Floats:
    """How often each worker said each tag for each that was there: worker × said × there."""
    counts: Floats = tagging.said.T @ weighted
    return np.asarray(counts.reshape(len(tagging.names), tagging.tags, tagging.tags))


def _flat(table: Floats) -> Floats:
    return table.reshape(-1, table.shape[-1])


def _normalised(logs: Floats) -> Floats:
    found = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def hmm_crowd(
    sites: Sequence[Site], ranking: Ranking, _placing: Placing, _measures: Mapping[str, Measure]
) -> Iterable[tuple[str, GoldSpan]]:
    """The likeliest sequence of each task by HMM-Crowd."""
    tagging = tag(sites, tuple(ranking.order), begins=True)
    size = len(tagging.categories)
    best, posterior = learn_sequences(tagging)
    inside = posterior[:, 1 : 1 + size] + posterior[:, 1 + size :]
    yield from spans(tagging, best, inside, begins=True)


def learn_sequences(tagging: Tagging) -> tuple[Ints, Floats]:
    """The best tag of each stretch in the likeliest sequence, and P(tag)."""
    votes = tagging.votes
    posterior = votes / votes.sum(axis=1, keepdims=True)
    allowed = _allowed(len(tagging.categories))
    grid = _Grid(tagging)
    follows = np.where(allowed, 1.0, 0.0)
    prior = np.full((tagging.tags, tagging.tags), WRONG) + (RIGHT - WRONG) * np.eye(tagging.tags)
    for _ in range(STEPS):
        counts = _by_worker(tagging, posterior) + prior
        shares = digamma(counts) - digamma(counts.sum(axis=1, keepdims=True))
        emissions = grid.fill(np.where(tagging.given, tagging.said @ _flat(shares), -np.inf))
        moves = np.where(allowed, follows + 1, 0)
        moves /= moves.sum(axis=1, keepdims=True)
        smoothed, follows = grid.smooth(emissions, moves)
        before, posterior = posterior, np.round(grid.flat(smoothed), DIGITS)
        if float(np.abs(posterior - before).max()) < TOLERANCE:
            break
    return grid.flat(grid.likeliest(emissions, moves)), posterior


def _allowed(size: int) -> NDArray[np.bool_]:
    """Which tag may follow which: a span goes on only after its beginning or itself."""
    allowed = np.ones((1 + 2 * size, 1 + 2 * size), dtype=bool)
    for k in range(size):
        allowed[:, 1 + k] = False
        allowed[[1 + k, 1 + size + k], 1 + k] = True
    return allowed


class _Grid:
    """The tasks side by side, the shorter ones filled up, so that all take each step together."""

    def __init__(self, tagging: Tagging) -> None:
        sizes = np.array([task.size for task in tagging.tasks])
        self.inside = np.arange(sizes.max()) < sizes[:, None]
        self.tags = tagging.tags

    def fill(self, rows: Floats) -> Floats:
        """Probabilities up to a factor for each stretch; what is filled up tells nothing."""
        found = np.ones((*self.inside.shape, self.tags))
        found[self.inside] = np.maximum(np.exp(rows - rows.max(axis=1, keepdims=True)), 1e-30)
        return found

    def flat(self, values: NDArray[Any]) -> NDArray[Any]:
        """The values of the stretches, in order."""
        return values[self.inside]

    def smooth(self, emissions: Floats, moves: Floats) -> tuple[Floats, Floats]:
        """P(tag) by the forward-backward algorithm; and how often each tag follows each."""
        tasks, steps, tags = emissions.shape
        forward = np.empty_like(emissions)
        state: Floats = np.zeros((tasks, tags))
        state[:, 0] = 1.0
        for t in range(steps):
            state = (state @ moves) * emissions[:, t]
            state /= np.maximum(state.sum(axis=1, keepdims=True), LEAST)
            forward[:, t] = state
        backward: Floats = np.ones((tasks, tags))
        found = np.empty_like(emissions)
        follows = np.zeros((tags, tags))
        for t in range(steps - 1, -1, -1):
            both = forward[:, t] * backward
            found[:, t] = both / np.maximum(both.sum(axis=1, keepdims=True), LEAST)
            ahead = emissions[:, t] * backward
            if t:
                pairs = forward[:, t - 1][:, :, None] * moves * ahead[:, None, :]
                pairs /= np.maximum(pairs.sum(axis=(1, 2), keepdims=True), LEAST)
                follows += (pairs * self.inside[:, t][:, None, None]).sum(axis=0)
            backward = np.where(self.inside[:, t][:, None], ahead @ moves.T, 1.0)
            backward /= np.maximum(backward.max(axis=1, keepdims=True), LEAST)
        return found, follows

    def likeliest(self, emissions: Floats, moves: Floats) -> Ints:
        """The likeliest sequence of each task, by Viterbi's algorithm."""
        tasks, steps, tags = emissions.shape
        logs, follow = np.log(emissions), np.log(np.maximum(moves, LEAST))
        came = np.zeros((tasks, steps, tags), dtype=np.int64)
        state = follow[0] + logs[:, 0]
        for t in range(1, steps):
            ways = np.round(state[:, :, None] + follow, DIGITS)
            came[:, t] = ways.argmax(axis=1)
            moved = ways.max(axis=1) + logs[:, t]
            inside = self.inside[:, t][:, None]
            came[:, t] = np.where(inside, came[:, t], np.arange(tags))
            state = np.where(inside, moved, state)
        best = np.zeros((tasks, steps), dtype=np.int64)
        at = np.round(state, DIGITS).argmax(axis=1)
        for t in range(steps - 1, -1, -1):
            best[:, t] = at
            at = came[np.arange(tasks), t, at]
        return best


POSITION_MODELS: Mapping[str, Callable[..., Iterable[tuple[str, GoldSpan]]]] = {
    "dawid-skene": dawid_skene,
    "hmm-crowd": hmm_crowd,
}
