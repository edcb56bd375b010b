"""`goldspan convert` between text formats: nothing is lost on the way, nothing half-written."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from goldspan.adapters import read, write
from goldspan.engine.model import Continuum, Corpus, Presence, Unit
from goldspan.plugin.cli import main

OUTPUT = {
    "spacy": "out.spacy",
    "prodigy": "out.jsonl",
    "doccano": "out.zip",
    "inception": "out",
}
TEXT = "Ada 🙂 met\r\nGrace\tHopper, e\u0301 שלום."
CORPUS = Corpus(
    (
        Continuum(
            "one",
            (Unit("ada", 0, 3, "PER"), Unit("ada", 1, 9, "a b|c"), Unit("bob", 11, 23, "PER")),
            {"cyd": Presence.EMPTY, "dan": Presence.SKIPPED, "eve": Presence.UNKNOWN},
            text=TEXT,
        ),
        Continuum("two", (Unit("bob", 0, 1, "PER"),), {"ada": Presence.PARTIAL}, text="Two."),
    ),
    scale=("PER", "LOC"),
)


@pytest.mark.parametrize(("one", "other"), list(permutations(OUTPUT, 2)))
def test_there_and_back(tmp_path: Path, one: str, other: str) -> None:
    first, second = tmp_path / "1" / OUTPUT[one], tmp_path / "2" / OUTPUT[other]
    write(CORPUS, first, one)
    assert main(["convert", str(first), "--to", other, "--output", str(second), "--quiet"]) == 0
    back = read(second)
    assert {c.id: c for c in back.continua} == {c.id: c for c in CORPUS.continua}
    assert back.scale == CORPUS.scale


@pytest.mark.parametrize("form", OUTPUT)
def test_a_broken_file_is_one_sentence_and_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    bad = tmp_path / OUTPUT[form].replace("out", "bad")
    (tmp_path / "bad" / "d").mkdir(parents=True)
    (tmp_path / "bad" / "d" / "ada.tsv").write_text("nonsense", encoding="utf-8")
    if form != "inception":
        bad.write_bytes(b"{nonsense")
    target = tmp_path / "out.csv"
    code = main(["convert", str(bad), "--from", form, "--to", "csv", "--output", str(target)])
    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert said.err.startswith(f"goldspan: {bad}")
    assert said.err.count("\n") == 1
    assert not target.exists()


@pytest.mark.parametrize("form", OUTPUT)
def test_a_failure_to_write_leaves_the_old_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    rows = tmp_path / "in.csv"
    rows.write_text("ada,PER,0,3\n", encoding="utf-8")
    target = tmp_path / OUTPUT[form]
    if target.suffix:
        target.write_bytes(b"old")
    assert main(["convert", str(rows), "--to", form, "--output", str(target)]) == 2
    assert "task 'in': there is no text" in capsys.readouterr().err
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        ["in.csv", target.name] if target.suffix else ["in.csv"]
    )
    assert not target.suffix or target.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("option", "name", "output"),
    [
        ("--assignments", "who.csv", "who.csv"),
        ("--rename-labels", "names.csv", "names.csv"),
        ("--source", "old.csv", "old.csv"),
    ],
)
def test_no_input_is_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, name: str, output: str
) -> None:
    rows = tmp_path / "in.csv"
    rows.write_text("ada,PER,0,3\n", encoding="utf-8")
    table = tmp_path / name
    table.write_text("old,new\n", encoding="utf-8")
    target = str(tmp_path / output)
    code = main(["convert", str(rows), option, str(table), "--to", "csv", "--output", target])
    assert code == 2
    assert "inputs are never edited" in capsys.readouterr().err
    assert table.read_text(encoding="utf-8") == "old,new\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["in.csv", name])


@pytest.mark.parametrize(
    ("to", "name"), [("csv", "out.csv"), ("textgrid", "out.TextGrid"), ("elan", "out.eaf")]
)
def test_a_table_of_assignments_comes_with_its_file_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], to: str, name: str
) -> None:
    rows, table = tmp_path / "in.csv", tmp_path / "who.csv"
    rows.write_text("ada,PER,0,3\n", encoding="utf-8")
    table.write_text("document,annotator,status\nin,bob,skipped\n", encoding="utf-8")
    given = ["convert", str(rows), "--assignments", str(table), "--to", to, "--output"]
    (tmp_path / "taken" / name).mkdir(parents=True)
    assert main([*given, str(tmp_path / "taken" / name)]) == 2
    assert "is a folder; name a file" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "taken").iterdir()] == [name]
    assert main([*given, str(tmp_path / "free" / name)]) == 0
    assert "the table of who saw what was written to" in capsys.readouterr().err
    assert {path.name for path in (tmp_path / "free").iterdir()} == {"out.assignments.csv", name}


def test_a_table_beside_the_output_is_not_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, table = tmp_path / "in.csv", tmp_path / "out.assignments.csv"
    rows.write_text("task,annotator,category,start,end\ns,a,X,0,3\nt,b,X,0,3\n", encoding="utf-8")
    table.write_text("document,annotator,status\ns,b,empty\n", encoding="utf-8")
    before = table.read_bytes()
    given = ["convert", str(rows), "--output", str(tmp_path / "out.csv"), "--to", "csv"]
    assert main(given) == 2
    assert f"would overwrite {table}" in capsys.readouterr().err
    assert main([*given, "--replace", "--assignments", str(table)]) == 2
    assert f"would touch the input {table}" in capsys.readouterr().err
    assert table.read_bytes() == before
    assert main([*given, "--replace"]) == 0
    assert table.read_bytes() != before
    assert main(given) == 0


def test_a_folder_has_its_table_inside(tmp_path: Path) -> None:
    rows, table = tmp_path / "q.csv", tmp_path / "q.assignments.csv"
    rows.write_text("ada,PER,0,3\n", encoding="utf-8")
    table.write_text("document,annotator,status\nq,bob,skipped\n", encoding="utf-8")
    given = ["convert", str(rows), "--assignments", str(table), "--to", "textgrid"]
    assert main([*given, "--output", str(tmp_path / "q")]) == 0
    assert (tmp_path / "q" / "assignments.csv").is_file()


@pytest.mark.parametrize(
    ("form", "option"),
    [
        ("doccano", "--category-from"), ("spacy", "--category-from"), ("conll", "--category-from"),
    ],
)  # fmt: skip
def test_options_that_mean_nothing_in_a_format_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, option: str
) -> None:
    target = str(tmp_path / "out.csv")
    given = ["convert", str(tmp_path), "--from", form, option, "zzz", "--to", "csv"]
    assert main([*given, "--output", target]) == 2
    assert f"{option} does not apply to the format '{form}'" in capsys.readouterr().err


@pytest.mark.parametrize("output", ["", ".", ".."])
def test_an_output_has_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    rows = tmp_path / "in.csv"
    rows.write_text("ada,PER,0,3\n", encoding="utf-8")
    assert main(["convert", str(rows), "--to", "csv", "--output", output]) == 2
    assert "has no file name" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "in.csv"
    rows.write_text("ada,PER,0,3\n", encoding="utf-8")
    target = rows / "below" / "out.csv"
    assert main(["convert", str(rows), "--to", "csv", "--output", str(target)]) == 2
    assert "would touch the input" in capsys.readouterr().err
    other = tmp_path / "file"
    other.touch()
    for to, target in (("csv", other / "a" / "out.csv"), ("textgrid", other / "a" / "out")):
        assert main(["convert", str(rows), "--to", to, "--output", str(target), "--quiet"]) == 2
        assert capsys.readouterr().err.startswith(f"goldspan: {target} cannot be written: ")
