"""Crowds: the interior-point method, pricing and the cover, each against another way."""

from __future__ import annotations

from itertools import combinations

import highspy
import numpy as np
import pytest

from engine.continua import random_continuum
from goldspan.engine import Dissimilarity
from goldspan.engine.alignment import partition
from goldspan.engine.alignment.budget import Budget
from goldspan.engine.alignment.clusters import Floats
from goldspan.engine.alignment.crowd import band, crowd, duals
from goldspan.engine.alignment.crowd.band import Band
from goldspan.engine.alignment.crowd.cover import REACH, Covered, cover
from goldspan.engine.alignment.crowd.duals import Columns, reduced
from goldspan.engine.alignment.crowd.interior import factorise, gram, skyline, solve
from goldspan.engine.alignment.crowd.variants import variants
from goldspan.engine.alignment.layout import lay_out
from goldspan.engine.alignment.partition import best_partition
from goldspan.engine.alignment.pricing import Members
from goldspan.engine.alignment.solution import distinct, members
from goldspan.engine.alignment.space import Space

MOST_UNITS = {2: 30, 3: 25, 4: 20, 5: 15, 6: 8, 7: 6, 8: 5, 9: 4}
"""Units an annotator in a layout that the other ways finish in little time."""


def random_space(seed: int) -> Space:
    """Any number of annotators, any density, whole numbers: ties are frequent."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 10))
    units = int(rng.integers(1, MOST_UNITS[n] + 1))
    span = int(units * rng.choice([2, 4, 8, 16]) + 3)
    c = random_continuum(rng, n, units, span, categories=int(rng.integers(1, 5)))
    d = Dissimilarity(alpha=float(rng.choice([1, 3])), beta=float(rng.choice([0, 1, 2])))
    layout, _ = lay_out(c, c.annotators, {name: k for k, name in enumerate(c.categories)})
    return Space(layout, d.alpha, d.beta * d.categorial(c.categories))


def small_space(seed: int, n: int = 6, units: int = 2) -> Space:
    c = random_continuum(np.random.default_rng(seed), n, units, span=12)
    layout, _ = lay_out(c, c.annotators, {name: k for k, name in enumerate(c.categories)})
    return Space(layout, 1.0, Dissimilarity().categorial(c.categories))


def all_clusters(space: Space) -> Members:
    """Every set of units with one an annotator at most."""
    annotator, n = space.layout.annotator, space.layout.n
    rows = [
        [*group, *[-1] * (n - len(group))]
        for k in range(1, n + 1)
        for group in combinations(range(space.layout.size), k)
        if len(set(annotator[list(group)].tolist())) == k
    ]
    return np.array(rows, dtype=np.int64)


def band_of(space: Space) -> Band:
    band = Band.of(space, space.neighbourhood())
    assert band is not None
    return band


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_crowds_are_aligned_as_by_the_frontier_and_by_pulp(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same cost, and of several equal alignments the same one."""
    for seed in range(first, first + 50):
        space = random_space(seed)
        n, given = space.layout.n, (space.layout, space.alpha, space.beta_cat)
        monkeypatch.setattr(partition, "FRONTIER_ANNOTATORS", 1)
        found = best_partition(*given)
        monkeypatch.setattr(partition, "FRONTIER_ANNOTATORS", 9)
        other = best_partition(*given, solver=None if n < 7 or seed % 4 else "HiGHS")
        assert found.optimal
        assert found.cost == pytest.approx(other.cost, abs=1e-7), seed
        assert found.cluster.tolist() == other.cluster.tolist(), seed


def test_the_factor_of_a_skyline_solves_its_equations() -> None:
    rng = np.random.default_rng(0)
    clusters = [[k] for k in range(12)]
    clusters += [sorted(rng.choice(np.arange(k, k + 5), 3, replace=False)) for k in range(8)]
    pointers = np.cumsum([0, *map(len, clusters)])
    units = np.array([unit for one in clusters for unit in one])
    weight = rng.random(len(clusters)) + 0.1
    first, row = skyline(pointers, units, 12)
    entries = np.empty(row[12])
    gram(pointers, units, weight, row, entries)
    matrix = np.zeros((12, len(clusters)))
    for k, one in enumerate(clusters):
        matrix[one, k] = 1.0
    right = rng.random(12)
    expected = np.linalg.solve(matrix * weight @ matrix.T, right)
    factorise(first, row, entries)
    solve(first, row, entries, right)
    assert right == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_interior_point_method_reaches_the_value_of_highs(seed: int) -> None:
    space = small_space(seed)
    columns = Columns(space)
    assert columns.add(all_clusters(space)) == len(columns.members) - space.layout.size
    assert columns.add(columns.members) == 0
    dual = np.full(space.layout.size, 5.0)
    value = columns.relax(dual, 1e-8, Budget())
    least = _linear_value(columns.members, columns.costs, space.layout.size)
    assert value == pytest.approx(least, rel=1e-6)
    assert dual.sum() == pytest.approx(least, rel=1e-6)
    assert reduced(space, dual, columns.members).min() > -1e-6


def _linear_value(members: Members, costs: Floats, size: int) -> float:
    program = highspy.Highs()
    program.setOptionValue("output_flag", False)
    for _ in range(size):
        program.addRow(1.0, 1.0, 0, np.empty(0, np.int32), np.empty(0))
    for row, cost in zip(members, costs, strict=True):
        units = row[row >= 0].astype(np.int32)
        program.addCol(cost, 0.0, highspy.kHighsInf, len(units), units, np.ones(len(units)))
    program.run()
    return float(program.getInfo().objective_function_value)


@pytest.mark.parametrize("seed", range(8))
def test_pricing_finds_every_cluster_below_a_limit_and_the_least_of_each_first_unit(
    seed: int,
) -> None:
    space = small_space(seed)
    dual = np.random.default_rng(seed).uniform(0, 8, space.layout.size)
    every = distinct(all_clusters(space))
    costs = reduced(space, dual, every)
    listed = band_of(space).price(dual, 1.0, Budget(), every=True)
    assert listed.complete
    assert distinct(listed.members).tolist() == every[costs < 1.0].tolist()
    best = band_of(space).price(dual, -1e-7, Budget(), every=False)
    for unit in range(space.layout.size):
        least = min(0.0, costs[every[:, 0] == unit].min())
        assert best.least[unit] == pytest.approx(least, abs=1e-6)


@pytest.mark.parametrize("nodes", [1, 2, 5, 20])
def test_a_search_that_is_cut_short_still_gives_a_bound(nodes: int) -> None:
    for seed in range(4):
        space = small_space(seed)
        dual = np.full(space.layout.size, 6.0)
        costs = reduced(space, dual, all_clusters(space))
        first = all_clusters(space)[:, 0]
        cut = band_of(space).price(dual, -1e-7, Budget(), every=False, nodes=nodes)
        for unit in range(space.layout.size):
            assert cut.least[unit] <= min(0.0, costs[first == unit].min()) + 1e-6


def test_nothing_is_known_of_units_after_the_list_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    space = small_space(1)
    dual = np.full(space.layout.size, 6.0)
    whole = band_of(space).price(dual, -1e-7, Budget(), every=False)
    assert whole.complete
    monkeypatch.setattr(band, "MOST_MEMBERS", 0)
    cut = band_of(space).price(dual, -1e-7, Budget(), every=False)
    assert not cut.complete
    assert np.isneginf(cut.least[1:]).any()
    assert (cut.least <= whole.least).all()


@pytest.mark.parametrize("most", [0, 50, 300])
def test_a_list_that_is_full_makes_no_false_proof(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = small_space(0, n=7, units=6)
    best = best_partition(space.layout, space.alpha, space.beta_cat)
    monkeypatch.setattr(band, "MOST_MEMBERS", most)
    found = best_partition(space.layout, space.alpha, space.beta_cat)
    assert found.lower_bound <= best.cost + 1e-6
    assert found.cost >= best.cost - 1e-6
    assert not found.optimal or found.cost == pytest.approx(best.cost)


@pytest.mark.parametrize("most", [0, 5, 50])
def test_a_list_that_is_too_long_for_the_cover_makes_no_false_proof(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = small_space(0, n=7, units=6)
    given = (space.layout, space.alpha, space.beta_cat)
    best = best_partition(*given)
    dual = np.full(space.layout.size, 6.0)
    cut = band_of(space).price(dual, 1.0, Budget(), every=True, most=most)
    assert not cut.complete
    monkeypatch.setattr(crowd, "MOST_LISTED", most)
    monkeypatch.setattr(crowd, "LISTED_A_UNIT", 0)
    found = best_partition(*given)
    assert found.lower_bound <= best.cost + 1e-6
    assert found.cost >= best.cost - 1e-6
    assert not found.optimal or found.cost == pytest.approx(best.cost)


@pytest.mark.parametrize("seed", range(4))
def test_variants_are_all_clusters_that_differ_by_a_unit(seed: int) -> None:
    """A unit less, a unit more, or another of the same annotator; but none that saves nothing."""
    space = small_space(seed, n=5, units=3)
    given = (space.layout, space.alpha, space.beta_cat)
    chosen = members(space, best_partition(*given).cluster)
    annotator, made = space.layout.annotator, variants(band_of(space), chosen)
    assert len(distinct(made)) == len({tuple(row) for row in made.tolist()})
    expected = set()
    for row in chosen.tolist():
        cluster = [unit for unit in row if unit >= 0]
        expected.add(tuple(cluster))
        expected |= {tuple(v for v in cluster if v != u) for u in cluster if len(cluster) > 1}
        for u in set(range(space.layout.size)) - set(cluster):
            others = [v for v in cluster if annotator[v] != annotator[u]]
            cross = space.weights(np.full(len(others), u), np.array(others, dtype=np.int64)).sum()
            if others and cross < space.pairs:
                expected.add(tuple(sorted([u, *others])))
    found = {tuple(unit for unit in row if unit >= 0) for row in made.tolist()}
    assert {one for one in found if len(one) > 1} == {one for one in expected if len(one) > 1}


@pytest.mark.parametrize("seed", range(6))
def test_no_cluster_violates_the_duals(seed: int) -> None:
    space = small_space(seed)
    for found in (
        duals.linear_duals(space, band_of(space), space.alone(), Budget()),
        duals.equal_shares(space, band_of(space), space.alone(), Budget()),
    ):
        assert found is not None
        assert reduced(space, found.dual, all_clusters(space)).min() > -1e-6


def test_a_cover_spends_no_more_than_its_budget() -> None:
    space = small_space(3, n=5)
    found = duals.linear_duals(space, band_of(space), space.alone(), Budget())
    assert found is not None
    every = distinct(all_clusters(space))
    spends = reduced(space, found.dual, every)
    given = (space.layout.size, every, spends, space.places(every))
    best = cover(*given, np.inf, Budget())
    assert best.whole
    assert not best.none
    least = float(spends[best.chosen].sum())
    assert cover(*given, least + 1e-3, Budget()).chosen.tolist() == best.chosen.tolist()
    below = cover(*given, least - 1e-3, Budget())
    assert below.none
    assert below.whole
    few = cover(*given, np.inf, Budget(), most=2)
    assert not few.whole
    assert few.none or spends[few.chosen].sum() >= least - 1e-9
    assert not cover(*given, np.inf, Budget(steps=0)).whole


def test_a_cluster_that_reaches_too_far_is_not_covered() -> None:
    members = np.array([[k, -1] for k in range(REACH + 1)])
    members[0, 1] = REACH
    zeros = np.zeros(len(members))
    far = cover(REACH + 1, members, zeros, zeros, 1.0, Budget())
    assert far.none
    assert not far.whole


@pytest.mark.parametrize("seed", range(3))
def test_pulp_finishes_where_the_cover_does_not_reach(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = small_space(seed, n=7, units=6)
    given = (space.layout, space.alpha, space.beta_cat)
    expected = best_partition(*given)
    monkeypatch.setattr(crowd, "cover", _covers_nothing)
    finished = best_partition(*given)
    assert finished.optimal
    assert finished.cluster.tolist() == expected.cluster.tolist()


def _covers_nothing(
    size: int, members: Members, spends: Floats, places: Floats, theta: float, *_: object
) -> Covered:
    return cover(size, members, spends, places, theta, Budget(steps=0))


def test_a_crowd_without_a_proof_says_its_gap() -> None:
    space = small_space(1, n=12, units=8)
    given = (space.layout, space.alpha, space.beta_cat)
    best = best_partition(*given)
    assert best.optimal
    for steps in (10**6, 10**7, 3 * 10**7):
        hurried = best_partition(*given, steps=steps)
        assert hurried.lower_bound <= best.cost + 1e-6
        assert hurried.cost >= best.cost - 1e-6
