"""The pair bound: never above the least disorder, and the least one itself of two annotators."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.brute_force import least_disorder
from engine.continua import continua
from engine.test_worst_cases import near_one_place, solve
from goldspan.engine import Continuum, Dissimilarity, Ordinal
from goldspan.engine.alignment.budget import Budget
from goldspan.engine.alignment.layout import lay_out
from goldspan.engine.alignment.pair_bound import pair_bound
from goldspan.engine.alignment.space import Space
from goldspan.engine.positional import OneMinusIoU, Ratio

weights = st.builds(
    Dissimilarity,
    alpha=st.sampled_from([0.5, 1.0, 3.0]),
    beta=st.sampled_from([0.0, 1.0, 2.0]),
    positional=st.sampled_from([Ratio(), OneMinusIoU()]),
    distances=st.sampled_from([Dissimilarity().distances, Ordinal(("y", "x", "z"))]),
)


def bound_of(c: Continuum, d: Dissimilarity, steps: int = 10**10) -> float:
    """The bound as a disorder."""
    layout, _ = lay_out(c, c.annotators, {name: at for at, name in enumerate(c.categories)})
    space = Space(layout, d.alpha, d.beta * d.categorial(c.categories), d.positional)
    return pair_bound(space, Budget(steps)) / (space.pairs * layout.mean_units)


@given(continua(max_annotators=4, max_units=2), weights, st.sampled_from([0, 10**6, 10**10]))
def test_it_is_never_above_the_least_disorder(c: Continuum, d: Dissimilarity, steps: int) -> None:
    assert 0 <= bound_of(c, d, steps) <= least_disorder(c, d) + 1e-9


@given(continua(max_annotators=2, max_units=4), weights)
def test_of_two_annotators_it_is_the_least_disorder(c: Continuum, d: Dissimilarity) -> None:
    assert bound_of(c, d) == pytest.approx(least_disorder(c, d), abs=1e-9)


@pytest.mark.parametrize(("shape", "part"), [((10, 10), 0.35), ((5, 30), 0.35)])
def test_an_alignment_without_a_proof_is_within_sight_of_its_bound(
    shape: tuple[int, int], part: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shares of the units alone prove less than a hundredth of the cost here."""
    monkeypatch.setattr("goldspan.engine.alignment.budget.STEPS", 2 * 10**8)
    found = solve(near_one_place(*shape))
    assert not found.optimal
    assert part * found.cost < found.lower_bound
