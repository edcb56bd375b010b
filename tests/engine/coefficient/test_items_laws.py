"""Coefficients of predefined items: laws that hold for any data, and what is undefined."""

from __future__ import annotations

import numpy as np
import pytest

from engine.coefficient.judged import figure, places, random_rows, tasks, value
from goldspan.engine import Continuum, Corpus, Measure, Unit, score
from goldspan.engine.coefficient.base import TaskCoefficient
from goldspan.engine.coefficient.items.item_coefficient import ItemCoefficient
from goldspan.engine.coefficient.registry import (
    found_coefficients,
    known_coefficients,
    listed,
)
from goldspan.engine.facts import ReasonKind
from goldspan.engine.literature import agreement

ITEMS = [
    one for one in known_coefficients().values()
    if isinstance(one, ItemCoefficient) and not one.needs_alignment
]  # fmt: skip
SINGLE = [one.key for one in ITEMS if not one.key.endswith("_k")]
CORRECTED = [key for key in SINGLE if key not in ("observed_agreement", "bias")]
TWO = ("pi", "kappa", "weighted_kappa")
MISSING = ("alpha", "alpha_ordinal", "alpha_interval", "alpha_by_item", "multi_pi", "alpha_masi")


def coders(key: str) -> int:
    return 2 if key in TWO else 3


@pytest.mark.parametrize("key", SINGLE)
def test_order_and_names_of_annotators_and_items_change_nothing(key: str) -> None:
    rng = np.random.default_rng(1)
    rows = np.array(random_rows(rng, coders(key), 30, "1234"))
    expected = value(places(*rows.tolist(), scale="1234"), key)
    for _ in range(3):
        mixed = rng.permutation(rng.permutation(rows, axis=0), axis=1)
        found = value(places(*mixed.tolist(), scale="1234"), key)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("key", ["pi", "kappa", "multi_pi", "multi_kappa", "alpha", "s", "bias"])
def test_names_of_labels_change_nothing(key: str) -> None:
    rows = random_rows(np.random.default_rng(2), coders(key), 30, "1234")
    other = [["cadb"[int(one) - 1] for one in row] for row in rows]
    expected = value(places(*rows, scale="1234"), key)
    assert value(places(*other, scale="abcd"), key) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("key", SINGLE)
def test_whole_tasks_and_places_give_the_same(key: str) -> None:
    rows = random_rows(np.random.default_rng(3), coders(key), 30, "1234")
    one, other = (value(make(*rows, scale="1234"), key) for make in (places, tasks))
    assert one == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("key", [key for key in SINGLE if key != "bias"])
def test_perfect_agreement_is_1(key: str) -> None:
    row = list("1234" * 5)
    found = figure(places(*[row] * coders(key), scale="1234"), key)
    assert found.value == 1
    assert found.reason is not None
    assert found.reason.kind is ReasonKind.UNANIMOUS


def test_the_same_habits_have_no_bias() -> None:
    rng = np.random.default_rng(4)
    row = list("1112334") * 4
    rows = [rng.permutation(row).tolist() for _ in range(3)]
    assert value(places(*rows), "bias") == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("key", [key for key in CORRECTED if key != "s"])
def test_independent_random_labels_average_0(key: str) -> None:
    rng = np.random.default_rng(5)
    found = [
        value(places(*random_rows(rng, coders(key), 40, "11234", copied=0)), key)
        for _ in range(120)
    ]
    # π and αb expect the agreement of judgements with themselves too, which is -1/(N-1) or so.
    assert np.mean(found) == pytest.approx(0, abs=0.03)


def test_kappa_differs_from_pi_as_the_bias_says() -> None:
    rng = np.random.default_rng(6)
    for _ in range(10):
        rows = random_rows(rng, 4, 30, "1123")
        data = places(*rows)
        pi, kappa, bias = (value(data, key) for key in ("multi_pi", "multi_kappa", "bias"))
        agreed = value(data, "observed_agreement")
        by_pi, by_kappa = (1 - agreed) / (1 - pi), (1 - agreed) / (1 - kappa)
        assert bias >= 0
        assert pi <= kappa
        assert kappa - pi == pytest.approx(bias * (1 - agreed) / (by_pi * by_kappa))


def test_weighted_ones_are_the_others_with_nominal_distances() -> None:
    rows = random_rows(np.random.default_rng(7), 3, 30, "1234")
    data, pair = places(*rows), places(*rows[:2])
    assert value(data, "alpha_kappa") == value(data, "multi_kappa")
    assert value(data, "alpha_b") == value(data, "multi_pi")
    assert value(data, "alpha_weighted") == value(data, "alpha")
    assert value(pair, "weighted_kappa") == value(pair, "kappa")
    assert value(data, "alpha_masi") == value(data, "alpha")


def test_alpha_goes_to_pi_as_the_sample_grows() -> None:
    rng = np.random.default_rng(8)
    apart = []
    for items in (10, 100, 1000):
        data = places(*random_rows(rng, 3, items, "1234"))
        apart.append(value(data, "alpha") - value(data, "multi_pi"))
    assert apart[0] > apart[1] > apart[2] > 0
    assert apart[2] < 1e-3


@pytest.mark.parametrize("key", MISSING)
def test_what_is_missing_at_random_leaves_no_bias(key: str) -> None:
    rng = np.random.default_rng(9)
    apart = []
    for _ in range(40):
        rows = random_rows(rng, 4, 60, "1123")
        holed = [[None if rng.random() < 0.3 else one for one in row] for row in rows]
        apart.append(value(places(*holed), key) - value(places(*rows), key))
    assert np.mean(apart) == pytest.approx(0, abs=0.02)
    assert np.std(apart) > 0.01, "something was missing"


def test_the_ratio_of_means_is_not_the_mean_of_ratios() -> None:
    """ακ of three coders is not the mean of their κw, which is what nltk gives."""
    rows = random_rows(np.random.default_rng(10), 3, 30, "1123")
    pairs = [value(places(rows[a], rows[b]), "kappa") for a, b in ((0, 1), (0, 2), (1, 2))]
    assert value(places(*rows), "alpha_kappa") != pytest.approx(np.mean(pairs), abs=1e-6)


def reason(corpus: Corpus, key: str, label: str = "") -> ReasonKind:
    found = figure(corpus, key, label)
    assert found.value is None
    assert found.low is None
    assert found.reason is not None
    assert isinstance(found.reason.kind, ReasonKind)
    return found.reason.kind


@pytest.mark.parametrize("key", [key for key in CORRECTED if key not in ("s", "alpha_ordinal")])
def test_one_category_is_undefined(key: str) -> None:
    assert reason(places(*["1111"] * coders(key)), key) is ReasonKind.ONE_CATEGORY


def test_one_category_on_a_scale_is_undefined() -> None:
    assert reason(places("111", "111", "111"), "alpha_ordinal") is ReasonKind.ONE_CATEGORY


@pytest.mark.parametrize("key", ["pi", "kappa", "multi_kappa", "alpha_kappa", "bias"])
def test_a_missing_judgement_is_too_much_for_those_that_need_all(key: str) -> None:
    assert reason(places("12341", "1234."), key) is ReasonKind.INCOMPLETE


@pytest.mark.parametrize("key", ["kappa", "multi_kappa"])
def test_annotators_who_saw_different_tasks_are_incomplete(key: str) -> None:
    """No task misses a judgement, but the coders are not the same."""
    one, other = places("1234", "1233"), places("1234", "1233", task="u")
    renamed = Continuum(
        "u", tuple(Unit(f"other {u.annotator}", u.start, u.end, u.category)
                   for u in other.continua[0].units), length=4, measure=Measure.STEP,
    )  # fmt: skip
    assert reason(Corpus((*one.continua, renamed)), key) is ReasonKind.INCOMPLETE
    assert value(Corpus((*one.continua, renamed)), "pi") == value(one, "pi")


@pytest.mark.parametrize("key", TWO)
def test_three_annotators_are_too_many_for_those_of_two(key: str) -> None:
    assert reason(places("1234", "1233", "1244"), key) is ReasonKind.TOO_MANY_ANNOTATORS


def test_s_needs_the_scheme() -> None:
    assert reason(places("1212", "1211"), "s") is ReasonKind.UNKNOWN_SCHEME
    two = value(places("1212", "1211", scale="12"), "s")
    assert value(places("1212", "1211", scale="123"), "s") > two


def test_several_labels_need_a_distance_of_sets() -> None:
    data = places([("a", "b"), ("a",), ("b",)], [("a",), ("a",), ("b",)])
    assert reason(data, "alpha") is ReasonKind.SEVERAL_LABELS
    masi, jaccard = value(data, "alpha_masi"), value(data, "alpha_jaccard")
    assert masi < jaccard < 1
    assert value(data, "alpha_k", "a") == 1
    assert value(data, "alpha_k", "b") < 1


def test_labels_that_are_no_numbers() -> None:
    assert reason(places("abab", "abba"), "alpha_interval") is ReasonKind.LABEL_NOT_A_NUMBER
    data = places(("-1", "2", "1"), ("-1", "2", "2"))
    assert reason(data, "alpha_ratio") is ReasonKind.NEGATIVE_LABEL


def test_nothing_in_common_is_undefined() -> None:
    units = (Unit("a", 0, 3, "x"), Unit("b", 1, 3, "x"))
    corpus = Corpus((Continuum("t", units, length=9, measure=Measure.STEP),))
    assert reason(corpus, "alpha") is ReasonKind.NO_SHARED_ITEM


def test_coverage_is_the_part_of_the_units_that_were_items() -> None:
    given = places("1234", "1233").continua[0].units
    lone = (Unit("coder 00", 10, 13, "1"), Unit("coder 01", 11, 13, "1"))
    corpus = Corpus((Continuum("t", (*given, *lone), length=20, measure=Measure.STEP),))
    found = figure(corpus, "alpha")
    assert found.value == value(places("1234", "1233"), "alpha")
    assert found.coverage == pytest.approx(8 / 10)
    assert found.n == 4


def test_where_every_task_has_a_label_of_its_own_spans_are_not_items() -> None:
    continua = []
    for number, (one, other) in enumerate(("12", "22", "11", "21")):
        units = [Unit("a", 0, 50, one), Unit("b", 0, 50, other)]
        units += [Unit(name, 5, 9, "3") for name in "ab"]
        continua.append(Continuum(f"t{number}", tuple(units), length=50, measure=Measure.STEP))
    found = figure(Corpus(tuple(continua)), "alpha")
    assert found.n == 4
    assert found.value == value(tasks("1212", "2211"), "alpha")
    assert found.coverage == 0.5


def test_naive_alpha_takes_unitary_alignments_for_items() -> None:
    """Places differ a little, so there is no item; γ aligns them all the same."""
    rng = np.random.default_rng(11)
    rows = random_rows(rng, 2, 20, "12")
    units = []
    for number, row in enumerate(rows):
        units += [
            Unit(f"a{number}", 100 * i + number, 100 * i + 50, label) for i, label in enumerate(row)
        ]
    corpus = Corpus((Continuum("t", tuple(units), length=2000, measure=Measure.STEP),))
    assert reason(corpus, "alpha") is ReasonKind.NO_SHARED_ITEM
    found = score(corpus, coefficients=["naive_alpha"], precision=0.2, pairs=False)
    assert found.figures["naive_alpha", ""].value == pytest.approx(value(places(*rows), "alpha"))


def test_scores_have_the_same_figures_for_corpus_pairs_and_tasks() -> None:
    rows = random_rows(np.random.default_rng(12), 3, 24, "1234")
    continua = [
        continuum
        for at in range(0, 24, 4)
        for continuum in places(*[row[at : at + 4] for row in rows], task=f"t{at:02}").continua
    ]
    corpus = Corpus(tuple(continua))
    found = score(corpus, coefficients=["alpha", "kappa", "multi-kappa"], precision=0.2)
    for key in ("alpha", "multi_kappa"):
        assert found.figures[key, ""] == figure(corpus, key)
        assert found.figures[key, ""].low is not None
    first, second = (int(name[-1]) for name in found.pairs[0].annotators)
    pair = value(places(rows[first], rows[second]), "kappa")
    assert found.pairs[0].figures["kappa", ""].value == pytest.approx(pair)
    assert found.figures["kappa", ""].value is None
    assert found.tasks["t00"].figures["alpha", ""].n == 4


def test_nothing_is_sampled_for_those_that_need_no_chance() -> None:
    """A single text without room has no γ by shifting; α asks for none."""
    found = agreement(places("1234", "1233"), ["alpha", "kappa"])
    assert {figure.samples for figure in found.values()} == {0}
    assert all(figure.chance is None for figure in found.values())


def test_every_coefficient_says_what_it_cannot_see() -> None:
    for one in known_coefficients().values():
        if isinstance(one, TaskCoefficient):
            assert one.blind.endswith("."), one.key
            assert one.about, one.key
            assert not one.about.endswith("."), one.key


def test_intervals_over_tasks_cover() -> None:
    """α of 40 tasks of one item each; 95 % intervals hold the true value about so often."""
    rng = np.random.default_rng(13)
    truth = value(tasks(*random_rows(rng, 3, 6000, "1123")), "alpha")
    held = 0
    for _ in range(80):
        found = figure(tasks(*random_rows(rng, 3, 40, "1123")), "alpha")
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert held / 80 > 0.86


def test_json_has_each_figure_in_short_with_coverage_and_what_it_cannot_see() -> None:
    rows = random_rows(np.random.default_rng(14), 3, 24, "123")
    result = score(places(*rows), coefficients=["alpha", "alpha_k"], precision=0.3, pairs=False)
    found = result.as_json()
    also = found["corpus"]["also"]
    assert also["alpha"]["value"] == result.figures["alpha", ""].value
    assert also["alpha"]["coverage"] == 1
    assert sorted(also["alpha_k"]) == ["1", "2", "3"]
    assert found["coefficients"]["alpha"]["blind"] == known_coefficients()["alpha"].blind


def test_all_names_those_of_the_literature() -> None:
    names = listed("all")
    assert "alpha" in names
    assert "cu_alpha" in names
    assert "gamma" not in names
    assert listed("alpha, cu-alpha") == ["alpha", "cu-alpha"]
    assert [one.key for one in found_coefficients(listed("alpha,cu-alpha"))] == [
        "alpha",
        "cu_alpha",
    ]
