"""brat, written: what was read comes back, and gold reads as brat's own files do."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from goldspan.adapters import read, write
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora

BREAKS = "\t\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
STATES = tuple(Presence)


def held(category: str) -> str:
    """The category as --category-from label gives it back."""
    plain = not re.search(r"[\s|<>\[\]!#]", category) and category.strip("-")
    return category if plain else " ".join(category.replace("|", " ").split())


def cut(unit: Unit, text: str) -> Unit | None:
    """The unit without what brat cannot hold at its edges."""
    marked = text[int(unit.start) : int(unit.end)]
    start = int(unit.start) + len(marked) - len(marked.lstrip(BREAKS))
    end = int(unit.end) - len(marked) + len(marked.rstrip(BREAKS))
    return Unit(unit.annotator, start, end, held(unit.category)) if start < end else None


def brat_form(corpus: Corpus) -> dict[str, Continuum]:
    """What brat can hold of the corpus: its own rules, stated a second time."""
    everyone = {n for c in corpus.continua for n in c.presence}
    forms = {}
    for c in corpus.continua:
        units = {u for unit in c.units if (u := cut(unit, c.text or "")) is not None}
        states = dict.fromkeys(everyone, Presence.UNSEEN) | dict(c.presence)
        states = {n: Presence.DONE if s is Presence.EMPTY else s for n, s in states.items()}
        forms[c.id] = Continuum(c.id, tuple(units), states, text=c.text)
    return forms


def works(corpus: Corpus) -> bool:
    return any(
        state in (Presence.DONE, Presence.EMPTY, Presence.PARTIAL)
        for c in corpus.continua
        for state in c.presence.values()
    )


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    corpora(presences=(Presence.DONE, Presence.UNSEEN)).filter(works)
    | corpora(presences=STATES).filter(works)
)
def test_round_trip(corpus: Corpus) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        notes = write(corpus, out, "brat")
        table = out / "assignments.csv"
        assert table.exists() == any("assignments.csv" in note.message for note in notes)
        back = read(
            out, "brat", category_from="label", assignments=table if table.exists() else None
        )
    assert {c.id: c for c in back.continua} == brat_form(corpus)
    assert back.scale == tuple(dict.fromkeys(held(c) for c in corpus.categories))


def test_ten_thousand_spans(tmp_path: Path) -> None:
    text = "word " * 20_000
    units = tuple(
        Unit(name, 5 * i + shift, 5 * i + 9 + shift, f"C{i % 7}")
        for name, shift in (("a", 0), ("b", 1))
        for i in range(5_000)
    )
    corpus = Corpus((Continuum("doc", units, text=text),))
    write(corpus, tmp_path / "out", "brat")
    back = read(tmp_path / "out")
    assert back.continua == corpus.continua
    assert back.scale == corpus.categories


def continuum(text: str, *units: Unit, **more: object) -> Continuum:
    return Continuum("doc", units, text=text, **more)  # type: ignore[arg-type]


def test_the_lines_are_brats_own(tmp_path: Path) -> None:
    text = "New York \n\n City, in 🙂 \tAmerica"
    corpus = Corpus((continuum(
        text, Unit("a", 21, 22, "E"), Unit("a", 0, 16, "LOC"), Unit("a", 21, 31, "X"),
        Unit("a", 8, 12, "gap"),
    ),))  # fmt: skip
    notes = write(corpus, tmp_path / "out", "brat")
    assert (tmp_path / "out/a/doc.ann").read_text(encoding="utf-8") == (
        "T1\tLOC 0 8;12 16\tNew York City\n"
        "T2\tgap 8 9;11 12\t   \n"
        "T3\tE 21 22\t🙂\n"
        "T4\tX 21 22;24 31\t🙂 America\n"
    )
    assert notes == ()
    assert (tmp_path / "out/annotation.conf").read_text(encoding="utf-8") == (
        "[entities]\nE\nLOC\nX\ngap\n\n[relations]\n\n[events]\n\n[attributes]\n"
    )
    assert not (tmp_path / "out/visual.conf").exists()


def test_what_brat_cannot_hold_is_told(tmp_path: Path) -> None:
    corpus = Corpus((continuum(
        "ab\ncd\n\n", Unit("a", 3, 6, "X"), Unit("a", 6, 7, "X"), Unit("a", 0, 2, "my label"),
        media="a.wav",
    ),))  # fmt: skip
    told = {note.message: note.count for note in write(corpus, tmp_path / "out", "brat")}
    assert told["line ends and tabs at the edges of spans cut off"] == 1
    assert told["spans of nothing but line ends and tabs left out"] == 1
    assert told["brat holds no references to media"] == 1
    (renamed,) = (message for message in told if "my label" in message)
    assert "its type is 'my_label'" in renamed
    assert "--category-from label" in renamed
    assert "my_label | my label" in (tmp_path / "out/visual.conf").read_text(encoding="utf-8")


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    units = (Unit("a/b", 0, 1, "X"), Unit("a_b", 1, 2, "X"), Unit("..", 0, 2, "X"))
    corpus = Corpus((
        Continuum("../x", units, text="ab"),
        Continuum("sub/x", units, text="ab"),
        Continuum("Sub/X", units, text="ab"),
    ))  # fmt: skip
    notes = write(corpus, tmp_path / "out", "brat")
    back = read(tmp_path / "out")
    assert [c.id for c in back.continua] == ["Sub/X-2", "_./x", "sub/x"]
    assert back.annotators == ("_.", "a_b", "a_b-2")
    assert [u.start for u in back["sub/x"].of("a_b")] == [1]
    assert len([n for n in notes if "cannot be a file name" in n.message]) == 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]


def test_annotators_called_like_files_of_the_folder(tmp_path: Path) -> None:
    units = tuple(Unit(n, 0, 1, "X") for n in ("annotation.conf", "assignments.csv", "b"))
    corpus = Corpus((Continuum("t", units, {"c": Presence.SKIPPED}, text="ab"),))
    write(corpus, tmp_path / "out", "brat")
    names = ("annotation.conf-2", "assignments.csv-2", "b", "c")
    table = tmp_path / "out/assignments.csv"
    assert read(tmp_path / "out", "brat", assignments=table)["t"].presence == {
        name: Presence.SKIPPED if name == "c" else Presence.DONE for name in names
    }


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Continuum("t", (Unit("a", 0, 9, "X"),), measure=Measure.MILLISECOND), "measure 'milli"),
        (Continuum("t", (Unit("a", 0, 9, "X"),)), "brat needs the text"),
        (Continuum("t", (Unit("a", 0, 1, "X"),), text="a\ud800"), "half a surrogate pair"),
    ],
)
def test_nothing_half_written(tmp_path: Path, task: Continuum, message: str) -> None:
    good = Continuum("good", (Unit("a", 0, 1, "X"),), text="a")
    with pytest.raises(InputError, match=f"^task 't': .*{message}"):
        write(Corpus((good, task)), tmp_path / "out", "brat")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine.txt").write_text("mine", encoding="utf-8")
    corpus = Corpus((continuum("ab", Unit("a", 0, 1, "X")),))
    with pytest.raises(SettingsError, match="not empty"):
        write(corpus, tmp_path / "out", "brat")
    assert (tmp_path / "out/mine.txt").exists()
    write(corpus, tmp_path / "out", "brat", replace=True)
    assert not (tmp_path / "out/mine.txt").exists()


def project(folder: Path, text: bytes) -> Path:
    for name in ("lisa", "max"):
        (folder / name).mkdir(parents=True)
        (folder / name / "doc.txt").write_bytes(text)
        (folder / name / "doc.ann").write_text("T1\tLOC 1 5\tYork\n", encoding="utf-8")
    (folder / "annotation.conf").write_bytes(b"# ours\r\n[entities]\r\nPER\r\nLOC\r\n")
    (folder / "visual.conf").write_bytes(b"[labels]\r\nLOC | Place\r\n")
    return folder


def gold_of(corpus: Corpus) -> Gold:
    votes = corpus["doc"].units
    spans = (
        GoldSpan(9, 13, "PER", 0.25, (), 2),
        GoldSpan(0, 4, "LOC", 0.875, votes, 2),
    )
    return Gold(corpus, {"doc": spans}, "alignment")


def test_gold_keeps_bytes_and_configuration(tmp_path: Path) -> None:
    text = "\ufeffYork\r\nor\tRome".encode()
    source = project(tmp_path / "in", text)
    gold = gold_of(read(source))
    write(gold, tmp_path / "gold", "brat", source=source)
    assert (tmp_path / "gold/doc.txt").read_bytes() == text
    assert (tmp_path / "gold/doc.ann").read_bytes().decode() == (
        "T1\tLOC 1 5\tYork\n"
        "T2\tPER 10 14\tRome\n"
        "#1\tAnnotatorNotes T1\tconfidence 0.88, 2 of 2: lisa LOC 0-4, max LOC 0-4\n"
        "#2\tAnnotatorNotes T2\tconfidence 0.25, 0 of 2\n"
    )
    for name in ("annotation.conf", "visual.conf"):
        assert (tmp_path / "gold" / name).read_bytes() == (source / name).read_bytes()
    back = read(tmp_path / "gold", "brat", include_annotators="gold")
    assert [(u.start, u.end, u.category) for u in back["doc"].units] == [
        (0, 4, "LOC"),
        (9, 13, "PER"),
    ]


def test_gold_without_a_source_brings_its_own(tmp_path: Path) -> None:
    source = project(tmp_path / "in", b"\xef\xbb\xbfYork\r\nor\tRome")
    gold = gold_of(read(source))
    write(gold, tmp_path / "gold", "brat")
    assert (tmp_path / "gold/doc.txt").read_bytes() == b"York\r\nor\tRome"
    assert "T1\tLOC 0 4\tYork\n" in (tmp_path / "gold/doc.ann").read_text(encoding="utf-8")
    conf = (tmp_path / "gold/annotation.conf").read_text(encoding="utf-8")
    assert conf.startswith("[entities]\nPER\nLOC\n\n")


def test_gold_of_some_tasks_only(tmp_path: Path) -> None:
    corpus = Corpus((
        Continuum("doc", (Unit("a", 0, 1, "X"),), text="ab"),
        Continuum("other", (Unit("a", 0, 1, "X"),), text="ab"),
        Continuum("empty", (Unit("a", 0, 1, "X"),), text="ab"),
    ))  # fmt: skip
    gold = Gold(corpus, {"doc": (GoldSpan(0, 1, "X", 1.0),), "empty": ()}, "s")
    notes = write(gold, tmp_path / "gold", "brat")
    assert [note.message for note in notes] == ["tasks without gold left out"]
    assert {p.name for p in (tmp_path / "gold").glob("*.ann")} == {"doc.ann", "empty.ann"}
    assert (tmp_path / "gold/empty.ann").read_bytes() == b""
