"""The files below a folder: what is hidden there is nobody's annotation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goldspan.adapters import read
from goldspan.adapters.files.folder import files_below


def fill(folder: Path, *names: str) -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("ann,X,0,3\nbob,X,0,3\n", encoding="utf-8")


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    hidden = (".ipynb_checkpoints/a-checkpoint.csv", "._a.csv", "__MACOSX/a.csv", ".o.part/t.csv")
    fill(tmp_path, "b/c.CSV", "a.csv", "notes.txt", *hidden)
    assert files_below(tmp_path, (".csv",)) == [tmp_path / "a.csv", tmp_path / "b" / "c.CSV"]
    assert files_below(tmp_path)[-1] == tmp_path / "notes.txt"
    assert [task.id for task in read(tmp_path, empty="seen").continua] == ["a", "c"]


def test_a_table_of_assignments_is_no_table_of_spans(tmp_path: Path) -> None:
    fill(tmp_path, "a.csv")
    table = tmp_path / "assignments.csv"
    table.write_text("document,annotator,status\na,cem,empty\n", encoding="utf-8")
    corpus = read(tmp_path, assignments=table)
    assert corpus.annotators == ("ann", "bob", "cem")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads it all")
def test_a_folder_that_may_not_be_read_is_an_error(tmp_path: Path) -> None:
    fill(tmp_path, "ann/a.csv", "bob/a.csv")
    (tmp_path / "bob").chmod(0)
    with pytest.raises(PermissionError):
        files_below(tmp_path)
    (tmp_path / "bob").chmod(0o700)


def test_a_failing_folder_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, "ann/a.csv", "bob/a.csv")
    listed = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("bob"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(PermissionError):
        files_below(tmp_path)
