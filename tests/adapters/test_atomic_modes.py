"""What is replaced keeps its mode, what is read-only stays, what is new follows the umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.adapters.files.atomic import new_file, new_folder
from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli import main

ROWS = "task,annotator,category,start,end\nt1,a,X,0,5\nt1,b,X,0,6\n"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o022, 0o027, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.parametrize("given", [0o600, 0o640, 0o644, 0o660, 0o755])
def test_a_file_keeps_its_mode(given: int, umask: int, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(given)
    with new_file(path) as temporary:
        assert mode(temporary) == 0o600, "nobody else reads half of it"
        temporary.write_text("new", encoding="utf-8")
    assert mode(path) == given
    assert path.read_text(encoding="utf-8") == "new"


def test_what_is_new_follows_the_umask(umask: int, tmp_path: Path) -> None:
    with new_file(tmp_path / "x.json") as temporary:
        temporary.write_text("new", encoding="utf-8")
    with new_folder(tmp_path / "out") as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "a").write_text("new", encoding="utf-8")
    assert mode(tmp_path / "x.json") == 0o666 & ~umask
    assert mode(tmp_path / "out") == mode(tmp_path / "out" / "deep") == 0o777 & ~umask
    assert mode(tmp_path / "out" / "deep" / "a") == 0o666 & ~umask


def test_a_folder_and_what_is_in_it_keep_their_modes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "ann").mkdir(parents=True)
    (out / "ann" / "a.txt").write_text("old", encoding="utf-8")
    (out / "ann" / "a.txt").chmod(0o600)
    (out / "ann").chmod(0o750)
    out.chmod(0o700)
    with new_folder(out, replace=True) as folder:
        (folder / "ann").mkdir()
        (folder / "ann" / "a.txt").write_text("new", encoding="utf-8")
    assert [mode(out), mode(out / "ann"), mode(out / "ann" / "a.txt")] == [0o700, 0o750, 0o600]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("old", encoding="utf-8")
    os.chown(path, 65534, 65534)
    with new_file(path) as temporary:
        temporary.write_text("new", encoding="utf-8")
    assert (path.stat().st_uid, path.stat().st_gid) == (65534, 65534)


@pytest.mark.parametrize("given", [0o444, 0o400, 0o440])
def test_a_read_only_file_is_left_alone(given: int, tmp_path: Path) -> None:
    path, link = tmp_path / "x.json", tmp_path / "link.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(given)
    link.symlink_to(path)
    for target in (path, link):
        with pytest.raises(SettingsError, match=f"{target.name} is read-only; "), new_file(target):
            pass
    assert path.read_text(encoding="utf-8") == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.json", "x.json"]


def test_a_read_only_folder_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "old").touch()
    out.chmod(0o555)
    with pytest.raises(SettingsError, match="out is read-only; "), new_folder(out, replace=True):
        pass
    assert [p.name for p in out.iterdir()] == ["old"]


@pytest.mark.parametrize(
    "words",
    [
        ["convert", "IN", "--to", "csv", "-o", "OUT"],
        ["score", "IN", "--json", "OUT"],
        ["score", "IN", "--html", "OUT"],
        ["score", "IN", "--markdown", "OUT"],
        ["score", "IN", "--csv", "."],
        ["gold", "IN", "--to", "csv", "-o", "g.csv", "--decisions", "OUT"],
        ["gold", "IN", "--to", "csv", "-o", "g.csv", "--json", "OUT"],
        ["gold", "IN", "--to", "csv", "-o", "g", "--adjudicated", "IN2", "--calibration", "OUT"],
    ],
)  # fmt: skip
def test_a_read_only_target_is_refused_before_anything_is_read(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("in.csv", "in2.csv"):
        Path(name).write_text("what no format reads", encoding="utf-8")
    for name in ("out", "labels.csv"):
        Path(name).write_text("old", encoding="utf-8")
        Path(name).chmod(0o444)
    names = {"IN": "in.csv", "IN2": "in2.csv", "OUT": "out"}
    assert main([names.get(word, word) for word in words]) == 2
    said = capsys.readouterr().err
    assert " is read-only; make it writable, or choose another place\n" in said
    assert said.count("\n") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.csv", "in2.csv", "labels.csv", "out"]
