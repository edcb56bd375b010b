"""A run that was interrupted goes on: the same bytes, and no finished work twice."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldspan.engine.chance.expectation import DrawSamples
from goldspan.engine.coefficient.measure import AlignTasks
from goldspan.engine.errors import SettingsError
from goldspan.plugin import checkpoint
from goldspan.plugin.checkpoint import MARK, open_checkpoint
from goldspan.plugin.cli import main

TASKS = 60
STOP = """
import sys, time
from goldspan.plugin import checkpoint
from goldspan.plugin.cli import main

checkpoint.EVERY_SECONDS = 0.0
store = checkpoint.Checkpoint.flush
count = 0

def stop_after_some(self):
    global count
    store(self)
    count += 1
    if count == 9:
        print("mid-run", flush=True)
        time.sleep(600)

checkpoint.Checkpoint.flush = stop_after_some
main(sys.argv[1:])
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("corpus") / "corpus.csv"
    rows = ["task,annotator,category,start,end"]
    rows += [
        f"t{k},{name},{'xyz'[(k + i + (a * k) % 5 // 4) % 3]},{s},{s + 8 + (k * a) % 7}"
        for k in range(TASKS)
        for a, name in enumerate(("ann", "bob", "cleo"))
        for i, s in enumerate(range(3 + (k + a) % 3, 120, 20))
    ]
    place.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return place


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every piece of work that is really done."""
    done: list[str] = []
    for kind in (DrawSamples, AlignTasks):

        def counted(self: Any, item: Any, work: Callable[[Any, Any], Any] = kind.__call__) -> Any:
            done.append(type(self).__name__)
            return work(self, item)

        monkeypatch.setattr(kind, "__call__", counted)
    return done


def scored(table: Path, out: Path, *options: str) -> bytes:
    assert main(["score", str(table), "--json", str(out), *options]) == 0
    return out.read_bytes()


def parts(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.finished"))


def test_a_killed_run_goes_on(
    table: Path, tmp_path: Path, worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "resume", tmp_path / "result.json"
    words = ["score", str(table), "--json", str(out), "--resume", str(folder)]
    paths = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, "-c", STOP, *words],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": paths},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == b"mid-run\n"
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert not out.exists()
    stored = len(parts(folder))
    assert stored == 9

    whole = scored(table, out)
    pieces = len(worked)
    worked.clear()
    assert scored(table, out, "--resume", str(folder)) == whole
    assert len(worked) == pieces - stored
    assert f"{stored} pieces of work are finished and are not repeated" in capsys.readouterr().err

    worked.clear()
    assert scored(table, out, "--resume", str(folder), "--workers", "2") == whole
    assert worked == []


def test_damaged_and_foreign_work_is_not_used(
    table: Path, tmp_path: Path, worked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "resume", tmp_path / "result.json"
    whole = scored(table, out, "--resume", str(folder))
    pieces = len(worked)
    for part in parts(folder):
        part.write_bytes(part.read_bytes()[:-1] + b"?")
    worked.clear()
    assert scored(table, out, "--resume", str(folder)) == whole
    assert len(worked) == pieces
    assert "is damaged; its work is done again" in capsys.readouterr().err

    other = scored(table, out, "--seed", "2")
    worked.clear()
    assert scored(table, out, "--seed", "2", "--resume", str(folder)) == other
    assert len(worked) > pieces // 2
    assert "but of other data, settings or another version" in capsys.readouterr().err


def test_gold_goes_on_too(table: Path, tmp_path: Path, worked: list[str]) -> None:
    words = ["gold", str(table), "--to", "csv", "--replace", "--output", str(tmp_path / "gold.csv")]
    words += ["--resume", str(tmp_path / "resume"), "--quiet"]
    assert main(words) == 0
    first = (tmp_path / "gold.csv").read_bytes()
    assert worked
    worked.clear()
    assert main(words) == 0
    assert (worked, (tmp_path / "gold.csv").read_bytes()) == ([], first)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--max-seconds", "9"], "--resume and --max-seconds exclude each other"),
        ([], "has files that goldspan did not write"),
    ],
)
def test_what_cannot_be_resumed_is_refused(
    options: list[str],
    sentence: str,
    table: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="ascii")
    assert main(["score", str(table), "--resume", str(tmp_path), *options]) == 2
    assert sentence in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_is_no_folder_of_finished_work(table: Path, tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("", encoding="ascii")
    with pytest.raises(SettingsError, match="is a file"), open_checkpoint(place, "k", print):
        pass


class Harmful:
    """What a pickle can make a program run."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.place),)


def test_a_part_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harmful = pickle.dumps(Harmful(tmp_path / "harm"))
    with open_checkpoint(tmp_path / "resume", "key", print) as kept:
        monkeypatch.setattr(checkpoint.pickle, "dumps", lambda _result: harmful)
        assert list(kept.keep(map)(abs, [1])) == [1]
    monkeypatch.undo()
    with (
        open_checkpoint(tmp_path / "resume", "key", print) as kept,
        pytest.raises(SettingsError, match="which no result has"),
    ):
        list(kept.keep(map)(abs, [1]))
    assert not (tmp_path / "harm").exists()
    assert (tmp_path / "resume" / MARK).is_file()
