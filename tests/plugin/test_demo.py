"""`goldspan demo`: from nothing to a report, with the commands that it takes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from goldspan.plugin.cli import build_parser, main


def test_the_demo_fills_a_folder_and_says_where_to_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "demo"
    assert main(["demo", str(folder)]) == 0
    printed = capsys.readouterr()
    assert "suggested spans by 'reliability'" in printed.err
    said = printed.out.splitlines()

    commands = [line.removeprefix("$ goldspan ") for line in said if line.startswith("$ ")]
    assert [command.split()[0] for command in commands] == ["score", "gold", "score", "compare"]
    for command in commands:
        build_parser().parse_args(shlex.split(command))
    pointed = [line.split(": ")[0] for line in said if line.startswith(str(folder))]
    assert len(pointed) >= 4
    assert all(Path(path).is_file() for path in pointed)
    first, second = (
        json.loads((folder / name).read_text(encoding="utf-8"))["corpus"]
        for name in ("round1.json", "round2.json")
    )
    assert first["n_annotators"] == 4
    assert len(first["gamma_k"]) == 5
    assert second["gamma"]["value"] > first["gamma"]["value"]


def test_a_quiet_demo_says_nothing_and_can_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.html"
    assert main(["demo", str(tmp_path), "--quiet"]) == 0
    before = report.read_bytes()
    assert main(["demo", str(tmp_path), "--quiet"]) == 0

    assert report.read_bytes() == before
    assert capsys.readouterr() == ("", "")


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.touch()
    assert main(["demo", str(path)]) == 2
    assert "is a file; name a folder to fill" in capsys.readouterr().err
