"""Strategies to compare with that goldspan does not offer."""

from __future__ import annotations

from collections import Counter

from benchmarks.gold.marks import Spans, f1
from goldspan.engine.model import Continuum, Corpus


def exact_majority(corpus: Corpus) -> Spans:
    """What more than half of the annotators drew just so."""
    found: Spans = {}
    for c in corpus.continua:
        counts = Counter((u.start, u.end, u.category) for u in c.units)
        found[c.id] = [span for span, count in counts.items() if 2 * count > len(c.annotators)]
    return found


def token_vote(corpus: Corpus) -> Spans:
    """Each position gets the categories that more than half gave it; runs of one are spans."""
    return {c.id: _runs(c) for c in corpus.continua}


def _runs(continuum: Continuum) -> list[tuple[float, float, str]]:
    length = int(continuum.bounds[1])
    spans: list[tuple[float, float, str]] = []
    for category in continuum.categories:
        covered = [0] * (length + 1)
        for name in continuum.annotators:
            marked: set[int] = set()
            for unit in continuum.of(name):
                if unit.category == category:
                    marked.update(range(int(unit.start), int(unit.end)))
            for position in marked:
                covered[position] += 1
        begun = None
        for position, count in enumerate(covered):
            if 2 * count > len(continuum.annotators):
                begun = position if begun is None else begun
            elif begun is not None:
                spans.append((begun, position, category))
                begun = None
    return spans


def best_single(corpus: Corpus, truth: Spans) -> Spans:
    """The annotator who is closest to the reference: only an oracle knows who that is."""
    versions = [
        {c.id: [(u.start, u.end, u.category) for u in c.of(name)] for c in corpus.continua}
        for name in corpus.annotators
    ]
    return max(versions, key=lambda version: f1(version, truth, 0.5))
