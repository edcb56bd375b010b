"""The ascent: its bounds hold for every cluster, and alignments of many annotators get better."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from benchmarks.continua import LABELS, Shape, generate
from engine.test_crowd import all_clusters, small_space
from engine.test_worst_cases import near_one_place
from goldspan.engine.alignment import partition, search
from goldspan.engine.alignment.agglomeration import agglomerate, improve
from goldspan.engine.alignment.budget import OBSERVED, SAMPLED, Ascent, Budget
from goldspan.engine.alignment.clusters import Floats, Ints
from goldspan.engine.alignment.crowd import ascent
from goldspan.engine.alignment.crowd.ascent import ascend, price
from goldspan.engine.alignment.crowd.dissolution import dissolve
from goldspan.engine.alignment.crowd.duals import reduced
from goldspan.engine.alignment.crowd.exchanges import exchanges
from goldspan.engine.alignment.crowd.first_units import MOST_AROUND
from goldspan.engine.alignment.crowd.messages import least, send, settle
from goldspan.engine.alignment.crowd.recombination import recombine
from goldspan.engine.alignment.layout import Layout
from goldspan.engine.alignment.pair_bound import pair_bound
from goldspan.engine.alignment.partition import best_partition
from goldspan.engine.alignment.pricing import Members
from goldspan.engine.alignment.solution import distinct, members
from goldspan.engine.alignment.space import Space

EVERY = 1e12
"""More to spare than any duals need."""


def ordinary(annotators: int, units: int) -> Space:
    """Annotators who miss units, give other labels, and have units that nobody else has."""
    rows = generate(Shape(annotators, units))
    names = {name: at for at, name in enumerate(dict.fromkeys(row[0] for row in rows))}
    layout = Layout.sorted(
        np.array([names[row[0]] for row in rows]),
        np.array([float(row[2]) for row in rows]),
        np.array([float(row[3]) for row in rows]),
        np.array([LABELS.index(row[1]) for row in rows]),
        annotators,
    )
    return Space(layout, 1.0, 1.0 - np.eye(len(LABELS)))


def first_known(space: Space) -> Ints:
    near = space.neighbourhood()
    return improve(space, near, agglomerate(space, near, Budget()), Budget())


def random_clusters(space: Space, many: int, rng: np.random.Generator) -> Members:
    """Units around a place, one an annotator at most."""
    rows = np.full((many, space.layout.n), -1, np.int64)
    for row in rows:
        near = rng.integers(space.layout.size) + rng.permutation(120)[: rng.integers(2, 60)]
        near = near[near < space.layout.size]
        _, once = np.unique(space.layout.annotator[near], return_index=True)
        row[: len(once)] = np.sort(near[once])
    return distinct(rows[rows[:, 0] >= 0])


def table(rng: np.random.Generator) -> tuple[Floats, Floats, Ints]:
    """What the states of four annotators cost on their own, and in pairs."""
    begin = np.array([0, 2, 5, 7, 9])
    return rng.normal(0, 5, 9), np.triu(rng.normal(0, 5, (9, 9))), begin


def choices(own: Floats, pair: Floats, begin: Ints) -> dict[tuple[int, ...], float]:
    """What each choice of states costs."""
    groups = [range(a, b) for a, b in pairwise(begin.tolist())]
    return {
        chosen: float(own[list(chosen)].sum())
        + sum(float(pair[x, y]) for x in chosen for y in chosen if x < y)
        for chosen in product(*groups)
    }


@pytest.mark.parametrize("seed", range(10))
def test_messages_change_no_cost_and_raise_the_bound(seed: int) -> None:
    own, pair, begin = table(np.random.default_rng(seed))
    before = choices(own, pair, begin)
    bound = -np.inf
    for k in range(8):
        send(own, pair, begin, 4, k % 2 == 0)
        assert choices(own, pair, begin) == pytest.approx(before)
        assert bound - 1e-9 <= least(own, begin, 4) <= min(before.values()) + 1e-9
        bound = least(own, begin, 4)


@pytest.mark.parametrize("seed", range(10))
def test_states_that_are_left_out_are_in_no_choice_below_the_limit(seed: int) -> None:
    own, pair, begin = table(np.random.default_rng(seed))
    costs = choices(own, pair, begin)
    limit = sorted(costs.values())[3]
    for k in range(8):
        send(own, pair, begin, 4, k % 2 == 0)
    unit, chosen, rest = np.arange(9), np.empty(4, np.int64), np.empty(9, np.int64)
    groups, _, count = settle(unit, own, pair, begin, 4, 0.0, limit, chosen, 0, rest)
    kept = {*unit[: begin[groups]].tolist(), *chosen[:count].tolist()}
    for choice, cost in costs.items():
        assert cost >= limit or kept.issuperset(choice)


@pytest.mark.parametrize("seed", range(12))
def test_branching_finds_the_least_of_each_first_unit(seed: int) -> None:
    space = small_space(seed)
    every = all_clusters(space)
    rng = np.random.default_rng(seed)
    for scale in (2.0, 5.0, 9.0):
        dual = rng.uniform(-1, scale, space.layout.size)
        costs = reduced(space, dual, every)
        bounds, found = price(space, dual, EVERY, Budget())
        assert bounds is not None
        assert (reduced(space, dual, found) < 0).all()
        for u in range(space.layout.size):
            least_cost = min(0.0, costs[every[:, 0] == u].min())
            assert bounds[u] == pytest.approx(least_cost, abs=1e-3)
            assert bounds[u] <= least_cost


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_a_search_that_is_cut_short_has_a_bound_that_holds(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ascent, "NODES", nodes)
    space = small_space(nodes, n=7)
    every = all_clusters(space)
    dual = np.random.default_rng(nodes).uniform(-1, 9, space.layout.size)
    costs = reduced(space, dual, every)
    bounds, _ = price(space, dual, EVERY, Budget())
    assert bounds is not None
    for u in range(space.layout.size):
        assert bounds[u] <= min(0.0, costs[every[:, 0] == u].min())


@pytest.mark.parametrize("seed", range(4))
def test_exchanges_are_all_clusters_that_differ_by_a_unit_and_cost_little(seed: int) -> None:
    space = small_space(seed, n=4)
    near = space.neighbourhood()
    dual = np.random.default_rng(seed).uniform(0, 4, space.layout.size)
    every = all_clusters(space)
    given = every[[len(every) // 2]]
    cheap = every[reduced(space, dual, every) < 1.0]
    own = set(given[given >= 0].tolist())
    expected = set()
    for row in cheap:
        units = set(row[row >= 0].tolist())
        gone, new = own - units, units - own
        swap = len(gone) == 1 and len(new) == 1
        if swap:
            swap = len({int(space.layout.annotator[u]) for u in gone | new}) == 1
        if swap or len(gone) + len(new) == 1:
            expected.add(tuple(sorted(units)))
    made = exchanges(space, near, given, dual, 1.0, 10**6)
    assert {tuple(row[row >= 0].tolist()) for row in made} == expected
    assert len(exchanges(space, near, given, dual, 1.0, 1)) == min(1, len(expected))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("steps", [10**5, 10**9])
def test_no_cluster_violates_the_duals(seed: int, steps: int) -> None:
    space = small_space(seed)
    found = ascend(space, space.neighbourhood(), space.alone(), Budget(steps=steps))
    assert reduced(space, found.dual, all_clusters(space)).min() >= -1e-9


def test_it_comes_near_the_optimum_where_that_is_known() -> None:
    space = small_space(1, n=12, units=8)
    best = best_partition(space.layout, space.alpha, space.beta_cat)
    assert best.optimal
    cluster = first_known(space)
    near = space.neighbourhood()
    found = ascend(space, near, members(space, cluster), Budget(steps=4 * 10**9))
    assert 0.9 * best.cost < found.bound <= best.cost + 1e-6
    price_of = reduced(space, found.towards, found.members)
    better = recombine(space, cluster, found.members, price_of, Budget())
    cost = float(space.costs(members(space, better)).sum())
    assert best.cost - 1e-6 <= cost <= float(space.costs(members(space, cluster)).sum()) + 1e-9


def test_of_fifty_annotators_it_is_far_better_than_other_bounds() -> None:
    space = ordinary(50, 4)
    near, budget = space.neighbourhood(), Budget(steps=3 * 10**9)
    cluster = first_known(space)
    found = ascend(space, near, members(space, cluster), budget)
    cost = float(space.costs(members(space, cluster)).sum())
    assert max(near.share.sum(), pair_bound(space, Budget())) < 0.8 * found.bound
    assert found.bound <= cost
    some = random_clusters(space, 2000, np.random.default_rng(0))
    assert reduced(space, found.dual, some).min() >= -1e-9
    assert reduced(space, found.dual, found.members).min() >= -1e-9


def test_a_place_that_is_too_crowded_has_no_bound() -> None:
    layout, beta_cat = near_one_place(41, MOST_AROUND // 40 + 1)
    space = Space(layout, 1.0, beta_cat)
    bounds, _ = price(space, np.full(layout.size, 40.0), EVERY, Budget())
    assert bounds is None
    near = space.neighbourhood()
    found = ascend(space, near, space.alone(), Budget(steps=10**9))
    assert 0 <= found.bound <= near.share.sum()


def test_a_search_without_a_proof_ends_with_an_ascent(monkeypatch: pytest.MonkeyPatch) -> None:
    space = ordinary(20, 4)
    given = (space.layout, space.alpha, space.beta_cat)
    monkeypatch.setattr(search, "EXACT", 0.0)
    risen, again = (
        best_partition(*given, steps=partition.LEAST, ascent=Ascent(10**7, 10**12))
        for _ in range(2)
    )
    rough = best_partition(*given, steps=partition.LEAST - 1)
    assert rough.lower_bound < risen.lower_bound <= risen.cost + 1e-6 <= rough.cost + 2e-6
    assert (risen.lower_bound, risen.cost) == (again.lower_bound, again.cost)
    assert risen.cluster.tolist() == again.cluster.tolist()


@pytest.mark.parametrize("shape", [(20, 5), (50, 4)])
def test_dissolving_clusters_never_makes_a_partition_worse(shape: tuple[int, int]) -> None:
    space = ordinary(*shape)
    before = first_known(space)
    after = dissolve(space, before, Budget())
    hurried = dissolve(space, before, Budget(steps=0))
    costs = [float(space.costs(members(space, one)).sum()) for one in (after, hurried, before)]
    assert costs == sorted(costs)
    for one in (after, hurried):
        pairs = set(zip(one.tolist(), space.layout.annotator.tolist(), strict=True))
        assert len(pairs) == space.layout.size


def test_a_unit_with_nothing_around_it_has_its_own_bound() -> None:
    space = ordinary(2, 1).only(np.array([0]), 2)
    for dual, expected in ((0.5, 0.0), (3.0, -2.0)):
        bounds, found = price(space, np.array([dual]), EVERY, Budget())
        assert bounds is not None
        assert bounds[0] == pytest.approx(expected, abs=1e-4)
        assert len(found) == 0


def test_an_ascent_ends_however_long_a_continuum_is() -> None:
    assert Ascent(10, 50).steps(3) == 30
    assert Ascent(10, 50).steps(10**9) == 50
    assert SAMPLED.each < OBSERVED.each
    assert SAMPLED.most < OBSERVED.most
