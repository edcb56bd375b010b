"""Writing is all or nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from goldspan.adapters.files.atomic import new_file, new_folder
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


@pytest.mark.parametrize("new", [new_file, new_folder])
def test_what_is_neither_file_nor_folder_is_left_alone(new: Any, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    for target in (pipe, tmp_path / "link"):
        with pytest.raises(SettingsError, match="is neither a file nor a folder"), new(target):
            pass
    assert pipe.is_fifo()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "pipe"]


@pytest.mark.parametrize("new", [new_file, new_folder])
def test_a_link_that_leads_nowhere_is_left_alone(new: Any, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "lost").symlink_to(tmp_path / "gone")
    for name in ("loop", "lost"):
        with pytest.raises(SettingsError, match="a link that leads nowhere"), new(tmp_path / name):
            pass
    assert sorted(p.name for p in tmp_path.iterdir()) == ["loop", "lost"]


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("old", encoding="utf-8")
    (tmp_path / "link.txt").symlink_to("x.txt")
    with new_file(tmp_path / "link.txt") as temporary:
        temporary.write_text("new", encoding="utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to("out")
    with new_folder(tmp_path / "link") as temporary:
        (temporary / "a").write_text("new", encoding="utf-8")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "x.txt").read_text(encoding="utf-8") == "new"
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["a"]
