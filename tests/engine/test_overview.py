"""The overview of a gold says what the gold itself says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from goldspan.engine import merge, score
from goldspan.engine.gold.merging import overview
from goldspan.engine.model import Measure
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus

FEW = Errors(position=0.05, category=0.05, false_negatives=0.1, splits=0.1)
MANY = Errors(position=0.1, category=0.2, false_negatives=0.2, splits=0.1)


@pytest.mark.parametrize("measure", [Measure.CHARACTER, Measure.MILLISECOND])
@pytest.mark.parametrize("own", [FEW, MANY], ids=["few", "many"])
@pytest.mark.parametrize("annotators", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(2))
def test_an_overview_counts_all_and_holds_what_is_shown(
    seed: int, annotators: int, own: Errors, measure: Measure
) -> None:
    names = "abcde"[:annotators]
    shuffled = shuffle_corpus(Blueprint().corpus(12, seed), dict.fromkeys(names, own), seed)
    corpus = replace(
        shuffled, continua=tuple(replace(one, measure=measure, text=None) for one in shuffled)
    )
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


def test_columns_say_the_same_as_values() -> None:
    """A result that was sent to another process has plain values, and no columns."""
    names = dict.fromkeys("abc", FEW)
    corpus = shuffle_corpus(Blueprint().corpus(40, 1), names, 1)
    mixed = tuple(one.only("ab") if number % 3 == 0 else one for number, one in enumerate(corpus))
    corpus = replace(corpus, continua=mixed)
    made = score(corpus, precision=0.9, pairs=False)
    sent = replace(made, tasks=dict(made.tasks))
    shown = set(list(made.tasks)[::5])
    assert overview(corpus, made, shown) == overview(corpus, sent, shown)
    assert overview(corpus, made, ()) == overview(corpus, sent, ())
