"""Fragments: spans with gaps, from the file through gold and back into a file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import read, write
from goldspan.engine.errors import InputError
from goldspan.engine.gold.merging import merge
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.engine.scoring import score
from goldspan.plugin.cli import main

TEXT = "North and South America\nand red,\r\ndry skin"

# Chemical names and symptoms have gaps; brat writes a span over a line end as two fragments.
MARKS = (
    "T7\tLOC 0 5;16 23\tNorth America\r\n"
    "#1\tAnnotatorNotes T7\tnot sure\n"
    "T3\tSign 28 31;38 42\tred skin\n"
    "T2\tSign 28 32;34 37\tred, dry\n"
    "R1\tOf Arg1:T3 Arg2:T7\n"
    "T12\tLOC 10 23\tSouth America"
)


def project(folder: Path) -> Path:
    other = MARKS.replace("28 31;38 42", "28 31;34 42").replace("red skin", "red dry skin")
    for name, marks in (("ann", MARKS), ("ben", other)):
        (folder / name).mkdir(parents=True)
        (folder / name / "d.txt").write_bytes(TEXT.encode())
        (folder / name / "d.ann").write_bytes(marks.encode())
    return folder


def lines(path: Path) -> set[bytes]:
    return {line for line in path.read_bytes().split(b"\n") if line.startswith(b"T")}


def test_brat_to_brat_keeps_every_mark_to_the_byte(tmp_path: Path) -> None:
    source = project(tmp_path / "in")
    out = tmp_path / "out"
    assert main(["convert", str(source), "--to", "brat", "--output", str(out)]) == 0
    for name in ("ann", "ben"):
        assert lines(out / name / "d.ann") == lines(source / name / "d.ann")
        assert (out / name / "d.txt").read_bytes() == TEXT.encode()


def test_only_marks_that_change_are_written_anew(tmp_path: Path) -> None:
    source = project(tmp_path / "in")
    (tmp_path / "names.csv").write_text("LOC,PLACE\n", encoding="utf-8")
    words = ["convert", str(source), "--to", "brat", "--output", str(tmp_path / "out")]
    assert main([*words, "--rename-labels", str(tmp_path / "names.csv")]) == 0
    before, after = (lines(tmp_path / place / "ann" / "d.ann") for place in ("in", "out"))
    assert {line for line in before if b"Sign" in line} == before & after
    assert after - before == {
        b"T1\tPLACE 0 5;16 23\tNorth America",
        b"T4\tPLACE 10 23\tSouth America",
    }


def test_gold_has_the_gaps_that_most_annotators_drew(tmp_path: Path) -> None:
    corpus = read(project(tmp_path / "in"))
    gold = merge(corpus, score(corpus))
    write(gold, tmp_path / "gold", "brat", source=tmp_path / "in")
    again = read(tmp_path / "gold", include_annotators="gold")["d"]
    parts = {(unit.category, unit.start): unit.fragments for unit in again.units}
    assert parts["LOC", 0] == ((0, 5), (16, 23))
    # One drew a gap around "dry", one did not: the span is written whole.
    assert parts["Sign", 28] == ()


def test_agreement_takes_the_whole_or_the_parts_as_asked(tmp_path: Path) -> None:
    source = project(tmp_path / "in")
    whole, split = read(source), read(source, fragments="split")
    assert sorted((u.start, u.end) for u in whole["d"].of("ann")) == [
        (0, 23), (10, 23), (28, 37), (28, 42),
    ]  # fmt: skip
    assert {(u.start, u.end) for u in split["d"].of("ann")} >= {(0, 5), (16, 23), (28, 31)}
    assert not any(unit.fragments for unit in split["d"].units)


def test_other_formats_say_what_they_cannot_hold(tmp_path: Path) -> None:
    corpus = read(project(tmp_path / "in"))
    notes = write(corpus, tmp_path / "out.csv", "csv")
    (lost,) = [note for note in notes if "over all fragments" in note.message]
    assert lost.count == sum(bool(unit.fragments) for unit in corpus["d"].units) > 0


def test_a_webanno_span_with_a_gap(tmp_path: Path) -> None:
    """A converter of a corpus of idioms numbers rows that are not neighbours alike."""
    sheet = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|value\n\n\n#Text=he gave it up now\n"
        "1-1\t0-2\the\t_\t\n1-2\t3-7\tgave\tV[1]\t\n1-3\t8-10\tit\t_\t\n"
        "1-4\t11-13\tup\tV[1]|P[2]\t\n1-5\t14-17\tnow\tP[2]\t\n"
    )
    for name in ("ann", "ben"):
        (tmp_path / f"{name}.tsv").write_text(sheet, encoding="utf-8")
    verb, particle = sorted(read(tmp_path).continua[0].of("ann"))
    assert (verb.start, verb.end, verb.fragments) == (3, 13, ((3, 7), (11, 13)))
    assert (particle.start, particle.end, particle.fragments) == (11, 17, ())
    split = read(tmp_path, fragments="split").continua[0].of("ann")
    assert [(u.start, u.end) for u in split if u.category == "V"] == [(3, 7), (11, 13)]


def test_an_impossible_fragment_is_refused() -> None:
    for parts in (((0, 3),), ((0, 3), (2, 9)), ((1, 3), (5, 9)), ((0, 3), (5, 8))):
        with pytest.raises(InputError, match="fragments that do not go from its start to its end"):
            Unit("a", 0, 9, "X", "", parts)


WORDS = "one two three four five six seven"
EDGES = st.lists(st.integers(0, len(WORDS)), min_size=2, max_size=6, unique=True).map(sorted)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edges=st.lists(EDGES.filter(lambda edges: len(edges) % 2 == 0), min_size=1, max_size=4))
def test_fragments_survive_brat(
    tmp_path_factory: pytest.TempPathFactory, edges: list[list[int]]
) -> None:
    units = {}
    for one in edges:
        parts = tuple(zip(one[::2], one[1::2], strict=True))
        # Parts with nothing but white space between them are one in brat.
        if all(WORDS[a:b].strip() for (_, a), (b, _) in pairwise(parts)):
            made = Unit("a", one[0], one[-1], "X", "", parts if len(parts) > 1 else ())
            units.setdefault(made, made)
    corpus = Corpus((Continuum("t", tuple(units), text=WORDS),))
    folder = tmp_path_factory.mktemp("brat") / "out"
    write(corpus, folder, "brat")
    if not units:
        return
    again = read(folder)["t"].units
    assert [(u.start, u.end, u.fragments) for u in again] == [
        (u.start, u.end, u.fragments) for u in corpus["t"].units
    ]
