"""The benchmark of adjudication counts the errors that the gold has, and what an order costs."""

from __future__ import annotations

import pytest

from benchmarks.adjudication import Savings, area, by_confidence, cost_until
from benchmarks.adjudicator import Truth, truth_of
from benchmarks.gold.cells import Cell
from goldspan.engine import merge, score
from goldspan.engine.adjudication.site import find_sites
from goldspan.engine.gold.calibration import match
from goldspan.engine.model import Continuum, Corpus, Presence, Unit

pytestmark = pytest.mark.repository

NAMES = ("v", "w", "x", "y", "z")


def test_a_stray_mark_that_is_nearer_to_the_truth_makes_no_error() -> None:
    marks = [Unit(name, 20, 30, "A") for name in NAMES[:4]]
    task = Continuum(
        "t",
        (*marks, Unit("z", 21, 29, "A"), Unit("z", 19, 28, "B"), Unit("v", 22, 31, "A")),
        dict.fromkeys(NAMES, Presence.DONE),
        length=50,
    )
    corpus = Corpus((task,))
    gold = merge(corpus, score(corpus))
    reference = Corpus((Continuum("t", (Unit("r", 22, 31, "A"),), length=50),))
    sites = find_sites(gold)
    assert len(sites) > 1
    assert [(s.start, s.end, s.category) for s in gold.spans["t"]] == [(20, 30, "A")]
    assert truth_of(sites, reference).wrong == frozenset()


@pytest.mark.parametrize("kind", ["adjacent", "nested"])
def test_as_many_sites_are_wrong_as_the_gold_has_errors(kind: str) -> None:
    reference, corpus = Cell(kind, 5, 0.1).corpora(10)
    gold = merge(corpus, score(corpus))
    truth = truth_of(find_sites(gold), reference)
    judged = [match(task.id, gold.spans[task.id], task.units) for task in reference]
    right = sum(one.right for own in judged for one in own)
    false, missing = sum(map(len, judged)) - right, truth.spans - right
    # A span in the wrong place is both, at one site.
    assert max(false, missing) <= len(truth.wrong) <= false + missing


def test_what_an_order_costs() -> None:
    truth = Truth({}, frozenset({"b", "d"}), 100)
    each = {"a": 1.0, "b": 8.0, "c": 2.0, "d": 4.0}
    assert cost_until("abcd", truth, each) == 9.0
    assert cost_until("abcd", truth, each, threshold=0.0) == 15.0
    assert cost_until("dabc", truth, each, threshold=0.02) == 0.0
    assert area("abcd", truth, each) == 2.0 + 16.0 + 2.0 + 4.0
    both = Savings(1, 4, 1, 2, 4) + Savings(1, 4, 1, 2, 4)
    assert (both.ratio, both.gain, both.gain_by_confidence) == (0.25, 0.75, 0.5)


def test_every_tenth_of_the_rival_order_is_drawn_at_random() -> None:
    _, corpus = Cell("mixed", 3, 0.2).corpora(3)
    sites = find_sites(merge(corpus, score(corpus)))
    order = by_confidence(sites, 1)
    assert sorted(order) == sorted(site.id for site in sites)
    assert order == by_confidence(sites, 1) != by_confidence(sites, 2)
