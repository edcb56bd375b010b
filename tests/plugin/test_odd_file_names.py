"""Names of files and folders that are not UTF-8: read, scored, merged and written all the same."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from goldspan.adapters import read, registry, write
from goldspan.engine.errors import GoldspanError
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from goldspan.plugin.cli import main

ODD = os.fsdecode(b"caf\xe9")
SPELLED = "caf\\xe9"
FORMATS = [a.name for a in registry.load_all()[0] if a.reads and a.writes]
ENDINGS = {
    "csv": ".csv", "huggingface": ".parquet", "label-studio": ".json", "prodigy": ".jsonl",
    "spacy": ".spacy",
}  # fmt: skip
SEEN = {"ann": Presence.DONE, "bob": Presence.DONE}
UNITS = (Unit("ann", 0, 4, "PER"), Unit("bob", 0, 4, "PER"), Unit("bob", 9, 12, "LOC"))
TEXT = Corpus((Continuum("doc", UNITS, SEEN, text="Anna met Bob in Paris ."),))
SOUND = Corpus((Continuum("doc", UNITS, SEEN, 3000, Measure.MILLISECOND, media="doc.wav"),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / ODD
    try:
        found.mkdir()
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_lives_in_such_a_folder(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / f"{ODD}{ENDINGS.get(name, '')}"
    try:
        write(TEXT, path, name)
    except GoldspanError:
        write(SOUND, path, name)
    given = [str(path), "--from", name, "--empty", "seen"]
    given += ["--annotator-from", "tier"] if name == "textgrid" else []
    pages = {one: folder / f"{ODD}-report.{one}" for one in ("json", "html", "markdown", "csv")}
    asked = [word for one, target in pages.items() for word in (f"--{one}", str(target))]
    assert main(["score", *given, *asked, "--seed", "1"]) == 0
    assert json.loads(pages["json"].read_text(encoding="utf-8"))["corpus"]["n_units"] == 3
    assert all(target.exists() for target in pages.values())
    again = folder / f"{ODD}-again{ENDINGS.get(name, '')}"
    assert main(["convert", *given, "--to", name, "-o", str(again)]) == 0
    gold = folder / f"{ODD}-gold.csv"
    decisions = ["--decisions", str(folder / f"{ODD}-decide.csv")]
    assert main(["gold", *given, "--to", "csv", "-o", str(gold), *decisions]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_names_from_files_are_spelled_with_their_bytes(tmp_path: Path, folder: Path) -> None:
    for who in (ODD, "bob"):
        (folder / who).mkdir()
        (folder / who / f"{ODD}.txt").write_text("Anna met Bob", encoding="utf-8")
        (folder / who / f"{ODD}.ann").write_text("T1\tPER 0 4\tAnna\n", encoding="utf-8")
    corpus = read(folder)
    assert [(c.id, c.annotators) for c in corpus.continua] == [(SPELLED, ("bob", SPELLED))]
    target = tmp_path / "out.csv"
    write(corpus, target, "csv")
    with target.open(encoding="utf-8") as file:
        assert next(csv.DictReader(file))["task"] == SPELLED
    assert read(target).annotators == corpus.annotators


def test_a_gold_copy_finds_the_source_of_such_a_name(tmp_path: Path, folder: Path) -> None:
    source = folder / f"{ODD}.eaf"
    write(SOUND, source, "elan")
    target = tmp_path / "gold.eaf"
    assert main(["gold", str(source), "--to", "elan", "-o", str(target)]) == 0
    assert 'TIER_ID="ann"' in target.read_text(encoding="utf-8")


def test_half_a_surrogate_pair_in_a_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = [{"start": 0, "end": 4, "label": "\ud83d"}, {"start": 9, "end": 12, "label": "X"}]
    row = {"text": "Anna met Bob", "spans": {"ann/ann": marks, "ann/bob": marks}}
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    result = tmp_path / "result.json"
    pages = ["--html", str(tmp_path / "r.html"), "--csv", str(tmp_path / "tables")]
    assert main(["score", str(path), "--json", str(result), *pages]) == 0
    assert json.loads(result.read_text(encoding="utf-8"))["corpus"]["gamma"]["value"] == 1
    assert r'"\ud83d"' in result.read_text(encoding="utf-8")
    for name in set(FORMATS) - {"rttm", "textgrid", "elan"}:
        target = tmp_path / f"out-{name}{ENDINGS.get(name, '')}"
        code = main(["convert", str(path), "--to", name, "-o", str(target)])
        assert code in (0, 2), name
        assert target.exists() is (code == 0)
    assert "itself failed" not in capsys.readouterr().err
