"""Positional dissimilarities: what they are, and that alignments stay exact with each of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.brute_force import least_disorder
from engine.continua import continua, continuum, public, random_continuum
from goldspan.engine import (
    Continuum,
    Corpus,
    Dissimilarity,
    Settings,
    SettingsError,
    Unit,
    best_alignment,
    score,
)
from goldspan.engine.alignment.clusters import place
from goldspan.engine.alignment.layout import lay_out
from goldspan.engine.alignment.program import solve_partition
from goldspan.engine.positional import OneMinusIoU, Positional, Ratio, positional_of

SHAPES = [Ratio(), Ratio(1), Ratio(0.5), Ratio(3), OneMinusIoU()]
WEIGHTS = [(1.0, 1.0), (3.0, 1.0), (0.4, 2.0), (0.0, 1.0), (1.0, 0.0)]

units = st.builds(
    lambda name, s, length: Unit(name, s, s + length, "x"),
    st.sampled_from("ab"),
    st.integers(-50, 50),
    st.integers(1, 20),
)


@given(units, units)
def test_the_second_shape_is_one_minus_intersection_over_union(one: Unit, other: Unit) -> None:
    both = max(0, min(one.end, other.end) - max(one.start, other.start))
    either = one.length + other.length - both
    assert OneMinusIoU().between(one, other) == pytest.approx(1 - both / either)


@given(units, units)
def test_the_first_shape_is_equation_3_with_any_exponent(one: Unit, other: Unit) -> None:
    ratio = (abs(one.start - other.start) + abs(one.end - other.end)) / (one.length + other.length)
    for exponent in (0.5, 1.0, 2.0, 3.0):
        assert Ratio(exponent).between(one, other) == pytest.approx(ratio**exponent)


@given(units, units, st.sampled_from(SHAPES))
def test_the_kernels_have_the_same_dissimilarity(one: Unit, other: Unit, d: Positional) -> None:
    layout, (first, second) = lay_out(
        continuum(
            ("a", one.start, one.end, "x"), ("b", other.start, other.end, "x"),
        ), ("a", "b"), {"x": 0},
    )  # fmt: skip
    found = place(layout.start, layout.end, d.code, 0, 1)
    assert found == pytest.approx(d.between(first, second))


@given(units, units, st.sampled_from(SHAPES), st.floats(0, 30))
def test_reach_is_as_far_as_a_dissimilarity_goes(
    one: Unit, other: Unit, d: Positional, most: float
) -> None:
    """What neighbours are found by: the ratio is within reach just where d_pos is within `most`."""
    ratio = Ratio(1).between(one, other)
    if d.between(one, other) < most * (1 - 1e-9):
        assert ratio <= d.reach(most)
    if d.between(one, other) > most * (1 + 1e-9):
        assert ratio >= d.reach(most)


@settings(deadline=None)
@given(continua(max_annotators=3, max_units=2), st.sampled_from(SHAPES), st.sampled_from(WEIGHTS))
def test_equal_to_brute_force_over_all_partitions(
    c: Continuum, positional: Positional, weights: tuple[float, float]
) -> None:
    d = Dissimilarity(*weights, positional=positional)
    least = least_disorder(c, d)
    for solver in (None, "HiGHS"):
        found = best_alignment(c, d, solver=solver)
        assert found.optimal
        assert found.disorder == pytest.approx(least, abs=1e-6)
        assert found.lower_bound == pytest.approx(least, abs=1e-6)


@pytest.mark.parametrize("positional", SHAPES, ids=str)
@pytest.mark.parametrize("alpha", [0.0, 1.0, 3.0])
def test_equal_to_the_papers_program_with_every_pair(positional: Positional, alpha: float) -> None:
    """Two annotators: PuLP gets all pairs and all units alone, none of them pruned."""
    c = random_continuum(np.random.default_rng(7), 2, units=12, span=80)
    d = Dissimilarity(alpha, positional=positional)
    clusters = [[k] for k in range(len(c.units))]
    costs = [1.0] * len(clusters)
    for a, one in enumerate(c.units):
        for b, other in enumerate(c.units[:a]):
            if one.annotator != other.annotator:
                clusters.append([b, a])
                costs.append(d.between(one, other))
    chosen, optimal = solve_partition(clusters, costs, "HiGHS")
    assert optimal
    least = sum(costs[k] for k in chosen) / (len(c.units) / 2)
    assert best_alignment(c, d).disorder == pytest.approx(least, abs=1e-6)


def test_mathet_2015_figure_19_is_printed_with_one_minus_iou() -> None:
    """A unit of 20 against two halves, and a unit of 40 against four quarters: 1.5 Δ and 3.75 Δ.
    Equation 3, which the paper names, gives 1.11 Δ and 3.36 Δ.
    """
    halves = [("a", 0, 20, "x"), ("b", 0, 10, "x"), ("b", 10, 20, "x")]
    quarters = [("a", 0, 40, "x"), *(("b", k * 10, k * 10 + 10, "x") for k in range(4))]
    for rows, printed, by_equation_3 in ((halves, 1.5, 1.111), (quarters, 3.75, 3.36)):
        c = continuum(*rows)
        iou = best_alignment(c, Dissimilarity(positional=OneMinusIoU()))
        assert sum(one.disorder for one in iou.unitary) == pytest.approx(printed)
        ratio = sum(one.disorder for one in best_alignment(c).unitary)
        assert ratio == pytest.approx(by_equation_3, abs=5e-4)


def test_units_that_do_not_overlap_are_at_delta() -> None:
    near, far = Unit("b", 10, 20, "x"), Unit("b", 10_000, 10_010, "x")
    here = Unit("a", 0, 10, "x")
    assert OneMinusIoU().between(here, near) == OneMinusIoU().between(here, far) == 1


def test_with_alpha_0_only_labels_count() -> None:
    """Units of one label are aligned over any distance."""
    c = continuum(("a", 0, 5, "x"), ("a", 10, 15, "y"), ("b", 900, 905, "y"), ("b", 950, 999, "x"))
    found = best_alignment(c, Dissimilarity(alpha=0))
    assert found.disorder == 0
    assert {one.units[0].category for one in found.unitary} == {"x", "y"}
    result = score(
        Corpus((continuum(("a", 0, 5, "x"), ("b", 90, 95, "x"), length=99),)), alpha=0
    )  # one label: nothing can differ
    assert result.gamma.value == 1


@pytest.mark.parametrize("positional", [Ratio(1), OneMinusIoU()], ids=str)
def test_public_continua_are_proved(positional: Positional) -> None:
    d = Dissimilarity(3.0, positional=positional)
    found = best_alignment(public("AlexPaulSuzan"), d)
    assert found.optimal
    assert sum(one.disorder for one in found.unitary) == pytest.approx(found.disorder * 16 / 3)


def test_gamma_cat_weighs_by_the_positional_dissimilarity_in_use() -> None:
    rows = [("a", 0, 10, "x"), ("b", 0, 5, "y"), ("a", 30, 40, "y"), ("b", 30, 40, "y")]
    c = Corpus((continuum(*rows, length=60),))
    for positional, weight in ((Ratio(), 8 / 9), (Ratio(1), 2 / 3), (OneMinusIoU(), 1 / 2)):
        d = Dissimilarity(positional=positional)
        found = score(c, settings=Settings(dissimilarity=d, precision=0.3), pairs=False)
        assert found.gamma_cat.observed == pytest.approx(weight)


@pytest.mark.parametrize("exponent", [0, -1, math.nan, math.inf])
def test_bad_exponents(exponent: float) -> None:
    with pytest.raises(SettingsError, match="it must be a finite number above 0"):
        Ratio(exponent)


def test_positional_dissimilarities_by_name() -> None:
    assert positional_of() == Ratio(2)
    assert positional_of("ratio", 1) == Ratio(1)
    assert positional_of("iou") == OneMinusIoU()
    with pytest.raises(SettingsError, match="no positional dissimilarity 'box'; use one of ratio"):
        positional_of("box")
    with pytest.raises(SettingsError, match="'iou' has no exponent; leave it out"):
        positional_of("iou", 2)
