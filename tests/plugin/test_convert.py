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
