"""The overview of a gold says what the gold itself says."""

from __future__ import annotations

import pytest

from goldspan.engine import merge, score
from goldspan.engine.gold.merging import overview
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus


@pytest.mark.parametrize("annotators", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_an_overview_counts_all_and_holds_what_is_shown(seed: int, annotators: int) -> None:
    own = Errors(position=0.1, category=0.2, false_negatives=0.2, splits=0.1)
    names = "abcd"[:annotators]
    corpus = shuffle_corpus(Blueprint().corpus(12, seed), dict.fromkeys(names, own), seed)
    result = score(corpus, precision=0.9, pairs=False)
    shown, settled = set(list(result.tasks)[::3]), set(list(result.tasks)[::4])
    gold = merge(corpus, result).settled(settled)
    assert gold.n_spans
    assert gold.n_decisions
    found = overview(corpus, result, shown, settled)
    assert (found.n_spans, found.n_decisions) == (gold.n_spans, gold.n_decisions)
    assert found.notes == gold.notes
    assert found.calibrated is gold.calibrated
    assert set(found.spans) <= shown
    for task in shown:
        assert found.spans.get(task, ()) == gold.spans[task]
        assert found.decisions.get(task, ()) == gold.decisions.get(task, ())
