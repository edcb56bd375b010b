"""Published aggregators that goldspan does not offer: MACE, and smallest average distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.gold.marks import Span, Spans, f1
from goldspan.engine.gold.sites import Site
from goldspan.engine.gold.tagging import Tagging, spans, tag
from goldspan.engine.model import Corpus, Unit

STEPS = 50
SMOOTHING = 0.1


def mace(corpus: Corpus) -> Spans:
    """MACE (Hovy et al. 2013) on positions: a worker knows the tag, or has a habit of tags."""
    sites = [
        Site(c.id, tuple(sorted(c.of(name))), c.annotators)
        for c in corpus.continua
        if len(c.annotators) > 1
        for name in c.annotators
        if c.of(name)
    ]
    tagging = tag(sites, corpus.categories, begins=False)
    posterior = knowing(tagging)
    found: Spans = {c.id: [] for c in corpus.continua}
    for task, one in spans(tagging, posterior.argmax(axis=1), posterior[:, 1:], begins=False):
        found[task].append((one.start, one.end, one.category))
    return found


def knowing(tagging: Tagging) -> NDArray[np.float64]:
    """P(tag) of each stretch by expectation maximisation."""
    workers, tags = len(tagging.names), tagging.tags
    said = tagging.said
    entry = np.repeat(np.arange(said.shape[0]), np.diff(said.indptr))
    who, what = said.indices // tags, said.indices % tags
    weight = tagging.length[entry]
    knows, habit = np.full(workers, 0.7), np.full((workers, tags), 1 / tags)
    posterior = tagging.votes
    for _ in range(STEPS):
        guess = (1 - knows[who]) * habit[who, what]
        table = np.log(np.tile(guess[:, None], (1, tags)))
        table[np.arange(len(what)), what] = np.log(knows[who] + guess)
        logs = np.stack([np.bincount(entry, table[:, z]) for z in range(tags)], axis=1)
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        right = posterior[entry, what] * knows[who] / (knows[who] + guess) * weight
        guessed = weight - right
        total = np.bincount(who, right, workers) + SMOOTHING
        knows = total / (total + np.bincount(who, guessed, workers) + SMOOTHING)
        counts = np.bincount(who * tags + what, guessed, workers * tags) + SMOOTHING
        habit = counts.reshape(workers, tags)
        habit /= habit.sum(axis=1, keepdims=True)
    return posterior


def smallest_distance(corpus: Corpus) -> Spans:
    """The version of each task that is closest to the others (Braylan & Lease 2020), by 1 - F1."""
    found: Spans = {}
    for c in corpus.continua:
        versions = [_plain(c.of(name)) for name in c.annotators]
        scores = [sum(f1({"t": one}, {"t": other}, 0.5) for other in versions) for one in versions]
        found[c.id] = versions[int(np.argmax(scores))] if versions else []
    return found


def _plain(units: tuple[Unit, ...]) -> list[Span]:
    return [(unit.start, unit.end, unit.category) for unit in units]
