"""Labels of whole tasks: what a corpus holds of them, how they are measured and merged."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine import Continuum, Corpus, InputError, Presence, Unit, agreement, merge, score

Given = Mapping[str, str | Sequence[str]]
"""The label or labels of each annotator."""


def labelled(*tasks: Given, name: str = "sentiment", text: str | None = None) -> Corpus:
    """A corpus of labels alone."""
    bare = [
        Continuum(f"t{at}", (), dict.fromkeys(given, Presence.DONE), text=text)
        for at, given in enumerate(tasks)
    ]
    layer = tuple(
        one.labelled(
            (who, label, "")
            for who, labels in given.items()
            for label in ([labels] if isinstance(labels, str) else labels)
        )
        for one, given in zip(bare, tasks, strict=True)
    )
    return Corpus(tuple(bare), layers={name: Corpus(layer)})


FLEISS = [{"a": "x", "b": "x"}, {"a": "y", "b": "x"}, {"a": "y", "b": "y"}, {"a": "x", "b": "x"}]


def test_a_layer_measures_what_its_corpus_measures() -> None:
    corpus = labelled(*FLEISS)
    result = score(corpus, coefficients=["kappa"])
    layer = result.layers["sentiment"]
    direct = agreement(corpus.layers["sentiment"], ["alpha", "alpha_k", "kappa"])
    assert direct.items() <= dict(layer.figures).items()
    assert layer.alpha.value == pytest.approx(1 - 7 * 2 / 30)
    assert layer.agreement == {"t0": 1.0, "t1": 0.0, "t2": 1.0, "t3": 1.0}
    assert layer.figures["observed_agreement", ""].value == pytest.approx(0.75)
    assert (layer.fits, layer.n_tasks, layer.n_labels) == ("alpha", 4, 8)


def test_labels_alone_leave_gamma_undefined_with_its_reason() -> None:
    result = score(labelled(*FLEISS))
    assert result.gamma.value is None
    assert result.gamma.reason is not None
    assert result.gamma.reason.code == "whole_tasks"
    assert not result.tasks
    assert not result.gamma_k


def test_several_labels_of_one_annotator_are_a_set() -> None:
    layer = score(labelled({"a": ["x", "y"], "b": "x"}, {"a": "y", "b": "y"})).layers["sentiment"]
    assert layer.fits == "alpha_masi"
    assert layer.alpha.value is not None
    assert ("alpha", "") not in layer.figures
    assert layer.agreement == {"t0": 0.0, "t1": 1.0}


def test_labels_that_are_numbers_are_ratings() -> None:
    near = score(labelled({"a": "4", "b": "5"}, {"a": "1", "b": "1"})).layers["sentiment"]
    far = score(labelled({"a": "1", "b": "5"}, {"a": "1", "b": "1"})).layers["sentiment"]
    assert near.fits == far.fits == "alpha_interval"
    assert near.alpha.value is not None
    assert far.alpha.value is not None
    assert near.alpha.value > far.alpha.value
    assert near.figures["alpha", ""].value is not None


def test_spans_are_measured_as_without_layers() -> None:
    def spans(task: str) -> Continuum:
        units = (Unit("a", 0, 4, "P"), Unit("b", 1, 4, "P"), Unit("b", 6, 9, "Q"))
        return Continuum(task, units, length=20)

    plain = Corpus((spans("1"), spans("2"), spans("3")))
    layer = Corpus(tuple(one.labelled([("a", "x", ""), ("b", "x", "")]) for one in plain))
    both = Corpus(plain.continua, layers={"kind": layer})
    assert score(both).figures == score(plain).figures
    assert score(both).tasks == score(plain).tasks
    assert score(both).layers["kind"].agreement == {"1": 1.0, "2": 1.0, "3": 1.0}


def test_an_absent_label_is_a_missing_judgement_for_whatever_reason() -> None:
    full = labelled({"a": "x", "b": "x"}, {"a": "x", "b": "y"}, {"a": "y", "b": "y"})
    ((name, layer),) = full.layers.items()
    silent = [
        Continuum("t3", (), {"a": Presence.DONE, "b": state})
        for state in (Presence.EMPTY, Presence.UNSEEN, Presence.UNKNOWN, Presence.SKIPPED)
    ]
    for one in silent:
        more = Corpus((*layer.continua, one.labelled([("a", "x", "")])))
        corpus = Corpus((*full.continua, one), layers={name: more})
        found, known = (score(c).layers[name].alpha for c in (corpus, full))
        assert (found.value, found.sums, found.n) == (known.value, known.sums, known.n)


def test_without_two_labels_of_a_task_there_is_nothing_to_score() -> None:
    with pytest.raises(InputError, match="no task can be scored"):
        score(labelled({"a": "x"}, {"b": "y"}))


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=1))
def test_a_corpus_with_layers_survives_pickling(tasks: list[dict[str, str]]) -> None:
    corpus = labelled(*tasks)
    assert pickle.loads(pickle.dumps(corpus)) == corpus  # noqa: S301 - our own bytes


def test_layers_cannot_be_changed_nested_or_hold_places() -> None:
    corpus = labelled(*FLEISS)
    with pytest.raises(TypeError):
        corpus.layers["other"] = corpus  # type: ignore[index]
    with pytest.raises(InputError, match="has layers itself"):
        Corpus(corpus.continua, layers={"outer": corpus})
    place = Corpus((Continuum("t0", (Unit("a", 0, 1, "x"),), length=2),))
    with pytest.raises(InputError, match="not over the whole task"):
        Corpus(place.continua, layers={"place": place})


def test_the_text_gives_the_length_and_1_stands_for_none() -> None:
    (one,) = labelled({"a": "x"}, text="four").layers["sentiment"]
    assert (one.length, one.units[0].end) == (4, 4)
    for text in ("", None):
        (one,) = labelled({"a": "x"}, text=text).layers["sentiment"]
        assert (one.length, one.units[0].end) == (1, 1)


@pytest.mark.parametrize(
    ("given", "suggested"),
    [
        ({"a": "x", "b": "x", "c": "y"}, {"x": 2 / 3}),
        ({"a": "x", "b": "y"}, {}),
        ({"a": "x", "b": "x"}, {"x": 1.0}),
        ({"a": ["x", "y"], "b": ["x", "y"], "c": "y"}, {"x": 2 / 3, "y": 1.0}),
        ({"a": "x"}, {}),
    ],
)
def test_gold_suggests_the_label_of_the_majority(
    given: Given, suggested: Mapping[str, float]
) -> None:
    corpus = labelled(given, *FLEISS)
    gold = merge(corpus, score(corpus))
    found = gold.labels["sentiment"].get("t0", ())
    assert {one.category: one.confidence for one in found} == pytest.approx(suggested)


def test_an_unsure_label_is_not_suggested() -> None:
    corpus = labelled({"a": "x", "b": "x", "c": "y"}, *FLEISS)
    gold = merge(corpus, score(corpus), min_confidence=0.9)
    assert gold.labels["sentiment"]["t0"] == ()
    assert gold.only(["t2"]).labels == {"sentiment": {"t2": ()}}
