"""The reader `goldspan.GoldCorpus.v1`: what is learnt from merged gold, and what is not."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, SpanGroup
from spacy.training import Example
from spacy.util import registry

from goldspan.adapters import write
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.plugin.spacy.corpus import make_corpus

NLP = spacy.blank("en")
TEXT = "Ada met Grace Hopper in New York."
VOTE = (Unit("ann", 0, 3, "PER"),)

Marked = tuple[int, int, str, float]
"""Start, end, label and confidence of a gold span."""

ADA: Marked = (0, 3, "PER", 0.95)
GRACE: Marked = (8, 20, "PER", 0.9)
HOPPER: Marked = (14, 20, "ORG", 0.7)
YORK: Marked = (24, 32, "LOC", 0.5)
HALF: Marked = (24, 30, "LOC", 0.99)
"""Ends within a token."""


def save(path: Path, *documents: tuple[str, list[Marked]]) -> Path:
    """A file as goldspan writes gold, without the source's tokens."""
    corpus = Corpus(tuple(Continuum(f"t{n}", text=t) for n, (t, _) in enumerate(documents)))
    spans = {
        f"t{number}": tuple(GoldSpan(*one, votes=VOTE, seen=3) for one in marked)
        for number, (_, marked) in enumerate(documents)
    }
    write(Gold(corpus, spans, "majority"), path, format="spacy")
    return path


def load(path: Path, nlp: Any = NLP, **options: Any) -> list[Example]:
    return list(make_corpus(path, **options)(nlp))


def entities(doc: Doc) -> list[tuple[int, int, str]]:
    return [(span.start_char, span.end_char, span.label_) for span in doc.ents]


def missing(doc: Doc) -> list[str]:
    return [token.text for token in doc if token.ent_iob == 0]


class TestEntities:
    """Without a span key, gold is `doc.ents`; the doubtful is missing annotation."""

    def test_all_of_flat_gold(self, tmp_path: Path) -> None:
        (example,) = load(save(tmp_path / "g.spacy", (TEXT, [ADA, GRACE, YORK])))

        assert entities(example.reference) == [one[:3] for one in (ADA, GRACE, YORK)]
        assert missing(example.reference) == []
        assert example.predicted.text == TEXT
        assert len(example.predicted.ents) == 0
        assert example.reference.user_data["doc_id"] == "t0"

    def test_below_the_threshold_it_is_neither_an_entity_nor_none(self, tmp_path: Path) -> None:
        path = save(tmp_path / "g.spacy", (TEXT, [ADA, GRACE, YORK]))
        (example,) = load(path, min_confidence=0.9)

        assert entities(example.reference) == [ADA[:3], GRACE[:3]]
        assert missing(example.reference) == ["New", "York"]
        assert example.get_aligned_ner()[5:7] == [None, None]

    def test_overlapping_gold_is_set_aside_and_said(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = save(tmp_path / "g.spacy", (TEXT, [ADA, GRACE, HOPPER]))
        (example,) = load(path)

        assert entities(example.reference) == [ADA[:3]]
        assert missing(example.reference) == ["Grace", "Hopper"]
        assert "2 gold spans overlap, which doc.ents cannot hold; name a spans_key" in caplog.text

    def test_a_doubtful_rival_does_not_set_the_better_one_aside(self, tmp_path: Path) -> None:
        path = save(tmp_path / "g.spacy", (TEXT, [GRACE, HOPPER]))
        (example,) = load(path, min_confidence=0.8)

        assert entities(example.reference) == [GRACE[:3]]
        assert missing(example.reference) == []

    def test_off_token_spans_are_listed_and_never_moved(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = save(tmp_path / "g.spacy", (TEXT, [ADA, HALF]))
        corpus = make_corpus(path)
        (example,) = corpus(NLP)

        assert entities(example.reference) == [ADA[:3]]
        assert missing(example.reference) == ["New", "York"]
        told = f"1 gold spans do not fit the token boundaries: [24, 30) 'LOC' in {path}, document 1"
        assert told in caplog.text
        caplog.clear()
        list(corpus(NLP))
        assert caplog.text == ""

    def test_a_span_that_fits_the_pipelines_tokens_is_used(self, tmp_path: Path) -> None:
        """The writer's tokens leave "can't" whole, English ones do not."""
        text = "Ada can't"
        path = save(tmp_path / "g.spacy", (text, [(4, 6, "VERB", 0.9)]))
        (stored,) = DocBin().from_disk(path).get_docs(spacy.blank("xx").vocab)
        assert len(stored.spans["gold"]) == 0

        (example,) = load(path)
        assert entities(example.reference) == [(4, 6, "VERB")]

    def test_a_document_without_gold_has_no_entity(self, tmp_path: Path) -> None:
        (example,) = load(save(tmp_path / "g.spacy", (TEXT, [])))

        assert entities(example.reference) == []
        assert example.reference.has_annotation("ENT_IOB")
        assert missing(example.reference) == []

    @settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        drawn=st.lists(
            st.tuples(
                st.integers(0, 16), st.integers(1, 17), st.sampled_from(["A", "B"]), st.floats(0, 1)
            ),
            max_size=6,
            unique_by=lambda one: one[:3],
        ),
        least=st.floats(0, 1),
    )
    def test_every_span_is_an_entity_or_missing_or_doubtful_inside_one(
        self, drawn: list[Marked], least: float, tmp_path: Path
    ) -> None:
        text = "one two three four"
        marked = [(s, e, label, c) for s, e, label, c in drawn if s < e]
        (example,) = load(save(tmp_path / "g.spacy", (text, marked)), min_confidence=least)
        reference = example.reference
        found = set(entities(reference))

        sure = {one[:3] for one in marked if one[3] >= least}
        assert found <= sure
        for start, end, label, _ in marked:
            touched = [t for t in reference if t.idx < end and start < t.idx + len(t)]
            inside = [t.ent_iob == 0 or t.ent_type_ != "" for t in touched]
            assert (start, end, label) in found or all(inside)
        covered = {
            t.i for s, e, *_ in marked for t in reference if t.idx < e and s < t.idx + len(t)
        }
        assert all(t.ent_iob_ == "O" for t in reference if t.i not in covered)


class TestSpanKey:
    """With a span key, gold is there, overlapping or not."""

    def test_overlapping_gold_stays(self, tmp_path: Path) -> None:
        path = save(tmp_path / "g.spacy", (TEXT, [ADA, GRACE, HOPPER, YORK]))
        (example,) = load(path, spans_key="sc", min_confidence=0.6)

        spans = [(s.start_char, s.end_char, s.label_) for s in example.reference.spans["sc"]]
        assert spans == [one[:3] for one in (ADA, GRACE, HOPPER)]
        assert not example.reference.has_annotation("ENT_IOB")

    def test_another_name_for_gold(self, tmp_path: Path) -> None:
        doc = NLP.make_doc(TEXT)
        doc.spans["mine"] = SpanGroup(
            doc, spans=[doc.char_span(0, 3, label="PER")], attrs={"confidence": [0.4]}
        )
        DocBin(docs=[doc]).to_disk(tmp_path / "g.spacy")
        (example,) = load(tmp_path / "g.spacy", gold="mine", spans_key="sc")

        assert [span.text for span in example.reference.spans["sc"]] == ["Ada"]


class TestFiles:
    """Files, folders, and what spaCy's own reader offers."""

    def test_a_folder_in_order_and_a_limit(self, tmp_path: Path) -> None:
        save(tmp_path / "b.spacy", ("Two.", []))
        save(tmp_path / "a.spacy", ("One.", []), ("And one.", []))

        texts = [example.text for example in load(tmp_path)]
        assert texts == ["One.", "And one.", "Two."]
        assert [example.text for example in load(tmp_path, limit=1)] == ["One."]

    def test_every_call_reads_again(self, tmp_path: Path) -> None:
        corpus = make_corpus(save(tmp_path / "g.spacy", (TEXT, [ADA])))
        first, second = list(corpus(NLP)), list(corpus(NLP))

        assert [e.text for e in first] == [e.text for e in second]
        assert first[0].reference is not second[0].reference

    def test_an_augmenter(self, tmp_path: Path) -> None:
        def twice(nlp: Any, example: Example) -> Any:
            yield from (example, example)

        assert len(load(save(tmp_path / "g.spacy", (TEXT, [ADA])), augmenter=twice)) == 2

    def test_other_layers_keep_their_tokens(self, tmp_path: Path) -> None:
        words, spaces, tags = ["Ada", "can't", "stay"], [True, True, False], ["N", "V", "V"]
        doc = Doc(spacy.blank("xx").vocab, words=words, spaces=spaces, tags=tags)
        doc.spans["gold"] = SpanGroup(
            doc, spans=[doc.char_span(0, 3, label="PER")], attrs={"confidence": [0.9]}
        )
        DocBin(docs=[doc]).to_disk(tmp_path / "g.spacy")
        (example,) = load(tmp_path / "g.spacy")

        assert [token.tag_ for token in example.reference] == ["N", "V", "V"]
        assert len(example.predicted) == 4
        assert entities(example.reference) == [(0, 3, "PER")]

    def test_what_spacy_finds_is_it(self, tmp_path: Path) -> None:
        path = save(tmp_path / "g.spacy", (TEXT, [ADA, YORK]))
        block = {"@readers": "goldspan.GoldCorpus.v1", "path": str(path), "min_confidence": 0.9}
        corpus = registry.resolve({"train": block})["train"]

        (example,) = corpus(NLP)
        assert entities(example.reference) == [ADA[:3]]

    def test_a_verbose_run_says_what_it_learns_from(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO, logger="spacy")
        load(save(tmp_path / "g.spacy", (TEXT, [ADA, YORK])), min_confidence=0.9)

        assert "1 gold spans to learn from, 1 below the confidence 0.9" in caplog.text


class TestBadInput:
    """One sentence, with the place."""

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"path": None}, "has no path; give one, such as --paths.train FILE"),
            ({"path": "x", "min_confidence": 1.5}, "min_confidence is 1.5; it must be"),
        ],
    )
    def test_settings(self, options: dict[str, Any], said: str) -> None:
        with pytest.raises(SettingsError, match=said):
            make_corpus(**options)

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"nowhere: there is no \.spacy file"):
            load(tmp_path / "nowhere")

    def test_no_docbin(self, tmp_path: Path) -> None:
        (tmp_path / "g.spacy").write_text("text")
        with pytest.raises(InputError, match="this is not a DocBin"):
            load(tmp_path / "g.spacy")

    @pytest.mark.parametrize(
        ("key", "attrs", "said"),
        [
            (
                "sc",
                {},
                r"document 1: there is no gold under the span key 'gold' \(there are 'sc'\)",
            ),
            ("gold", {}, "document 1: the 1 gold spans have 0 confidences; write them again"),
            ("gold", {"confidence": [0.1, 0.2]}, "the 1 gold spans have 2 confidences"),
            ("gold", {"confidence": ["high"]}, "document 1: the confidence 'high' is not a number"),
        ],
    )
    def test_no_gold(self, key: str, attrs: dict[str, Any], said: str, tmp_path: Path) -> None:
        doc = NLP.make_doc(TEXT)
        doc.spans[key] = SpanGroup(doc, spans=[doc.char_span(0, 3, label="PER")], attrs=attrs)
        DocBin(docs=[doc]).to_disk(tmp_path / "g.spacy")

        with pytest.raises(InputError, match=said):
            load(tmp_path / "g.spacy")

    def test_a_span_kept_beside_the_tokens_that_is_out_of_the_text(self, tmp_path: Path) -> None:
        doc = NLP.make_doc(TEXT)
        doc.spans["gold"] = SpanGroup(doc, spans=[])
        rows = [[30, 99, "LOC", 0.9, [], 3]]
        doc.user_data["goldspan"] = {"off_token": {"gold": rows}}
        DocBin(docs=[doc], store_user_data=True).to_disk(tmp_path / "g.spacy")

        with pytest.raises(InputError, match=r"the gold span \[30, 99\) 'LOC' is outside"):
            load(tmp_path / "g.spacy")
