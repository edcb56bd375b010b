"""doccano: the three shapes of its rows, the zip of members, who saw what, the round trip."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read, write
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TEXT = "Ada met Grace in Paris."

Rows = Sequence[Mapping[str, Any]]


def row(number: int, *labels: tuple[int, int, str], text: str = TEXT) -> dict[str, Any]:
    return {"id": number, "text": text, "label": [list(label) for label in labels], "Comments": []}


def lines(rows: Rows) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)


def folder(path: Path, **files: Rows) -> Path:
    path.mkdir(exist_ok=True)
    for name, rows in files.items():
        (path / f"{name}.jsonl").write_text(lines(rows), encoding="utf-8")
    return path


def pack(path: Path, **files: Rows) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, rows in files.items():
            archive.writestr(f"{name}.jsonl", lines(rows))
    return path


def spans(corpus: Corpus, task: str) -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


def messages(corpus: Corpus) -> str:
    return "\n".join(note.message for note in corpus.notes)


class TestShapes:
    def test_members_in_a_zip(self, tmp_path: Path) -> None:
        path = pack(
            tmp_path / "export.zip", ada=[row(1, (0, 3, "PER"))], bob=[row(1, (8, 13, "PER"))]
        )
        assert detect(path) == "doccano"
        corpus = read(path)
        assert spans(corpus, "1") == [("ada", 0, 3, "PER"), ("bob", 8, 13, "PER")]
        assert [u.source for u in corpus["1"].of("bob")] == [f"{path}/bob.jsonl:1"]

    def test_what_else_lies_in_a_folder_does_not_matter(self, tmp_path: Path) -> None:
        row = '{"id": 1, "text": "ab", "label": [[0, 1, "A"]]}'
        (tmp_path / "ann.jsonl").write_text(row, encoding="utf-8")
        (tmp_path / "bob.jsonl").touch()
        (tmp_path / "README.md").write_text("read me", encoding="utf-8")
        assert detect(tmp_path) == "doccano"
        assert read(tmp_path).annotators == ("ann",)

    def test_relations_and_other_names(self, tmp_path: Path) -> None:
        entity = {"id": 4, "label": "PER", "start_offset": 0, "end_offset": 3}
        path = folder(
            tmp_path / "out",
            ada=[{"id": 1, "text": TEXT, "entities": [entity], "relations": []}],
            bob=[{"id": 1, "data": TEXT, "labels": [[0, 3, "PER"]]}],
        )
        assert detect(path) == "doccano"
        assert read(path)["1"].annotators == ("ada", "bob")

    def test_one_json_list(self, tmp_path: Path) -> None:
        path = tmp_path / "ada.json"
        path.write_text(json.dumps([row(1, (0, 3, "PER"))]), encoding="utf-8")
        corpus = read(path, format="doccano")
        assert [u.source for u in corpus["1"].units] == [f"{path}, item 1"]

    def test_the_old_one_has_users_inside(self, tmp_path: Path) -> None:
        def mark(user: int, start: int, end: int) -> dict[str, Any]:
            return {"label": 18, "start_offset": start, "end_offset": end, "user": user}

        one = {"id": 7, "text": TEXT, "annotations": [mark(1, 0, 3), mark(2, 0, 3)], "meta": {}}
        two = {"id": 8, "text": TEXT, "annotations": [mark(1, 0, 3)], "meta": {}}
        path = tmp_path / "novel.jsonl"
        path.write_text(lines([one, two]), encoding="utf-8")
        assert detect(path) == "doccano"
        corpus = read(path)
        assert spans(corpus, "7") == [("1", 0, 3, "18"), ("2", 0, 3, "18")]
        assert corpus["8"].presence == {"1": Presence.DONE, "2": Presence.UNKNOWN}
        assert read(path, empty="seen")["8"].presence["2"] is Presence.EMPTY
        assert "labels are numbers" in messages(corpus)
        assert read(path, rename_labels={"18": "PER"}).categories == ("PER",)
        assert read(path, annotator_from="file", empty="seen")["7"].annotators == ("novel",)

    def test_old_files_are_projects_of_their_own(self, tmp_path: Path) -> None:
        def novel(user: int) -> list[dict[str, Any]]:
            mark = {"label": "X", "start_offset": 0, "end_offset": 3, "user": user}
            return [{"id": 1, "text": f"{user} {TEXT}", "annotations": [mark]}]

        corpus = read(folder(tmp_path / "out", emma=novel(1), ulysses=novel(2)))
        assert [dict(c.presence) for c in corpus.continua] == [
            {"1": Presence.DONE},
            {"2": Presence.DONE},
        ]
        assert [c.id for c in corpus.continua] == ["1", "ulysses-1"]


class TestPresence:
    """A row of an export of approved examples is seen; any other row may or may not be."""

    def test_files_that_differ_hold_approved_examples(self, tmp_path: Path) -> None:
        path = pack(
            tmp_path / "export.zip",
            ada=[row(1, (0, 3, "PER")), row(2)],
            bob=[row(2, (0, 3, "PER"))],
            cyd=[],
        )
        corpus = read(path)
        assert corpus["1"].presence == {"ada": Presence.DONE}
        assert corpus["2"].presence == {"ada": Presence.EMPTY, "bob": Presence.DONE}
        assert "as in an export of approved documents only" in messages(corpus)

    def test_files_with_all_examples_cannot_tell(self, tmp_path: Path) -> None:
        path = pack(
            tmp_path / "export.zip",
            ada=[row(1, (0, 3, "PER")), row(2)],
            bob=[row(1), row(2, (0, 3, "PER"))],
        )
        corpus = read(path)
        assert corpus["1"].presence == {"ada": Presence.DONE, "bob": Presence.UNKNOWN}
        assert corpus["2"].presence == {"ada": Presence.UNKNOWN, "bob": Presence.DONE}
        assert "'Export only approved documents', or use --empty seen" in messages(corpus)
        for empty, state in (("seen", Presence.EMPTY), ("unseen", Presence.UNSEEN)):
            settled = read(path, empty=empty)
            assert settled["1"].presence["bob"] is state
            assert "--empty" not in messages(settled)

    def test_an_assignments_file_settles_it_too(self, tmp_path: Path) -> None:
        path = pack(tmp_path / "export.zip", ada=[row(1, (0, 3, "PER"))], bob=[row(1)])
        table = tmp_path / "who.csv"
        table.write_text("document,annotator,status\n1,bob,empty\n", encoding="utf-8")
        assert read(path, assignments=table)["1"].annotators == ("ada", "bob")

    def test_projects_of_their_own_prove_nothing(self, tmp_path: Path) -> None:
        ada, bob = [row(1, (0, 3, "PER")), row(2, text="Two.")], [row(8), row(9, text="Two.")]
        folder(tmp_path / "ada", all=ada)
        folder(tmp_path / "bob", all=bob[:1])
        corpus = read(tmp_path, annotator_from="dir")
        assert corpus["1"].presence == {"ada": Presence.DONE, "bob": Presence.UNKNOWN}

    def test_a_merged_export_is_refused(self, tmp_path: Path) -> None:
        path = pack(tmp_path / "export.zip", all=[row(1, (0, 3, "PER"))])
        with pytest.raises(InputError, match=r"all\.jsonl: this export .* merges all annotators"):
            read(path)
        loose = folder(tmp_path / "out", all=[row(1)])
        with pytest.raises(InputError, match=r"--annotator-from dir"):
            read(loose / "all.jsonl")
        assert read(loose, annotator_from="dir", empty="seen")["1"].annotators == ("out",)


class TestTasks:
    def test_one_project_each_is_matched_by_text(self, tmp_path: Path) -> None:
        other = "Two."
        folder(tmp_path / "ada", all=[row(1, (0, 3, "A")), row(2, (0, 3, "B"), text=other)])
        folder(tmp_path / "bob", all=[row(7, (0, 3, "C"), text=other), row(8, (0, 3, "D"))])
        corpus = read(tmp_path, annotator_from="dir")
        assert spans(corpus, "1") == [("ada", 0, 3, "A"), ("bob", 0, 3, "D")]
        assert spans(corpus, "2") == [("ada", 0, 3, "B"), ("bob", 0, 3, "C")]

    def test_texts_that_differ_are_left_out_and_said(self, tmp_path: Path) -> None:
        path = folder(tmp_path / "out", ada=[row(1, (0, 3, "A"))], bob=[row(1, text="Two.")])
        corpus = read(path)
        assert corpus.continua == ()
        assert "its text is not the same" in messages(corpus)

    def test_one_example_twice_is_an_error(self, tmp_path: Path) -> None:
        path = folder(tmp_path / "out", ada=[row(1), row(1)])
        with pytest.raises(InputError, match=r"ada\.jsonl:2: 'ada' has the example '1' twice"):
            read(path)

    @pytest.mark.parametrize(
        ("text", "warned"),
        [
            (TEXT, False),
            ("plain é 🙂 שלום", False),
            ("e\u0301 combining", True),
            ("👩\u200d👩\u200d👧 joined", True),
            ("👍🏽 toned", True),
            ("🇫🇷 flag", True),
            ("two\r\nlines", True),
        ],
    )
    def test_grapheme_clusters_are_warned_of(self, tmp_path: Path, text: str, warned: bool) -> None:
        path = folder(tmp_path / "out", ada=[row(1, (0, 3, "X"), text=text)])
        assert ("grapheme clusters" in messages(read(path))) is warned


class TestBadInput:
    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ({"id": 2, "label": []}, "'text' is missing, not a text"),
            ({"id": 2, "text": TEXT}, "there is neither 'label' nor 'entities' nor"),
            ({"text": TEXT, "label": ["positive", 3]}, "'label' holds something that is not"),
            ({"text": TEXT, "label": "positive"}, "'label' is \"positive\", not a list"),
            ({"text": TEXT, "label": [[0, "3", "X"]]}, 'the end is "3", not a whole number'),
            ({"text": TEXT, "label": [[0, 99, "X"]]}, r"the span \[0, 99\) is outside the text"),
            ({"text": TEXT, "label": [[3, 0, "X"]]}, r"the span \[3, 0\) ends before it starts"),
            ({"text": TEXT, "label": [[0, 3, None]]}, r"the span \[0, 3\) has no category"),
            ({"text": TEXT, "label": [[0, 3, ["X"]]]}, r'a label is \["X"\], not a text'),
            ({"text": TEXT, "label": [[0, 3, True]]}, "a label is true, not a text"),
            (
                {"text": TEXT, "entities": [{"start_offset": 0, "end_offset": 3, "label": {}}]},
                r"a label is \{\}, not a text",
            ),
            ({"text": TEXT, "entities": [{"label": "X"}]}, ".*'start_offset' is missing"),
            (
                {"text": TEXT, "annotations": [{"start_offset": 0, "end_offset": 1}]},
                ".*'user' is missing",
            ),
        ],
    )
    def test_it_names_file_and_line(
        self, tmp_path: Path, bad: dict[str, Any], message: str
    ) -> None:
        path = folder(tmp_path / "out", ada=[row(1), bad]) / "ada.jsonl"
        with pytest.raises(InputError, match=rf"^{path}:2(, \w+ \d+)?: {message}"):
            read(path, empty="seen")

    def test_no_length_and_twice_the_same(self, tmp_path: Path) -> None:
        path = folder(tmp_path / "out", ada=[row(1, (0, 3, "X"), (3, 3, "X"), (0, 3, "X"))])
        corpus = read(path)
        assert spans(corpus, "1") == [("ada", 0, 3, "X")]
        assert "spans without length dropped" in messages(corpus)
        assert "duplicate spans counted once" in messages(corpus)

    def test_positions_in_utf16_that_leave_the_text(self, tmp_path: Path) -> None:
        text = "🙂 Ada met Grace"
        rows = {"ada": [row(1, (3, 6, "X"), text=text)], "bob": [row(1, (11, 16, "X"), text=text)]}
        corpus = read(folder(tmp_path / "out", **rows))
        assert spans(corpus, "1") == [("ada", 2, 5, "X"), ("bob", 10, 15, "X")]
        assert "counted in UTF-16 code units" in messages(corpus)

    def test_zips_that_reach_out_or_explode(self, tmp_path: Path) -> None:
        path = tmp_path / "export.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("../ada.jsonl", lines([row(1)]))
        with pytest.raises(InputError, match=r"points outside the archive; refused"):
            read(path, format="doccano")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("ada.jsonl", " " * (1 << 24))
        with pytest.raises(InputError, match=r"would expand .* times; refused"):
            read(path, format="doccano")
        path.write_bytes(b"no zip")
        with pytest.raises(InputError, match=r"this is not a zip file"):
            read(path, format="doccano")
        assert not any(p.suffix == ".jsonl" for p in tmp_path.parent.iterdir())

    def test_a_folder_without_rows(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"there is no \.jsonl file"):
            read(tmp_path, format="doccano")


CORPORA = st.builds(
    lambda corpus, scale: Corpus(corpus.continua, tuple(scale)),
    corpora(presences=tuple(Presence), annotators=("all", "a/b 🙂", "ש")),
    st.lists(st.sampled_from(["PER", "LOC", "Ä|ö"]), unique=True),
)


@pytest.mark.parametrize("name", ["out", "out.zip"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(CORPORA)
def test_round_trip(tmp_path: Path, name: str, corpus: Corpus) -> None:
    notes = write(corpus, tmp_path / name, "doccano", replace=True)
    assert any("'all' cannot be a file name" in note.message for note in notes)
    back = read(tmp_path / name, format="doccano")
    assert {c.id: c for c in back.continua} == {c.id: c for c in corpus.continua}
    assert back.scale == corpus.scale


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_partial_work_media_and_ten_thousand_spans(tmp_path: Path, name: str) -> None:
    text = "word 🙂 e\u0301\r\n\tשלום " * 2_000
    units = tuple(Unit(f"a{i % 3}", i, i + 1 + i % 9, f"c{i % 5}") for i in range(10_000))
    states = {"a2": Presence.PARTIAL, "a3": Presence.EMPTY, "a4": Presence.UNKNOWN}
    corpus = Corpus((Continuum("t", units, states, text=text, media="x.wav"),), scale=("c0",))
    write(corpus, tmp_path / name, "doccano")
    back = read(tmp_path / name)
    assert (back.continua, back.scale) == (corpus.continua, corpus.scale)


def test_the_same_corpus_makes_the_same_zip(tmp_path: Path) -> None:
    corpus = Corpus((Continuum("t", (Unit("a", 0, 1, "X"),), text="ab"),))
    for name in ("one.zip", "two.zip"):
        write(corpus, tmp_path / name, "doccano")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_gold_is_one_file_to_import(tmp_path: Path) -> None:
    units = (Unit("a", 0, 3, "PER"), Unit("b", 0, 3, "PER"))
    corpus = Corpus((Continuum("t", units, text=TEXT),))
    gold = Gold(corpus, {"t": (GoldSpan(0, 3, "PER", 0.75, units, seen=2),)}, "majority")
    write(gold, tmp_path / "gold.jsonl", "doccano")
    assert json.loads((tmp_path / "gold.jsonl").read_text(encoding="utf-8")) == {
        "id": "t",
        "text": TEXT,
        "label": [[0, 3, "PER"]],
        "confidence": [0.75],
        "votes": [["a", "b"]],
        "seen": [2],
        "strategy": "majority",
    }
    with pytest.raises(SettingsError, match=r"is no \.jsonl file"):
        write(gold, tmp_path / "gold", "doccano")


def test_what_cannot_be_written(tmp_path: Path) -> None:
    corpus = Corpus((Continuum("t", (Unit("a", 0, 5, "X"),), measure=Measure.MILLISECOND),))
    with pytest.raises(InputError, match=r"^task 't': there is no text; doccano holds texts"):
        write(corpus, tmp_path / "out.zip", "doccano")
    with pytest.raises(SettingsError, match=r"one per annotator; name a folder or a \.zip"):
        write(corpus, tmp_path / "out.jsonl", "doccano")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not DATA.exists(), reason="the real files in ../shared/data are not here")
def test_novels_2021() -> None:
    path = DATA / "doccano_novels" / "annotation" / "original_data"
    assert detect(path) == "doccano"
    corpus = read(path)
    assert len(corpus.continua) == 124
    assert corpus.annotators == ("1", "2", "3")
    assert sum(len(c.units) for c in corpus.continua) == 8_123
    assert all(set(c.presence.values()) == {Presence.DONE} for c in corpus.continua)
    edges = [n.count for n in corpus.notes if "white space at their edges" in n.message]
    assert edges == [17]


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(corpora(presences=tuple(Presence), max_tasks=4))
def test_all_rows_of_a_file_have_the_same_keys(
    tmp_path_factory: pytest.TempPathFactory, corpus: Corpus
) -> None:
    """doccano 1.8.4 stops an import if a key of its metadata is missing in some rows."""
    path = tmp_path_factory.mktemp("doccano") / "out"
    write(corpus, path, "doccano")
    for file in path.iterdir():
        rows = [json.loads(line) for line in file.read_bytes().split(b"\n") if line]
        assert len({tuple(one) for one in rows}) == 1
