"""The best alignment is exact: against brute force, against itself, and in its laws."""

from __future__ import annotations

import highspy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.brute_force import alignments, disorder, least_disorder
from engine.continua import continua, continuum, public, random_continuum
from goldspan.engine import (
    Alignment,
    Continuum,
    Dissimilarity,
    InputError,
    Ordinal,
    Presence,
    SettingsError,
    SolverError,
    Unit,
    best_alignment,
)
from goldspan.engine.alignment import generation, partition
from goldspan.engine.alignment.budget import Budget
from goldspan.engine.alignment.program import check_solver, solvers
from goldspan.engine.alignment.relaxation import _solve

TINY = 200


@pytest.mark.parametrize("number", range(TINY))
def test_equal_to_brute_force_over_all_partitions(number: int) -> None:
    rng = np.random.default_rng(number)
    n = 2 + number % 3
    c = random_continuum(rng, n, units={2: 4, 3: 3, 4: 2}[n], span=int(rng.integers(4, 25)))
    d = Dissimilarity(alpha=float(rng.choice([1, 3])), beta=float(rng.choice([0, 1, 2])))
    least = least_disorder(c, d)
    found = best_alignment(c, d)
    assert found.disorder == pytest.approx(least, abs=1e-9)
    assert found.optimal
    assert found.lower_bound == pytest.approx(least, abs=1e-6)
    assert sum(u.disorder for u in found.unitary) / (len(c.units) / n) == pytest.approx(least)


@pytest.mark.parametrize("number", range(8))
def test_four_units_of_four_annotators_equal_brute_force(number: int) -> None:
    """Few of the largest size: a partition of 12 to 16 units has millions of rivals."""
    rng = np.random.default_rng(1000 + number)
    c = random_continuum(rng, 2 + number % 2, units=4, span=12)
    assert best_alignment(c).disorder == pytest.approx(least_disorder(c, Dissimilarity()), abs=1e-9)


@pytest.mark.parametrize("number", range(12))
def test_both_ways_agree_on_ties_too(number: int) -> None:
    """The frontier and column generation with PuLP give the same alignment, not only the cost."""
    rng = np.random.default_rng(number)
    c = random_continuum(rng, 2 + number % 4, units=12, span=120)
    frontier = best_alignment(c)
    assert best_alignment(c, solver="HiGHS") == _approximately(frontier)


@pytest.mark.parametrize(
    "solver", [s for s in ("HiGHS", "PULP_CBC_CMD", "COIN_CMD") if s in solvers()]
)
def test_every_solver_gives_the_same_alignment(solver: str) -> None:
    rng = np.random.default_rng(3)
    c = random_continuum(rng, 6, units=8, span=60)
    assert best_alignment(c, solver=solver) == _approximately(best_alignment(c))


@pytest.mark.parametrize("number", range(6))
def test_many_annotators_equal_the_frontier(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(number)
    c = random_continuum(rng, 6 + number % 2, units=4, span=60)
    generated = best_alignment(c)
    monkeypatch.setattr(partition, "FRONTIER_ANNOTATORS", 9)
    assert best_alignment(c) == _approximately(generated)


def test_units_stacked_at_one_place_are_too_wide_for_the_frontier_and_still_exact() -> None:
    """40 categories at one place for two annotators: a matching of 40 × 40."""
    rows = [(a, 0, 10 + (k % 7), f"c{k}") for k in range(40) for a in ("one", "two")]
    rows += [("three", k % 5, 9 + k % 3, f"c{k}") for k in range(15)]
    found = best_alignment(continuum(*rows))
    assert found.optimal
    assert found.disorder == pytest.approx(found.lower_bound, abs=1e-6)
    for one in found.unitary:
        assert len({unit.category for unit in one.units}) == 1


PUBLIC_DISORDERS = {
    "AlexPaulSuzan": 0.653542,
    "3by100": 0.138277,
    "2by1000": 0.615398,
    "2by2000": 0.634663,
    "3by500": 0.659057,
    "5by100": 0.687179,
}


@pytest.mark.parametrize(("name", "value"), PUBLIC_DISORDERS.items())
def test_pygamma_continua(name: str, value: float) -> None:
    found = best_alignment(public(name))
    assert found.disorder == pytest.approx(value, abs=1e-6)
    assert found.optimal


def test_pulp_closes_the_gap_of_3by500(monkeypatch: pytest.MonkeyPatch) -> None:
    """The linear program alone gives 0.658862; the rest is integer programming."""
    bounds, calls = [], []
    relax, solve = generation.relax, generation.solve_partition
    monkeypatch.setattr(generation, "relax", lambda *a: bounds.append(relax(*a).bound) or relax(*a))
    monkeypatch.setattr(
        generation, "solve_partition", lambda *a: calls.append(len(a[0])) or solve(*a)
    )
    found = best_alignment(public("3by500"), solver="HiGHS")
    assert bounds[0] / 3 / 500 == pytest.approx(0.658862, abs=1e-6)
    assert found.disorder == pytest.approx(0.659057, abs=1e-6)
    assert found.optimal
    assert calls


def test_a_time_limit_is_honest() -> None:
    c = random_continuum(np.random.default_rng(0), 7, units=20, span=200)
    hurried = best_alignment(c, seconds=1e-9)
    best = best_alignment(c)
    assert not hurried.optimal
    assert hurried.lower_bound <= best.disorder + 1e-9 <= hurried.disorder + 2e-9


@given(continua(max_units=3), st.data())
def test_never_above_another_alignment_nor_below_the_bound(
    c: Continuum, data: st.DataObject
) -> None:
    others = alignments(c.units)
    other = None
    for _ in range(data.draw(st.integers(1, 40))):
        other = next(others, other)
    found = best_alignment(c)
    assert other is not None
    assert found.disorder <= disorder(other, c, Dissimilarity()) + 1e-9
    assert found.lower_bound <= found.disorder + 1e-12


@given(continua(), st.randoms(use_true_random=False))
def test_order_of_units_and_annotators_changes_nothing(c: Continuum, random: object) -> None:
    units, names = list(c.units), list(c.presence)
    random.shuffle(units)  # type: ignore[attr-defined]
    random.shuffle(names)  # type: ignore[attr-defined]
    shuffled = Continuum(
        c.id, tuple(units), {name: c.presence[name] for name in names}, measure=c.measure
    )
    assert best_alignment(shuffled) == best_alignment(c)


@given(continua(), st.permutations(["a0", "a1", "a2", "a3"]))
def test_names_of_annotators_do_not_matter(c: Continuum, names: list[str]) -> None:
    renamed = {f"a{k}": name for k, name in enumerate(names)}
    other = Continuum(
        c.id,
        tuple(Unit(renamed[u.annotator], u.start, u.end, u.category) for u in c.units),
        dict.fromkeys((renamed[name] for name in c.presence), Presence.DONE),
        measure=c.measure,
    )
    assert best_alignment(other).disorder == pytest.approx(best_alignment(c).disorder, abs=1e-9)


@given(continua(), st.sampled_from([0.01, 1, 7.5]), st.sampled_from([0, 10**4, -(10**3), 10**8]))
def test_shifting_and_scaling_change_nothing(c: Continuum, scale: float, shift: int) -> None:
    moved = Continuum(
        c.id,
        tuple(
            Unit(u.annotator, u.start * scale + shift, u.end * scale + shift, u.category)
            for u in c.units
        ),
        c.presence,
        measure=c.measure,
    )
    assert best_alignment(moved).disorder == pytest.approx(best_alignment(c).disorder, abs=1e-5)


@given(continua())
def test_each_unit_is_in_one_unitary_alignment_and_each_annotator_once(c: Continuum) -> None:
    found = best_alignment(c)
    assert sorted(u for one in found.unitary for u in one.units) == sorted(c.units)
    for one in found.unitary:
        names = [u.annotator for u in one.units]
        assert len(names) == len(set(names))


def test_an_annotator_who_marked_nothing_counts() -> None:
    rows = [("a", 0, 10, "x"), ("b", 0, 10, "x")]
    assert best_alignment(continuum(*rows)).disorder == 0
    with_empty = best_alignment(continuum(*rows, empty=["c"]))
    # One full pair of three agrees, two touch an empty slot; x̄ is 2/3.
    assert with_empty.disorder == pytest.approx((2 / 3) / (2 / 3))


def test_forbidden_categories_are_never_aligned() -> None:
    c = continuum(("a", 0, 10, "x"), ("b", 0, 10, "y"), ("c", 0, 10, "x"))
    assert len(best_alignment(c).unitary) == 1
    forbidding = best_alignment(c, Dissimilarity(forbid=True))
    assert sorted(len(one.units) for one in forbidding.unitary) == [1, 2]


def test_ordinal_labels_in_any_order() -> None:
    """The scale decides, not the alphabet."""
    d = Dissimilarity(distances=Ordinal(("small", "medium", "large")))
    near, far = Unit("b", 0, 10, "medium"), Unit("b", 0, 10, "large")
    assert d.between(Unit("a", 0, 10, "small"), near) == pytest.approx(0.5)
    assert d.between(Unit("a", 0, 10, "small"), far) == pytest.approx(1.0)
    assert d.between(Unit("a", 0, 10, "large"), near) == pytest.approx(0.5)


def test_a_linear_program_that_stumbles_is_started_again() -> None:
    """HiGHS may lose its way from an old basis; from none, or presolved, it finds it."""

    class Stumbling:
        def __init__(self, stumbles: int) -> None:
            self.stumbles, self.runs = stumbles, 0

        def run(self) -> None:
            self.runs += 1

        def getModelStatus(self) -> highspy.HighsModelStatus:  # noqa: N802 - its name
            good = self.runs > self.stumbles
            return getattr(highspy.HighsModelStatus, "kOptimal" if good else "kUnknown")

        def getNumRow(self) -> int:  # noqa: N802 - its name
            return 1

        def getNumNz(self) -> int:  # noqa: N802 - its name
            return 1

        def getInfo(self) -> highspy.HighsInfo:  # noqa: N802 - its name
            return highspy.HighsInfo()

        def __getattr__(self, _name: str) -> object:
            return lambda *_: "Unknown"

    for stumbles in range(3):
        master = Stumbling(stumbles)
        assert _solve(master, Budget())
        assert master.runs == stumbles + 1
    with pytest.raises(SolverError, match="HiGHS stopped a linear program with 'Unknown'"):
        _solve(Stumbling(3), Budget())


def test_too_few_annotators_and_no_unit_are_said() -> None:
    with pytest.raises(InputError, match="task 't': an alignment needs two annotators"):
        best_alignment(continuum(("a", 0, 1, "x")))
    with pytest.raises(InputError, match="no unit"):
        best_alignment(continuum(empty=["a", "b"]))


def test_an_unknown_solver_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="HiGHS"):
        check_solver("Gurobinho")


def _approximately(alignment: Alignment) -> object:
    class Same:
        def __eq__(self, other: object) -> bool:
            return (
                isinstance(other, Alignment)
                and [one.units for one in other.unitary] == [one.units for one in alignment.unitary]
                and other.disorder == pytest.approx(alignment.disorder, abs=1e-9)
                and other.optimal == alignment.optimal
            )

        __hash__ = None  # type: ignore[assignment]

    return Same()
