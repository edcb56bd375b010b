"""Distances of sets and hierarchies, for γ: the published numbers, and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.continua import continuum
from goldspan.engine import Corpus, Hierarchy, InputError, Sets, SettingsError, score
from goldspan.engine.set_distances import SET_DISTANCES

TREE = Hierarchy.of({"information-seeking": {"ynq": {"check": ["positive-check"]}, "whq": None}})


@pytest.mark.parametrize(
    ("name", "distance"),
    [("passonneau", 1 / 3), ("jaccard", 0.4286), ("dice", 0.2727), ("masi", 0.6190)],
)
def test_artstein_poesio_2008_table_11(name: str, distance: float) -> None:
    """{1, 2, 3, 4} and {1, …, 7}."""
    matrix = Sets(name).between(["1|2|3|4", "7|6|5|4|3|2|1"])
    assert matrix[0, 1] == pytest.approx(distance, abs=5e-5)


def test_artstein_poesio_2008_section_4_6() -> None:
    """{WN1, LABEL} and {WN3, LABEL} overlap; {WN1} is a subset."""
    matrix = Sets("passonneau", "+").between(["WN1+LABEL", "WN3+LABEL", "WN1"])
    assert matrix[0].tolist() == pytest.approx([0, 2 / 3, 1 / 3])


def test_melamed_resnik_2000_a_category_over_two() -> None:
    """A over {A1, A2}: half of A is A1, and A agrees with itself."""
    matrix = Hierarchy.of({"A": ["A1", "A2"], "B": None}).between(["A", "A1", "A2", "B"])
    assert matrix[0].tolist() == [0, 0.5, 0.5, 1]
    assert matrix[1].tolist() == [0.5, 0, 1, 1]


def test_geertzen_bunt_2006_with_a_three_quarters() -> None:
    """Artstein & Poesio print d(ynq, check) = 1 - 1 × 0.75 × 1 = 0.75, a slip: it is 0.25."""
    names = ["ynq", "whq", "check", "positive-check", "information-seeking"]
    tree = Hierarchy(TREE.paths, "geertzen-bunt")
    assert tree.between(names)[0].tolist() == pytest.approx([0, 1, 0.25, 1 - 0.75**2, 0.25])
    deeper = Hierarchy(TREE.paths, "geertzen-bunt", a=0.75, b=0.5).between(names)
    assert deeper[0, 2] == pytest.approx(1 - 0.75 * 0.5)  # the smaller depth is 1
    assert deeper[0, 4] == pytest.approx(1 - 0.75)  # and 0 at the top
    assert deeper[0, 0] == 0


labels = st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map("|".join)


@given(st.lists(labels, min_size=1, max_size=5), st.sampled_from(sorted(SET_DISTANCES)))
def test_distances_of_sets_are_symmetric_and_between_0_and_1(given_: list[str], name: str) -> None:
    matrix = Sets(name).between(given_)
    assert (matrix == matrix.T).all()
    assert ((matrix >= 0) & (matrix <= 1)).all()
    for a, one in enumerate(given_):
        for b, other in enumerate(given_):
            assert (matrix[a, b] == 0) == (set(one.split("|")) == set(other.split("|")))


@given(st.lists(st.sampled_from([path[-1] for path in TREE.paths]), max_size=5), st.booleans())
def test_distances_in_trees_are_symmetric_and_between_0_and_1(names: list[str], deep: bool) -> None:
    matrix = Hierarchy(TREE.paths, "geertzen-bunt" if deep else "melamed-resnik").between(names)
    assert matrix.shape == (len(names), len(names))
    assert (matrix == matrix.T).all()
    assert ((matrix >= 0) & (matrix <= 1)).all()
    assert (matrix.diagonal() == 0).all()


@pytest.mark.parametrize("formula", ["melamed-resnik", "geertzen-bunt"])
def test_a_flat_tree_and_sets_of_one_are_nominal(formula: str) -> None:
    nominal = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert Hierarchy.of(["x", "y", "z"], formula).between(["x", "y", "z"]).tolist() == nominal
    for name in SET_DISTANCES:
        assert Sets(name).between(["x", "y", "z"]).tolist() == nominal


def test_gamma_counts_sets_that_share_labels_as_partly_agreed() -> None:
    rows = [("a", 0, 9, "x|y"), ("b", 0, 9, "y"), ("a", 20, 29, "z"), ("b", 20, 29, "z")]
    corpus = Corpus((continuum(*rows, length=80),))
    found = score(corpus, distances=Sets("jaccard"), precision=0.3, pairs=False)
    assert found.gamma_cat.observed == pytest.approx(0.5)
    assert found.settings.as_json()["distances"] == "jaccard"


def test_refusals() -> None:
    with pytest.raises(SettingsError, match="no distance of sets 'cosine'; use one of passonneau"):
        Sets("cosine")
    with pytest.raises(SettingsError, match="the separator of sets is blank"):
        Sets("dice", " ")
    with pytest.raises(SettingsError, match="no formula 'x' for trees; use one of melamed-resnik"):
        Hierarchy.of(["x", "y"], "x")
    with pytest.raises(SettingsError, match="a is 1; it must be between 0 and 1"):
        Hierarchy.of(["x", "y"], a=1)
    with pytest.raises(InputError, match="the category 'odd' is used but is not in the tree"):
        TREE.between(["ynq", "odd"])
    with pytest.raises(InputError, match="the tree has 'x' twice"):
        Hierarchy.of({"x": ["y"], "z": ["x"]})
    deep: list[object] = ["bottom"]
    for level in range(150):
        deep = [{f"level {level}": deep}]
    with pytest.raises(InputError, match="more than 100 levels"):
        Hierarchy.of(deep)
