"""csv: the ways people write it, the ways it goes wrong, and the round trip."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read, write
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def spans(corpus: Corpus, task: str) -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


@pytest.mark.parametrize(
    "content",
    [
        "a,X,0,5\nb,Y,1,6\n",
        "a;X;0;5\nb;Y;1;6\n",
        "a\tX\t0\t5\nb\tY\t1\t6\n",
        "annotator,category,start,end\na,X,0,5\nb,Y,1,6\n",
        "\ufeffannotator,category,start,end\r\na,X,0,5\r\n\r\nb,Y,1,6\r\n",
        "Start;End;Annotator;Label;comment\n0;5;a;X;\n1;6;b;Y;fine\n",
        'task,annotator,category,start,end\nt,"a",X,0,5\nt,b,"Y",1,6',
        "\n\na,X,0,5\nb,Y,1,6\n",
        'a, "X", 0, 5\nb, Y, 1, 6\n',
    ],
)
def test_the_ways_people_write_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content, encoding="utf-8", newline="")
    assert detect(path) == "csv"
    corpus = read(path)
    assert spans(corpus, "t") == [("a", 0, 5, "X"), ("b", 1, 6, "Y")]
    assert all(isinstance(u.start, int) for u in corpus["t"].units)
    assert corpus["t"].measure is Measure.STEP


def test_labels_with_separators_quotes_and_newlines(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,"is(a, ""b;c;d;e"")",0,5\nb,"two\nlines",1.5,6e0\n', encoding="utf-8")
    assert spans(read(path), "t") == [
        ("a", 0, 5, 'is(a, "b;c;d;e")'),
        ("b", 1.5, 6.0, "two\nlines"),
    ]
    assert [u.source for u in read(path)["t"].units] == [f"{path}:1", f"{path}:2"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ":1: the file is empty"),
        ("a,X,0,5\nb,Y,nan,6\n", ":2: 'nan' is not a position"),
        ("a,X,0,inf\n", ":1: 'inf' is not a position"),
        ("a,X,0,5\nb,Y,one,6\n", ":2: 'one' is not a number"),
        ("a,X,0,5\nb,Y,1_0,20\n", ":2: '1_0' is not a number"),
        ("a,X,0,5\nb,Y,1\n", ":2: there are 3 columns where 4"),
        ("a,X,0,5\nb,is(a, b),1,6\n", ":2: there are 5 columns where 4"),
        ("annotator,start,end\na,0,5\n", ":1: .* nor a header with category"),
        ("who,what,from,to\n", ":1: .* nor a header with start, end, category, annotator"),
        ("task,annotator,category,start,end\n,a,X,0,5\n", ":2: the task is empty"),
        ("a,X,0,5\n,X,0,5\n", ":2: the span .* has no annotator"),
        ("a,X,0,5\na,,0,5\n", ":2: the span .* has no category"),
        ("a,X,0,5\na,X,7,5\n", ":2: the span .* ends before it starts"),
        ('a,X,0,5\na,"X"Y,1,5\n', ":2: the quoting is broken"),
        ('a,X,0,5\na,"X,1,5\n', ":2: the quoting is broken"),
        (f"a,X,0,5\na,{'X' * 140_000},1,5\n", ":2: a cell has more than 131,072 characters"),
        (f"a,X,0,5\na,X,{'x' * 70_000},5\n", ":2: 'x{1,500} … x{1,400}' is not a number; write a"),
    ],
)
def test_bad_input_names_file_and_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{path}{message}"):
        read(path, format="csv")


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,X,0,5\nb,\xe9,0,5\n")
    with pytest.raises(
        InputError, match=rf"^{path}:2: the byte 0xe9 is not valid UTF-8; save the file"
    ):
        read(path, format="csv")


def test_utf16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,é,0,5\n", encoding="utf-16")
    assert spans(read(path), "t") == [("a", 0, 5, "é")]


class TestTasks:
    """A column of tasks that is not called `task`."""

    HEADER = "media_file,annotator,category,start,end"

    def save(self, folder: Path, *rows: str, header: str = HEADER) -> Path:
        path = folder / "all.csv"
        path.write_text("\n".join((header, *rows, "")), encoding="utf-8")
        return path

    def recordings(self, folder: Path) -> Path:
        spans = {"one.wav": (0, 200, 650), "two.wav": (90, 480, 900)}
        return self.save(folder, *(
            f"{file},{who},X,{start + shift},{start + shift + 60}"
            for file, starts in spans.items()
            for who, shift in (("ann", 0), ("ben", 5))
            for start in starts
        ))  # fmt: skip

    def test_a_column_that_looks_like_one_is_asked_for(self, tmp_path: Path) -> None:
        path = self.recordings(tmp_path)
        with pytest.raises(InputError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}: there is no column of tasks")
        assert f"run: goldspan score {path} --task-from media_file. " in str(caught.value)
        assert "add --task-from file instead" in str(caught.value)

    def test_both_answers(self, tmp_path: Path) -> None:
        path = self.recordings(tmp_path)
        corpus = read(path, task_from="media_file")
        assert [(c.id, len(c.units)) for c in corpus.continua] == [("one.wav", 6), ("two.wav", 6)]
        assert corpus.notes == ()
        assert [len(c.units) for c in read(path, task_from="file").continua] == [12]
        assert read(path, task_from="file").notes == ()
        assert [c.id for c in read(path, task_from="{task}l.csv").continua] == ["al"]

    def test_rows_in_any_order_where_pooled_spans_overlap(self, tmp_path: Path) -> None:
        rows = [
            f"{file},{who},X,{start},{start + 90}"
            for start in (0, 100, 200, 300)
            for who in ("ann", "ben")
            for file in ("one", "two", "three")
        ]
        with pytest.raises(InputError, match=r"'media_file' may be one"):
            read(self.save(tmp_path, *rows))

    def test_a_file_for_each_annotator(self, tmp_path: Path) -> None:
        for who in ("ann", "ben"):
            rows = [f"{file},X,{at},{at + 9}" for file in ("one", "two") for at in (0, 20, 40)]
            table = "\n".join(("clip,category,start,end", *rows))
            (tmp_path / f"{who}.csv").write_text(table, encoding="utf-8")
        with pytest.raises(InputError, match=r"--annotator-from file --task-from clip\."):
            read(tmp_path, annotator_from="file")
        corpus = read(tmp_path, annotator_from="file", task_from="clip")
        assert [(c.id, c.annotators) for c in corpus.continua] == [
            ("one", ("ann", "ben")), ("two", ("ann", "ben")),
        ]  # fmt: skip

    def test_a_column_called_file_comes_before_the_file(self, tmp_path: Path) -> None:
        path = self.recordings(tmp_path)
        path.write_text(path.read_text(encoding="utf-8").replace("media_file", "file"))
        with pytest.raises(InputError, match=r"--task-from file\. .* --task-from '\{task\}\.\*'"):
            read(path)
        assert len(read(path, task_from="file").continua) == 2
        assert len(read(path, task_from="{task}.*").continua) == 1

    @pytest.mark.parametrize(
        ("name", "values"),
        [
            ("difficulty", "easy hard easy easy hard easy hard hard"),
            ("sentence", "s1 s1 s2 s2 s1 s1 s2 s2"),
            ("id", "1 2 3 4 5 6 7 8"),
            ("remark", "'' good '' '' bad '' '' ''"),
            ("session", "monday monday monday monday friday friday friday friday"),
        ],
    )
    def test_other_columns_are_named_and_not_refused(
        self, tmp_path: Path, name: str, values: str
    ) -> None:
        at = [(0, 9), (10, 19), (20, 29), (30, 39)]
        people = ["ann"] * 4 + ["ben"] * 4
        rows = [
            f"{value.strip(chr(39))},{who},X,{start},{end}"
            for value, who, (start, end) in zip(values.split(), people, at * 2, strict=True)
        ]
        corpus = read(self.save(tmp_path, *rows, header=f"{name},annotator,category,start,end"))
        (note,) = corpus.notes
        assert note.message.startswith(
            f"columns that vary along the file and are not read: '{name}'"
        )
        assert note.message.endswith("is the task of each row, name it with --task-from")

    def test_the_marked_text_of_nested_spans_is_no_task(self, tmp_path: Path) -> None:
        text = "the old man and the sea"
        nests = [(0, 23), (0, 11), (4, 11), (4, 7), (16, 23)]
        rows = [f"{text[a:b]},{who},X,{a},{b}" for who in ("ann", "ben") for a, b in nests]
        corpus = read(self.save(tmp_path, *rows, header="words,annotator,category,start,end"))
        assert len(corpus["all"].units) == 10

    def test_a_constant_column_is_passed_over(self, tmp_path: Path) -> None:
        path = self.save(tmp_path, "one,ann,X,0,5", "one,ben,X,0,6")
        assert read(path).notes == ()

    def test_known_columns_are_one_task_however_they_overlap(self, tmp_path: Path) -> None:
        rows = [f"{who},X,{at},{at + 50}" for at in (0, 0, 10, 20) for who in ("ann", "ben")]
        corpus = read(self.save(tmp_path, *rows, header="annotator,category,start,end"))
        assert [c.id for c in corpus.continua] == ["all"]

    def test_what_cannot_be_a_source_of_tasks(self, tmp_path: Path) -> None:
        path = self.recordings(tmp_path)
        with pytest.raises(InputError, match=r"no column 'media'; there are media_file, annotator"):
            read(path, task_from="media")
        with pytest.raises(InputError, match=r"does not fit the pattern '\{task\}_x.csv'; correct"):
            read(path, task_from="{task}_x.csv")
        with pytest.raises(SettingsError, match=r"must hold \{task\}, once, and nothing else"):
            read(path, task_from="{annotator}.csv")
        plain = tmp_path / "plain.csv"
        plain.write_text("ann,X,0,5\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"no column 'media': the table has no header"):
            read(plain, task_from="media")
        with pytest.raises(SettingsError, match=r"--task-from does not apply to the format 'brat'"):
            read(tmp_path, format="brat", task_from="media")


class TestPresence:
    """Rows cannot tell who saw a task and marked nothing."""

    ROWS = "task,annotator,category,start,end\nt1,a,X,0,5\nt1,b,X,0,6\nt2,a,Y,1,2\n"

    def write(self, folder: Path) -> Path:
        path = folder / "all.csv"
        path.write_text(self.ROWS, encoding="utf-8")
        return path

    def test_a_missing_annotator_of_another_task_is_unknown(self, tmp_path: Path) -> None:
        corpus = read(self.write(tmp_path))
        assert corpus["t2"].presence == {"a": Presence.DONE, "b": Presence.UNKNOWN}

    def test_the_option_settles_it(self, tmp_path: Path) -> None:
        path = self.write(tmp_path)
        assert read(path, empty="seen")["t2"].presence["b"] is Presence.EMPTY
        assert read(path, empty="unseen")["t2"].presence["b"] is Presence.UNSEEN

    def test_an_assignments_file_settles_it(self, tmp_path: Path) -> None:
        table = tmp_path / "who.csv"
        table.write_text(
            "document,annotator,status\nt2,b,empty\nt3,a,empty\nt3,b,empty\n", encoding="utf-8"
        )
        corpus = read(self.write(tmp_path), assignments=table)
        assert corpus["t2"].annotators == ("a", "b")
        assert corpus["t3"].annotators == ("a", "b")

    def test_one_task_needs_no_table(self, tmp_path: Path) -> None:
        path = tmp_path / "t.csv"
        path.write_text("a,X,0,5\nb,X,0,6\n", encoding="utf-8")
        assert set(read(path)["t"].presence.values()) == {Presence.DONE}


def test_a_file_for_each_task_and_annotator(tmp_path: Path) -> None:
    head = "begin,end,entityLabel\n"
    (tmp_path / "play_01.csv").write_text(head + "3,9,hero\n", encoding="utf-8")
    (tmp_path / "play_02.csv").write_text(head, encoding="utf-8")
    (tmp_path / "other_01.csv").write_text(head + "3,9,hero\n", encoding="utf-8")
    corpus = read(tmp_path, annotator_from="{task}_{annotator}.csv", category_from="entityLabel")
    assert corpus["play"].presence == {"01": Presence.DONE, "02": Presence.EMPTY}
    assert corpus["other"].presence == {"01": Presence.DONE}


def test_a_file_for_each_annotator(tmp_path: Path) -> None:
    folder = tmp_path / "play"
    folder.mkdir()
    for name in ("ann", "bob"):
        (folder / f"{name}.csv").write_text("start,end,category\n3,9,hero\n", encoding="utf-8")
    corpus = read(folder, annotator_from="file")
    assert corpus["play"].annotators == ("ann", "bob")
    (note,) = corpus.notes
    assert "all of them as one task, 'play'; if their names tell the task too" in note.message


def test_assignments_in_a_folder_are_told_and_spans_of_that_name_read(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,X,0,5\n", encoding="utf-8")
    (tmp_path / "our_assignments.csv").write_text("b,X,0,5\n", encoding="utf-8")
    table = tmp_path / "x.assignments.csv"
    table.write_text("document,annotator,status\nx,c,empty\n", encoding="utf-8")
    corpus = read(tmp_path)
    assert {c.id for c in corpus.continua} == {"x", "our_assignments"}
    assert "x.assignments.csv is not read by itself; give it to --assignments" in [
        note.message for note in corpus.notes
    ]
    given = read(tmp_path, assignments=table)
    assert not any("by itself" in note.message for note in given.notes)


def test_a_column_of_another_name(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("who,kind,start,end\na,X,0,5\n", encoding="utf-8")
    assert spans(read(path, format="csv", annotator_from="who", category_from="kind"), "t")
    with pytest.raises(InputError, match=r"no column 'whom'; there are who, kind, start, end"):
        read(path, format="csv", annotator_from="whom", category_from="kind")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    corpora(
        measure=Measure.STEP,
        with_text=False,
        unmeasured=True,
        presences=(*tuple(Presence)[::2], Presence.DONE),
    )
)
def test_round_trip(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "out.csv"
    beside = tmp_path / "out.assignments.csv"
    beside.unlink(missing_ok=True)
    write(corpus, path, "csv")
    back = read(path, format="csv", assignments=beside if beside.exists() else None)
    assert [c.id for c in back.continua if c.units] == [c.id for c in corpus.continua if c.units]
    for continuum in corpus.continua:
        assert back[continuum.id].units == continuum.units
        assert back[continuum.id].presence == continuum.presence
        if continuum.units:
            assert back[continuum.id].length == continuum.length


def test_the_length_of_a_task_without_rows_is_told(tmp_path: Path) -> None:
    full = Continuum("t", (Unit("a", 0, 5, "X"),), length=9)
    assert write(Corpus((full,)), tmp_path / "t.csv", "csv") == ()
    others = Continuum("u", (), {"a": Presence.EMPTY}, 9), Continuum("v", (), {"a": Presence.EMPTY})
    notes = {n.message: n.count for n in write(Corpus((full, *others)), tmp_path / "t.csv", "csv")}
    assert notes["lengths of tasks without a row left out"] == 1


def test_a_length_column_is_the_task_s(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("task,annotator,category,start,end,length\nt,a,X,0,5,90\nt,b,X,0,6,\n")
    assert read(path, format="csv")["t"].length == 90


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("t,a,X,0,5,90\nt,b,X,0,6,80\n", r"in.csv:3: the length of 't' is 80 here and 90 above"),
        ("t,a,X,0,5,-1\n", r"in.csv:2: the length -1 is below 0"),
        ("t,a,X,0,5,long\n", r"in.csv:2: 'long' is not a number"),
        ("t,a,X,0,5,3\n", r"is outside \[0, 3\)"),
    ],
)
def test_bad_lengths(tmp_path: Path, rows: str, said: str) -> None:
    path = tmp_path / "in.csv"
    path.write_text("task,annotator,category,start,end,length\n" + rows)
    with pytest.raises(InputError, match=said):
        read(path, format="csv")


@given(st.text(alphabet="\r\n\"',;\t \u2028\x0b\x1c🙂a", min_size=1))
def test_every_label_survives(category: str) -> None:
    import tempfile  # noqa: PLC0415 - Hypothesis shares function-scoped fixtures between examples

    corpus = Corpus((Continuum("t", (Unit("a", 0, 5, category),), measure=Measure.STEP),))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("out.csv", "out.tsv"):
            path = Path(folder, name)
            write(corpus, path, "csv")
            assert read(path, format="csv")["t"].units == corpus["t"].units


def test_ten_thousand_spans(tmp_path: Path) -> None:
    units = tuple(Unit(f"a{i % 3}", i, i + 7.5, f"c{i % 5}") for i in range(10_000))
    corpus = Corpus((Continuum("t", units, measure=Measure.STEP),))
    write(corpus, tmp_path / "t.csv", "csv")
    assert read(tmp_path / "t.csv")["t"].units == corpus["t"].units


def test_gold_carries_confidence_and_votes(tmp_path: Path) -> None:
    units = (Unit("a", 0, 5, "X"), Unit("b", 0, 6, "X"))
    corpus = Corpus((Continuum("t", units, measure=Measure.STEP),))
    gold = Gold(corpus, {"t": (GoldSpan(0, 5, "X", 0.75, units, seen=3),)}, "majority")
    write(gold, tmp_path / "gold.csv", "csv")
    assert (tmp_path / "gold.csv").read_text(encoding="utf-8").splitlines() == [
        "task,annotator,category,start,end,confidence,votes,seen",
        "t,gold,X,0,5,0.75,a;b,3",
    ]


@pytest.mark.skipif(not DATA.exists(), reason="the real files in ../shared/data are not here")
def test_quadrama_2023() -> None:
    corpus = read(
        DATA / "csv_gamma_quadrama" / "round-2" / "csv",
        annotator_from="{task}_{annotator}.csv",
        category_from="entityLabel",
    )
    assert len(corpus.continua) == 14
    assert corpus.annotators == ("01", "02")
    assert sum("," in u.category for c in corpus.continua for u in c.units) > 600
    assert [n.count for n in corpus.notes if "duplicate spans" in n.message] == [2]
