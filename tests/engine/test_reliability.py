"""Reliability: the formulas written out, and what the estimates find."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.engine import Continuum, best_alignment
from goldspan.engine.gold.reliability import LEAST_SITES, Judgement, judge
from goldspan.engine.gold.sites import Ballot, find_sites
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus

CATEGORIES = ("X", "Y", "Z")
NAMES = ("a", "b", "c", "d")


def ballot(marks: dict[str, str], seen: tuple[str, ...] = NAMES[:3]) -> Ballot:
    return seen, tuple(said for name in sorted(marks) for said in (name, marks[name]))


def by_hand(
    marks: dict[str, str], seen: tuple[str, ...], prevalence: dict[str, float]
) -> tuple[float, dict[str, float]]:
    """The formulas of the module's docstring, at the prior means."""
    r = a = 0.8
    tau, rho, f = 0.8, 1 / 13, 1 / len(seen)
    k, n = len(marks), len(seen)

    def real(z: str) -> float:
        said = prod(
            r * (a if y == z else (1 - a) * prevalence[y] / (1 - prevalence[z]))
            for y in marks.values()
        )
        return prevalence[z] * said * (1 - r) ** (n - k) / (1 - (1 - r) ** n)

    spurious = k * f * rho ** (k - 1) * (1 - rho) ** (n - k)
    spurious *= prod(prevalence[y] for y in marks.values())
    odds = {z: tau * real(z) for z in prevalence}
    total = sum(odds.values())
    exists = total / (total + (1 - tau) * spurious)
    return exists, {z: odds[z] / total for z in marks.values()}


@given(
    st.lists(
        st.dictionaries(st.sampled_from(NAMES), st.sampled_from(CATEGORIES), min_size=1),
        min_size=1,
        max_size=10,
    ),
    st.integers(3, 4),
)
def test_few_sites_follow_the_formulas_at_the_prior_means(
    drawn: list[dict[str, str]], n: int
) -> None:
    seen = NAMES[:n]
    rows = [{name: y for name, y in marks.items() if name in seen} for marks in drawn]
    ballots = Counter(ballot(marks, seen) for marks in rows if marks)
    if not ballots:
        return
    counts = Counter(y for marks in rows for y in marks.values())
    total = sum(counts.values()) + len(CATEGORIES)
    prevalence = {c: (counts[c] + 1) / total for c in CATEGORIES}
    found = judge(ballots, {"t": seen}, CATEGORIES)
    assert not found.estimated
    for marks in rows:
        if marks:
            exists, categories = by_hand(marks, seen, prevalence)
            odds = found.odds[ballot(marks, seen)]
            assert odds.exists == pytest.approx(exists)
            assert odds.categories == pytest.approx(categories)


def estimate(errors: dict[str, Errors], tasks: int = 60) -> Judgement:
    reference = Blueprint().corpus(tasks, 1)
    corpus = shuffle_corpus(reference, errors, 2)
    sites = [s for c in corpus.continua for s in find_sites(c.id, best_alignment(c))]
    ballots = Counter(site.ballot for site in sites)
    return judge(ballots, {c.id: c.annotators for c in corpus.continua}, corpus.categories)


def test_estimates_come_near_the_truth() -> None:
    own = {
        "a": Errors(false_negatives=0.05),
        "b": Errors(false_negatives=0.3),
        "c": Errors(false_negatives=0.1, category=0.6),
        "d": Errors(false_negatives=0.1, false_positives=0.5, extra=1),
    }
    found = estimate(own, tasks=150).reliabilities
    assert found["a"].recall == pytest.approx(0.95, abs=0.04)
    assert found["b"].recall == pytest.approx(0.7, abs=0.06)
    assert found["c"].accuracy == pytest.approx(1 - 0.36 * 3 / 4, abs=0.06)
    assert found["a"].accuracy > 0.95
    assert found["d"].spurious == pytest.approx(12 * 0.5, abs=1.5)
    assert found["a"].spurious < 1


def test_the_word_of_a_bad_annotator_weighs_less() -> None:
    bad = Errors(false_negatives=0.5, category=0.9, false_positives=0.9, extra=1)
    good = Errors(false_negatives=0.1)
    found = estimate({"a": good, "b": good, "c": bad})
    pairs = {
        frozenset(seen): found.odds.get(ballot(dict.fromkeys(seen, "A")))
        for seen in (("a", "b"), ("a", "c"))
    }
    with_good, with_bad = pairs[frozenset("ab")], pairs[frozenset("ac")]
    assert with_good is not None
    assert with_bad is not None
    assert with_good.exists > with_bad.exists


@settings(max_examples=20)
@given(st.permutations(NAMES[:3]))
def test_names_do_not_matter(order: list[str]) -> None:
    names = dict(zip(NAMES[:3], order, strict=True))
    votes = [{"a": "X", "b": "X"}, {"a": "X", "b": "Y", "c": "X"}, {"c": "Z"}, {"a": "Y"}]
    ballots = Counter({ballot(marks): 20 + at for at, marks in enumerate(votes)})
    other = Counter(
        {
            ballot({names[name]: y for name, y in marks.items()}): 20 + at
            for at, marks in enumerate(votes)
        }
    )
    one = judge(ballots, {"t": NAMES[:3]}, CATEGORIES)
    two = judge(other, {"t": NAMES[:3]}, CATEGORIES)
    assert one.estimated
    for marks in votes:
        renamed = ballot({names[name]: y for name, y in marks.items()})
        assert one.odds[ballot(marks)].exists == pytest.approx(two.odds[renamed].exists)


def test_who_did_not_see_a_task_has_no_part_in_it() -> None:
    seen = {"t": ("a", "b", "c"), "u": ("a", "b", "c", "d")}
    here = {ballot({"a": "X", "b": "X"}): 50}
    there = {ballot({"a": "X", "b": "X"}, seen["u"]): 50}
    alone = judge(here, {"t": seen["t"]}, CATEGORIES)
    both = judge(here | there, seen, CATEGORIES)
    assert both.reliabilities["d"].recall < 0.3
    assert set(alone.reliabilities) == {"a", "b", "c"}
    assert both.odds[next(iter(here))].exists > 0.9


def test_one_category_and_many_sites_give_probabilities() -> None:
    ballots = {
        ballot({name: "X" for name, on in zip(NAMES[:3], marks, strict=True) if on}): LEAST_SITES
        for marks in product((0, 1), repeat=3)
        if any(marks)
    }
    found = judge(ballots, {"t": NAMES[:3]}, ("X",))
    assert all(0 <= odds.exists <= 1 for odds in found.odds.values())
    assert all(odds.categories == {"X": pytest.approx(1.0)} for odds in found.odds.values())


def test_sites_never_hold_units_that_do_not_overlap() -> None:
    from goldspan.engine import Unit  # noqa: PLC0415 - only this test builds units

    units = (Unit("a", 0, 10, "X"), Unit("b", 10, 20, "X"), Unit("c", 5, 12, "X"))
    (one,) = find_sites("t", best_alignment(Continuum("t", units, length=100)))
    assert one.k == 3  # c hangs together with both
    units = (Unit("a", 0, 10, "X"), Unit("b", 10, 20, "X"), Unit("c", 0, 10, "X"))
    parts = find_sites("t", best_alignment(Continuum("t", units, length=100)))
    assert sorted(site.k for site in parts) == [1, 2]
