"""Journal: what one adjudicator decided, a line an event, each on the disk before it counts.

Lines are only ever added, by one writer at a time. A crash can tear the last line only: it is set
aside. Damage anywhere else is refused with its line, and never skipped.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from goldspan.engine.errors import InputError, SettingsError
from goldspan.plugin.adjudicate.journal.event import (
    VERSION,
    Event,
    Header,
    decode_event,
    decode_header,
    encode_line,
)

SUFFIX = ".jsonl"
LONGEST_NAME = 60
FAULT = "GOLDSPAN_ADJUDICATE_FAULT"
"""Names a point at which the process ends at once, for tests: `before-fsync:3` at the third."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a journal holds: its events from some byte on, and where whole lines end. `torn` says
    that a part of a line follows.
    """

    header: Header
    events: tuple[Event, ...]
    end: int
    torn: bool


def journal_path(folder: Path, name: str) -> Path:
    """The file of an adjudicator."""
    if not name.strip() or len(name) > LONGEST_NAME:
        raise SettingsError(
            f"an adjudicator's name has 1 to {LONGEST_NAME} characters; give another --adjudicator"
        )
    safe = quote(name, safe=" ")
    return folder / f"{safe.replace('.', '%2E')}{SUFFIX}"


def read_journal(path: Path, start: int = 0, header: Header | None = None) -> Read:
    """The events of a file from the byte `start` on, where a line begins."""
    with path.open("rb") as file:
        file.seek(start)
        data = file.read()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].split(b"\n")[:-1]
    at, number = start, 1
    events = []
    for line in lines:
        try:
            if header is None:
                header = _header(line, path)
            else:
                events.append(decode_event(line))
        except ValueError as error:
            if at - start + len(line) + 1 == len(data):
                break  # the last line: a crash may have torn it although its end is there
            raise InputError(
                f"the line is damaged ({error}); nothing was read, so that no decision is lost: "
                "put a copy of the journal in its place",
                where=f"{path}:{_line_number(path, at) if start else number}",
            ) from error
        at += len(line) + 1
        number += 1
    if header is None:
        raise InputError("this is not a journal of goldspan", where=str(path))
    return Read(header, tuple(events), at, at < start + len(data))


def _header(line: bytes, path: Path) -> Header:
    header = decode_header(line)
    if header.journal != VERSION:
        raise InputError(
            f"the journal has version {header.journal}, and this goldspan reads {VERSION}; use "
            f"goldspan {header.goldspan}",
            where=str(path),
        )
    return header


def _line_number(path: Path, at: int) -> int:
    with path.open("rb") as file:
        return file.read(at).count(b"\n") + 1


class JournalWriter:
    """The one writer of a journal, from opening to `close`."""

    def __init__(self, path: Path, header: Header, say: Callable[[str], None], now: str) -> None:
        """Open or begin the journal; `now` names what is set aside."""
        self.path = path
        self._lock = _lock(path)
        try:
            self.header = self._begin(header, say, now)
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        except BaseException:
            _unlock(self._lock)
            raise
        self._written = 0

    def _begin(self, header: Header, say: Callable[[str], None], now: str) -> Header:
        """The header of the file, which is made if it is not there or holds no whole line."""
        line = encode_line(header)
        if self.path.exists():
            data = self.path.read_bytes()
            if (data and not data.startswith(b"{")) or b"\n" in data:
                found = read_journal(self.path)
                if found.torn:
                    self._cut(found.end, say, now)
                if found.header.by != header.by:
                    raise SettingsError(
                        f"{self.path} is the journal of '{found.header.by}'; give another "
                        "--adjudicator"
                    )
                return found.header
            if data:
                self._cut(0, say, now)
        with self.path.open("wb") as file:
            file.write(line)
            file.flush()
            _to_disk(file.fileno())
        _folder_to_disk(self.path.parent)
        return header

    def _cut(self, end: int, say: Callable[[str], None], now: str) -> None:
        """Set aside what follows the last whole line."""
        aside = self.path.with_name(f"{self.path.name.removesuffix(SUFFIX)}.torn-{now}")
        with self.path.open("r+b") as file:
            file.seek(end)
            rest = file.read()
            with aside.open("wb") as kept:
                kept.write(rest)
                kept.flush()
                _to_disk(kept.fileno())
            file.truncate(end)
            file.flush()
            _to_disk(file.fileno())
        _folder_to_disk(self.path.parent)
        say(
            f"the last line of {self.path.name} was torn by a crash; its {len(rest)} bytes are now "
            f"in {aside.name}, and the decision has to be made again"
        )

    def append(self, event: Event) -> int:
        """Add an event; it is on the disk when this returns. Gives the bytes that it took. An
        OSError leaves the journal as it was.
        """
        line = encode_line(event)
        self._written += 1
        _fault("before-write", self._written)
        before = os.fstat(self._file).st_size
        try:
            done = os.write(self._file, line)
            while done < len(line):
                done += os.write(self._file, line[done:])
            _fault("before-fsync", self._written)
            _to_disk(self._file)
        except OSError:
            with suppress(OSError):
                os.truncate(self.path, before)
            raise
        _fault("after-fsync", self._written)
        return len(line)

    def close(self) -> None:
        """Let another writer take over."""
        os.close(self._file)
        _unlock(self._lock)


def fault(point: str, count: int) -> None:
    """End the process at once where a test asked for it: as kill -9 does, nothing is tidied up."""
    asked = os.environ.get(FAULT)
    if asked and asked == f"{point}:{count}":
        os._exit(137)


_fault = fault


def _lock(path: Path) -> BinaryIO:
    place = path.with_name(f".{path.name.removesuffix(SUFFIX)}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = place.open("a+b")
    except OSError as error:
        raise SettingsError(
            f"the journal cannot be kept in {path.parent}: {error.strerror}; choose another "
            "--output"
        ) from error
    try:
        _take(file)
    except OSError as error:
        file.seek(0)
        owner = file.read(20).decode("ascii", "replace").strip() or "unknown"
        file.close()
        raise SettingsError(
            f"another goldspan (process {owner}) writes the journal {path}; stop it, or give "
            "another --adjudicator"
        ) from error
    file.seek(0)
    file.truncate()
    file.write(str(os.getpid()).encode())
    file.flush()
    return file


if sys.platform == "win32":
    import msvcrt

    def _take(file: BinaryIO) -> None:
        file.seek(100)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _to_disk(handle: int) -> None:
        os.fsync(handle)
else:
    import fcntl

    def _take(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _to_disk(handle: int) -> None:
        if hasattr(fcntl, "F_FULLFSYNC"):  # what fsync does elsewhere
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
        else:
            os.fsync(handle)


def _unlock(file: BinaryIO) -> None:
    file.close()


def _folder_to_disk(folder: Path) -> None:
    with suppress(OSError):  # impossible on Windows and some network drives
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
