"""Annotators and tasks from the names of files and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldspan.adapters.kit.naming import Naming
from goldspan.engine.errors import InputError, SettingsError


@pytest.mark.parametrize(
    ("pattern", "path", "found"),
    [
        ("dir", "data/ann1/doc.x.txt", ("ann1", "doc.x")),
        ("file", "data/ann1.csv", ("ann1", None)),
        ("{task}_{annotator}.csv", "data/the_play_01.csv", ("01", "the_play")),
        ("{annotator}/*/{task}.ann", "r/bob/batch7/d1.ann", ("bob", "d1")),
        ("{task}/{annotator}.xmi", "r/doc.txt/eve.xmi", ("eve", "doc.txt")),
        ("round-*/{annotator}.json", "round-2/ann (1).json", ("ann (1)", None)),
    ],
)
def test_patterns(pattern: str, path: str, found: tuple[str, str | None]) -> None:
    assert Naming(pattern).read(Path(path)) == found


def test_relative_names_have_folders_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ann").mkdir()
    monkeypatch.chdir(tmp_path / "ann")
    assert Naming("dir").read(Path("t.csv")) == ("ann", "t")


def test_a_name_that_does_not_fit() -> None:
    with pytest.raises(InputError, match=r"^a/b\.csv: the name does not fit the pattern"):
        Naming("{task}_{annotator}.csv").read(Path("a/b.csv"))


@pytest.mark.parametrize("pattern", ["folder", "{task}.csv", "{annotator}/{annotator}", "{who}"])
def test_patterns_without_sense(pattern: str) -> None:
    with pytest.raises(SettingsError, match=r"\{annotator\}"):
        Naming(pattern)
