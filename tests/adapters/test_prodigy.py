"""prodigy: sessions, answers, views, and the round trips."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read, write
from goldspan.adapters.prodigy.writer import tokenise
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora, texts

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TEXT = "Ada met 🙂 Grace Hopper in Paris."
SPAN = {"start": 10, "end": 22, "token_start": 3, "token_end": 4, "label": "PER"}


def row(session: str | None, *spans: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    answer = {
        "text": TEXT,
        "spans": list(spans),
        "_input_hash": 1,
        "_task_hash": 2,
        "_view_id": "spans_manual",
        "answer": "accept",
        "_session_id": session,
        "_annotator_id": session,
    }
    return {key: value for key, value in (answer | more).items() if value is not ...}


def save(path: Path, *rows: Mapping[str, Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


def load(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def spans(corpus: Corpus, task: str) -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


def counts(corpus: Corpus) -> dict[str, int]:
    return {note.message: note.count for note in corpus.notes}


def same(back: Corpus, corpus: Corpus) -> None:
    assert back.continua == corpus.continua
    assert back.scale == corpus.scale


class TestPresence:
    def test_seen_skipped_and_never_seen(self, tmp_path: Path) -> None:
        path = save(
            tmp_path / "ner.jsonl",
            row("ner-ada", SPAN),
            row("ner-bob"),
            row("ner-cyd", SPAN, answer="ignore"),
            row("ner-dan", SPAN, answer="reject"),
            row("ner-bob", _input_hash=2, text="Two.", spans=...),
        )
        assert detect(path) == "prodigy"
        corpus = read(path)
        assert corpus["1"].presence == {
            "ada": Presence.DONE,
            "bob": Presence.EMPTY,
            "cyd": Presence.SKIPPED,
            "dan": Presence.SKIPPED,
        }
        assert corpus["2"].presence == {"bob": Presence.EMPTY}
        assert spans(corpus, "1") == [("ada", 10, 22, "PER")]
        assert [u.source for u in corpus["1"].units] == [f"{path}:1, spans 1"]
        assert counts(corpus)["answers that ignored the task, counted as not seen"] == 1
        assert counts(corpus)["answers that rejected the task, counted as not seen"] == 1

    def test_the_last_answer_counts_and_is_reported(self, tmp_path: Path) -> None:
        late = {"start": 0, "end": 3, "label": "PER"}
        path = save(
            tmp_path / "ner.jsonl",
            row("ner-ada", SPAN, _timestamp=20),
            row("ner-ada", late, _timestamp=30),
            row("ner-ada", _timestamp=10),
            row("ner-bob", SPAN),
            row("ner-bob", answer="ignore"),
        )
        corpus = read(path)
        assert spans(corpus, "1") == [("ada", 0, 3, "PER")]
        assert corpus["1"].presence["bob"] is Presence.SKIPPED
        assert counts(corpus)["repeated answers of one annotator, the last one kept"] == 3

    def test_an_unanswered_task_is_a_task(self, tmp_path: Path) -> None:
        bare = {"text": "Two.", "_input_hash": 2}
        corpus = read(save(tmp_path / "ner.jsonl", row("ner-ada", SPAN), bare))
        assert corpus["2"].presence == {}
        assert corpus["2"].text == "Two."

    @pytest.mark.parametrize("answer", [..., None, "yes"])
    def test_no_answer_is_an_error(self, tmp_path: Path, answer: Any) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada", answer=answer))
        with pytest.raises(InputError, match=rf"^{path}:1: 'answer' is not accept, reject or"):
            read(path)

    @pytest.mark.parametrize("label", [{"x": 1}, ["P"], True])
    def test_a_label_that_is_no_text_is_an_error(self, tmp_path: Path, label: Any) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada", {"start": 0, "end": 3, "label": label}))
        with pytest.raises(InputError, match=rf"^{path}:1, spans 1: a label is .*, not a text"):
            read(path)

    @pytest.mark.parametrize("time", [10**400, float("nan")])
    def test_a_time_that_is_none_is_an_error(self, tmp_path: Path, time: float) -> None:
        rows = row("ner-ada", _timestamp=1), row("ner-ada", _timestamp=time)
        path = save(tmp_path / "ner.jsonl", *rows)
        with pytest.raises(InputError, match=rf"^{path}:2: '_timestamp' is not a time"):
            read(path)


class TestTasks:
    def test_the_same_input_not_the_same_question(self, tmp_path: Path) -> None:
        path = save(
            tmp_path / "ner.jsonl",
            row("ner-ada", SPAN, _task_hash=3),
            row("ner-bob", _task_hash=4),
            row("ner-bob", _input_hash=5),
        )
        corpus = read(path)
        assert corpus["1"].annotators == ("ada", "bob")
        assert corpus["5"].annotators == ("bob",)

    def test_without_hashes_the_text_decides(self, tmp_path: Path) -> None:
        path = save(
            tmp_path / "ner.jsonl",
            row("ner-ada", SPAN, _input_hash=...),
            row("ner-bob", _input_hash=...),
            row("ner-bob", _input_hash=..., text="Two."),
        )
        corpus = read(path)
        assert corpus["ner:1"].annotators == ("ada", "bob")
        assert corpus["ner:3"].annotators == ("bob",)

    def test_the_rows_own_id_is_the_name(self, tmp_path: Path) -> None:
        path = save(
            tmp_path / "ner.jsonl",
            row("ner-ada", id="news 7"),
            row("ner-ada", id="news 7", _input_hash=2),
            row("ner-bob", id=9, _input_hash=2),
        )
        assert [c.id for c in read(path).continua] == ["news 7", "2"]

    def test_texts_that_differ_are_left_out_and_said(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada"), row("ner-bob", text="Another."))
        corpus = read(path)
        assert corpus.continua == ()
        assert counts(corpus) == {"left out: its text is not the same for all annotators": 1}


class TestSessions:
    @pytest.mark.parametrize(
        ("stem", "sessions", "names"),
        [
            ("ner", ["ner-ada", "ner-bob"], ["ada", "bob"]),
            ("ner", ["ner-anna-lena", "ner-anna-marie"], ["anna-lena", "anna-marie"]),
            ("export", ["my-data-ada", "my-data-bob"], ["ada", "bob"]),
            ("export", ["round1-ada", "round2-bob"], ["ada", "bob"]),
            ("export", ["my-data-ada"], ["ada"]),
            ("export", ["ada", "bob"], ["ada", "bob"]),
            ("export", ["d-ada", "d-ada-lena"], ["ada", "ada-lena"]),
        ],
    )
    def test_the_dataset_is_taken_off(
        self, tmp_path: Path, stem: str, sessions: list[str], names: list[str]
    ) -> None:
        path = save(tmp_path / f"{stem}.jsonl", *(row(session) for session in sessions))
        assert read(path).annotators == tuple(names)

    @pytest.mark.parametrize(
        ("files", "names"),
        [
            ({"f1": ["x-ann-m"], "f2": ["x-bob-m"]}, ["ann-m", "bob-m"]),
            ({"x-ann": ["x-ann-m"], "x-bob": ["x-bob-m"]}, ["ann-m", "bob-m"]),
            ({"f1": ["d1-jean-luc", "d1-bob"], "f2": ["d1-jean-luc"]}, ["bob", "jean-luc"]),
            ({"d1": ["d1-jean-luc"], "more": ["d1-jean-marc"]}, ["jean-luc", "jean-marc"]),
            ({"f1": ["a-ann-m"], "f2": ["b-bob-m"]}, ["a-ann-m", "b-bob-m"]),
        ],
    )
    def test_the_sessions_of_all_files_are_judged_together(
        self, tmp_path: Path, files: dict[str, list[str]], names: list[str]
    ) -> None:
        for stem, sessions in files.items():
            save(tmp_path / f"{stem}.jsonl", *(row(session, SPAN) for session in sessions))
        corpus = read(tmp_path)
        assert corpus["1"].annotators == tuple(names)
        assert {unit.annotator for unit in corpus["1"].units} == set(names)

    def test_one_annotator_in_datasets_that_name_their_files(self, tmp_path: Path) -> None:
        save(tmp_path / "news-1.jsonl", row("news-1-ada", SPAN), row("news-1-bob"))
        save(tmp_path / "news-2.jsonl", row("news-2-ada", SPAN, _input_hash=2))
        assert read(tmp_path).annotators == ("ada", "bob")

    @pytest.mark.parametrize(
        ("session", "message"),
        [
            (None, "the answer belongs to no session; use --annotator-from file"),
            ("", "the answer belongs to no session; use --annotator-from file"),
            ("2023-07-25_14-50-21", "the session '2023.*' has no name, only a time.*--annotator"),
            ("ner-2023-07-25_14-50-21", "the session 'ner-2023.*' has no name, only a time"),
        ],
    )
    def test_no_name_stops_and_names_the_option(
        self, tmp_path: Path, session: str | None, message: str
    ) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada"), row(session))
        with pytest.raises(InputError, match=rf"^{path}:2: {message}"):
            read(path)

    def test_other_sources_of_names(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ada.jsonl", row(None, SPAN, meta={"who": "bob"}, coder=3))
        assert read(path, annotator_from="file").annotators == ("ada",)
        assert read(path, annotator_from="dir").annotators == (tmp_path.name,)
        assert read(path, annotator_from="meta.who").annotators == ("bob",)
        assert read(path, annotator_from="coder").annotators == ("3",)
        with pytest.raises(InputError, match=rf"^{path}:1: there is no annotator in 'whom'"):
            read(path, annotator_from="whom")

    def test_unnamed_sessions_can_be_taken_as_they_are(self, tmp_path: Path) -> None:
        times = ("2023-07-25_14-50-21", "2023-07-26_14-50-21")
        path = save(tmp_path / "ner.jsonl", *(row(time) for time in times))
        assert read(path, annotator_from="_session_id").annotators == times

    def test_a_file_for_each_annotator(self, tmp_path: Path) -> None:
        save(tmp_path / "ada.jsonl", row(None, SPAN))
        save(tmp_path / "bob.jsonl", row(None))
        assert detect(tmp_path) == "prodigy"
        corpus = read(tmp_path, annotator_from="file")
        assert corpus["1"].presence == {"ada": Presence.DONE, "bob": Presence.EMPTY}


class TestViews:
    @pytest.mark.parametrize("more", [{"_view_id": "ner"}, {"_view_id": "spans"}])
    def test_binary_views_are_refused(self, tmp_path: Path, more: dict[str, Any]) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada"), row("ner-bob", **more))
        with pytest.raises(InputError, match=rf"^{path}:2: the view '.*' asks about one sugg"):
            read(path)

    def test_the_binary_mark_is_refused(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada", _is_binary=True))
        with pytest.raises(InputError, match=rf"^{path}:1: the view '.*' asks about one sugg"):
            read(path)
        assert read(save(path, row("ner-ada", _is_binary=False))).annotators == ("ada",)

    def test_views_without_spans(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada", _view_id="diff"))
        with pytest.raises(InputError, match=rf"^{path}:1: the view 'diff' neither marks spans"):
            read(path)
        path = save(tmp_path / "ner.jsonl", row("ner-ada", _view_id="blocks", spans=...))
        with pytest.raises(InputError, match=rf"^{path}:1: no row has spans, .*'blocks'"):
            read(path)

    def test_blocks_with_spans_are_read(self, tmp_path: Path) -> None:
        rows = row("ner-ada", SPAN, _view_id="blocks"), row("ner-bob", _view_id="blocks", spans=...)
        corpus = read(save(tmp_path / "ner.jsonl", *rows))
        assert corpus["1"].annotators == ("ada", "bob")

    def test_reviews_are_left_out_and_named(self, tmp_path: Path) -> None:
        path = save(
            tmp_path / "ner.jsonl", row("ner-ada"), row("ner-boss", SPAN, _view_id="review")
        )
        corpus = read(path)
        assert corpus["1"].annotators == ("ada",)
        assert any("'boss' in the review left out" in n.message for n in corpus.notes)
        assert read(path, include_annotators=("boss",))["1"].annotators == ("ada", "boss")


class TestBadInput:
    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"text": ...}, "'text' is missing, not a text"),
            ({"spans": "x"}, "'spans' is \"x\", not a list"),
            ({"spans": [{"start": 1.5, "end": 2}]}, "spans 1: 'start' is 1.5, not a whole number"),
            ({"spans": [{"start": True, "end": 2}]}, "spans 1: 'start' is true"),
            ({"spans": [{**SPAN, "end": 999}]}, r"spans 1: the span \[10, 999\) is outside"),
            ({"spans": [{**SPAN, "start": -1}]}, r"spans 1: the span \[-1, 22\) is outside"),
            ({"spans": [{**SPAN, "text": "Grace"}]}, r"spans 1: .* reads 'Grace Hopper', not"),
            ({"spans": [{**SPAN, "label": None}]}, r"spans 1: the span .* has no category"),
            ({"spans": [{**SPAN, "start": 30}]}, r"spans 1: the span \[30, 22\) ends before"),
        ],
    )
    def test_it_names_file_and_line(
        self, tmp_path: Path, more: dict[str, Any], message: str
    ) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada"), row("ner-bob", **more))
        with pytest.raises(InputError, match=rf"^{path}:2(, |: ){message}"):
            read(path)

    def test_broken_json(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada"))
        with path.open("a", encoding="utf-8") as file:
            file.write('\n{"text": ')
        with pytest.raises(InputError, match=rf"^{path}:3: this is not JSON"):
            read(path)

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"there is no \.jsonl file"):
            read(tmp_path, format="prodigy")

    def test_positions_in_utf16_by_all_annotators_together(self, tmp_path: Path) -> None:
        # Ada's span would fit as it is; Bob's shows that the tool counted otherwise.
        bob = {**SPAN, "start": 27, "end": 34, "text": "Paris."}
        path = save(
            tmp_path / "ner.jsonl",
            row("ner-ada", {**SPAN, "start": 11, "end": 23}),
            row("ner-bob", {**bob, "end": 33}),
        )
        corpus = read(path)
        assert spans(corpus, "1") == [("ada", 10, 22, "PER"), ("bob", 26, 32, "PER")]
        assert any("UTF-16" in message for message in counts(corpus))

    def test_multiline_separators_inside_a_text_are_no_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "ner.jsonl"
        line = json.dumps(row("ner-ada", text="a\u2028b\x85c", spans=[]), ensure_ascii=False)
        path.write_text(line + "\r\n", encoding="utf-8", newline="")
        assert read(path)["1"].text == "a\u2028b\x85c"

    def test_no_length_and_twice_the_same(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada", SPAN, SPAN, {**SPAN, "end": 10}))
        corpus = read(path)
        assert spans(corpus, "1") == [("ada", 10, 22, "PER")]
        assert counts(corpus)["spans without length dropped"] == 1
        assert counts(corpus)["duplicate spans counted once"] == 1

    def test_a_byte_order_mark_before_the_file(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada", SPAN))
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        assert detect(path) == "prodigy"
        assert spans(read(path), "1") == [("ada", 10, 22, "PER")]

    def test_category_from_another_field(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada", {**SPAN, "kb_id": "Q7"}))
        assert spans(read(path, category_from="kb_id"), "1") == [("ada", 10, 22, "Q7")]

    def test_a_field_that_no_span_has_is_an_error(self, tmp_path: Path) -> None:
        path = save(tmp_path / "ner.jsonl", row("ner-ada", SPAN))
        with pytest.raises(SettingsError, match="there is no field 'zzz' in any span; there are e"):
            read(path, category_from="zzz", unlabelled="X")
        assert read(save(path, row("ner-ada")), category_from="zzz").annotators == ("ada",)


CORPORA = st.builds(
    lambda corpus, scale: Corpus(corpus.continua, tuple(scale)),
    corpora(presences=tuple(Presence), annotators=("ann-1", "bob b 🙂", "ש")),
    st.lists(st.sampled_from(["PER", "LOC", "Ä|ö"]), unique=True),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(CORPORA)
def test_round_trip(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "out.jsonl"
    write(corpus, path, "prodigy")
    same(read(path, format="prodigy"), corpus)
    for one in load(path):
        tokens = {token["id"]: token for token in one["tokens"]}
        for span in one.get("spans", ()):
            assert tokens[span["token_start"]]["start"] == span["start"]
            assert tokens[span["token_end"]]["end"] == span["end"]


@given(texts(), st.data())
def test_tokens_tell_the_whole_text(text: str, data: st.DataObject) -> None:
    cut = st.integers(0, len(text) - 1)
    starts = data.draw(st.lists(cut, max_size=4))
    spans = {(start, data.draw(st.integers(start + 1, len(text)))) for start in starts}
    tokens = tokenise(text, spans)
    assert "".join(token["text"] + " " * token["ws"] for token in tokens) == text
    assert all(text[token["start"] : token["end"]] == token["text"] for token in tokens)
    assert [token["id"] for token in tokens] == list(range(len(tokens)))


def test_partial_work_media_and_ten_thousand_spans(tmp_path: Path) -> None:
    text = "word 🙂 e\u0301\r\n\tשלום " * 2_000
    units = tuple(Unit(f"a{i % 3}", i, i + 1 + i % 9, f"c{i % 5}") for i in range(10_000))
    states = {"a2": Presence.PARTIAL, "a3": Presence.EMPTY, "a4": Presence.UNKNOWN}
    corpus = Corpus((Continuum("t", units, states, text=text, media="x.wav"),), scale=("c0",))
    write(corpus, tmp_path / "out.jsonl", "prodigy")
    same(read(tmp_path / "out.jsonl"), corpus)


def test_tasks_of_one_text_stay_apart(tmp_path: Path) -> None:
    corpus = Corpus(tuple(Continuum(name, (Unit("a", 0, 1, "X"),), text="ab") for name in "st"))
    write(corpus, tmp_path / "out.jsonl", "prodigy")
    assert len({one["_input_hash"] for one in load(tmp_path / "out.jsonl")}) == 2
    same(read(tmp_path / "out.jsonl"), corpus)


def test_the_source_gives_hashes_tokens_and_meta(tmp_path: Path) -> None:
    tokens = [
        {"text": "Ada", "start": 0, "end": 3, "id": 0, "ws": True},
        {"text": "met 🙂 Grace", "start": 4, "end": 15, "id": 1, "ws": True},
        {"text": "Hopper in Paris.", "start": 16, "end": 32, "id": 2, "ws": False},
    ]
    source = save(tmp_path / "in.jsonl", row("in-ada", tokens=tokens, meta={"page": 3}, spans=[]))
    corpus = read(source)
    assert write(corpus, tmp_path / "out.jsonl", "prodigy", source=(source,)) == ()
    (one,) = load(tmp_path / "out.jsonl")
    assert (one["_input_hash"], one["meta"], one["tokens"]) == (1, {"page": 3}, tokens)
    units = (Unit("ada", 10, 22, "PER"),)
    moved = Corpus((Continuum("1", units, text=TEXT),))
    (note,) = write(moved, tmp_path / "out.jsonl", "prodigy", source=(source,))
    assert "tokens were cut again" in note.message
    same(read(tmp_path / "out.jsonl"), moved)


class TestGold:
    def gold(self) -> Gold:
        units = (Unit("a", 0, 3, "PER"), Unit("b", 0, 3, "PER"), Unit("c", 10, 22, "PER"))
        corpus = Corpus((Continuum("t", units, {"d": Presence.SKIPPED}, text=TEXT),))
        found = (GoldSpan(0, 3, "PER", 0.75, units[:2], seen=3),)
        return Gold(corpus, {"t": found}, "majority")

    def test_rows_for_the_review(self, tmp_path: Path) -> None:
        write(self.gold(), tmp_path / "g.jsonl", "prodigy")
        (one,) = load(tmp_path / "g.jsonl")
        assert one["text"] == TEXT
        assert one["spans"] == [
            {"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PER",
             "confidence": 0.75, "votes": ["a", "b"], "seen": 3}
        ]  # fmt: skip
        assert (one["_view_id"], one["view_id"]) == ("review", "spans_manual")
        assert one["meta"] == {"strategy": "majority"}
        assert [(v["sessions"], v["default"]) for v in one["versions"]] == [
            (["g-a", "g-b"], True),
            (["g-c"], False),
        ]
        assert one["versions"][1]["spans"][0]["end"] == 22
        assert "answer" not in one

    def test_ground_truth_is_an_answer(self, tmp_path: Path) -> None:
        write(self.gold(), tmp_path / "g.jsonl", "prodigy", ground_truth=True, annotator="us")
        (one,) = load(tmp_path / "g.jsonl")
        assert (one["answer"], one["_session_id"]) == ("accept", "g-us")
        assert read(tmp_path / "g.jsonl")["t"].annotators == ()
        back = read(tmp_path / "g.jsonl", include_annotators=("us",))
        assert spans(back, "t") == [("us", 0, 3, "PER")]


def test_what_has_no_text_is_refused(tmp_path: Path) -> None:
    corpus = Corpus((Continuum("t", (Unit("a", 0, 5, "X"),), measure=Measure.MILLISECOND),))
    with pytest.raises(InputError, match=r"^task 't': there is no text; Prodigy holds texts"):
        write(corpus, tmp_path / "out.jsonl", "prodigy")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not DATA.exists(), reason="the real files in ../shared/data are not here")
class TestRealFiles:
    def test_fashion_brands_2020(self) -> None:
        path = DATA / "prodigy_spacy_projects/tutorials/ner_fashion_brands/assets"
        path /= "fashion_brands_eval.jsonl"
        assert detect(path) == "prodigy"
        with pytest.raises(InputError, match=r":1: the answer belongs to no session"):
            read(path)
        corpus = read(path, annotator_from="file")
        states = [c.presence["fashion_brands_eval"] for c in corpus.continua]
        assert len(states) == 500
        assert states.count(Presence.EMPTY) == 371

    def test_presto_2023_is_a_choice(self) -> None:
        path = DATA / "prodigy_presto/presto_anotaciones/first_phase/presto_types.jsonl"
        assert detect(path) == "prodigy"
        corpus = read(path)
        assert not any(continuum.units for continuum in corpus)
        layer = corpus.layers["label"]
        assert layer.scale[:2] == ("adivinación", "imperativos")
        assert sum(len(one.units) > 0 and len(one.annotators) > 1 for one in layer) == 244
