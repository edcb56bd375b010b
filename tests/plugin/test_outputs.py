"""Outputs that cannot all be written, or that would replace an input, are refused first."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from goldspan.plugin.cli import build_parser, main
from goldspan.plugin.cli.results import USUAL_TABLES

ROWS = "task,annotator,category,start,end\nt1,a,X,0,5\nt1,b,X,0,6\n"
BAD = "annotator,category,start,end\na,X,here,there\n"
"""What reading would complain about: a complaint about outputs therefore came before."""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(BAD, encoding="utf-8")
    Path("folder").mkdir()
    Path("folder/labels.csv").write_text(BAD, encoding="utf-8")
    Path("real.json").write_text("old", encoding="utf-8")
    Path("link.json").symlink_to("real.json")
    Path("sub").symlink_to(".")
    Path("token").write_text("a-token", encoding="utf-8")


GOLD = ["gold", "in.csv", "--to", "csv", "-o", "g.csv"]
SYNC = ["label-studio", "sync", "--url", "http://localhost:1", "--project", "7", "--folder", "f",
        "--token-file", "token"]  # fmt: skip
SHARED = [
    ["score", "in.csv", "--json", "a", "--html", "a"],
    ["score", "in.csv", "--json", "a", "--html", "./a"],
    ["score", "in.csv", "--json", "a", "--markdown", "sub/a"],
    ["score", "in.csv", "--html", "link.json", "--markdown", "real.json"],
    ["score", "in.csv", "--json", "t/tasks.csv", "--csv", "t"],
    ["score", "in.csv", "--json", "t/layers.csv", "--csv", "t"],
    ["compare", "in.csv", "real.json", "--json", "a", "--html", "a"],
    ["compare", "in.csv", "real.json", "--json", "a", "--markdown", "./a"],
    [*GOLD, "--decisions", "g.csv"],
    [*GOLD, "--decisions", "d", "--json", "sub/d"],
    [*GOLD, "--adjudicated", "real.json", "--calibration", "g.csv"],
    [*GOLD, "--adjudicated", "real.json", "--json", "g.csv.calibration.json"],
    [*SYNC, "--json", "f/project-7/result.json"],
]
INPUTS = [
    ["score", "in.csv", "--json", "in.csv"],
    ["score", "in.csv", "--html", "sub/in.csv"],
    ["score", "link.json", "--markdown", "real.json"],
    ["score", "in.csv", "--json", "real.json", "--assignments", "real.json"],
    ["score", "in.csv", "--json", "real.json", "--rename-labels", "link.json"],
    ["score", "in.csv", "--json", "real.json", "--distances", "real.json"],
    ["score", "folder", "--csv", "folder"],
    ["score", "folder", "--json", "folder/labels.csv"],
    ["compare", "in.csv", "real.json", "--html", "link.json"],
    [*GOLD, "--decisions", "in.csv"],
    [*GOLD, "--json", "real.json", "--adjudicated", "real.json"],
    [*GOLD, "--json", "real.json", "--calibration", "real.json"],
    [*GOLD[:-1], "real.json", "--adjudicated", "real.json"],
    [*GOLD, "--distances", "real.json", "--decisions", "real.json"],
    [*SYNC, "--json", "token"],
    ["label-studio", "status", *SYNC[2:6], "--token-file", "token", "--json", "token"],
]
OTHERS = [
    (["score", "in.csv", "--json", "folder"], "folder is a folder; name a file to write"),
    (["score", "in.csv", "--csv", "real.json"], "real.json is a file; name a folder"),
    (["score", "in.csv", "--json", "a", "--html", "a/b"], "a, which --json makes a file"),
    (["score", "in.csv", "--json", "a", "--csv", "a"], "a, which --json makes a file"),
    (["score", "in.csv", "--json", "-", "--markdown", "-"], "cannot share standard output"),
    ([*GOLD, "--json", "folder"], "folder is a folder; name a file to write"),
]
REFUSED = [
    *((words, " would both be written to ") for words in SHARED),
    *((words, " would replace the input ") for words in INPUTS),
    *OTHERS,
]


@pytest.mark.parametrize(
    ("words", "sentence"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED]
)
def test_it_is_refused_before_anything_is_read_or_written(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))}
    assert main(words) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))} == before


def test_different_places_are_all_written(tmp_path: Path) -> None:
    Path("in.csv").write_text(ROWS, encoding="utf-8")
    words = ["--json", "a", "--html", "b", "--markdown", "c", "--csv", "t", "--quiet"]
    assert main(["score", "in.csv", "--precision", "0.3", *words]) == 0
    assert all((tmp_path / name).is_file() for name in "abc")
    assert sorted(path.name for path in Path("t").iterdir()) == sorted(
        f"{name}.csv" for name in USUAL_TABLES
    )


def test_every_option_that_names_an_output_was_tried() -> None:
    """An option of `score`, `gold` and `compare` that takes a file to write is in the lists."""
    (action,) = (a for a in build_parser()._actions if a.dest == "verb")
    for verb in ("score", "gold", "compare"):
        parser: argparse.ArgumentParser = action.choices[verb]  # type: ignore[index, call-overload]
        outputs = {option.option_strings[0] for option in parser._actions
                   if option.type is Path and (option.help or "").startswith("write")}  # fmt: skip
        tried = {word for words, _ in REFUSED if words[0] == verb for word in words}
        assert outputs <= tried


@pytest.mark.parametrize("quiet", [True, False])
def test_a_conversion_that_leaves_out_every_task_writes_nothing(
    quiet: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The annotators of the only document have different tokens, so it cannot be read."""
    for who, tokens in (("al", ("Anna", "met", "Bob")), ("bo", ("Anna", "met", "Ben", "."))):
        rows = "".join(f"{token} B-PER\n" for token in tokens)
        (tmp_path / who).mkdir()
        (tmp_path / who / "one.conll").write_text(rows, encoding="utf-8")
    words = ["convert", "al", "bo", "--from", "conll", "--annotator-from", "dir", "--to", "csv"]
    assert main([*words, "-o", "out.csv", *(["--quiet"] if quiet else [])]) == 2
    said = capsys.readouterr().err
    assert "al: every task was left out, so nothing was written" in said
    assert ("its text is not the same for all annotators" in said) is not quiet
    assert said.endswith("leave out --quiet to see why\n" if quiet else "above say why\n")
    assert not list(tmp_path.glob("out*"))
