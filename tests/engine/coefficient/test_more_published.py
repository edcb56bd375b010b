"""More published numbers, each named after its source: what coefficients do not see, what is behind
them, and examples that other software digitised.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from engine.coefficient.judged import crossed, figure, places, random_rows, value, weighted
from engine.coefficient.marked import Row, corpus, marked, of
from engine.coefficient.test_continua_libraries import _nervaluate
from engine.coefficient.test_continua_published import FIGURE_3, FIGURE_5, FIGURE_14
from engine.coefficient.test_items_published import (
    AP_DISTANCES,
    AP_TABLE_6,
    MATHET_TABLE_1,
)
from engine.continua import continuum
from goldspan.engine.coefficient.continua.earlier_alpha import Disagreements1995
from goldspan.engine.coefficient.continua.unitized_alpha import UnitCoincidences
from goldspan.engine.facts import ReasonKind
from goldspan.engine.set_distances import SetDistance, dice, jaccard, masi, passonneau

# Krippendorff 1995, p. 57, as digitised by dkpro-statistics: an atom each, 1 in a unit.
KRIPPENDORFF_1995 = {
    "A": ("001111111100001111110000", "000011110000000110000000"),
    "B": ("111111111111111111000000", "111111111100000000000000"),
    "C": ("001111110011001111001100", "110011110011110011001100"),
    "D": ("1" * 24, "1" * 24),
}


@pytest.mark.parametrize(
    ("name", "kappa", "pi", "alpha"),
    [("A", 0.385, 0.314, 0.329), ("B", 0.385, 0.314, None), ("C", 0.314, 0.314, None)],
)
def test_krippendorff_1995_digitised(
    name: str, kappa: float, pi: float, alpha: float | None
) -> None:
    """Three ways to differ that look nearly the same once the continuum is cut into atoms."""
    data = places(*KRIPPENDORFF_1995[name])
    assert value(data, "kappa") == pytest.approx(kappa, abs=1e-3)
    assert value(data, "pi") == pytest.approx(pi, abs=1e-3)
    if alpha is not None:
        assert value(data, "alpha") == pytest.approx(alpha, abs=1e-3)


def test_krippendorff_1995_digitised_one_category() -> None:
    """Example D: boundaries differ, atoms do not, so that π and κ are undefined."""
    for key in ("pi", "kappa"):
        found = figure(places(*KRIPPENDORFF_1995["D"]), key)
        assert found.reason is not None
        assert found.reason.kind is ReasonKind.ONE_CATEGORY


def _units(starts: str, annotator: str, label: str) -> list[Row]:
    """Units from "start+length start+length …"."""
    pairs = (one.split("+") for one in starts.split())
    return [(annotator, int(start), int(start) + int(long), label) for start, long in pairs]


UNITS_1995 = [
    *_units("2+8 14+6", "1", "A"), *_units("4+4 15+2", "2", "A"),
    *_units("0+18", "1", "B"), *_units("0+2 2+1 3+1 4+1 5+1 6+3 9+1", "2", "B"),
    *_units("2+6 10+2 14+4 20+2", "1", "C"), *_units("0+2 4+4 10+4 16+2 20+2", "2", "C"),
    *_units("0+2 2+8 10+4 14+6 20+4", "1", "D"), *_units("0+4 4+4 8+7 15+2 17+7", "2", "D"),
]  # fmt: skip


def test_krippendorff_1995_page_57_observed_disagreement() -> None:
    found = Disagreements1995.of(marked(continuum(*UNITS_1995, length=24)))
    assert isinstance(found, Disagreements1995)
    assert found.observed == pytest.approx([0.03125, 2.26736, 0.02777, 0.38715], abs=1e-5)


def test_krippendorff_1995_page_57_on_a_long_continuum() -> None:
    """The units 5,000 times as long. The formula of 2004 misses the printed -.926 and .679 of B and
    C by .002 and .014; dkpro-statistics allows .02 and suspects a misprint in Dₑ of 1995.
    """
    long = [(name, 5000 * start, 5000 * end, label) for name, start, end, label in UNITS_1995]
    found = [of("alpha_u_k", *long, length=120_000, label=label) for label in "ABCD"]
    assert found == pytest.approx([0.553, -0.926, 0.679, 0.066], abs=0.02)
    assert found[0] == pytest.approx(0.553, abs=5e-4)
    assert found[3] == pytest.approx(0.066, abs=5e-4)


def test_artstein_poesio_2008_table_2_after_cohen_1960_association_is_not_agreement() -> None:
    """χ² is 64.59 with 200 items, and highly significant; κ is low."""
    table = np.array([[50, 26, 24], [24, 4, 32], [6, 30, 4]])
    assert chi2_contingency(table)[0] == pytest.approx(64.59, abs=5e-3)
    cells = {("SIC"[a], "SIC"[b]): int(table[b, a]) for a in range(3) for b in range(3)}
    data = places(*crossed(cells))
    assert value(data, "observed_agreement") == pytest.approx(0.29)
    assert value(data, "kappa") == pytest.approx((0.29 - 0.35) / (1 - 0.35))


@pytest.mark.parametrize(("rare", "error"), [(2, 1), (10, 3), (30, 10), (40, 1)])
def test_artstein_poesio_2008_table_7_prevalence(rare: int, error: int) -> None:
    """π = κ = δ/(δ + e) - e/(1 - (δ + e)): with a rare category it falls however small e is."""
    table = {("c", "c"): 100 - rare - 2 * error, ("c", "r"): error, ("r", "c"): error}
    data = places(*crossed(table | {("r", "r"): rare}))
    d, e = rare / 100, error / 100
    expected = d / (d + e) - e / (1 - (d + e))
    assert value(data, "pi") == pytest.approx(expected)
    assert value(data, "kappa") == pytest.approx(expected)


def test_artstein_poesio_2008_table_6_observed_and_expected_disagreement() -> None:
    """Dₒ .09; Dₑ of α .4879, of αb .4855, of ακ .49: αb ≤ α and αb ≤ ακ."""
    data, settings = places(*crossed(AP_TABLE_6)), weighted("SIC", AP_DISTANCES)
    keys = ("alpha_weighted", "alpha_b", "alpha_kappa", "weighted_kappa")
    found = [value(data, key, settings=settings) for key in keys]
    expected = [0.09 / (1 - one) for one in found]
    assert expected == pytest.approx([0.4879, 0.4855, 0.49, 0.49], abs=5e-5)
    apart = figure(data, "alpha_kappa", settings=settings).sums
    assert apart is not None
    assert apart[0] / apart[1] == pytest.approx(0.09)


def test_mathet_2017_table_1_where_pairs_weigh_the_same() -> None:
    """Items as units of length 1: 18 of 20 pairs agree, which is what cuα observes."""
    rows: list[Row] = [
        (str(coder), item, item + 1, label)
        for coder, row in enumerate(MATHET_TABLE_1)
        for item, label in enumerate(row)
        if label != "."
    ]
    sums = figure(corpus(*rows, length=4), "cu_alpha").sums
    assert sums is not None
    assert 1 - sums[0] / sum(sums[1:3]) == pytest.approx(0.9)


def test_mathet_2015_figure_14_observed_and_expected_labels() -> None:
    """c|uα: Dₒ = 50 / 60 = .8333 and Dₑ = 9750 / 3000 = 3.25."""
    sums = figure(corpus(*FIGURE_14, length=76), "cu_alpha_interval").sums
    assert sums is not None
    observed = sums[0] / sum(sums[1:5])
    alpha = of("cu_alpha_interval", *FIGURE_14, length=76)
    assert observed == pytest.approx(0.8333, abs=5e-5)
    assert observed / (1 - alpha) == pytest.approx(3.25)


def test_mathet_2015_figure_14_as_the_text_layer_has_it() -> None:
    """With a gap of 5 and a unit of 2, as the digits can be misread, the printed .405 is missed."""
    misread = [row if row[3] != "4" else (row[0], 73, 75, "4") for row in FIGURE_14]
    assert of("u_alpha_2013", *misread, length=76) == pytest.approx(0.394, abs=5e-4)
    assert of("cu_alpha_interval", *misread, length=76) == pytest.approx(0.574, abs=5e-4)


def test_mathet_2017_figure_3_intersections_of_table_3() -> None:
    """From the paper: 8 of A with A, 3 of B with B, 17 of A with B and 3 of B with C, of 31.
    Positions are reconstructed from these and from the weights of Figure 6.
    """
    task = marked(continuum(*FIGURE_3, length=30))
    shared = task.kept(UnitCoincidences.of).shared
    a, b, c = range(3)
    assert shared[a, a] == 8
    assert shared[b, b] == 3
    assert (shared[a, b], shared[b, c], shared[a, c]) == (8.5, 1.5, 0)
    assert shared.sum() == 31


def test_mathet_2015_figure_5_partial_matches_of_nervaluate() -> None:
    """.6: an overlap with other boundaries counts a half, so it is the mean of our two F1."""
    theirs = _nervaluate(list(FIGURE_5))["partial"]
    exact, overlap = of("f1_blind", *FIGURE_5), of("f1_overlap_blind", *FIGURE_5)
    assert theirs == pytest.approx(0.6)
    assert (exact + overlap) / 2 == pytest.approx(theirs)


def test_multi_kappa_of_two_is_kappa() -> None:
    data = places(*random_rows(np.random.default_rng(1), 2, 30, "1123"))
    assert value(data, "multi_kappa") == value(data, "kappa")
    assert value(data, "multi_pi") == value(data, "pi")


def test_the_ratio_of_means_and_the_mean_of_ratios() -> None:
    """ακ of three coders is 1 - ΣDₒ / ΣDₑ over pairs; nltk's κw is the mean of 1 - Dₒ/Dₑ."""
    rows = random_rows(np.random.default_rng(2), 3, 40, "abc")
    settings = weighted("abc", {"ab": 0.3, "bc": 0.6})
    pairs = [places(a, b) for a, b in combinations(rows, 2)]
    kappas = [value(pair, "weighted_kappa", settings=settings) for pair in pairs]
    sums = [figure(pair, "weighted_kappa", settings=settings).sums for pair in pairs]
    observed = [one[0] / one[1] for one in sums if one is not None]
    expected = [o / (1 - k) for o, k in zip(observed, kappas, strict=True)]
    found = value(places(*rows), "alpha_kappa", settings=settings)
    assert found == pytest.approx(1 - sum(observed) / sum(expected))
    assert found != pytest.approx(np.mean(kappas), abs=1e-6)


@pytest.mark.parametrize("distance", [passonneau, jaccard, dice, masi])
def test_distances_of_sets_are_distances(distance: SetDistance) -> None:
    sets = [frozenset(one) for one in ("", "a", "b", "ab", "abc", "bcd")]
    assert all(distance(one, one) == 0 for one in sets), "of two empty sets too"
    for one, other in permutations(sets, 2):
        assert 0 < distance(one, other) == distance(other, one) <= 1
