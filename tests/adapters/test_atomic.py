"""Writing is all or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldspan.adapters.atomic import new_file, new_folder
from goldspan.engine.errors import SettingsError


def test_a_file_appears_complete_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "x.txt"
    with new_file(target) as temporary:
        temporary.write_text("new", encoding="utf-8")
        assert not target.exists()
    assert target.read_text(encoding="utf-8") == "new"

    def fail() -> None:
        with new_file(target) as temporary:
            temporary.write_text("half", encoding="utf-8")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert target.read_text(encoding="utf-8") == "new"
    assert [p.name for p in target.parent.iterdir()] == ["x.txt"]


def test_a_folder_appears_complete_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def fail() -> None:
        with new_folder(target) as temporary:
            (temporary / "a").write_text("half", encoding="utf-8")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert list(tmp_path.iterdir()) == []
    with new_folder(target) as temporary:
        (temporary / "a").write_text("new", encoding="utf-8")
    assert [p.name for p in target.iterdir()] == ["a"]


def test_a_filled_folder_is_replaced_only_when_asked(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "old").write_text("old", encoding="utf-8")
    with pytest.raises(SettingsError, match="is not empty"), new_folder(target):
        pass
    with new_folder(target, replace=True) as temporary:
        (temporary / "new").write_text("new", encoding="utf-8")
        assert (target / "old").exists()
    assert [p.name for p in target.iterdir()] == ["new"]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    with new_folder(target) as temporary:
        (temporary / "new").write_text("new", encoding="utf-8")
    assert (target / "new").exists()


def test_a_file_is_no_folder_and_the_other_way_round(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("", encoding="utf-8")
    with pytest.raises(SettingsError, match="is a file; name a folder"), new_folder(file):
        pass
    with pytest.raises(SettingsError, match="is a folder; name a file"), new_file(tmp_path):
        pass
