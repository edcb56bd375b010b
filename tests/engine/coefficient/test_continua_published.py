"""Coefficients of continua: published numbers, each named after its source.

"2015" is Mathet, Widlöcher & Métivier, "2017" is Mathet. Printed numbers that their own formula
does not give are in the docstrings.
"""

from __future__ import annotations

import numpy as np
import pytest
from segeval.data.samples import HEARST_1997_STARGAZER

from engine.coefficient.judged import figure, value
from engine.coefficient.marked import Row, corpus, marked, of, segments
from engine.continua import continuum
from engine.test_published import krippendorff
from goldspan.engine import Corpus
from goldspan.engine.coefficient.continua.boundaries import differing_windows, hamming_cost
from goldspan.engine.coefficient.continua.earlier_alpha import (
    Disagreements1995,
    expected_2013,
    observed_2013,
)
from goldspan.engine.coefficient.continua.reference_matches import Precision, Recall
from goldspan.engine.coefficient.continua.span_matches import F1, SlotErrors
from goldspan.engine.literature import agreement

# 2015, Figure 14: lengths 2 15 5 10 5 8 13 5 5 2 5 1; category 4 is 5 long, the gap before it 2.
FIGURE_14: tuple[Row, ...] = (
    ("1", 2, 17, "1"), ("1", 22, 37, "1"), ("1", 58, 68, "2"), ("1", 70, 75, "4"),
    ("2", 2, 17, "1"), ("2", 32, 45, "3"), ("2", 58, 63, "1"), ("2", 70, 75, "4"),
)  # fmt: skip


def test_mathet_2015_figure_14_unitizing() -> None:
    task = marked(continuum(*FIGURE_14, length=76))
    assert observed_2013(task) == pytest.approx(3.1447, abs=5e-5)
    assert expected_2013(task) == pytest.approx(5.28636, abs=5e-6)
    assert of("u_alpha_2013", *FIGURE_14, length=76) == pytest.approx(0.40512, abs=5e-6)


def test_mathet_2015_figure_14_categorizing() -> None:
    """1 - 0.8333 / 3.25; "1 - 0.833/3.145" is printed, where 3.145 is uDo by mistake."""
    assert of("cu_alpha_interval", *FIGURE_14, length=76) == pytest.approx(0.74359, abs=5e-6)


def test_mathet_2015_figure_14_in_the_family_of_2016() -> None:
    assert of("u_alpha", *FIGURE_14, length=76) == pytest.approx(0.382, abs=5e-4)
    assert of("bar_u_alpha", *FIGURE_14, length=76) == pytest.approx(0.418, abs=5e-4)
    assert of("cu_alpha", *FIGURE_14, length=76) == pytest.approx(0.459, abs=6e-4)
    found = [of("k_alpha", *FIGURE_14, length=76, label=label) for label in "1234"]
    assert found == pytest.approx([0.406, 0, 0, 1], abs=5e-4)


def _squares(*rows: Row) -> float:
    """The sum of squares behind uDo, for one pair of annotators."""
    task = marked(continuum(*rows, length=200, empty="ab"[len({a for a, *_ in rows}) :]))
    return observed_2013(task) * task.length


def test_mathet_2015_figure_17_orphans_cost_their_squared_length() -> None:
    agreed: list[Row] = [("a", 0, 10, "x"), ("b", 0, 10, "x")]
    assert _squares(*agreed, ("a", 20, 30, "x")) == pytest.approx(100)
    assert _squares(*agreed, ("a", 20, 21, "x"), ("a", 30, 31, "x")) == pytest.approx(2)


def test_mathet_2015_figure_18_splits_cost_less_and_less() -> None:
    found = []
    for pieces in (1, 2, 4):
        width = 20 // pieces
        rows: list[Row] = [("a", k * width, (k + 1) * width, "x") for k in range(pieces)]
        found.append(_squares(*rows))
    assert found == pytest.approx([400, 200, 100])


def test_mathet_2015_figure_20_scale_counts_squared() -> None:
    small = _squares(("a", 0, 7, "x"), ("b", 3, 10, "x"))
    large = _squares(("a", 0, 21, "x"), ("b", 9, 30, "x"))
    assert large == pytest.approx(9 * small)


def test_mathet_2015_figure_21_agreement_on_places_reinforces_disagreement_on_labels() -> None:
    assert _squares(("a", 0, 100, "x"), ("b", 20, 120, "y")) == pytest.approx(7200)
    assert _squares(("a", 0, 100, "x"), ("b", 0, 100, "y")) == pytest.approx(10000)


# 2017, Figure 3, rebuilt from Table 3 and Figure 6.
FIGURE_3: tuple[Row, ...] = (
    ("1", 0, 9, "A"), ("1", 20, 24, "B"), ("2", 0, 9, "B"), ("2", 21, 25, "B"),
    ("3", 1, 11, "A"), ("3", 23, 27, "C"),
)  # fmt: skip


def test_mathet_2017_figure_3() -> None:
    """kα of B is printed as -0.149; the formula gives -0.049."""
    assert of("cu_alpha", *FIGURE_3, length=30) == pytest.approx(0.0799, abs=5e-5)
    assert of("k_alpha", *FIGURE_3, length=30, label="B") == pytest.approx(-0.049, abs=5e-4)


def test_mathet_2017_krippendorff_2011_as_unit_intervals() -> None:
    """cuα .715, and an observed disagreement of .218: pairs weigh the same."""
    found = agreement(Corpus((krippendorff(),)), ["cu_alpha"])["cu_alpha", ""]
    assert found.value == pytest.approx(0.71524, abs=5e-6)
    assert found.sums is not None
    assert found.sums[0] / sum(found.sums[1:6]) == pytest.approx(0.21818, abs=5e-6)


# Krippendorff 2004, p. 254, digitised by dkpro-statistics; positions from 150.
OBSERVERS: tuple[Row, ...] = (
    ("1", 75, 145, "c"), ("1", 220, 250, "c"),
    ("2", 70, 150, "c"), ("2", 205, 225, "c"), ("2", 250, 270, "c"),
    ("1", 30, 90, "k"), ("1", 150, 200, "k"), ("2", 30, 90, "k"), ("2", 150, 200, "k"),
)  # fmt: skip


def test_krippendorff_2004_page_254() -> None:
    """All labels are published as .8591 ± .0005."""
    found = Disagreements1995.of(marked(continuum(*OBSERVERS, length=300)))
    assert isinstance(found, Disagreements1995)
    assert found.observed[0] == pytest.approx(0.0144, abs=5e-5)
    assert found.expected[0] == pytest.approx(0.0532, abs=5e-5)
    assert of("alpha_u_k", *OBSERVERS, length=300, label="c") == pytest.approx(0.7286, abs=5e-5)
    assert of("alpha_u_k", *OBSERVERS, length=300, label="k") == 1
    assert of("alpha_u", *OBSERVERS, length=300) == pytest.approx(0.8587, abs=5e-5)


def test_mathet_2015_figure_4_what_kappa_d_takes_for_the_same() -> None:
    whole: list[Row] = [("a", 0, 4, "x")]
    split = of("kappa_d", *whole, ("b", 0, 2, "x"), ("b", 2, 4, "x"), length=20)
    more = of("kappa_d", *whole, ("b", 0, 4, "x"), ("b", 10, 11, "x"), length=20)
    longer = of("kappa_d", *whole, ("b", 0, 5, "x"), length=20)
    assert split == 1
    assert more == longer == pytest.approx(0.857, abs=5e-4)


@pytest.mark.parametrize(("length", "expected"), [(10, 0.167), (20, 0.375), (100, 0.479)])
def test_mathet_2015_kappa_d_rises_with_blanks(length: int, expected: float) -> None:
    found = of("kappa_d", ("a", 0, 4, "x"), ("b", 2, 6, "x"), length=length)
    assert found == pytest.approx(expected, abs=5e-4)


# 2015, Figure 5: one right, then a wrong type, boundary, both, one deleted and one inserted.
FIGURE_5: tuple[Row, ...] = (
    ("ref", 0, 10, "A"), ("ref", 20, 30, "A"), ("ref", 40, 50, "A"), ("ref", 60, 70, "A"),
    ("ref", 80, 90, "A"),
    ("sys", 0, 10, "A"), ("sys", 20, 30, "B"), ("sys", 40, 48, "A"), ("sys", 60, 68, "B"),
    ("sys", 100, 110, "A"),
)  # fmt: skip


def test_mathet_2015_figure_5_slot_error_rate() -> None:
    found = agreement(corpus(*FIGURE_5, length=120), [SlotErrors("ref")])
    assert found["ser", ""].value == pytest.approx(1 - 0.8)


def test_mathet_2015_figure_5_precision_and_recall() -> None:
    data = corpus(*FIGURE_5[:-1], length=120)
    found = agreement(data, [Precision("ref"), Recall("ref"), F1("ref")])
    precision, recall = found["precision", ""].value, found["recall", ""].value
    assert precision == pytest.approx(1 / 4)
    assert recall == pytest.approx(1 / 5)
    assert found["f1", ""].value == pytest.approx(2 / (4 + 5))


def test_two_halves_against_the_whole() -> None:
    rows: list[Row] = [("a", 0, 20, "x"), ("b", 0, 10, "x"), ("b", 10, 20, "x")]
    assert of("iou", *rows) == pytest.approx(0.25)


def test_atoms_of_two_units_that_share_half() -> None:
    assert of("f1_atoms", ("a", 0, 4, "x"), ("b", 2, 6, "x")) == pytest.approx(0.5)


def _places(string: str) -> np.ndarray:
    """The boundaries of a string of 0 and 1, as nltk has them."""
    return np.flatnonzero([one == "1" for one in string]) + 1


def test_nltk_pk() -> None:
    one, other = _places("0100" * 100), _places("1" * 400)
    differ, windows = differing_windows(one, other, 401, 2, counting=False)
    assert differ / windows == pytest.approx(0.4987, abs=5e-5)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("000100000010", "000010000100", 0.3), ("000010000100", "100000010000", 0.8)],
)
def test_nltk_window_diff(one: str, other: str, expected: float) -> None:
    differ, windows = differing_windows(_places(one), _places(other), 13, 3, counting=True)
    assert differ / windows == pytest.approx(expected)


@pytest.mark.parametrize(
    ("one", "other", "costs", "expected"),
    [
        ("1100100000", "1100010000", (1.0, 1.0, 0.5), 0.5),
        ("1100100000", "1100000001", (1.0, 1.0, 0.5), 2.0),
        ("011", "110", (1.0, 1.0, 0.5), 1.0),
        ("1", "0", (1.0, 1.0, 0.5), 1.0),
        ("111", "000", (1.0, 1.0, 0.5), 3.0),
        ("000", "111", (1.0, 2.0, 0.5), 6.0),
    ],
)
def test_nltk_generalized_hamming_distance(
    one: str, other: str, costs: tuple[float, float, float], expected: float
) -> None:
    insertion, deletion, shift = costs
    found = hamming_cost(_places(other), _places(one), insertion, deletion, shift)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("other", "s", "b"), [((5, 6), 0.9, 0.5), ((2, 2, 7), 0.95, 0.75)], ids=["missing", "near"]
)
def test_fournier_2013_similarities(other: tuple[int, ...], s: float, b: float) -> None:
    data = Corpus((segments((2, 3, 6), other),))
    assert value(data, "segmentation_similarity") == pytest.approx(s)
    assert value(data, "boundary_similarity") == pytest.approx(b)


def test_fournier_2013_hearst_1997_stargazer() -> None:
    (coders,) = HEARST_1997_STARGAZER.values()
    data = Corpus((segments(*coders.values()),))
    assert value(data, "pi_b") == pytest.approx(0.4644, abs=5e-5)
    assert value(data, "kappa_b") == pytest.approx(0.4653, abs=5e-5)
    assert value(data, "pi_s") == pytest.approx(0.7667, abs=5e-5)


def test_fournier_2013_hearst_1997_stargazer_pairs_and_bias() -> None:
    """B is the mean over pairs of coders; πB and κB add up the edits of all pairs (segeval)."""
    (coders,) = HEARST_1997_STARGAZER.values()
    data = Corpus((segments(*coders.values()),))
    assert value(data, "boundary_similarity") == pytest.approx(0.5337, abs=5e-5)
    found = figure(data, "pi_b")
    assert found.sums is not None
    agreed = 1 - found.sums[0] / found.sums[1]
    by_pi, by_kappa = (
        (agreed - value(data, key)) / (1 - value(data, key)) for key in ("pi_b", "kappa_b")
    )
    assert by_pi - by_kappa == pytest.approx(0.0014, abs=5e-5)
