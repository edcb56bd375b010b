"""The journal: nothing is lost, nothing is doubled, and damage is never skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldspan.engine.errors import InputError, SettingsError
from goldspan.plugin.adjudicate.journal.event import Event, Header, Op
from goldspan.plugin.adjudicate.journal.file import FAULT, JournalWriter, read_journal

HEADER = Header(goldspan="0", by="ana", corpus="c")


def event(n: int) -> Event:
    return Event(n=n, id=f"event-{n:03d}", by="ana", op=Op.SETTLE, site="s", spans=((1, 2, "é\n"),))


def writer(path: Path, heard: list[str] | None = None) -> JournalWriter:
    return JournalWriter(path, HEADER, (heard if heard is not None else []).append, "now")


def write(path: Path, count: int) -> None:
    journal = writer(path)
    for n in range(1, count + 1):
        journal.append(event(n))
    journal.close()


def ids(path: Path) -> list[str]:
    return [one.id for one in read_journal(path).events]


def test_what_was_appended_is_read(tmp_path: Path) -> None:
    path = tmp_path / "ana.jsonl"
    write(path, 3)
    assert read_journal(path).events == tuple(map(event, (1, 2, 3)))


def test_a_tail_torn_at_any_byte_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "ana.jsonl"
    write(path, 3)
    whole = path.read_bytes()
    last = whole[:-1].rfind(b"\n") + 1
    for cut in range(last + 1, len(whole)):
        path.write_bytes(whole[:cut])
        heard: list[str] = []
        journal = writer(path, heard)
        journal.append(event(4))
        journal.close()
        assert ids(path) == ["event-001", "event-002", "event-004"]
        assert (tmp_path / "ana.torn-now").read_bytes() == whole[last:cut]
        assert len(heard) == 1


def test_a_last_line_with_a_wrong_checksum_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "ana.jsonl"
    write(path, 3)
    path.write_bytes(path.read_bytes().replace(b"event-003", b"event-007"))
    writer(path).close()
    assert ids(path) == ["event-001", "event-002"]


def test_damage_in_the_middle_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "ana.jsonl"
    write(path, 3)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"event-002", b"event-007"))
    with pytest.raises(InputError, match=r"ana\.jsonl:3: the line is damaged"):
        writer(path)
    path.write_bytes(whole)
    writer(path).close()


def test_a_second_writer_is_refused_with_the_first_ones_process(tmp_path: Path) -> None:
    journal = writer(tmp_path / "ana.jsonl")
    with pytest.raises(SettingsError, match=f"process {os.getpid()}"):
        writer(tmp_path / "ana.jsonl")
    journal.close()
    writer(tmp_path / "ana.jsonl").close()


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_journal import event, writer
journal = writer(Path(sys.argv[1]))
for n in (1, 2, 3):
    journal.append(event(n))
    print(n, flush=True)
"""


@pytest.mark.parametrize("point", ["before-write", "before-fsync", "after-fsync"])
def test_what_was_confirmed_outlives_a_killed_process(tmp_path: Path, point: str) -> None:
    path = tmp_path / "ana.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path), str(Path(__file__).parent)],
        capture_output=True, text=True, check=False, env={**os.environ, FAULT: f"{point}:3"},
    )  # fmt: skip
    assert done.returncode == 137, done.stderr
    assert done.stdout.split() == ["1", "2"]
    found = ids(path)
    assert found[:2] == ["event-001", "event-002"]
    assert found == sorted(set(found))
    assert len(found) == (2 if point == "before-write" else 3)
