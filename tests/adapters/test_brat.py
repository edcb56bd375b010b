"""brat: what its files say, how they go wrong, who saw what."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from goldspan.adapters import detect, read
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Presence

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
EXAMPLE = DATA / "brat_bratiaa" / "example-files" / "example-project"


def lay(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def one(tmp_path: Path, text: str | bytes, ann: str, **options: object) -> Corpus:
    lay(tmp_path, {"ann1/doc.txt": text, "ann1/doc.ann": ann})
    return read(tmp_path, "brat", **options)


def spans(corpus: Corpus, task: str = "doc") -> list[tuple[object, ...]]:
    return [(u.start, u.end, u.category) for u in corpus[task].units]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


def test_all_kinds_of_lines(tmp_path: Path) -> None:
    ann = (
        "T1\tPER 0 4\tAnna\n"
        "T2\tMeet 5 10\tmeets\n"
        "T3\tPER 11 14\tBob\n"
        "E1\tMeet:T2 Who:T1 Whom:T3\n"
        "R1\tKnows Arg1:T1 Arg2:T3\t\n"
        "*\tEquiv T1 T3\n"
        "*\tEquiv T3 T1\n"
        "A1\tSure T1 high\n"
        "M1\tNegation E1\n"
        "N1\tReference T1 Wiki:17\tAnna\n"
        "#1\tAnnotatorNotes T1\ta note\n"
        "\n"
    )
    corpus = one(tmp_path, "Anna meets Bob\n", ann)
    assert detect(tmp_path) == "brat"
    assert spans(corpus) == [(0, 4, "PER"), (5, 10, "Meet"), (11, 14, "PER")]
    assert corpus["doc"].text == "Anna meets Bob\n"
    assert corpus["doc"].units[0].source == f"{tmp_path / 'ann1/doc.ann'}:1"
    assert spans(one(tmp_path, "Anna meets Bob\n", ann, layers="entities")) == [
        (0, 4, "PER"),
        (11, 14, "PER"),
    ]
    assert spans(one(tmp_path, "Anna meets Bob\n", ann, layers="triggers")) == [(5, 10, "Meet")]
    assert spans(one(tmp_path, "Anna meets Bob\n", ann, layers=["Meet", "entities"])) == spans(
        corpus
    )
    with pytest.raises(SettingsError, match="no layer 'LOC'; there are entities, triggers, Meet"):
        one(tmp_path, "Anna meets Bob\n", ann, layers="LOC")


def test_attributes_as_categories(tmp_path: Path) -> None:
    text = "Anna meets Bob"
    ann = (
        "T1\tPER 0 4\tAnna\nT2\tMeet 5 10\tmeets\nE1\tMeet:T2\nE2\tMeet:T2\n"
        "A1\tSure T1 high\nA2\tSure E1 low\nA3\tSure E2 high\nA4\tNegation E1\n"
    )
    assert spans(one(tmp_path, text, ann, category_from="Sure")) == [
        (0, 4, "high"),
        (5, 10, "high"),
        (5, 10, "low"),
    ]
    joined = one(tmp_path, text, ann, category_from="type/Sure", labels="join")
    assert spans(joined) == [(0, 4, "PER/high"), (5, 10, "Meet/high|Meet/low")]
    assert spans(one(tmp_path, text, ann, category_from="type/Negation")) == [
        (0, 4, "PER"),
        (5, 10, "Meet/Negation"),
    ]
    with pytest.raises(InputError, match=r"doc\.ann:1: the span .* has no category; --unlabelled"):
        one(tmp_path, text, ann, category_from="Negation")
    named = one(tmp_path, text, ann, category_from="Negation", unlabelled="plain")
    assert spans(named) == [(0, 4, "plain"), (5, 10, "Negation")]
    with pytest.raises(SettingsError, match="no attribute 'Sur'; there are Negation, Sure"):
        one(tmp_path, text, ann, category_from="Sur")
    with pytest.raises(SettingsError, match="no category source 'type/'; there are type, label"):
        one(tmp_path, text, ann, category_from="type/")


def test_configuration_gives_the_order(tmp_path: Path) -> None:
    conf = (
        "# types\n[entities]\n!Thing\n\tPER|Person\n\tLOC\tArg:x\n---\nORG\n"
        "[relations]\nKnows Arg1:PER, Arg2:PER\n[events]\n<A>=Who\nMeet <A>:PER\n"
        "[attributes]\nSure\tArg:<ENTITY>, Value:low|high\nNegation\tArg:<EVENT>\n"
    )
    lay(tmp_path, {
        "annotation.conf": conf,
        "visual.conf": "[labels]\nPER | Person | P\n[drawing]\nPER\tbgColor:red\n",
        "ann1/doc.txt": "Anna",
        "ann1/doc.ann": "T1\tPER 0 4\tAnna\nA1\tSure T1 low\n",
    })  # fmt: skip
    assert read(tmp_path).scale == ("PER", "LOC", "ORG", "Meet")
    assert read(tmp_path / "ann1").scale == ("PER", "LOC", "ORG", "Meet")
    shown = read(tmp_path, category_from="label")
    assert shown.scale == ("Person", "LOC", "ORG", "Meet")
    assert spans(shown) == [(0, 4, "Person")]
    assert read(tmp_path, category_from="Sure").scale == ("low", "high")
    assert read(tmp_path, category_from="type/Sure").scale == ()


def test_crlf_counts_as_two(tmp_path: Path) -> None:
    corpus = one(tmp_path, "ab\r\ncd\r\nef", "T1\tX 4 6\tcd\r\nT2\tX 8 10\tef\r\n")
    assert spans(corpus) == [(4, 6, "X"), (8, 10, "X")]
    assert corpus["doc"].text == "ab\r\ncd\r\nef"
    assert not corpus.notes


def test_crlf_counted_as_one_is_recognised(tmp_path: Path) -> None:
    corpus = one(tmp_path, "ab\r\ncd\r\nef", "T1\tX 3 5\tcd\nT2\tX 6 8\tef\n")
    assert spans(corpus) == [(4, 6, "X"), (8, 10, "X")]
    assert "CRLF as one character" in told(corpus)


def test_a_byte_order_mark_is_a_character_for_brat(tmp_path: Path) -> None:
    text = "\ufeffAnna went"
    corpus = one(tmp_path, text, "T1\tX 1 5\tAnna\nT2\tX 6 10\twent\n")
    assert corpus["doc"].text == "Anna went"
    assert spans(corpus) == [(0, 4, "X"), (5, 9, "X")]
    assert not corpus.notes
    shifted = one(tmp_path, text, "T1\tX 0 4\tAnna\n")
    assert spans(shifted) == [(0, 4, "X")]
    assert "without the byte order mark" in told(shifted)


def test_positions_in_utf16_are_recognised(tmp_path: Path) -> None:
    corpus = one(tmp_path, "🙂🙂 Anna", "T1\tX 5 9\tAnna\n")
    assert spans(corpus) == [(3, 7, "X")]
    assert "UTF-16" in told(corpus)


def test_emoji_combining_marks_and_both_directions_are_code_points(tmp_path: Path) -> None:
    text = "e\u0301 🙂 שלום"
    corpus = one(tmp_path, text, "T1\tX 0 2\te\u0301\nT2\tX 3 4\t🙂\nT3\tX 5 9\tשלום\n")
    assert spans(corpus) == [(0, 2, "X"), (3, 4, "X"), (5, 9, "X")]
    assert not corpus.notes


@pytest.mark.parametrize("stored", ["New York City", "New YorkCity"])
def test_spans_split_at_line_ends_are_one(tmp_path: Path, stored: str) -> None:
    ann = f"T1\tLOC 0 8;9 13\t{stored}\n"
    for fragments in ("hull", "split"):
        corpus = one(tmp_path, "New York\nCity", ann, fragments=fragments)
        assert spans(corpus) == [(0, 13, "LOC")]
        assert not corpus.notes


def test_a_mark_without_its_text_is_taken_at_its_word(tmp_path: Path) -> None:
    corpus = one(tmp_path, "New York\nCity", "T1\tLOC 0 8;9 13\nT2\tLOC 0 3\n")
    assert spans(corpus) == [(0, 3, "LOC"), (0, 13, "LOC")]


def test_discontinuous_spans(tmp_path: Path) -> None:
    ann = "T1\tLOC 0 5;17 22;10 16\tNorth America South\n"
    text = "North and South\n America"
    with pytest.raises(InputError, match=r"doc\.ann:1: the fragments read"):
        one(tmp_path, text, ann)
    ann = "T1\tLOC 0 5;10 15;17 24\tNorth South America\n"
    corpus = one(tmp_path, text, ann)
    assert spans(corpus) == [(0, 24, "LOC")]
    assert "discontinuous spans, each scored as one over all fragments" in told(corpus)
    assert corpus["doc"].units[0].fragments == ((0, 5), (10, 24))
    assert spans(one(tmp_path, text, ann, fragments="split")) == [(0, 5, "LOC"), (10, 24, "LOC")]


def test_a_span_without_length_is_dropped_and_told(tmp_path: Path) -> None:
    corpus = one(tmp_path, "abc", "T1\tX 1 1\t\nT2\tX 0 1\ta\n")
    assert spans(corpus) == [(0, 1, "X")]
    assert "spans without length dropped (1)" in told(corpus)


def test_overlap_nesting_and_duplicates(tmp_path: Path) -> None:
    corpus = one(tmp_path, "abcd", "T1\tX 0 3\tabc\nT2\tX 1 4\tbcd\nT3\tY 1 2\tb\nT4\tX 0 3\tabc\n")
    assert spans(corpus) == [(0, 3, "X"), (1, 2, "Y"), (1, 4, "X")]
    assert "duplicate spans counted once (1)" in told(corpus)


def test_swap(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"doc\.ann:1: .* ends before it starts; .* --swap"):
        one(tmp_path, "abcd", "T1\tX 3 1\tbc\n")
    corpus = one(tmp_path, "abcd", "T1\tX 3 1\tbc\n", swap=True)
    assert spans(corpus) == [(1, 3, "X")]
    assert "swapped (1)" in told(corpus)


def test_edge_white_space(tmp_path: Path) -> None:
    corpus = one(tmp_path, "a b c", "T1\tX 1 4\t b \n")
    assert spans(corpus) == [(1, 4, "X")]
    assert "white space at their edges, kept" in told(corpus)
    assert spans(one(tmp_path, "a b c", "T1\tX 1 4\t b \n", trim=True)) == [(2, 3, "X")]


@pytest.mark.parametrize(
    ("ann", "message"),
    [
        ("T1 X 0 1\ta\n", ":1: the line 'T1 X 0 1.a' is not a brat annotation"),
        ("T1\tX 0 1\ta\nnonsense\n", ":2: the line 'nonsense' is not a brat annotation"),
        ("T1\tX 0\ta\n", ":1: 'X 0' is not a type with positions"),
        ("T1\tX 0 one\ta\n", ":1: 'X 0 one' is not a type with positions"),
        (f"T1\tX 0 {'9' * 5000}\ta\n", ":1: 'X 0 9+' is not a type with positions"),
        ("T1\tX 0 1;2\ta\n", ":1: 'X 0 1;2' is not a type with positions"),
        ("T1\tX Y 0 1\ta\n", ":1: 'X Y 0 1' is not a type with positions"),
        ("T1\tX 0 1\ta\nT1\tX 1 2\tb\n", ":2: the id T1 occurs twice"),
        ("T1\tX 0 1\ta\nT2\tX 1 9\tb\n", r":2: the span \[1, 9\) is outside the text of 4"),
        ("T1\tX -1 1\ta\n", r":1: the span \[-1, 1\) is outside"),
        ("T1\tX 0 1\ta\nT2\tX 1 2\tz\n", r":2: the span \[1, 2\) reads 'b', not 'z'"),
        ("T1\tX 0 2;1 3\tab bc\n", r":1: the fragments \[0, 2\) and \[1, 3\) overlap"),
        ("E1\tX\n", ":1: the event E1 has no trigger"),
        ("E1\tX:T7\n", ": the event E1 is triggered by T7, not a span"),
        ("A1\tSure\n", ":1: the attribute 'Sure' has no target"),
    ],
)
def test_bad_lines_name_file_and_line(tmp_path: Path, ann: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"^{tmp_path / 'ann1/doc.ann'}{message}"):
        one(tmp_path, "abcd", ann)


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"doc\.txt:2: the byte 0xe9 is not valid UTF-8"):
        one(tmp_path, "ab\ncaf\xe9".encode("latin-1"), "")


def test_lines_of_an_unknown_kind_are_told(tmp_path: Path) -> None:
    corpus = one(tmp_path, "abcd", "T1\tX 0 1\ta\nX1\tsomething else\n")
    assert "lines of an unknown kind skipped (1)" in told(corpus)


def test_seen_and_never_seen(tmp_path: Path) -> None:
    lay(tmp_path, {
        "a/one.txt": "abc", "a/one.ann": "T1\tX 0 1\ta\n",
        "a/two.txt": "abc", "a/two.ann": "",
        "b/one.txt": "abc", "b/one.ann": "",
        "b/two.txt": "abc",
        "b/three.txt": "abc",
    })  # fmt: skip
    corpus = read(tmp_path)
    seen, unseen = Presence.EMPTY, Presence.UNSEEN
    assert corpus["one"].presence == {"a": Presence.DONE, "b": seen}
    assert corpus["two"].presence == {"a": seen, "b": unseen}
    assert corpus["three"].presence == {"a": unseen, "b": unseen}
    assert "empty .ann files counted as tasks that were seen" in told(corpus)
    assert "--empty unseen" in told(corpus)
    strict = read(tmp_path, empty="unseen")
    assert strict["one"].presence == {"a": Presence.DONE, "b": unseen}
    assert strict["two"].presence == {"a": unseen, "b": unseen}
    assert "--empty" not in told(read(tmp_path, empty="seen"))


def test_an_assignments_file_overrides(tmp_path: Path) -> None:
    lay(tmp_path, {
        "who.csv": "document,annotator,status\ndoc,b,skipped\n",
        "p/a/doc.txt": "abc", "p/a/doc.ann": "T1\tX 0 1\ta\n",
        "p/b/doc.txt": "abc", "p/b/doc.ann": "",
    })  # fmt: skip
    corpus = read(tmp_path / "p", "brat", assignments=tmp_path / "who.csv")
    assert corpus["doc"].presence["b"] is Presence.SKIPPED


ANN = "T1\tX 0 1\ta\n"


@pytest.mark.parametrize(
    ("files", "paths", "options", "expected"),
    [
        ({"a/d.txt": "abc", "a/d.ann": ANN, "b/d.txt": "abc", "b/d.ann": ""}, ["."], {}, "d"),
        ({"a/d.txt": "abc", "a/d.ann": ANN, "b/d.txt": "abc", "b/d.ann": ""}, ["a", "b"], {}, "d"),
        ({"a/s/d.txt": "abc", "a/s/d.ann": ANN, "b/s/d.txt": "abc", "b/s/d.ann": ""}, ["."], {},
         "s/d"),
        ({"d.txt": "abc", "a/d.ann": ANN, "b/d.ann": ""}, ["."], {}, "d"),
        ({"a/d.txt": "abc", "a/d.ann": ANN, "b/d.ann": ""}, ["."], {}, "d"),
        ({"d_a.ann": ANN, "d_b.ann": "", "d.txt": "abc"}, ["."],
         {"annotator_from": "{task}_{annotator}.ann"}, "d"),
        ({"d_a.ann": ANN, "d_b.ann": "", "d_a.txt": "abc", "d_b.txt": "abc"}, ["."],
         {"annotator_from": "{task}_{annotator}.txt"}, "d"),
        ({"x/a/d.txt": "abc", "x/a/d.ann": ANN, "x/b/d.txt": "abc", "x/b/d.ann": ""}, ["."],
         {"annotator_from": "dir"}, "d"),
        ({"d/a.ann": ANN, "d/b.ann": "", "d/a.txt": "abc", "d/b.txt": "abc"}, ["."],
         {"annotator_from": "file"}, "d"),
        ({"a/d.txt": "abc", "a/d.ann": ANN, "b/d.txt": "abc", "b/d.ann": ""},
         ["a/d.ann", "b/d.ann"], {}, "d"),
    ],
)  # fmt: skip
def test_layouts(
    tmp_path: Path,
    files: dict[str, str],
    paths: list[str],
    options: dict[str, str],
    expected: str,
) -> None:
    lay(tmp_path, files)
    corpus = read([tmp_path / path for path in paths], "brat", **options)
    assert [c.id for c in corpus.continua] == [expected]
    assert corpus[expected].presence == {"a": Presence.DONE, "b": Presence.EMPTY}
    assert corpus[expected].text == "abc"


@pytest.mark.parametrize(
    ("files", "paths", "message"),
    [
        ({"d.txt": "abc", "d.ann": ANN, "a/d.txt": "abc", "a/d.ann": ANN}, ["."],
         "both here and in .*a; say whose they are with --annotator-from"),
        ({"p/a/d.txt": "abc", "p/a/d.ann": ANN, "q/a/d.txt": "abc", "q/a/d.ann": ""}, ["p", "q"],
         "'a' has marks on 'd' here and in .*; tell them apart with --annotator-from"),
        ({"a/d.txt": "abc"}, ["."], r"there is no \.ann file here"),
    ],
)  # fmt: skip
def test_layouts_that_cannot_be_read(
    tmp_path: Path, files: dict[str, str], paths: list[str], message: str
) -> None:
    lay(tmp_path, files)
    with pytest.raises(InputError, match=message):
        read([tmp_path / path for path in paths], "brat")


def test_a_folder_one_level_too_high_is_told(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {f"corpus/{who}/{doc}{suffix}": content for who in "ab" for doc in "de"
         for suffix, content in ((".txt", "abc"), (".ann", ANN))},
    )  # fmt: skip
    corpus = read(tmp_path, "brat")
    assert corpus.annotators == ("corpus",)
    (note,) = corpus.notes
    assert note.message == (
        "'corpus' is taken for the only annotator, but 2 folders in it, such as 'a' and 'b', have "
        "tasks of the same name; if they are the annotators, use --annotator-from dir"
    )
    for path, options in ((tmp_path / "corpus", {}), (tmp_path, {"annotator_from": "dir"})):
        right = read(path, "brat", **options)
        assert (right.annotators, right.notes) == (("a", "b"), ())


def test_two_projects_are_told(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {f"{who}/d{suffix}": content for who in ("x/p/a", "x/p/b", "y/q/c", "y/q/e")
         for suffix, content in ((".txt", "abc"), (".ann", ANN))},
    )  # fmt: skip
    high = read(tmp_path, "brat")
    assert high.annotators == ("x", "y")
    assert [note.message[:80] for note in high.notes] == [
        "'x' is taken for an annotator, but 2 folders in it, such as 'p/a' and 'p/b', hav",
        "'y' is taken for an annotator, but 2 folders in it, such as 'q/c' and 'q/e', hav",
    ]
    mixed = read(tmp_path, "brat", annotator_from="dir")
    assert mixed.annotators == ("a", "b", "c", "e")
    (note,) = mixed.notes
    assert "nobody is in two of them; if they are projects of their own" in note.message


def test_folders_that_annotators_share_are_nothing_to_tell(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {f"{who}/{year}/d{suffix}": content for who in "ab" for year in ("2020", "2021")
         for suffix, content in ((".txt", "abc"), (".ann", ANN))},
    )  # fmt: skip
    assert read(tmp_path, "brat").notes == ()


def test_one_annotators_folders_of_different_documents_are_one_annotators(tmp_path: Path) -> None:
    lay(tmp_path, {"a/x/d.txt": "abc", "a/x/d.ann": ANN, "a/y/e.txt": "abc", "a/y/e.ann": ANN})
    (note,) = read(tmp_path, "brat").notes
    assert note.message.startswith("no task has several annotators: 'x/d.ann' is read as the task")
    # Converting needs no second annotator.
    assert read(tmp_path, "brat", losses=True).notes == ()


def test_a_name_that_does_not_fit_the_pattern(tmp_path: Path) -> None:
    lay(tmp_path, {"d.ann": ANN, "d.txt": "abc"})
    with pytest.raises(InputError, match=r"d\.ann: the name does not fit the pattern"):
        read(tmp_path, "brat", annotator_from="{task}_{annotator}.ann")


def test_texts_that_differ_leave_the_document_out(tmp_path: Path) -> None:
    lay(tmp_path, {
        "a/one.txt": "abc", "a/one.ann": ANN, "b/one.txt": "abcd", "b/one.ann": ANN,
        "a/two.txt": "a\nb", "a/two.ann": "T1\tX 2 3\tb\n",
        "b/two.txt": "a\r\nb", "b/two.ann": "T1\tX 3 4\tb\n",
    })  # fmt: skip
    corpus = read(tmp_path)
    assert [c.id for c in corpus.continua] == ["two"]
    assert "left out: its text is not the same for all annotators" in told(corpus)
    assert [(u.start, u.end) for u in corpus["two"].units] == [(2, 3), (2, 3)]
    assert corpus["two"].text == "a\nb"


def test_merged_versions_are_left_out(tmp_path: Path) -> None:
    lay(tmp_path, {
        "a/d.txt": "abc", "a/d.ann": ANN, "gold/d.txt": "abc", "gold/d.ann": ANN,
    })  # fmt: skip
    assert read(tmp_path)["d"].annotators == ("a",)
    assert "annotator 'gold' left out" in told(read(tmp_path))
    assert read(tmp_path, include_annotators="gold")["d"].annotators == ("a", "gold")


def test_what_a_mac_leaves_behind_is_no_annotation(tmp_path: Path) -> None:
    lay(tmp_path, {"a/d.txt": "abc", "a/d.ann": ANN, "a/._d.ann": b"\0\5\x16\7"})
    assert len(read(tmp_path)["d"].units) == 1


@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the real files are not beside the project")
def test_bratiaa_example_project() -> None:
    corpus = read(EXAMPLE)
    counts = {name: sum(len(c.of(name)) for c in corpus.continua) for name in corpus.annotators}
    assert len(corpus.continua) == 7
    assert counts == {"Lisa": 404, "Maria": 404, "Max": 358, "Peter": 401}
    assert corpus.scale == ("ORG", "PER", "LOC", "MISC")
    assert all(len(c.annotators) == 4 for c in corpus.continua)
