"""Coefficients of predefined items: published numbers, each named after its source.

"AP" is Artstein & Poesio 2008. Printed numbers that their own formula does not give are in the
docstrings.
"""

from __future__ import annotations

import pytest

from engine.coefficient.judged import crossed, figure, places, spread, tasks, value, weighted
from goldspan.engine import Settings
from goldspan.engine.dissimilarity import Dissimilarity, Ordinal
from goldspan.engine.facts import ReasonKind
from goldspan.engine.set_distances import dice, jaccard, masi, passonneau

AP_TABLE_1 = {("S", "S"): 20, ("S", "I"): 20, ("I", "S"): 10, ("I", "I"): 50}
AP_TABLE_6 = {
    ("S", "S"): 46, ("S", "I"): 6, ("I", "I"): 32, ("C", "I"): 6, ("C", "C"): 10,
}  # fmt: skip
AP_DISTANCES = {"SI": 1.0, "SC": 0.5, "IC": 0.5}

# Fleiss 1971: 14 raters put 10 subjects into 5 categories.
FLEISS = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip

# Krippendorff 2011, p. 9.
KRIPPENDORFF = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


@pytest.mark.parametrize("corpus", [places, tasks])
def test_artstein_poesio_2008_table_1(corpus: type) -> None:
    data = corpus(*crossed(AP_TABLE_1), scale="SI")
    assert value(data, "observed_agreement") == pytest.approx(0.7)
    assert value(data, "s") == pytest.approx(0.4)
    assert value(data, "pi") == pytest.approx(0.341, abs=5e-4)
    assert value(data, "kappa") == pytest.approx(0.348, abs=5e-4)


ZWICK = [
    ({"SS": 20, "SC": 5, "II": 10, "IA": 15, "AI": 15, "AA": 10, "CS": 5, "CC": 20},
     (0.4667, 0.4667, 0.4667)),
    ({"SS": 20, "SI": 10, "SA": 10, "IS": 10, "II": 10, "AS": 10, "AA": 10, "CC": 20},
     (0.4667, 0.4444, 0.4444)),
    ({"SS": 20, "SI": 5, "SA": 5, "SC": 10, "II": 10, "IA": 5, "IC": 5, "AI": 5, "AA": 10,
      "AC": 5, "CC": 20},
     (0.4667, 0.4595, 0.4737)),
]  # fmt: skip


@pytest.mark.parametrize(("table", "expected"), ZWICK, ids=["uniform", "equal", "unequal"])
def test_artstein_poesio_2008_table_4_after_zwick_1988(
    table: dict[str, int], expected: tuple[float, ...]
) -> None:
    """The third case is printed with π = 0.460; exactly it is 0.34 / 0.74 = 0.4595."""
    data = places(*crossed({(a, b): n for (a, b), n in table.items()}), scale="SIAC")
    found = [value(data, key) for key in ("s", "pi", "kappa")]
    assert found == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("corpus", [places, tasks])
def test_artstein_poesio_2008_table_6(corpus: type) -> None:
    data = corpus(*crossed(AP_TABLE_6), scale="SIC")
    assert value(data, "observed_agreement") == pytest.approx(0.88)
    assert value(data, "s") == pytest.approx(0.82)
    assert value(data, "pi") == pytest.approx(0.7995, abs=5e-5)
    assert value(data, "kappa") == pytest.approx(0.8013, abs=5e-5)
    assert value(data, "alpha") == pytest.approx(0.8005, abs=5e-5)


@pytest.mark.parametrize("corpus", [places, tasks])
def test_artstein_poesio_2008_table_6_weighted(corpus: type) -> None:
    data = corpus(*crossed(AP_TABLE_6))
    settings = weighted("SIC", AP_DISTANCES)
    assert value(data, "weighted_kappa", settings=settings) == pytest.approx(0.8163, abs=5e-5)
    assert value(data, "alpha_kappa", settings=settings) == pytest.approx(0.8163, abs=5e-5)
    assert value(data, "alpha_weighted", settings=settings) == pytest.approx(0.8156, abs=5e-5)
    assert value(data, "alpha_b", settings=settings) == pytest.approx(1 - 0.09 / 0.4855, abs=5e-4)


def test_artstein_poesio_2008_section_3_1_annotator_bias_of_table_6() -> None:
    data = places(*crossed(AP_TABLE_6))
    bias = value(data, "bias")
    pi, kappa, agreed = (value(data, key) for key in ("pi", "kappa", "observed_agreement"))
    by_pi, by_kappa = (1 - agreed) / (1 - pi), (1 - agreed) / (1 - kappa)
    assert bias == pytest.approx(0.0054, abs=5e-5)
    assert kappa - pi == pytest.approx(0.00179, abs=5e-6)
    assert kappa - pi == pytest.approx(bias * (1 - agreed) / (by_pi * by_kappa))


@pytest.mark.parametrize(
    ("table", "expected"),
    [((2, 1, 1, 46), 0.65), ((16, 3, 3, 28), 0.75)],
    ids=["broad", "fine"],
)
def test_artstein_poesio_2008_table_10(table: tuple[int, ...], expected: float) -> None:
    """π of two coders is Fleiss' K."""
    pairs = [("b", "b"), ("b", "n"), ("n", "b"), ("n", "n")]
    data = places(*crossed(dict(zip(pairs, table, strict=True))))
    assert value(data, "multi_pi") == pytest.approx(expected, abs=5e-3)
    assert value(data, "pi") == value(data, "multi_pi")


def test_artstein_poesio_2008_table_11_distances_of_sets() -> None:
    """MASI is 1 - J·M, as in Passonneau 2006 and nltk; the text multiplies d_P and d_J, 0.1429."""
    one, other = frozenset("1234"), frozenset("1234567")
    assert float(passonneau(one, other)) == pytest.approx(1 / 3)
    assert float(jaccard(one, other)) == pytest.approx(0.4286, abs=5e-5)
    assert float(dice(one, other)) == pytest.approx(0.2727, abs=5e-5)
    assert float(masi(one, other)) == pytest.approx(0.6190, abs=5e-5)


def test_artstein_poesio_2008_section_4_6_senses() -> None:
    assert float(passonneau(frozenset({"WN1", "L"}), frozenset({"WN3", "L"}))) == pytest.approx(
        2 / 3
    )
    assert float(passonneau(frozenset({"WN1"}), frozenset({"WN1", "L"}))) == pytest.approx(1 / 3)
    assert float(passonneau(frozenset({"WN1"}), frozenset({"WN3"}))) == 1


def test_fleiss_1971() -> None:
    data = places(*spread(FLEISS))
    assert value(data, "multi_pi") == pytest.approx(0.210, abs=5e-4)
    assert value(data, "multi_pi_by_item") == pytest.approx(0.210, abs=5e-4)
    found = [value(data, "multi_pi_k", label) for label in "12345"]
    assert found == pytest.approx([0.201, 0.080, 0.172, 0.030, 0.508], abs=5e-4)


@pytest.mark.parametrize("corpus", [places, tasks])
@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("alpha", 0.7434), ("alpha_ordinal", 0.8154), ("alpha_interval", 0.8491),
        ("alpha_ratio", 0.7974), ("multi_pi", 0.7368), ("multi_pi_by_item", 0.7625),
    ],
)  # fmt: skip
def test_krippendorff_2011_page_9(corpus: type, key: str, expected: float) -> None:
    assert value(corpus(*KRIPPENDORFF), key) == pytest.approx(expected, abs=5e-5)


def test_krippendorff_2011_page_9_on_a_scale_that_was_given() -> None:
    letters = [row.translate(str.maketrans("12345", "edcba")) for row in KRIPPENDORFF]
    scale = Settings(dissimilarity=Dissimilarity(distances=Ordinal(tuple("edcba"))))
    assert value(places(*letters), "alpha_ordinal", settings=scale) == pytest.approx(
        0.8154, abs=5e-5
    )
    assert value(places(*letters, scale="edcba"), "alpha_ordinal") == pytest.approx(
        0.8154, abs=5e-5
    )
    reason = figure(places(*letters), "alpha_ordinal").reason
    assert reason is not None
    assert reason.kind is ReasonKind.LABEL_WITHOUT_RANK


def test_krippendorff_2011_observed_disagreement() -> None:
    """0.2 where judgements weigh the same, 0.1818 where items do; Mathet 2017 prints the first."""
    found = figure(places(*KRIPPENDORFF), "alpha")
    assert found.sums is not None
    apart, judgements, *_ = found.sums
    assert apart / judgements == pytest.approx(0.2)
    by_item = figure(places(*KRIPPENDORFF), "observed_agreement")
    assert by_item.value == pytest.approx(1 - 0.1818, abs=5e-5)


# Mathet 2017, Table 1: items that five, four, three and two coders judged.
MATHET_TABLE_1 = ("nnnn", "nnnn", "nnv.", "nn..", "n...")


def test_mathet_2017_table_1_missing_values() -> None:
    data = places(*MATHET_TABLE_1)
    assert value(data, "observed_agreement") == pytest.approx(0.8333, abs=5e-5)
    found = figure(data, "alpha")
    assert found.sums is not None
    apart, judgements, *_ = found.sums
    assert 1 - apart / judgements == pytest.approx(0.8571, abs=5e-5)
