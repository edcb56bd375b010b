"""Dissimilarities: the paper's values, and refusals with a sentence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine import Dissimilarity, InputError, Interval, SettingsError, Table, Unit
from goldspan.engine.dissimilarity import Nominal, Ordinal
from goldspan.engine.positional import RATIO

TABLE_3 = Table(("cat1", "cat2", "cat3"), ((0, 0.5, 1), (0.5, 0, 1), (1, 1, 0)))


def test_mathet_2015_figure_10() -> None:
    a1, a2 = Unit("A", 4, 14, "x"), Unit("A", 20, 30, "x")
    b1, b2 = Unit("B", 4, 14, "x"), Unit("B", 20, 25, "x")
    c1, c2 = Unit("C", 14, 24, "x"), Unit("C", 40, 44, "x")
    values = [
        RATIO.between(*p) for p in [(a1, b1), (a2, b2), (b2, c1), (a1, c1), (a1, b2), (a1, c2)]
    ]
    assert values == pytest.approx([0, 0.111, 0.218, 1, 3.24, 22.22], rel=0.02)
    # The triangle inequality does not hold, as the paper says.
    assert RATIO.between(a1, b2) > RATIO.between(a1, c1) + RATIO.between(c1, b2)


def test_mathet_2015_table_3() -> None:
    d = Dissimilarity(distances=TABLE_3)
    unit = Unit("a", 0, 10, "cat1")
    assert [d.between(unit, Unit("b", 0, 10, c)) for c in TABLE_3.categories] == [0, 0.5, 1]


def test_mathet_2015_figure_20_scale_does_not_matter() -> None:
    short = RATIO.between(Unit("a", 0, 10, "A"), Unit("b", 0, 7, "A"))
    long = RATIO.between(Unit("a", 0, 30, "B"), Unit("b", 0, 21, "B"))
    assert short == pytest.approx(long)


def test_mathet_2015_footnote_2_forbids_distance_1_only() -> None:
    d = Dissimilarity(distances=TABLE_3, forbid=True)
    matrix = d.categorial(TABLE_3.categories)
    assert math.isinf(matrix[0, 2])
    assert matrix[0, 1] == pytest.approx(0.5, abs=1e-6)
    assert np.diag(matrix).tolist() == [0, 0, 0]


units = st.builds(
    lambda name, s, length, c: Unit(name, s, s + length, c),
    st.sampled_from("ab"),
    st.integers(-50, 50),
    st.integers(1, 20),
    st.sampled_from(["cat1", "cat2", "cat3"]),
)


@given(units, units, st.sampled_from([Nominal(), TABLE_3, Ordinal(("cat3", "cat1", "cat2"))]))
def test_symmetric_and_zero_on_itself(one: Unit, other: Unit, distances: Table) -> None:
    d = Dissimilarity(2, 3, distances)
    assert d.between(one, other) == pytest.approx(d.between(other, one))
    assert d.between(one, one) == 0


def test_interval_distances() -> None:
    scale = Interval((("low", 1.0), ("mid", 2.0), ("high", 5.0)))
    assert scale.between(["high", "low", "mid"]).tolist() == [[0, 1, 0.75], [1, 0, 0.25],
                                                              [0.75, 0.25, 0]]  # fmt: skip


@pytest.mark.parametrize(
    ("categories", "rows", "message"),
    [
        (("a", "b"), ((0, 0.5), (0.4, 0)), "not symmetric: 'a' to 'b' is 0.5"),
        (("a", "b"), ((0, 2), (2, 0)), "must be between 0 and 1"),
        (("a", "b"), ((0, math.nan), (math.nan, 0)), "must be between 0 and 1"),
        (("a", "b"), ((0.1, 0), (0, 0)), "'a' to itself is 0.1; it must be 0"),
        (("a", "b"), ((0, 1),), "needs 2 rows of 2 numbers"),
        (("a", "a"), ((0, 1), (1, 0)), "names a category twice"),
    ],
)
def test_bad_matrices(
    categories: tuple[str, ...], rows: tuple[tuple[float, ...], ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Table(categories, rows)


def test_an_unknown_category_is_never_answered_with_a_number() -> None:
    with pytest.raises(InputError, match="'odd' is used but is not in the distance matrix"):
        TABLE_3.between(["cat1", "odd"])
    with pytest.raises(InputError, match="'odd' is used but is not in the ordinal scale"):
        Ordinal(("a", "b")).between(["odd"])


@pytest.mark.parametrize(
    ("alpha", "beta"), [(-1, 1), (1, -1), (math.nan, 1), (0, 0), (1, math.inf)]
)
def test_bad_weights(alpha: float, beta: float) -> None:
    with pytest.raises(SettingsError):
        Dissimilarity(alpha, beta)


def test_bad_scales() -> None:
    with pytest.raises(SettingsError, match="two or more different categories"):
        Ordinal(("a",))
    with pytest.raises(SettingsError, match="different numbers"):
        Interval((("a", 1.0), ("b", 1.0)))
