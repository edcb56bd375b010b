"""Worst cases: every alignment ends, in bounded memory, with a bound that holds."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from engine.brute_force import least_disorder
from engine.continua import continuum, random_continuum
from goldspan.engine import Continuum, Corpus, Dissimilarity, Presence, best_alignment, score
from goldspan.engine.alignment import partition
from goldspan.engine.alignment.agglomeration import agglomerate
from goldspan.engine.alignment.budget import Budget
from goldspan.engine.alignment.clusters import Floats
from goldspan.engine.alignment.crowd.annealing import anneal
from goldspan.engine.alignment.layout import Layout, lay_out
from goldspan.engine.alignment.partition import Partition, best_partition
from goldspan.engine.alignment.solution import members

TESTS = Path(__file__).parents[1]


def layout(rows: list[tuple[int, float, float, int]], n: int) -> tuple[Layout, Floats]:
    """A layout of (annotator, start, end, category), and nominal distances."""
    annotator, start, end, category = (np.array(column) for column in zip(*rows, strict=True))
    labels = int(category.max()) + 1
    made = Layout.sorted(annotator, start.astype(float), end.astype(float), category, n)
    return made, 1.0 - np.eye(labels)


def near_one_place(n: int, units: int) -> tuple[Layout, Floats]:
    rng = np.random.default_rng(0)
    rows = [
        (a, 100.0 + rng.integers(-10, 10), 200.0 + rng.integers(-10, 10), int(rng.integers(4)))
        for a in range(n)
        for _ in range(units)
    ]
    return layout(rows, n)


def agreeing(n: int, units: int, shake: int, mislabels: float) -> tuple[Layout, Floats]:
    rng = np.random.default_rng(1)
    rows = []
    for a in range(n):
        for k in range(units):
            start, end = (100 * k + at + rng.integers(-shake, shake + 1) for at in (0, 20))
            rows.append((a, float(start), float(end), int(k + (rng.random() < mislabels)) % 4))
    return layout(rows, n)


def solve(case: tuple[Layout, Floats], seconds: float | None = None) -> Partition:
    """The best partition; with seconds, on a clock that ticks whenever it is looked at."""
    ticks = count()
    return best_partition(case[0], 1.0, case[1], seconds=seconds, clock=lambda: next(ticks) / 10)


def check(case: tuple[Layout, Floats], found: Partition) -> None:
    """The bound holds, and no annotator has two units in one cluster."""
    assert 0 <= found.lower_bound <= found.cost
    pairs = set(zip(found.cluster.tolist(), case[0].annotator.tolist(), strict=True))
    assert len(pairs) == case[0].size


@pytest.mark.parametrize(("n", "shake", "mislabels"), [
    (50, 0, 0.0), (100, 0, 0.0), (20, 2, 0.0), (50, 2, 0.0), (50, 2, 0.2),
])  # fmt: skip
def test_annotators_who_agree_are_proved_without_a_search(
    n: int, shake: int, mislabels: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "goldspan.engine.alignment.crowd.crowd.align_crowd", None
    )  # nothing may call it
    case = agreeing(n, 10, shake, mislabels)
    found = solve(case)
    check(case, found)
    assert found.optimal
    assert found.cluster.max() == 9
    assert (found.cost == 0) == (shake == 0)


def test_nobody_waits_for_chance_where_nobody_disagrees() -> None:
    """γ is 1 whatever chance expects, so 30 rough samples do; exact ones would take minutes."""
    spans = [(1000 * k, 1000 * k + 40 + k, "abc"[k % 3]) for k in range(8)]
    agreed = continuum(*((f"a{number}", *span) for number in range(30) for span in spans))

    result = score(Corpus((agreed,)), pairs=False)

    assert (result.gamma.value, result.gamma_cat.value) == (1, 1)
    assert result.n_samples == 30
    assert result.unproved == 30
    assert 0 < result.expected_gap < 1


def test_labels_that_do_not_count_in_the_alignment_are_sampled_precisely() -> None:
    """With β = 0 there is no disorder, but γcat is not 1."""
    spans = [(100 * k, 100 * k + 20) for k in range(10)]
    labels = {"a": "ababababab", "b": "abaabbabbb"}
    rows = [
        (name, start, end, labels[name][start // 100]) for name in labels for start, end in spans
    ]

    result = score(Corpus((continuum(*rows),)), beta=0)

    assert result.gamma.value == 1
    assert result.gamma_cat.value != 1
    assert result.n_samples > 30


@pytest.mark.parametrize("number", range(6))
def test_six_to_eight_annotators_equal_brute_force(number: int) -> None:
    rng = np.random.default_rng(number)
    n = 6 + number % 3
    c = random_continuum(rng, n, units=1, span=int(rng.integers(4, 20)))
    extra = continuum(("a0", 3, 9, "c1"), ("a1", 5, 8, "c0")).units
    names = dict.fromkeys(c.presence, Presence.DONE)
    c = Continuum("t", tuple({*c.units, *extra}), names, measure=c.measure)
    assert best_alignment(c).disorder == pytest.approx(least_disorder(c, Dissimilarity()), abs=1e-9)


@pytest.mark.parametrize("steps", [0, 10**6, 3 * 10**8])
@pytest.mark.parametrize("shape", [(10, 10), (5, 60), (3, 60)])
def test_what_the_budget_leaves_unproved_is_the_same_each_time(
    steps: int, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldspan.engine.alignment.budget.STEPS", steps)
    case = near_one_place(*shape)
    found, again = solve(case), solve(case)
    check(case, found)
    assert not found.optimal
    assert found.cost == again.cost
    assert found.lower_bound == again.lower_bound
    assert found.cluster.tolist() == again.cluster.tolist()


@pytest.mark.parametrize("shape", [(10, 10), (5, 60), (3, 60), (2, 300)])
def test_the_clock_ends_every_way_of_searching(shape: tuple[int, int]) -> None:
    """The clock gains a tenth of a second at each look: it is looked at, and obeyed."""
    case = near_one_place(*shape)
    found = solve(case, seconds=0.5)
    check(case, found)
    assert not found.optimal


def test_the_frontier_stops_where_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    case = agreeing(3, 200, 9, 0.3)
    assert partition._by_frontier(partition.Space(case[0], 1.0, case[1]), Budget()) is not None
    monkeypatch.setattr("goldspan.engine.alignment.budget.SLICE", 1000)
    hurried = solve(case, seconds=0.5)
    check(case, hurried)
    assert hurried.cost >= solve(case).cost


def test_a_bound_holds_for_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    for n in (3, 6, 7):
        c = random_continuum(rng, n, units=6, span=60)
        best = best_alignment(c)
        with monkeypatch.context() as context:
            context.setattr("goldspan.engine.alignment.budget.STEPS", 0)
            hurried = best_alignment(c)
        assert 0 <= hurried.lower_bound <= best.disorder + 1e-9 <= hurried.disorder + 2e-9


@pytest.mark.parametrize("case", [
    "near_one_place(10, 10)", "near_one_place(2, 3000)", "near_one_place(50, 30)",
])  # fmt: skip
def test_memory_stays_below_two_gigabytes(case: str) -> None:
    """With all its libraries: 2 GB of resident memory in a process of its own."""
    code = f"""
import resource
from engine.test_worst_cases import *
made = {case}
found = best_partition(*(made[0], 1.0, made[1]), seconds=3)
check(made, found)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=TESTS, capture_output=True, text=True, check=True
    )
    assert int(said.stdout) < 2 * 1024**2


@pytest.mark.parametrize("shape", [(10, 10), (5, 60)])
def test_what_is_not_proved_is_close_to_its_bound(shape: tuple[int, int]) -> None:
    """Annealing finds what is nearly the best alignment where the searches find no way."""
    case = near_one_place(*shape)
    found = best_partition(case[0], 1.0, case[1], steps=2 * 10**9)
    check(case, found)
    assert found.cost <= 1.25 * found.lower_bound


@pytest.mark.parametrize("shape", [(3, 2), (6, 5), (10, 8)])
def test_annealing_never_makes_a_partition_worse(shape: tuple[int, int]) -> None:
    made, beta_cat = near_one_place(*shape)
    space = partition.Space(made, 1.0, beta_cat)
    near = space.neighbourhood()
    for steps in (1, 10**4, 10**6, 10**7):
        for start in (np.arange(made.size), agglomerate(space, near, Budget())):
            given = start.copy()
            found = anneal(space, near, start, Budget(steps))
            assert start.tolist() == given.tolist()
            pairs = set(zip(found.tolist(), made.annotator.tolist(), strict=True))
            assert len(pairs) == made.size
            cost, before = (
                space.costs(members(space, one)).sum() for one in (found, start)
            )  # fmt: skip
            assert cost <= before + 1e-6
            again = anneal(space, near, start, Budget(steps))
            assert found.tolist() == again.tolist()


def crowded(span: int) -> tuple[Layout, Floats]:
    """Five annotators with 320 units each, more or less, anywhere in the span."""
    c = random_continuum(np.random.default_rng(1), 5, units=400, span=span)
    made, _ = lay_out(c, c.annotators, {name: k for k, name in enumerate(c.categories)})
    return made, Dissimilarity().categorial(c.categories)


@pytest.mark.parametrize(
    ("limit", "span"), [("FRONTIER_STATES", 5000), ("FRONTIER_CLUSTERS", 3500)]
)
def test_a_long_continuum_may_have_more_states_and_clusters(
    limit: str, span: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as its units allow: the frontier takes it, crowded places and all."""
    case = crowded(span)
    space = partition.Space(case[0], 1.0, case[1])
    expected = partition._by_frontier(space, Budget())
    monkeypatch.setattr(partition, limit, 1)
    found = partition._by_frontier(space, Budget())
    assert expected is not None
    assert found is not None
    assert found.cluster.tolist() == expected.cluster.tolist()
