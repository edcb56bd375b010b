"""The best alignment without one unitary alignment: against brute force, and in its laws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.brute_force import alignments, disorder
from engine.continua import random_continuum
from goldspan.engine import (
    Continuum,
    Dissimilarity,
    InputError,
    OneMinusIoU,
    Presence,
    Unit,
    best_alignment,
    best_alignment_without,
)
from goldspan.engine.alignment.alignment import UnitaryAlignment


def least_without(continuum: Continuum, unitary: UnitaryAlignment, d: Dissimilarity) -> float:
    """By trying all partitions."""
    forbidden = set(unitary.units)
    return min(
        (
            disorder(one, continuum, d)
            for one in alignments(continuum.units)
            if all(set(group) != forbidden for group in one)
        ),
        default=math.inf,
    )


@pytest.mark.parametrize("number", range(40))
def test_equal_to_brute_force_for_every_unitary_alignment(number: int) -> None:
    rng = np.random.default_rng(number)
    n = 2 + number % 3
    c = random_continuum(rng, n, units={2: 4, 3: 3, 4: 2}[n], span=int(rng.integers(4, 60)))
    d = Dissimilarity(
        alpha=float(rng.choice([0.5, 1, 3])), beta=float(rng.choice([0, 1, 2])),
        positional=OneMinusIoU() if number % 5 == 0 else Dissimilarity().positional,
    )  # fmt: skip
    best = best_alignment(c, d)
    for unitary in best.unitary:
        found = best_alignment_without(c, unitary, d)
        least = least_without(c, unitary, d)
        assert found is not None
        assert found.disorder == pytest.approx(least, abs=1e-6)
        assert found.optimal
        assert all(set(one.units) != set(unitary.units) for one in found.unitary)
        assert sorted(u for one in found.unitary for u in one.units) == sorted(c.units)
        assert found.disorder >= best.disorder - 1e-9


@pytest.mark.parametrize("solver", [None, "HiGHS"])
def test_a_unit_far_from_all_others_is_forced_to_the_nearest(solver: str | None) -> None:
    units = (Unit("a", 0, 5, "X"), Unit("b", 0, 5, "X"), Unit("c", 0, 5, "X"),
             Unit("a", 900, 905, "X"), Unit("b", 700, 705, "Y"))  # fmt: skip
    c = Continuum("t", units)
    best = best_alignment(c)
    lone = next(one for one in best.unitary if one.units == (units[3],))
    found = best_alignment_without(c, lone, solver=solver)
    assert found is not None
    assert found.disorder == pytest.approx(least_without(c, lone, Dissimilarity()), rel=1e-9)


def test_both_ways_to_solve_cost_the_same_on_a_long_continuum() -> None:
    c = random_continuum(np.random.default_rng(3), 3, units=25, span=200)
    best = best_alignment(c)
    for unitary in best.unitary[::9]:
        found = [best_alignment_without(c, unitary, solver=one) for one in (None, "HiGHS")]
        assert found[0] is not None
        assert found[1] is not None
        assert found[0].optimal
        assert found[0].disorder == pytest.approx(found[1].disorder, abs=1e-6)


def test_there_is_none_where_nothing_else_can_be_aligned() -> None:
    c = Continuum("t", (Unit("a", 0, 5, "X"),), {"b": Presence.EMPTY})
    (only,) = best_alignment(c).unitary
    assert best_alignment_without(c, only) is None
    walled = Continuum("t", (Unit("a", 0, 5, "X"), Unit("b", 0, 5, "Y")))
    d = Dissimilarity(forbid=True)
    assert best_alignment_without(walled, best_alignment(walled, d).unitary[0], d) is None


def test_units_of_another_continuum_are_refused() -> None:
    c = Continuum("t", (Unit("a", 0, 5, "X"), Unit("b", 0, 5, "X")))
    other = UnitaryAlignment((Unit("a", 1, 5, "X"),), 0, 0, 0)
    with pytest.raises(InputError, match="task 't'"):
        best_alignment_without(c, other)
