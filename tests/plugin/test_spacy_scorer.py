"""The scorer `goldspan.gamma.v1`: the figures of `goldspan score`, where spaCy expects scores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from spacy.training import Example
from spacy.util import registry

from dask_cluster import dask_cluster
from goldspan.engine.errors import SettingsError
from goldspan.engine.scoring import score
from goldspan.plugin.cli import main
from goldspan.plugin.spacy.scorer import GammaScorer, corpus_of, make_scorer

NLP = spacy.blank("en")
LABELS = ("PER", "LOC", "DATE")
WORDS = 30

Tokens = tuple[int, int, str]
"""A span as its first token, the token after its last one, and its label."""


@st.composite
def flat(draw: st.DrawFn) -> list[Tokens]:
    """Spans that do not overlap."""
    edges = draw(st.lists(st.integers(0, WORDS), unique=True, max_size=10).map(sorted))
    pairs = zip(edges[::2], edges[1::2], strict=False)
    return [(start, end, draw(st.sampled_from(LABELS))) for start, end in pairs]


def document(number: int) -> Doc:
    return NLP.make_doc(" ".join(f"w{number}x{k}" for k in range(WORDS)))


def spans(doc: Doc, tokens: Iterable[Tokens]) -> list[Span]:
    return [Span(doc, start, end, label=label) for start, end, label in tokens]


def example(
    number: int, reference: Iterable[Tokens], predicted: Iterable[Tokens], key: str | None = None
) -> Example:
    docs = []
    for tokens in (predicted, reference):
        doc = document(number)
        if key is None:
            doc.ents = spans(doc, tokens)
        else:
            doc.spans[key] = spans(doc, tokens)
        docs.append(doc)
    return Example(*docs)


SOME = [
    ([(0, 2, "PER"), (5, 7, "LOC"), (10, 12, "DATE")], [(0, 2, "PER"), (5, 8, "LOC")]),
    ([(3, 4, "PER"), (8, 9, "PER"), (20, 24, "LOC")], [(3, 4, "LOC"), (20, 23, "LOC")]),
    ([(1, 3, "DATE"), (6, 9, "PER")], [(1, 3, "DATE"), (6, 9, "PER"), (15, 17, "LOC")]),
]


def some(key: str | None = None) -> list[Example]:
    return [example(number, *pair, key) for number, pair in enumerate(SOME)]


def scored(args: Sequence[str | Path], out: Path) -> dict[str, Any]:
    """The corpus figures of `goldspan score`."""
    assert main(["score", *map(str, args), "--quiet", "--json", str(out)]) == 0
    figures: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))["corpus"]
    return figures


def agree(scores: dict[str, Any], name: str, figures: dict[str, Any]) -> None:
    for end in ("value", "low", "high"):
        key = name if end == "value" else f"{name}_{end}"
        assert scores[key] == figures["gamma"][end]
    assert scores[f"{name}_cat"] == figures["gamma_cat"]["value"]
    labels = {label: figure["value"] for label, figure in figures["gamma_k"].items()}
    assert scores[f"{name}_k_per_type"] == labels


class TestFigures:
    """They are those of `goldspan score` on the same documents, to the last digit."""

    @pytest.mark.parametrize("ids", [True, False], ids=["with ids", "without"])
    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_of_a_file_for_each(
        self, ids: bool, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        examples = some()[:count]
        for number, one in enumerate(examples):
            for doc in (one.reference, one.predicted) if ids else ():
                doc.user_data["doc_id"] = 2 - number
        files = [tmp_path / "reference.spacy", tmp_path / "predicted.spacy"]
        for file, docs in (
            (files[0], [one.reference for one in examples]),
            (files[1], [one.predicted for one in examples]),
        ):
            DocBin(docs=docs, store_user_data=True).to_disk(file)
        options = ["--annotator-from", "file", "--layer", "ents", "--seed", "5"]

        figures = scored([*files, *options], tmp_path / "out.json")
        agree(make_scorer(seed=5)(examples), "ents_gamma", figures)

    def test_in_any_place_of_work(self) -> None:
        alone = make_scorer(seed=5)(some())
        assert make_scorer(seed=5, workers=2)(some()) == alone
        with dask_cluster() as address:
            assert make_scorer(seed=5, dask=address)(some()) == alone

    def test_of_span_keys(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        examples = some("sc")
        docs = []
        for one in examples:
            doc = one.reference.copy()
            for name, side in (("reference", one.reference), ("predicted", one.predicted)):
                tokens = [(s.start, s.end, s.label_) for s in side.spans["sc"]]
                doc.spans[f"ann/{name}"] = SpanGroup(doc, spans=spans(doc, tokens))
            docs.append(doc)
        DocBin(docs=docs).to_disk(tmp_path / "both.spacy")
        options = [
            "--chance",
            "statistical",
            "--precision",
            "0.05",
            "--alpha",
            "2",
            "--beta",
            "0.5",
        ]

        figures = scored([tmp_path / "both.spacy", *options], tmp_path / "out.json")
        scorer = make_scorer("sc", chance="statistical", precision=0.05, alpha=2.0, beta=0.5)
        agree(scorer(examples), "spans_sc_gamma", figures)

    @settings(max_examples=15)
    @given(st.lists(st.tuples(flat(), flat()), min_size=2, max_size=5))
    def test_of_any_documents(self, pairs: list[tuple[list[Tokens], list[Tokens]]]) -> None:
        examples = [example(number, *pair) for number, pair in enumerate(pairs)]
        scores = make_scorer()(examples)
        if not any(one or other for one, other in pairs):
            assert set(scores.values()) == {None}
            return
        result = score(corpus_of(examples, None), pairs=False)
        assert scores["ents_gamma"] == result.gamma.value
        assert scores["ents_gamma_k_per_type"] == {
            label: figure.value for label, figure in result.gamma_k.items()
        }
        if all(one == other for one, other in pairs):
            assert scores["ents_gamma"] == 1.0

    def test_nothing_predicted_is_no_better_than_chance(self) -> None:
        scores = make_scorer()([example(n, reference, ()) for n, (reference, _) in enumerate(SOME)])

        assert scores["ents_gamma"] < 0.1
        assert scores["ents_gamma_cat"] is None


class TestAnnotation:
    """What the reference says nothing about is not judged."""

    def test_undefined_is_none(self) -> None:
        nothing = [example(1, (), ()), example(2, (), ())]
        unseen = [Example(one.predicted, document(n)) for n, one in enumerate(some())]
        for examples in (nothing, unseen, []):
            scores = make_scorer()(examples)
            assert scores == dict.fromkeys(
                ["ents_gamma", "ents_gamma_low", "ents_gamma_high", "ents_gamma_cat",
                 "ents_gamma_k_per_type"]
            )  # fmt: skip

    def test_a_document_without_annotation_is_left_out(self) -> None:
        unseen = Example(example(7, (), [(0, 3, "PER")]).predicted, document(7))

        assert make_scorer()([*some(), unseen]) == make_scorer()(some())

    def test_a_document_without_the_key_is_left_out(self) -> None:
        lost = example(7, [(0, 1, "PER")], [(0, 1, "PER")], "other")

        assert make_scorer("sc")([*some("sc"), lost]) == make_scorer("sc")(some("sc"))

    def test_a_prediction_where_annotation_is_missing_is_neither_right_nor_wrong(self) -> None:
        examples = some()
        reference = examples[2].reference
        reference.set_ents(list(reference.ents), missing=[reference[16:18]])
        without = [*some()[:2], example(2, SOME[2][0], SOME[2][1][:2])]

        assert make_scorer()(examples) == make_scorer()(without)
        assert make_scorer()(examples) != make_scorer()(some())

    def test_other_tokens_do_not_matter(self) -> None:
        text = "Ada can't stay"
        reference, predicted = NLP.make_doc(text), spacy.blank("xx").make_doc(text)
        assert len(reference) != len(predicted)
        for doc in (reference, predicted):
            doc.ents = [doc.char_span(0, 3, label="PER")]
        scores = make_scorer()([Example(predicted, reference), *some()])

        again = make_scorer()([Example(reference, reference), *some()])
        assert scores == again

    def test_twins_and_spans_without_length_do_not_count_twice(self) -> None:
        examples = some("sc")
        doc = examples[0].predicted
        first = doc.spans["sc"][0]
        doc.spans["sc"].extend([first, Span(doc, 3, 3, label="PER")])

        assert make_scorer("sc")(examples) == make_scorer("sc")(some("sc"))


class TestNames:
    """A task goes by its document's id, or by its number."""

    @pytest.mark.parametrize(
        ("ids", "names"),
        [
            (["b", 0, None], ["b", "0", "document 1"]),
            ([None, None, None], ["document 1", "document 2", "document 3"]),
            (["part", "part", "whole"], ["document 1", "document 2", "document 3"]),
            (["", True, "x"], ["document 1", "document 2", "x"]),
        ],
    )
    def test_names(self, ids: list[Any], names: list[str]) -> None:
        examples = some()
        for one, given_id in zip(examples, ids, strict=True):
            one.reference.user_data["doc_id"] = given_id

        assert [task.id for task in corpus_of(examples, None).continua] == names


class TestRegistry:
    """spaCy finds it, fills in its settings, and keeps it with the pipeline."""

    def test_it_is_registered(self) -> None:
        assert registry.scorers.get("goldspan.gamma.v1") is make_scorer

    def test_beside_the_components_own_scores(self, tmp_path: Path) -> None:
        settings = {
            "@scorers": "goldspan.gamma.v1",
            "also": {"@scorers": "spacy.entity_ruler_scorer.v1"},
        }
        nlp = spacy.blank("en")
        ruler = nlp.add_pipe("entity_ruler", config={"scorer": settings})
        ruler.add_patterns([{"label": "PER", "pattern": "Ada"}, {"label": "LOC", "pattern": "Ely"}])
        nlp.to_disk(tmp_path / "model")
        again = spacy.load(tmp_path / "model")
        texts = ["Ada saw Ely and Ada .", "Ely saw Bo ."]
        examples = []
        marked = [[(0, 1, "PER"), (2, 3, "LOC")], [(2, 3, "PER")]]
        for text, ents in zip(texts, marked, strict=True):
            reference = nlp.make_doc(text)
            reference.ents = spans(reference, ents)
            examples.append(Example(nlp.make_doc(text), reference))

        scores = nlp.evaluate(examples)
        assert (scores["ents_p"], scores["ents_r"]) == (2 / 4, 2 / 3)
        assert -1 < scores["ents_gamma"] < 1
        assert again.evaluate(examples)["ents_gamma"] == scores["ents_gamma"]
        assert isinstance(again.get_pipe("entity_ruler").scorer, GammaScorer)

    def test_a_span_categorizer_trains_with_it(self) -> None:
        nlp = spacy.blank("en")
        nlp.add_pipe(
            "spancat",
            config={
                "scorer": {"@scorers": "goldspan.gamma.v1", "spans_key": "sc"},
                "suggester": {"@misc": "spacy.ngram_suggester.v1", "sizes": [1, 2]},
            },
        )
        examples = []
        for number in range(3):
            doc = document(number)
            doc.spans["sc"] = spans(doc, [(0, 2, "PER"), (1, 2, "LOC"), (7, 8, "LOC")])
            examples.append(Example(document(number), doc))
        optimizer = nlp.initialize(lambda: examples)
        assert set(nlp.evaluate(examples)) >= {"spans_sc_gamma", "spans_sc_gamma_k_per_type"}
        for _ in range(30):
            nlp.update(examples, sgd=optimizer)

        assert nlp.evaluate(examples)["spans_sc_gamma"] > 0.9

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            ({"workers": 0}, "the number of workers is 0; it must be 1 or more"),
            ({"chance": "luck"}, "there is no chance model 'luck'; use one of auto, shift"),
            ({"seed": -1}, "the seed is -1"),
            ({"precision": 0.0}, "the precision is 0.0"),
            ({"alpha": -1.0}, "alpha"),
        ],
    )
    def test_a_bad_setting_shows_when_the_configuration_is_read(
        self, wrong: dict[str, Any], said: str
    ) -> None:
        with pytest.raises(SettingsError, match=said):
            registry.resolve({"scorer": {"@scorers": "goldspan.gamma.v1", **wrong}})
