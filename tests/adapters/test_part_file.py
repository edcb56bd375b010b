"""Parts of dead runs are cleared away, those of live ones stay; a full disk names the file."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from goldspan.adapters import read
from goldspan.adapters.files.atomic import new_file, new_folder
from goldspan.adapters.files.part_file import OLD, PART, clear_dead
from goldspan.engine import score
from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.connection import ConnectionRequest
from goldspan.plugin.report.tables import write_tables
from label_studio_export import annotation, region, task
from label_studio_recorded import Recorded

WRITER = """
import sys, pathlib
from goldspan.adapters.files.atomic import new_file, new_folder
new = {"file": new_file, "folder": new_folder}[sys.argv[1]]
with new(pathlib.Path(sys.argv[2])) as temporary:
    if temporary.is_dir():
        (temporary / "half").write_text("half")
    else:
        temporary.write_text("half")
    print("writing", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_run(kind: str, target: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that is in the middle of writing; it goes on when its input ends."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, kind, str(target)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        yield process


def parts(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith((PART, OLD))]


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_dead_runs_part_is_cleared_away(kind: str, tmp_path: Path) -> None:
    with another_run(kind, tmp_path / "out") as process:
        process.send_signal(signal.SIGKILL)
    assert len(parts(tmp_path)) == 1
    with new_file(tmp_path / "other.json") as temporary:
        assert parts(tmp_path) == [temporary.name]
    assert [path.name for path in tmp_path.iterdir()] == ["other.json"]


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_live_runs_part_stays(kind: str, tmp_path: Path) -> None:
    with another_run(kind, tmp_path / "out") as process:
        with new_file(tmp_path / "out.json") as temporary:
            temporary.write_text("done", encoding="utf-8")
        with new_folder(tmp_path / "folder"):
            pass
        assert len(parts(tmp_path)) == 1
        process.communicate()
    assert process.returncode == 0
    found = tmp_path / "out" if kind == "file" else tmp_path / "out" / "half"
    assert found.read_text(encoding="utf-8") == "half"
    assert parts(tmp_path) == []


def test_only_what_is_ours_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "keep").write_text("x", encoding="utf-8")
    (tmp_path / f".link{PART}").symlink_to(tmp_path / "keep")
    names = [".x.json.abcdefgh.part", f"x{PART}", ".goldspan.part.txt"]
    for name in names:
        (tmp_path / name).touch()
    os.mkfifo(tmp_path / f".pipe{PART}")
    before = sorted(tmp_path.iterdir())
    clear_dead(tmp_path)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_what_others_left_is_theirs(tmp_path: Path) -> None:
    theirs = tmp_path / f".x.abc{PART}"
    theirs.touch()
    os.chown(theirs, 65534, 65534)
    clear_dead(tmp_path)
    assert theirs.exists()


def test_a_folder_moved_aside_goes_only_when_it_has_a_successor(tmp_path: Path) -> None:
    for name in ("lost", "out"):
        (tmp_path / f".{name}.abc{OLD}" / name).mkdir(parents=True)
    (tmp_path / "out").mkdir()
    clear_dead(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [f".lost.abc{OLD}", "out"]


def test_long_names_can_be_written(tmp_path: Path) -> None:
    for name in ("n" * 255, "é" * 127, "😀" * 63):
        with new_file(tmp_path / name) as temporary:
            temporary.write_text("new", encoding="utf-8")
        assert (tmp_path / name).read_text(encoding="utf-8") == "new"


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real calls are made; what is waited for is written down beside."""
    waited: list[tuple[int, bool]] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        waited.append((os.fstat(handle).st_ino, target.exists()))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    target = tmp_path / "x.json"
    with new_file(target) as temporary:
        temporary.write_text("new", encoding="utf-8")
    assert waited == [(target.stat().st_ino, False), (tmp_path.stat().st_ino, True)]

    waited.clear()
    target = tmp_path / "out"
    with new_folder(target) as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "a").write_text("new", encoding="utf-8")
    inside = {(path.stat().st_ino, False) for path in (target, *target.rglob("*"))}
    assert len(inside) == 3
    assert {*waited[:-1]} == inside
    assert waited[-1] == (tmp_path.stat().st_ino, True)


# A full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "goldspan-test", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a small disk takes root and mount")
    yield place
    unmount = ["umount", str(place)]
    subprocess.run(unmount, check=True)


def rows(path: Path, tasks: int = 3000) -> Path:
    lines = [f"t{n},{who},{'label' * 20},{n},{n + 5}" for n in range(tasks) for who in "ab"]
    text = "\n".join(["task,annotator,category,start,end", *lines])
    path.write_text(text, encoding="utf-8")
    return path


TARGETS = [("csv", "out.csv"), ("textgrid", "out"), ("rttm", "out"), ("elan", "out")]


def convert(source: Path, to: str, out: Path, most: int | None = None) -> tuple[int, str]:
    def limit() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    done = subprocess.run(
        [sys.executable, "-B", "-m", "goldspan.plugin", "convert", str(source), "--from", "csv",
         "--empty", "unseen", "--quiet", "--to", to, "-o", str(out)],
        stderr=subprocess.PIPE, text=True, check=False, preexec_fn=limit,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize(("to", "name"), TARGETS)
def test_a_full_disk_names_the_file(to: str, name: str, small_disk: Path, tmp_path: Path) -> None:
    code, said = convert(rows(tmp_path / "in.csv"), to, small_disk / name)
    reason = os.strerror(errno.ENOSPC)
    target = small_disk / name
    assert said == f"goldspan: {target} cannot be written: {reason}; choose another place\n"
    assert code == 2
    assert list(small_disk.iterdir()) == [], "nothing is left of it"


def test_tables_appear_all_or_none(small_disk: Path, tmp_path: Path) -> None:
    """The small tables fit on the disk, the table of tasks does not."""
    result = score(read(rows(tmp_path / "in.csv", tasks=40), format="csv", empty="unseen"))
    (small_disk / "pairs.csv").write_text("of the run before", encoding="utf-8")
    (small_disk / "taken").write_bytes(bytes(240_000))
    with pytest.raises(SettingsError, match=r"cannot be written"):
        write_tables(small_disk, result)
    assert {path.name for path in small_disk.iterdir()} == {"pairs.csv", "taken"}
    assert (small_disk / "pairs.csv").read_text(encoding="utf-8") == "of the run before"
    (small_disk / "taken").unlink()
    assert {path.name for path in write_tables(small_disk, result)} >= {"tasks.csv", "pairs.csv"}


def test_a_sync_makes_no_file_of_the_tasks(
    small_disk: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """There is room for what the server sends, and not for the same once more."""
    text = "Anna met Bob " * 11_000
    both = annotation(1, region(0, 4, "PER", text="Anna")), annotation(2)
    server = Recorded([task(1, {"text": text}, *both)])
    monkeypatch.setattr(ConnectionRequest, "connect", lambda _: server)
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    words = ["--project", "5", "--folder", str(tmp_path / "folder"), "--quiet"]
    assert main(["label-studio", "sync", "--dry-run", *words]) == 0, capsys.readouterr().err


def test_a_file_that_may_not_grow_is_named(tmp_path: Path) -> None:
    out = tmp_path / "out" / "x.csv"
    code, said = convert(rows(tmp_path / "in.csv"), "csv", out, most=300_000)
    reason = os.strerror(errno.EFBIG)
    assert said == f"goldspan: {out} cannot be written: {reason}; choose another place\n"
    assert code == 2
    assert list(out.parent.iterdir()) == []


def test_errors_about_other_files_keep_their_names(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="other"), new_file(tmp_path / "x"):
        (tmp_path / "other").read_text(encoding="utf-8")
    with pytest.raises(ConnectionError), new_file(tmp_path / "x"):
        raise ConnectionResetError("gone")
    with pytest.raises(SettingsError, match="x cannot be written"), new_folder(tmp_path / "x") as f:
        (f / "missing" / "a").write_text("", encoding="utf-8")
