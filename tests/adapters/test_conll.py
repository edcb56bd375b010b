"""CoNLL: tags of every scheme, columns and files, tokens as the measure."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read, write
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora

TOKEN = Measure.TOKEN


def lay(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return folder


def spans(corpus: Corpus, task: str = "d") -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[task].units]


def told(corpus: Corpus) -> str:
    return "\n".join(f"{note.message} ({note.count})" for note in corpus.notes)


def column(tags: str) -> str:
    return "".join(f"w{i}\t{tag}\n" if tag != "|" else "\n" for i, tag in enumerate(tags.split()))


def tagged(tmp_path: Path, tags: str) -> Corpus:
    lay(tmp_path, {"d/ann.conll": column(tags)})
    return read(tmp_path, annotator_from="file")


@pytest.mark.parametrize(
    ("tags", "expected", "note"),
    [
        ("B-X I-X O B-Y", [(0, 2, "X"), (3, 4, "Y")], ""),
        ("B-X B-X I-X", [(0, 1, "X"), (1, 3, "X")], ""),
        ("B-X E-X S-Y O B-Z I-Z E-Z", [(0, 2, "X"), (2, 3, "Y"), (4, 7, "Z")], ""),
        ("B-X L-X U-Y", [(0, 2, "X"), (2, 3, "Y")], ""),
        ("I-X I-X O I-Y", [(0, 2, "X"), (3, 4, "Y")], "columns of tags read as IOB1 (1)"),
        ("I-X B-X O I-Y", [(0, 1, "X"), (1, 2, "X"), (3, 4, "Y")], "read as IOB1 (1)"),
        ("O I-X O B-X", [(1, 2, "X"), (3, 4, "X")], "began with I- or E- read as if with B- (1)"),
        ("B-X I-Y E-Y E-X", [(0, 1, "X"), (1, 3, "Y"), (3, 4, "X")], "as if with B- (2)"),
        ("B-X I-X | I-X O B-X", [(0, 2, "X"), (2, 3, "X"), (4, 5, "X")], "as if with B- (1)"),
        ("B-a-b I-a-b _ O", [(0, 2, "a-b")], ""),
        ("O O O", [], ""),
    ],
)
def test_schemes(
    tmp_path: Path, tags: str, expected: list[tuple[int, int, str]], note: str
) -> None:
    corpus = tagged(tmp_path, tags)
    assert [span[1:] for span in spans(corpus)] == expected
    assert note in told(corpus)
    assert bool(note) == ("read as" in told(corpus))
    assert corpus["d"].measure is TOKEN
    assert corpus["d"].length == len(tags.replace("|", "").split())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\tO\nb\tPER\n", ":2: 'PER' is not a tag; write O, B-LABEL"),
        ("a\tO\nb\tB-\n", ":2: 'B-' is not a tag"),
        ("a\tO\nb\tx\tO\n", ":2: there are 3 columns where 2 are expected"),
        ("a\nb\n", ":1: there is 1 column where two or more are needed"),
        ("a\tO\n\tO\n", ":2: the token is empty"),
        ("# global.columns = FORM a b\nx\tO\n", ":2: there are 2 columns, and global.columns"),
        ("x\tO\tO\n# global.columns = FORM a\n", ":2: global.columns is repeated"),
    ],
)
def test_bad_rows_name_file_and_line(tmp_path: Path, content: str, message: str) -> None:
    path = lay(tmp_path, {"ann.conll": content}) / "ann.conll"
    with pytest.raises(InputError, match=rf"^{path}{message}"):
        read(path, "conll", annotator_from="file")


def test_columns_by_name(tmp_path: Path) -> None:
    content = (
        "# global.columns = ID FORM UPOS ann ben ben[2] cat\n"
        "# newdoc id = one\n# sent_id = 7\n"
        "1\tAnna\tPROPN\tB-PER\tB-PER\tO\t_\n2\twent\tVERB\tO\tI-PER\tB-ACT\t_\n\n"
        "1\t#\tSYM\tO\tO\tO\t_\n"
        "# newdoc id = two\n1\tHello\tINTJ\tO\t_\t_\tO\n"
    )
    path = lay(tmp_path, {"x.conllup": content}) / "x.conllup"
    assert detect(path) == "conll"
    corpus = read(path)
    assert spans(corpus, "one") == [
        ("ann", 0, 1, "PER"), ("ben", 0, 2, "PER"), ("ben", 1, 2, "ACT"),
    ]  # fmt: skip
    assert corpus["one"].text == "Anna went\n#"
    done, empty, unseen = Presence.DONE, Presence.EMPTY, Presence.UNSEEN
    assert corpus["one"].presence == {"ann": done, "ben": done, "cat": unseen}
    assert corpus["two"].presence == {"ann": empty, "ben": unseen, "cat": empty}
    assert corpus["one"].units[0].source == f"{path}:4"
    assert read(path, layers="ann").annotators == ("ann",)
    with pytest.raises(SettingsError, match=r"no column 'x' in .*; there are ID, FORM"):
        read(path, layers="x")


def test_columns_by_number(tmp_path: Path) -> None:
    path = lay(tmp_path, {"x.conll": "EU NNP B-ORG O\n# SYM O B-X\n"}) / "x.conll"
    with pytest.raises(
        InputError, match=r"the file does not say who made the tags; use --annotator-from"
    ):
        read(path)
    corpus = read(path, annotator_from="column")
    assert spans(corpus, "x") == [("column 3", 0, 1, "ORG"), ("column 4", 1, 2, "X")]
    assert corpus["x"].text == "EU #"
    with pytest.raises(SettingsError, match="is not valid here; it can be column"):
        read(path, annotator_from="who")


@pytest.mark.parametrize("wrong", ["PER", "B-"])
def test_a_mistyped_tag_does_not_hide_its_column(tmp_path: Path, wrong: str) -> None:
    content = f"x\tB-P\tO\tB-P\ny\tI-P\t{wrong}\tO\nz\tO\tB-P\t_\n"
    path = lay(tmp_path, {"x.conll": content}) / "x.conll"
    with pytest.raises(InputError, match=rf"^{path}:2: '{wrong}' is not a tag"):
        read(path, "conll", annotator_from="column")
    only = read(path, "conll", annotator_from="column", layers=["2", "4"])
    assert only.annotators == ("column 2", "column 4")


def test_columns_of_other_things_are_passed_over(tmp_path: Path) -> None:
    content = "A\ta\tDT\t_\tB-X\tO\nB-52s\tB-52\tNNP\t_\tI-X\tO\nland\tland\tVB\tx\tO\tO\n"
    path = lay(tmp_path, {"x.conll": content}) / "x.conll"
    corpus = read(path, "conll", annotator_from="column")
    assert corpus.annotators == ("column 5", "column 6")
    assert "column 2 skipped, because most of its cells are not tags (--layer 2" in told(corpus)
    assert "column 3" not in told(corpus)
    with pytest.raises(InputError, match=rf"^{path}:1: 'DT' is not a tag"):
        read(path, "conll", annotator_from="column", layers="3")


def test_files(tmp_path: Path) -> None:
    lay(tmp_path, {
        "d1.ann.conll": "-DOCSTART- O\n\na O\nb B-X\n", "d1.ben.conll": "a O\r\nb O\r\n",
        "d2.ann.conll": "c O\n",
    })  # fmt: skip
    corpus = read(tmp_path, annotator_from="{task}.{annotator}.conll")
    assert spans(corpus, "d1") == [("ann", 1, 2, "X")]
    assert corpus["d1"].presence == {"ann": Presence.DONE, "ben": Presence.EMPTY}
    assert corpus["d2"].presence == {"ann": Presence.EMPTY, "ben": Presence.UNSEEN}
    assert read(tmp_path, annotator_from="{task}.{annotator}.conll", empty="unseen")["d1"].presence[
        "ben"
    ] is Presence.UNSEEN  # fmt: skip


def test_several_documents_in_a_file(tmp_path: Path) -> None:
    content = "-DOCSTART- O\n\na B-X\n\n-DOCSTART- O\n\nb O\n"
    lay(tmp_path, {"ann/f.conll": content, "ben/f.conll": content})
    corpus = read(tmp_path, annotator_from="dir")
    assert [c.id for c in corpus.continua] == ["f#1", "f#2"]
    assert corpus["f#1"].annotators == ("ann", "ben")


def test_columns_other_than_the_last(tmp_path: Path) -> None:
    lay(tmp_path, {"d/ann.conll": "a B-X O\n"})
    assert spans(read(tmp_path, annotator_from="file", layers="2")) == [("ann", 0, 1, "X")]
    assert spans(read(tmp_path, annotator_from="file")) == []
    with pytest.raises(SettingsError, match="no column '9'"):
        read(tmp_path, annotator_from="file", layers="9")


def test_tokens_that_differ_leave_the_document_out(tmp_path: Path) -> None:
    lay(tmp_path, {"d/ann.conll": "a O\nb O\n", "d/ben.conll": "ab O\nb O\n"})
    corpus = read(tmp_path, annotator_from="file")
    assert corpus.continua == ()
    assert "left out: its text is not the same for all annotators" in told(corpus)


def test_the_same_document_twice(tmp_path: Path) -> None:
    lay(tmp_path, {"x/d/ann.conll": "a O\n", "y/d/ann.conll": "a O\n"})
    with pytest.raises(InputError, match=r"'ann' has 'd' here and in .* --annotator-from"):
        read(tmp_path, annotator_from="file")
    columns = lay(tmp_path, {"twice.conll": "# newdoc id = d\na O\n# newdoc id = d\nb O\n"})
    with pytest.raises(InputError, match=r"twice.conll: 'column 2' has the document 'd' twice; ke"):
        read(columns / "twice.conll", annotator_from="column")
    with pytest.raises(InputError, match=r"there is no \.conll, "):
        read(lay(tmp_path / "z", {"a.md": ""}), "conll")


def test_a_blank_in_a_token_does_not_break_it(tmp_path: Path) -> None:
    lay(tmp_path, {"d/ann.conll": "10 000\tB-N\neuros\tO\n"})
    corpus = read(tmp_path, annotator_from="file")
    assert corpus["d"].text == "10\xa0000 euros"
    assert corpus["d"].length == 2


WORDS = st.sampled_from(["word", "#", "🙂", "e\u0301", "שלום", "a\xa0b", "-", "O", "\u2028", "_"])


@st.composite
def token_corpora(draw: st.DrawFn) -> Corpus:
    """Corpora counted in tokens: sentences on lines."""
    drawn = draw(corpora(
        measure=TOKEN, with_text=False, length=9, presences=tuple(Presence), max_tasks=3,
    ))  # fmt: skip
    made = []
    for c in drawn.continua:
        words = draw(st.lists(WORDS, min_size=9, max_size=9))
        gaps = draw(st.lists(st.sampled_from(" \n"), min_size=8, max_size=8))
        text = "".join(w + g for w, g in zip(words, [*gaps, ""], strict=True))
        made.append(Continuum(c.id, c.units, c.presence, 9, TOKEN, text))
    return Corpus(tuple(made))


def joined(c: Continuum) -> str:
    """The text with the sentences joined that a span goes across."""
    parts = re.split("([ \n])", c.text or "")
    for i in range(8):
        if any(u.start <= i < u.end - 1 for u in c.units):
            parts[2 * i + 1] = " "
    return "".join(parts)


def held(category: str) -> str:
    return re.sub("[\t\r\n]", "_", category)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(token_corpora())
def test_round_trip(corpus: Corpus) -> None:
    everyone = set(corpus.annotators)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.conll"
        write(corpus, out, "conll")
        table = Path(folder) / "out.assignments.csv"
        back = read(out, "conll", assignments=table if table.exists() else None)
    expected = {
        c.id: Continuum(
            c.id,
            tuple({Unit(u.annotator, u.start, u.end, held(u.category)) for u in c.units}),
            dict.fromkeys(everyone, Presence.UNSEEN) | dict(c.presence),
            9,
            TOKEN,
            joined(c),
        )
        for c in corpus.continua
    }
    assert {c.id: c for c in back.continua} == expected


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(corpora(presences=(Presence.DONE,), max_tasks=2))
def test_texts_are_cut_where_spans_are(corpus: Corpus) -> None:
    """Every span of characters covers exactly its own characters, white space apart."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.conll"
        write(corpus, out, "conll")
        back = read(out, "conll", annotator_from="column")
    for c in corpus.continua:
        tokens = re.split("[ \n]", back[c.id].text or "")
        theirs = {
            (u.annotator, "".join("".join(tokens[int(u.start) : int(u.end)]).split()), u.category)
            for u in back[c.id].units
        }
        ours = {
            (
                u.annotator,
                "".join((c.text or "")[int(u.start) : int(u.end)].split()),
                held(u.category),
            )
            for u in c.units
        }
        assert theirs == {one for one in ours if one[1]}


def test_ten_thousand_spans(tmp_path: Path) -> None:
    units = tuple(
        Unit(name, 2 * i + shift, 2 * i + 3 + shift, f"C{i % 7}")
        for name, shift in (("a", 0), ("b", 1))
        for i in range(5_000)
    )
    text = " ".join(["word"] * 10_004)
    corpus = Corpus((Continuum("doc", units, length=10_004, measure=TOKEN, text=text),))
    write(corpus, tmp_path / "out.conll", "conll")
    assert read(tmp_path / "out.conll").continua == corpus.continua


def test_what_the_file_holds(tmp_path: Path) -> None:
    corpus = Corpus((Continuum(
        "d", (Unit("an na", 0, 4, "PER"), Unit("an na", 2, 9, "X"), Unit("FORM", 0, 2, "A\tB")),
        text="Anna-Lena\nwent.", measure=Measure.CHARACTER,
    ), Continuum("blank", (), {"FORM": Presence.EMPTY}, text=" \n")))  # fmt: skip
    notes = {note.message: note.count for note in write(corpus, tmp_path / "out.conll", "conll")}
    assert notes == {
        "CoNLL cannot hold 'FORM'; it is written 'FORM-2'": 1,
        "CoNLL cannot hold 'an na'; it is written 'an_na'": 1,
        "CoNLL cannot hold 'A\tB'; it is written 'A_B'": 1,
        "texts cut into tokens at blanks, punctuation and the edges of spans": 2,
        "texts without a token, which cannot tell who saw them": 1,
    }
    assert (tmp_path / "out.conll").read_text(encoding="utf-8") == (
        "# global.columns = FORM FORM-2 an_na an_na[2]\n"
        "# newdoc id = d\n"
        "An\tB-A_B\tB-PER\tO\n"
        "na\tO\tI-PER\tB-X\n"
        "-\tO\tO\tI-X\n"
        "Lena\tO\tO\tI-X\n\n"
        "went\tO\tO\tO\n"
        ".\tO\tO\tO\n\n"
        "# newdoc id = blank\n"
    )


def test_tasks_stay_apart(tmp_path: Path) -> None:
    task = Continuum("d\t1", (Unit("a", 0, 1, "X"),), length=1, measure=TOKEN, text="x")
    other = Continuum("d_1", (Unit("a", 0, 1, "Y"),), length=1, measure=TOKEN, text="y")
    notes = write(Corpus((task, other)), tmp_path / "out.conll", "conll")
    assert [note.message for note in notes] == ["CoNLL cannot hold 'd\t1'; it is written 'd_1-2'"]
    back = read(tmp_path / "out.conll")
    assert {c.id: c.text for c in back.continua} == {"d_1-2": "x", "d_1": "y"}


def test_gold(tmp_path: Path) -> None:
    corpus = Corpus((
        Continuum("d", (Unit("a", 0, 1, "PER"),), length=3, measure=TOKEN, text="Anna went\nhome"),
        Continuum("e", (Unit("a", 0, 1, "PER"),), length=1, measure=TOKEN, text="x"),
    ))  # fmt: skip
    gold = Gold(corpus, {"d": (GoldSpan(0, 1, "PER", 0.5, corpus["d"].units, 2),)}, "s")
    notes = write(gold, tmp_path / "gold.conll", "conll")
    assert [note.message for note in notes] == ["tasks without gold left out"]
    assert (tmp_path / "gold.conll").read_text(encoding="utf-8") == (
        "# global.columns = FORM gold\n# newdoc id = d\n"
        "# span = 0-1 PER confidence 0.50, 1 of 2: a PER 0-1\n"
        "Anna\tB-PER\nwent\tO\n\nhome\tO\n\n"
    )
    back = read(tmp_path / "gold.conll", include_annotators="gold")
    assert spans(back) == [("gold", 0, 1, "PER")]


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Continuum("t", (Unit("a", 0, 9, "X"),), measure=Measure.MILLISECOND), "needs a text"),
        (Continuum("t", (Unit("a", 0, 1, "X"),), measure=TOKEN), "needs a text"),
        (Continuum("t", (Unit("a", 0, 1, "X"),), length=5, measure=TOKEN, text="a b"),
         "2 tokens between single blanks, and the task 5"),
        (Continuum("t", (Unit("a", 0, 1, "\ud800"),), text="a b"), "half a surrogate pair"),
    ],
)  # fmt: skip
def test_nothing_half_written(tmp_path: Path, task: Continuum, message: str) -> None:
    with pytest.raises(InputError, match=message):
        write(Corpus((task,)), tmp_path / "out.conll", "conll")
    assert list(tmp_path.iterdir()) == []


def test_a_remark_is_no_row_however_many_tabs_it_has(tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text("# global.columns = FORM ann\n# newdoc id = d\n# a\tb\tc\td\n", "utf-8")
    corpus = read(path, format="conll")
    assert [(c.id, c.annotators) for c in corpus.continua] == [("d", ("ann",))]


def test_a_column_of_many_digits(tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text("# global.columns = FORM ann\nx\tO\n", encoding="utf-8")
    for layer in ("1" * 5000, "0", "3"):
        with pytest.raises(SettingsError, match="there is no column"):
            read(path, format="conll", layers=layer)
