"""spacy: span keys, one file per annotator, JSONL, spans off tokens, and the round trips."""

from __future__ import annotations

import json
import struct
import sys
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin, SpanGroup
from srsly import msgpack_dumps, msgpack_loads

from goldspan.adapters import detect, read, write
from goldspan.adapters.spacy import documents
from goldspan.engine.errors import InputError, MissingExtra, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TEXT = "Ada met 🙂 Grace Hopper in Paris."
NLP = spacy.blank("en")

Groups = Mapping[str, list[tuple[int, int, str]]]


def doc(
    text: str = TEXT, groups: Groups | None = None, ents: Iterable[tuple[int, int, str]] = ()
) -> Doc:
    made = NLP.make_doc(text)
    for key, spans in (groups or {}).items():
        made.spans[key] = SpanGroup(made, name=key, spans=[made.char_span(*s) for s in spans])
    made.ents = [made.char_span(*s) for s in ents]
    return made


def save(path: Path, *docs: Doc, user_data: bool = False) -> Path:
    DocBin(docs=docs, store_user_data=user_data).to_disk(path)
    return path


def spans(corpus: Corpus, task: str) -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


def same(back: Corpus, corpus: Corpus) -> None:
    assert back.continua == corpus.continua
    assert back.scale == corpus.scale


class TestKeys:
    """`doc.spans["ann/NAME"]`: there and empty is seen, absent is unseen."""

    def test_who_saw_what(self, tmp_path: Path) -> None:
        one = doc(groups={"ann/ada": [(10, 22, "PER")], "ann/bob": [], "sc": [(26, 31, "LOC")]})
        two = doc("Another one.", groups={"ann/bob": [(0, 7, "X")]})
        path = save(tmp_path / "all.spacy", one, two)
        assert detect(path) == "spacy"
        corpus = read(path)
        first, second = corpus.continua
        assert first.text == TEXT
        assert first.presence == {"ada": Presence.DONE, "bob": Presence.EMPTY}
        assert second.presence == {"bob": Presence.DONE}
        assert spans(corpus, first.id) == [("ada", 10, 22, "PER")]
        assert TEXT[10:22] == "Grace Hopper"
        assert "span keys that were not read: 'sc'" in [n.message for n in corpus.notes]

    def test_overlap_of_one_annotator_is_kept(self, tmp_path: Path) -> None:
        nested = [(10, 22, "PER"), (10, 15, "FIRST"), (10, 22, "HERO")]
        path = save(tmp_path / "all.spacy", doc(groups={"ann/ada": nested, "ann/bob": []}))
        assert len(read(path).continua[0].units) == 3

    def test_the_group_may_tell_name_and_status(self, tmp_path: Path) -> None:
        made = doc(groups={"ann/1": [(10, 22, "PER")], "ann/2": []})
        made.spans["ann/1"].attrs.update(annotator="Ada", status="partial")
        made.user_data["doc_id"] = 17
        corpus = read(save(tmp_path / "all.spacy", made, user_data=True))
        assert corpus["17"].presence == {"2": Presence.EMPTY, "Ada": Presence.PARTIAL}
        done = read(tmp_path / "all.spacy", include_partial=True)
        assert done["17"].annotators == ("2", "Ada")

    def test_layers_choose_other_keys(self, tmp_path: Path) -> None:
        path = save(tmp_path / "all.spacy", doc(groups={"x": [(10, 22, "PER")], "y": [], "z": []}))
        corpus = read(path, layers=("x", "y"))
        assert corpus.annotators == ("x", "y")
        with pytest.raises(InputError, match=r"no span key 'w' \(there are 'x', 'y', 'z'\)"):
            read(path, layers=("w",))
        with pytest.raises(InputError, match=r"no span key 'w' \(there are 'x', 'y', 'z'\)"):
            read(path, layers=("x", "w"))

    def test_a_wrong_key_in_our_own_files(self, tmp_path: Path) -> None:
        # What is told of Bob beside the spans is no span key.
        presence = {"ada": Presence.DONE, "bob": Presence.UNSEEN}
        unit = Unit("ada", 10, 22, "PER")
        write(Corpus([Continuum("t", [unit], presence, text=TEXT)]), tmp_path / "x.spacy", "spacy")
        with pytest.raises(InputError, match=r"no span key 'ann/zz' \(there are 'ann/ada'\)"):
            read(tmp_path / "x.spacy", layers=("ann/zz",))

    def test_gold_is_left_out_and_named(self, tmp_path: Path) -> None:
        path = save(tmp_path / "all.spacy", doc(groups={"ann/a": [], "ann/Gold": []}))
        corpus = read(path)
        assert corpus.annotators == ("a",)
        assert any("'Gold' left out" in n.message for n in corpus.notes)
        assert read(path, include_annotators=("Gold",)).annotators == ("Gold", "a")

    def test_documents_of_one_id_in_two_files_are_one_task(self, tmp_path: Path) -> None:
        for name in ("ada", "bob"):
            made = doc(groups={f"ann/{name}": []})
            made.user_data["doc_id"] = "d"
            save(tmp_path / f"{name}.spacy", made, user_data=True)
        assert read(tmp_path)["d"].annotators == ("ada", "bob")
        made.user_data["doc_id"] = "d"
        save(tmp_path / "again.spacy", made, user_data=True)
        with pytest.raises(InputError, match=r"document 1: 'bob' has the document 'd' twice"):
            read(tmp_path)

    def test_no_key_says_what_to_do(self, tmp_path: Path) -> None:
        path = save(tmp_path / "all.spacy", doc(ents=[(10, 22, "PER")]))
        with pytest.raises(InputError, match=r"there are 'ents'\).* --annotator-from file"):
            read(path)


class TestFilePerAnnotator:
    """`doc.ents` cannot tell an empty document from an unseen one; a span key can."""

    def folder(self, folder: Path) -> Path:
        save(folder / "ada.spacy", doc(ents=[(10, 22, "PER")]), doc("Two."), doc("Two."))
        save(folder / "bob.spacy", doc(ents=[(0, 3, "PER")]), doc("Two.", ents=[(0, 3, "N")]))
        return folder

    def test_ents_are_matched_by_text(self, tmp_path: Path) -> None:
        corpus = read(self.folder(tmp_path), annotator_from="file")
        first, second, third = corpus.continua
        assert spans(corpus, first.id) == [("ada", 10, 22, "PER"), ("bob", 0, 3, "PER")]
        assert second.presence == {"ada": Presence.UNKNOWN, "bob": Presence.DONE}
        assert third.presence == {"ada": Presence.UNKNOWN}

    def test_the_option_settles_it(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path)
        for empty, state in (("seen", Presence.EMPTY), ("unseen", Presence.UNSEEN)):
            corpus = read(folder, annotator_from="file", empty=empty)
            assert corpus.continua[1].presence["ada"] is state

    def test_a_span_key(self, tmp_path: Path) -> None:
        save(tmp_path / "ada.spacy", doc(groups={"sc": []}), doc("Two.", groups={"sc": []}))
        save(tmp_path / "bob.spacy", doc(groups={"sc": [(0, 3, "PER")]}), doc("Two."))
        corpus = read(tmp_path, annotator_from="file")
        assert [dict(c.presence) for c in corpus.continua] == [
            {"ada": Presence.EMPTY, "bob": Presence.DONE},
            {"ada": Presence.EMPTY},
        ]

    def test_two_candidates_are_an_error_that_lists_them(self, tmp_path: Path) -> None:
        save(tmp_path / "ada.spacy", doc(groups={"sc": [(0, 3, "P")]}, ents=[(0, 3, "P")]))
        with pytest.raises(InputError, match=r"under 'ents', 'sc'; choose one with --layer"):
            read(tmp_path, annotator_from="file")
        assert read(tmp_path, annotator_from="file", layers=("ents",)).annotators == ("ada",)
        with pytest.raises(InputError, match=r"no span key 'x'"):
            read(tmp_path, annotator_from="file", layers=("x",))
        with pytest.raises(SettingsError, match=r"names one span key"):
            read(tmp_path, annotator_from="file", layers=("sc", "ents"))

    def test_a_pattern_names_the_task(self, tmp_path: Path) -> None:
        for name in ("ada", "bob"):
            (tmp_path / name).mkdir()
            save(tmp_path / name / "news.spacy", doc(ents=[(0, 3, "P")]))
        assert read(tmp_path, annotator_from="dir")["news"].annotators == ("ada", "bob")

    def test_texts_that_differ_are_left_out_and_said(self, tmp_path: Path) -> None:
        for name in ("ada", "bob"):
            made = doc(f"{name} wrote this.", ents=[(0, 3, "P")])
            made.user_data["doc_id"] = "d"
            save(tmp_path / f"{name}.spacy", made, user_data=True)
        corpus = read(tmp_path, annotator_from="file")
        assert corpus.continua == ()
        assert ("d", 1) in [(n.task, n.count) for n in corpus.notes]


class TestJsonl:
    """Rows as `Doc.to_json` writes them, or with a plain list of spans."""

    def test_what_spacy_writes(self, tmp_path: Path) -> None:
        made = doc(groups={"ann/ada": [(10, 22, "PER")], "ann/bob": []})
        path = tmp_path / "docs.jsonl"
        path.write_text(json.dumps(made.to_json(), ensure_ascii=False) + "\n", encoding="utf-8")
        assert detect(path) == "spacy"
        corpus = read(path)
        assert corpus.continua[0].presence == {"ada": Presence.DONE, "bob": Presence.EMPTY}
        assert [u.source for u in corpus.continua[0].units] == [f"{path}:1, spans, ann/ada 1"]

    @pytest.mark.parametrize(
        "row",
        [
            {"text": TEXT, "spans": [{"start": 10, "end": 22, "label": "PER"}]},
            {"text": TEXT, "ents": [{"start": 10, "end": 22, "label": "PER"}]},
            {"text": TEXT, "entities": [[10, 22, "PER"]]},
        ],
    )
    def test_a_file_per_annotator(self, tmp_path: Path, row: Mapping[str, Any]) -> None:
        path = tmp_path / "ada.jsonl"
        path.write_text(json.dumps(row) + "\n\n", encoding="utf-8")
        assert detect(path) == "spacy"
        corpus = read(path, annotator_from="file")
        assert spans(corpus, corpus.continua[0].id) == [("ada", 10, 22, "PER")]

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ("nothing", ":1: this is not JSON"),
            ("[1]", ", item 1: this is 1, not an object"),
            ("1", ":1: this is 1, not an object"),
            ('{"spans": {}}', ":1: 'text' is missing, not a text"),
            ('{"text": "abc", "spans": 3}', ":1: 'spans' is 3, not a list"),
            ('{"text": "abc", "spans": [3]}', ":1, spans 1: this is 3, not an object"),
            ('{"text": "abc", "spans": [{"end": 1}]}', ":1, spans 1: 'start' is missing"),
            (
                '{"text": "abc", "spans": [{"start": 0, "end": "1"}]}',
                ":1, spans 1: 'end' is \"1\", not a whole number",
            ),
            ('{"text": "abc", "entities": [[0, 1]]}', r":1: 'entities' holds .* not \[start"),
            (
                '{"text": "abc", "spans": [{"start": 0, "end": 9, "label": "X"}]}',
                r":1, spans 1: the span \[0, 9\) is outside the text of 3 characters",
            ),
            (
                '{"text": "abc", "spans": [{"start": 0, "end": 1, "label": "X", "text": "b"}]}',
                r":1, spans 1: the span \[0, 1\) reads 'a', not 'b'",
            ),
            (
                '{"text": "abc", "spans": [{"start": 2, "end": 1, "label": "X"}]}',
                r":1, spans 1: the span \[2, 1\) ends before it starts; .* --swap",
            ),
            (
                '{"text": "abc", "spans": [{"start": 0, "end": 1}]}',
                r":1, spans 1: the span \[0, 1\) has no category; --unlabelled",
            ),
        ],
    )
    def test_bad_rows_name_file_and_line(self, tmp_path: Path, row: str, message: str) -> None:
        path = tmp_path / "ada.jsonl"
        path.write_text(row, encoding="utf-8")
        with pytest.raises(InputError, match=rf"^{path}{message}"):
            read(path, format="spacy", annotator_from="file")

    def test_null_is_no_label(self, tmp_path: Path) -> None:
        path = tmp_path / "ada.jsonl"
        path.write_text('{"text": "abc", "entities": [[0, 1, null]]}', encoding="utf-8")
        with pytest.raises(InputError, match=rf"^{path}:1: .* has no category; --unlabelled"):
            read(path, annotator_from="file")
        corpus = read(path, annotator_from="file", unlabelled="<none>")
        assert spans(corpus, corpus.continua[0].id) == [("ada", 0, 1, "<none>")]

    def test_options_mend_what_they_can(self, tmp_path: Path) -> None:
        path = tmp_path / "ada.jsonl"
        row = {
            "text": "abc d",
            "spans": [
                {"start": 2, "end": 1, "label": "X"},
                {"start": 0, "end": 1},
                {"start": 1, "end": 1, "label": "X"},
                {"start": 1, "end": 2, "label": "X"},
                {"start": 1, "end": 4, "label": "Y"},
            ],
        }
        path.write_text(json.dumps(row), encoding="utf-8")
        corpus = read(path, annotator_from="file", swap=True, unlabelled="<none>", trim=True)
        assert spans(corpus, corpus.continua[0].id) == [
            ("ada", 0, 1, "<none>"),
            ("ada", 1, 2, "X"),
            ("ada", 1, 3, "Y"),
        ]
        notes = {n.message: n.count for n in corpus.notes}
        assert notes["spans without length dropped"] == 1
        assert notes["duplicate spans counted once"] == 1

    def test_positions_in_utf16_are_converted_and_said(self, tmp_path: Path) -> None:
        path = tmp_path / "ada.jsonl"
        span = {"start": 11, "end": 23, "label": "PER", "text": "Grace Hopper"}
        path.write_text(json.dumps({"text": TEXT, "spans": [span]}), encoding="utf-8")
        corpus = read(path, annotator_from="file")
        assert spans(corpus, corpus.continua[0].id) == [("ada", 10, 22, "PER")]
        assert any("UTF-16" in n.message for n in corpus.notes)


@pytest.mark.parametrize("tokens", [(0, 99), (50, 99), (-1, 1), (2, 1), (0, 2**31 - 1)])
def test_a_span_outside_the_tokens_is_refused(tmp_path: Path, tokens: tuple[int, int]) -> None:
    path = save(tmp_path / "x.spacy", doc(groups={"ann/ada": [(0, 3, "PER")]}))
    values = msgpack_loads(zlib.decompress(path.read_bytes()))
    (packed,) = msgpack_loads(values["span_groups"][0])
    group = msgpack_loads(packed)
    layout = ">QQQllll"
    ids, chars = struct.unpack(layout, group["spans"][0])[:3], (0, 3)
    group["spans"][0] = struct.pack(layout, *ids, *tokens, *chars)
    values["span_groups"] = [msgpack_dumps({msgpack_dumps(group): ["ann/ada"]})]
    path.write_bytes(zlib.compress(msgpack_dumps(values)))
    with pytest.raises(InputError, match=r"document 1: it has a span that is outside its tokens"):
        read(path)


class TestBadDocBin:
    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "spaCy cannot read this as a DocBin"),
            (b"no docbin at all", "this is not a DocBin: it is not compressed"),
            (zlib.compress(b"\xc1 no msgpack"), "spaCy cannot read this as a DocBin"),
            (zlib.compress(b"\x80"), "spaCy cannot read this as a DocBin"),
        ],
    )
    def test_a_broken_file(self, tmp_path: Path, data: bytes, message: str) -> None:
        path = tmp_path / "all.spacy"
        path.write_bytes(data)
        with pytest.raises(InputError, match=rf"^{path}: {message}"):
            read(path, format="spacy")

    def test_a_file_that_is_cut(self, tmp_path: Path) -> None:
        path = save(tmp_path / "all.spacy", doc(groups={"ann/a": [(10, 22, "PER")]}))
        whole = path.read_bytes()
        for size in range(0, len(whole), 40):
            path.write_bytes(whole[:size])
            with pytest.raises(InputError, match="DocBin"):
                read(path, format="spacy")

    def test_what_others_put_in_our_place(self, tmp_path: Path) -> None:
        path = tmp_path / "all.spacy"
        made = doc(groups={"ann/a": []})
        made.user_data["goldspan"] = {"presence": {"": "done", "b": 3}, "scale": 3, "length": True}
        assert read(save(path, made, user_data=True)).annotators == ("a",)
        made.user_data["goldspan"] = {"off_token": {"ann/a": [[1]]}}
        with pytest.raises(InputError, match=r"all\.spacy, document 1: its spans cannot be read"):
            read(save(path, made, user_data=True))

    def test_unbounded_expansion_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(documents, "MAX_BYTES", 1 << 22)
        path = tmp_path / "all.spacy"
        path.write_bytes(zlib.compress(bytes(1 << 24)))
        with pytest.raises(InputError, match=r"would expand to more than"):
            read(path, format="spacy")

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"no \.spacy or \.jsonl file"):
            read(tmp_path, format="spacy")


def test_without_spacy_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(tmp_path / "all.spacy", doc(groups={"ann/a": []}))
    corpus = read(path)
    monkeypatch.setitem(sys.modules, "spacy", None)
    monkeypatch.setitem(sys.modules, "spacy.tokens", None)
    with pytest.raises(MissingExtra, match=r'pip install "goldspan\[spacy\]"'):
        read(path)
    with pytest.raises(MissingExtra, match=r'pip install "goldspan\[spacy\]"'):
        write(corpus, tmp_path / "out.spacy", "spacy")
    write(corpus, tmp_path / "out.jsonl", "spacy")
    same(read(tmp_path / "out.jsonl"), corpus)


CORPORA = st.builds(
    lambda corpus, scale: Corpus(corpus.continua, tuple(scale)),
    corpora(presences=tuple(Presence), annotators=("ann-1", "bob/b 🙂", "ש")),
    st.lists(st.sampled_from(["PER", "LOC", "Ä|ö"]), unique=True),
)


@pytest.mark.parametrize("name", ["out.spacy", "out.jsonl"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(CORPORA)
def test_round_trip(tmp_path: Path, name: str, corpus: Corpus) -> None:
    write(corpus, tmp_path / name, "spacy")
    same(read(tmp_path / name, format="spacy"), corpus)


@pytest.mark.parametrize("name", ["out.spacy", "out.jsonl"])
def test_partial_work_media_and_ten_thousand_spans(tmp_path: Path, name: str) -> None:
    text = "word 🙂 e\u0301\r\n\tשלום " * 2_000
    units = tuple(Unit(f"a{i % 3}", i, i + 1 + i % 9, f"c{i % 5}") for i in range(10_000))
    states = {"a2": Presence.PARTIAL, "a3": Presence.EMPTY}
    corpus = Corpus((Continuum("t", units, states, text=text, media="x.wav"),), scale=("c0",))
    write(corpus, tmp_path / name, "spacy")
    same(read(tmp_path / name), corpus)


def test_spans_off_tokens_are_listed_and_never_moved(tmp_path: Path) -> None:
    units = (Unit("ada", 0, 3, "PER"), Unit("ada", 1, 5, "ODD"), Unit("bob", 10, 16, "EDGE"))
    more = Continuum("u", (Unit("ada", 1, 5, "ODD"),), text=TEXT)
    corpus = Corpus((Continuum("t", units, text=TEXT), more))
    (note,) = write(corpus, tmp_path / "out.spacy", "spacy")
    assert note.count == 3
    assert note.message.endswith(
        "[1, 5) 'ODD' in 'ann/ada' of task 't', [10, 16) 'EDGE' in 'ann/bob' of task 't', "
        "[1, 5) 'ODD' in 'ann/ada' of task 'u'"
    )
    made, _ = DocBin().from_disk(tmp_path / "out.spacy").get_docs(NLP.vocab)
    assert [s.text for s in made.spans["ann/ada"]] == ["Ada"]
    assert made.spans["ann/ada"].attrs == {"annotator": "ada", "status": "done"}
    assert len(made.spans["ann/bob"]) == 0
    assert made.user_data["goldspan"]["off_token"]["ann/bob"] == ((10, 16, "EDGE"),)
    same(read(tmp_path / "out.spacy"), corpus)


def test_tokens_and_other_layers_come_from_the_source(tmp_path: Path) -> None:
    made = doc("don't stop", groups={"ann/ada": [(0, 2, "V")], "sc": [(6, 10, "V")]})
    made[0].tag_ = "VB"
    source = save(tmp_path / "in.spacy", made)
    corpus = read(source, rename_labels={"V": "VERB"})
    assert write(corpus, tmp_path / "out.spacy", "spacy", source=(source,)) == ()
    (back,) = DocBin().from_disk(tmp_path / "out.spacy").get_docs(NLP.vocab)
    assert [(t.text, t.tag_) for t in back] == [("do", "VB"), ("n't", ""), ("stop", "")]
    assert [s.label_ for s in back.spans["ann/ada"]] == ["VERB"]
    assert [s.text for s in back.spans["sc"]] == ["stop"]


def test_a_source_that_lacks_strings(tmp_path: Path) -> None:
    made = doc("don't stop", groups={"ann/ada": [(0, 2, "V")]})
    made[0].norm_ = "never said elsewhere"
    packed = DocBin(attrs=["ORTH", "NORM"], docs=[made])
    packed.strings.remove("never said elsewhere")
    packed.to_disk(tmp_path / "in.spacy")
    corpus = read(tmp_path / "in.spacy")
    with pytest.raises(InputError, match="the source's document lacks strings"):
        write(corpus, tmp_path / "out.spacy", "spacy", source=tmp_path / "in.spacy")
    assert not (tmp_path / "out.spacy").exists()


class TestGold:
    def gold(self, *spans: tuple[int, int]) -> Gold:
        units = (Unit("a", 0, 3, "PER"), Unit("b", 0, 3, "PER"), Unit("b", 10, 22, "PER"))
        corpus = Corpus((Continuum("t", units, text=TEXT),))
        votes = units[:2]
        found = tuple(GoldSpan(*span, "PER", 0.75, votes, seen=2) for span in spans)
        return Gold(corpus, {"t": found}, "majority")

    def load(self, path: Path) -> Doc:
        (made,) = DocBin().from_disk(path).get_docs(NLP.vocab)
        assert isinstance(made, Doc)
        return made

    def test_a_group_with_confidence_and_votes_and_ents(self, tmp_path: Path) -> None:
        assert write(self.gold((0, 3), (10, 22)), tmp_path / "g.spacy", "spacy") == ()
        made = self.load(tmp_path / "g.spacy")
        assert [(s.text, s.label_) for s in made.spans["gold"]] == [
            ("Ada", "PER"),
            ("Grace Hopper", "PER"),
        ]
        assert made.spans["gold"].attrs == {
            "strategy": "majority",
            "calibrated": False,
            "confidence": [0.75, 0.75],
            "votes": [["a", "b"], ["a", "b"]],
            "seen": [2, 2],
        }
        assert [s.text for s in made.ents] == ["Ada", "Grace Hopper"]
        assert made.user_data["doc_id"] == "t"

    def test_no_span_is_a_verdict_too(self, tmp_path: Path) -> None:
        write(self.gold(), tmp_path / "g.spacy", "spacy")
        made = self.load(tmp_path / "g.spacy")
        assert len(made.spans["gold"]) == 0
        assert made.has_annotation("ENT_IOB")

    def test_overlap_leaves_ents_unset(self, tmp_path: Path) -> None:
        (note,) = write(self.gold((0, 3), (0, 7)), tmp_path / "g.spacy", "spacy")
        assert "doc.ents was left unset" in note.message
        made = self.load(tmp_path / "g.spacy")
        assert len(made.spans["gold"]) == 2
        assert not made.has_annotation("ENT_IOB")

    def test_off_token_gold_is_kept_aside_with_its_reasons(self, tmp_path: Path) -> None:
        (note,) = write(self.gold((0, 3), (4, 6)), tmp_path / "g.spacy", "spacy", annotator="us")
        assert "[4, 6) 'PER' in 'us'" in note.message
        made = self.load(tmp_path / "g.spacy")
        assert made.spans["us"].attrs["confidence"] == [0.75]
        assert made.user_data["goldspan"]["off_token"]["us"] == (
            (4, 6, "PER", 0.75, ("a", "b"), 2),
        )
        assert not made.has_annotation("ENT_IOB")

    def test_gold_is_added_to_the_source(self, tmp_path: Path) -> None:
        source = save(tmp_path / "in.spacy", doc(groups={"ann/a": [(0, 3, "PER")]}))
        write(self.gold((0, 3)), tmp_path / "g.spacy", "spacy", source=(source,))
        assert set(self.load(tmp_path / "g.spacy").spans) == {"ann/a", "gold"}
        back = read(tmp_path / "g.spacy", layers=("gold",), include_annotators=("gold",))
        assert spans(back, "t") == [("gold", 0, 3, "PER")]

    def test_what_was_off_token_in_an_older_gold_is_gone(self, tmp_path: Path) -> None:
        write(self.gold((0, 3), (4, 6)), tmp_path / "old.spacy", "spacy")
        write(self.gold((0, 3)), tmp_path / "g.spacy", "spacy", source=tmp_path / "old.spacy")
        made = self.load(tmp_path / "g.spacy")
        assert "goldspan" not in made.user_data
        assert [s.text for s in made.ents] == ["Ada"]

    @pytest.mark.parametrize("marked", [[(0, 22, "A"), (10, 22, "B")], [(0, 2, "A")]],
                             ids=["overlapping", "off token"])  # fmt: skip
    def test_the_sources_entities_are_not_taken_for_gold(
        self, tmp_path: Path, marked: list[tuple[int, int, str]]
    ) -> None:
        source = doc(ents=[(26, 31, "LOC")])
        source.user_data["doc_id"] = "t"
        save(tmp_path / "ada.spacy", source, user_data=True)
        spans = tuple(GoldSpan(*one, 0.9) for one in marked)
        gold = Gold(Corpus((Continuum("t", text=TEXT),)), {"t": spans}, "majority")
        write(gold, tmp_path / "g.spacy", format="spacy", source=tmp_path / "ada.spacy")
        (made,) = DocBin().from_disk(tmp_path / "g.spacy").get_docs(NLP.vocab)

        assert not made.ents
        assert not made.has_annotation("ENT_IOB")

    def test_jsonl(self, tmp_path: Path) -> None:
        write(self.gold((0, 3)), tmp_path / "g.jsonl", "spacy")
        row = json.loads((tmp_path / "g.jsonl").read_text(encoding="utf-8"))
        span = {"start": 0, "end": 3, "label": "PER"}
        extra = {"confidence": 0.75, "votes": ["a", "b"], "seen": 2}
        assert row == {"id": "t", "text": TEXT, "ents": [span], "spans": {"gold": [span | extra]}}


class TestRefusals:
    def test_what_has_no_text(self, tmp_path: Path) -> None:
        corpus = Corpus((Continuum("t", (Unit("a", 0, 5, "X"),), measure=Measure.MILLISECOND),))
        for name in ("out.spacy", "out.jsonl"):
            with pytest.raises(InputError, match=r"^task 't': there is no text; spaCy holds"):
                write(corpus, tmp_path / name, "spacy")
        tokens = Corpus(
            (Continuum("t", (Unit("a", 0, 2, "X"),), measure=Measure.TOKEN, text="a b"),)
        )
        with pytest.raises(InputError, match=r"positions are counted in tokens"):
            write(tokens, tmp_path / "out.jsonl", "spacy")
        assert list(tmp_path.iterdir()) == []

    def test_half_a_surrogate_pair(self, tmp_path: Path) -> None:
        corpus = Corpus((Continuum("t", (Unit("a", 0, 1, "X"),), text="\ud800 b"),))
        with pytest.raises(InputError, match=r"^task 't': spaCy cannot hold half a surrogate"):
            write(corpus, tmp_path / "out.spacy", "spacy")
        assert list(tmp_path.iterdir()) == []
        write(corpus, tmp_path / "out.jsonl", "spacy")
        same(read(tmp_path / "out.jsonl"), corpus)

    def test_another_suffix(self, tmp_path: Path) -> None:
        with pytest.raises(SettingsError, match=r"neither a \.spacy nor a \.jsonl file"):
            write(Corpus(()), tmp_path / "out.json", "spacy")


@pytest.mark.skipif(not DATA.exists(), reason="the real files in ../shared/data are not here")
def test_explosion_projects_2024() -> None:
    path = DATA / "prodigy_spacy_projects" / "tutorials" / "ner_tweets" / "assets" / "demo"
    assert detect(path / "demo.spacy") == "spacy"
    with pytest.raises(InputError, match=r"no span key begins with 'ann/' \(there are 'ents'\)"):
        read(path / "demo.spacy")
    corpus = read(path / "demo.spacy", annotator_from="file")
    assert [(u.annotator, u.category) for u in corpus.continua[0].units] == [("demo", "PERSON")]
