"""Annotators against a reference, and against themselves: published numbers, laws, bad input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from engine.coefficient.judged import crossed, places, tasks
from engine.coefficient.marked import Row, corpus, random_spans
from engine.coefficient.test_continua_libraries import _nervaluate as nervaluate
from engine.coefficient.test_continua_published import FIGURE_5
from engine.continua import continuum
from goldspan.engine import (
    AgainstKind,
    AgainstResult,
    Continuum,
    Corpus,
    FactKind,
    Figure,
    InputError,
    Measure,
    Presence,
    ReasonKind,
    Settings,
    SettingsError,
    Unit,
    against,
    score,
    stability,
)
from goldspan.engine.coefficient.base import Figures
from strategies import corpora

ROUGH = Settings(precision=0.3)
SYMMETRIC = ("f1", "f1_overlap", "f1_iou", "f1_blind", "iou", "gamma", "gamma_cat")
ALL = (
    *SYMMETRIC, "precision", "recall", "precision_overlap", "recall_overlap", "precision_iou",
    "recall_iou", "precision_blind", "recall_blind", "ser", "accuracy",
)  # fmt: skip


def values(one: AgainstResult) -> dict[str, float | None]:
    return {key: figure.value for (key, label), figure in one.figures.items() if not label}


def of_pair(*rows: Row, length: float = 120) -> dict[str, float | None]:
    """The figures of `sys` against `ref`."""
    return values(against(corpus(*rows, length=length), "ref", settings=ROUGH)["sys"])


def random_corpus(seed: int, n_tasks: int = 6, names: str = "abg") -> Corpus:
    rng = np.random.default_rng(seed)
    return Corpus(
        tuple(
            continuum(
                *(row for name in names for row in random_spans(rng, name, 5, 60, "XYZ")),
                length=60,
                task=f"t{number}",
            )
            for number in range(n_tasks)
        )
    )


def split(whole: Corpus, reference: str) -> tuple[Corpus, Corpus]:
    """The same data as two corpora: of the others, and of the reference."""
    others = [name for name in whole.annotators if name != reference]
    return (
        Corpus(tuple(one.only(others) for one in whole)),
        Corpus(tuple(one.only([reference]) for one in whole)),
    )


# Published numbers.


def test_mathet_2015_figure_5() -> None:
    found = of_pair(*FIGURE_5)
    assert found["ser"] == pytest.approx(1 - 0.8)
    assert found["precision"] == found["recall"] == found["f1"] == pytest.approx(0.2)


def test_mathet_2015_figure_5_as_nervaluate_counts() -> None:
    """Its `partial` gives half a point for a place that overlaps."""
    found, theirs = of_pair(*FIGURE_5), nervaluate(list(FIGURE_5))
    overlap_of_places = of_pair(*((name, start, end, "A") for name, start, end, _ in FIGURE_5))
    assert found["f1"] == pytest.approx(theirs["strict"]) == pytest.approx(0.2)
    assert found["f1_blind"] == pytest.approx(theirs["exact"]) == pytest.approx(0.4)
    assert found["f1_overlap"] == pytest.approx(theirs["ent_type"]) == pytest.approx(0.4)
    halves = ((found["f1_blind"] or 0) + (overlap_of_places["f1_overlap"] or 0)) / 2
    assert halves == pytest.approx(theirs["partial"]) == pytest.approx(0.6)


def test_artstein_poesio_2008_section_2_1_accuracy() -> None:
    """Accuracy is agreement with a gold standard: on the data of Table 1, 70 of 100."""
    table = {("S", "S"): 20, ("S", "I"): 20, ("I", "S"): 10, ("I", "I"): 50}
    for data in (tasks(*crossed(table)), places(*crossed(table))):
        reference, coder = data.annotators
        found = against(data, reference, settings=ROUGH)[coder].figures["accuracy", ""]
        assert found.value == pytest.approx(0.7)
        assert found.n == 100


def test_artstein_poesio_2008_section_3_2_accuracy_of_skewed_data() -> None:
    """Where 95 % have one label, giving it always is right in 95 %."""
    data = tasks(["C"] * 95 + ["R"] * 5, ["C"] * 100)
    reference, coder = data.annotators
    found = values(against(data, reference, settings=ROUGH)[coder])
    assert found["accuracy"] == pytest.approx(0.95)
    assert found["gamma_cat"] is not None
    assert found["gamma_cat"] < 0.2, "chance explains nearly all of it"


# Laws.


@pytest.mark.parametrize("seed", range(3))
def test_a_reference_against_itself_is_perfect(seed: int) -> None:
    gold = split(random_corpus(seed), "g")[1]
    found = against(gold, gold, settings=ROUGH)
    assert found.reference == "g (reference)"
    assert values(found["g"]) == dict.fromkeys(ALL, 1.0)
    labels = {figure.value for (_, label), figure in found["g"].figures.items() if label}
    assert labels == {1.0}


@pytest.mark.parametrize("seed", range(3))
def test_swapping_the_sides_swaps_precision_and_recall(seed: int) -> None:
    data = random_corpus(seed, names="ag")
    one, other = (against(data, name, settings=ROUGH) for name in "ga")
    there, back = values(one["a"]), values(other["g"])
    for key in SYMMETRIC:
        assert there[key] == pytest.approx(back[key])
    for kind in ("", "_overlap", "_iou", "_blind"):
        assert there[f"precision{kind}"] == pytest.approx(back[f"recall{kind}"])
        assert there[f"recall{kind}"] == pytest.approx(back[f"precision{kind}"])
    for label in one.labels:
        assert one["a"].figures["precision_k", label].value == pytest.approx(
            other["g"].figures["recall_k", label].value
        )


def test_f1_is_the_harmonic_mean_and_errors_are_by_the_reference() -> None:
    found = of_pair(*FIGURE_5[:-1])
    assert found["precision"] == pytest.approx(1 / 4)
    assert found["recall"] == pytest.approx(1 / 5)
    assert found["f1"] == pytest.approx(2 / 9)
    assert found["ser"] == pytest.approx(1 - 3 / 5), "by the 5 units of the reference"


def test_renaming_annotators_changes_nothing() -> None:
    data, new = random_corpus(1), {"a": "zoe", "b": "ben", "g": "truth"}
    renamed = Corpus(
        tuple(
            replace(
                one,
                units=tuple(Unit(new[u.annotator], u.start, u.end, u.category) for u in one.units),
                presence={new[name]: state for name, state in one.presence.items()},
            )
            for one in data
        )
    )
    one, other = against(data, "g", settings=ROUGH), against(renamed, "truth", settings=ROUGH)
    for name in "ab":
        assert unnamed(one[name].figures) == unnamed(other[new[name]].figures)


def unnamed(figures: Figures) -> Figures:
    """The figures without the names of the annotators that their sums are of."""
    return {key: replace(figure, sums_of=None) for key, figure in figures.items()}


def test_a_task_on_one_side_only_is_as_good_as_none() -> None:
    others, gold = split(random_corpus(2), "g")
    both = against(Corpus(others.continua[1:]), Corpus(gold.continua[1:]), settings=ROUGH)
    for one, other in (
        (others, Corpus(gold.continua[1:])), (Corpus(others.continua[1:]), gold)
    ):  # fmt: skip
        found = against(one, other, settings=ROUGH)
        assert found.annotators == both.annotators
        assert [dict(note.fact.parameters) for note in found.notes] == [{"tasks": 1}]
    assert both.notes == ()


def test_a_file_of_its_own_and_a_name_give_the_same() -> None:
    data = random_corpus(3)
    assert (
        against(*split(data, "g"), settings=ROUGH).annotators
        == against(data, "g", settings=ROUGH).annotators
    )


def test_gamma_is_that_of_the_pair() -> None:
    data = random_corpus(4)
    found, pairs = against(data, "g", settings=ROUGH), score(data, settings=ROUGH).pairs
    for pair in pairs:
        if "g" in pair.annotators:
            for key in (("gamma", ""), ("gamma_cat", ""), ("gamma_k", "X")):
                assert found[pair.annotators[0]].figures[key] == pair.figures[key]


@given(corpora(annotators=("ann1", "ann2", "gold"), max_tasks=3))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_figures_are_between_0_and_1_or_have_a_reason(data: Corpus) -> None:
    try:
        found = against(data, "gold", settings=Settings(precision=0.5))
    except (InputError, SettingsError):
        assume(False)
    for one in found.annotators:
        for (key, _), figure in one.figures.items():
            assert (figure.value is None) <= (figure.reason is not None)
            if figure.value is not None and not key.startswith(("gamma", "ser")):
                assert 0 <= figure.value <= 1


def test_units_where_the_reference_has_none_count_as_errors() -> None:
    """Insertions in a task that the reference left empty belong to the corpus's errors."""
    data = Corpus((
        continuum(("a", 0, 5, "X"), ("g", 0, 5, "X"), length=20, task="one"),
        continuum(("a", 0, 5, "X"), ("a", 8, 9, "X"), length=20, task="two", empty=["g"]),
    ))  # fmt: skip
    found = values(against(data, "g", settings=ROUGH)["a"])
    assert found["ser"] == pytest.approx(1 - 2 / 1)
    assert found["precision"] == pytest.approx(1 / 3)
    assert found["recall"] == 1


def test_n_counts_what_a_figure_rests_on() -> None:
    figures = against(corpus(*FIGURE_5[:-1], length=120), "ref", settings=ROUGH)["sys"].figures
    assert figures["precision", ""].n == 4
    assert figures["recall", ""].n == figures["ser", ""].n == 5
    assert figures["f1", ""].n == 9


def test_labels_of_one_side_have_a_reason() -> None:
    data = corpus(("g", 0, 5, "X"), ("a", 0, 5, "Y"), length=20)
    figures = against(data, "g", settings=ROUGH)["a"].figures
    assert kind(figures["recall_k", "Y"]) is ReasonKind.NO_REFERENCE
    assert kind(figures["precision_k", "X"]) is ReasonKind.ONLY_REFERENCE
    assert figures["recall_k", "X"].value == figures["precision_k", "Y"].value == 0


def kind(figure: Figure) -> Any:
    assert figure.value is None
    assert figure.reason is not None
    return figure.reason.kind


# Stability.


def test_the_same_annotator_twice() -> None:
    first, second = random_corpus(5), random_corpus(6, names="abc")
    found = stability(first, second, settings=ROUGH)
    assert found.kind is AgainstKind.STABILITY
    assert found.reference == ""
    assert [one.name for one in found.annotators] == ["a", "b"]
    assert [(n.fact.kind, dict(n.fact.parameters)) for n in found.notes] == [
        (FactKind.ANNOTATORS_ONCE, {"names": "'c', 'g'"})
    ]
    assert not {"precision", "recall", "ser"} & {key for key, _ in found["a"].figures}
    alone = Corpus(tuple(one.only("a") for one in first))
    other = against(alone, Corpus(tuple(one.only("a") for one in second)), settings=ROUGH)["a"]
    for key in SYMMETRIC:
        assert found["a"].figures[key, ""].value == other.figures[key, ""].value


def test_the_same_work_twice_is_stable() -> None:
    data = random_corpus(7)
    for one in stability(data, data, settings=ROUGH).annotators:
        assert set(values(one).values()) == {1.0}


# What does not fit, and bad input.


def texts(*given: str, name: str = "g") -> Corpus:
    return Corpus(
        tuple(
            Continuum(f"t{at}", (Unit(name, 0, 2, "X"),), text=text)
            for at, text in enumerate(given)
        )
    )


def test_tasks_with_other_texts_are_refused_by_id() -> None:
    found = against(
        texts("same", "one", "like", name="a"), texts("same", "two", "like"), settings=ROUGH
    )
    assert [(one.task, one.reason.kind) for one in found.excluded] == [
        ("t1", ReasonKind.OTHER_TEXT)
    ]
    assert found["a"].n_tasks == found.n_tasks == 2


@pytest.mark.parametrize(
    ("mine", "its", "reason"),
    [
        ({"length": 10}, {"length": 11}, ReasonKind.OTHER_LENGTH),
        ({"length": 10}, {"end": 11}, ReasonKind.OTHER_LENGTH),
        ({"end": 11}, {"length": 10}, ReasonKind.OTHER_LENGTH),
        ({"length": 10}, {"length": 10, "measure": Measure.TOKEN}, ReasonKind.OTHER_MEASURE),
    ],
)
def test_tasks_of_other_lengths_or_measures_are_refused(
    mine: Mapping[str, Any], its: Mapping[str, Any], reason: ReasonKind
) -> None:
    def task(name: str, fits: str, end: int = 5, **more: Any) -> Continuum:
        return Continuum(fits, (Unit(name, 0, end, "X"),), **more)

    one = Corpus((task("a", "good"), task("a", "bad", **mine)))
    other = Corpus((task("g", "good"), task("g", "bad", **its)))
    found = against(one, other, settings=ROUGH)
    assert [(x.task, x.reason.kind) for x in found.excluded] == [("bad", reason)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: against(random_corpus(1), "x"), "there are 'a', 'b', 'g'"),
        (lambda: against(random_corpus(1), random_corpus(1)), "--against-annotator"),
        (lambda: against(random_corpus(1), random_corpus(1), annotator="x"), "there are 'a'"),
        (lambda: against(random_corpus(1), "g", annotator="a"), "corpus of its own"),
        (lambda: against(texts("a b", name="a"), Corpus(())), "has no annotator"),
        (lambda: against(texts("one", name="a"), texts("two")), "task 't0'"),
        (
            lambda: against(
                texts("one", name="a"), Corpus((Continuum("u", (Unit("g", 0, 1, "X"),)),))
            ),
            "no task is on both sides: one has 't0', the other 'u'",
        ),
        (
            lambda: against(
                texts("one", name="a"), Corpus((Continuum("t0", (), {"g": Presence.EMPTY}),))
            ),
            "marked no unit",
        ),
        (lambda: stability(texts("a b", name="a"), texts("a b")), "no annotator is on both sides"),
    ],
)
def test_bad_input_is_a_sentence(call: Any, words: str) -> None:
    with pytest.raises((InputError, SettingsError), match=words):
        call()


def test_an_annotator_without_a_common_task_has_a_reason() -> None:
    data = Corpus((
        continuum(("a", 0, 5, "X"), ("g", 0, 5, "X"), length=20, task="one"),
        continuum(("b", 0, 5, "X"), ("a", 0, 5, "X"), length=20, task="two"),
    ))  # fmt: skip
    found = against(data, "g", settings=ROUGH)
    assert found["b"].n_tasks == 0
    assert kind(found["b"].gamma) is ReasonKind.NO_SHARED_TASK
    assert [one.name for one in found.ranked] == ["a", "b"]
    assert [note.fact.kind for note in found.notes] == [FactKind.TASKS_WITHOUT_REFERENCE]
