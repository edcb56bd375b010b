"""Folder: the journals of all adjudicators, of which this process writes some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.adjudicate.journal.file import (
    SUFFIX,
    JournalWriter,
    journal_path,
    read_journal,
)

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.journal.event import Event, Header


@dataclass(slots=True)
class _File:
    """A journal, and how far it was read."""

    header: Header
    end: int


class JournalFolder:
    """A folder of journals; others may write theirs at the same time."""

    def __init__(self, path: Path, say: Callable[[str], None] = lambda _: None) -> None:
        self.path = path
        self._say = say
        self._files: dict[Path, _File] = {}
        self._writers: dict[str, JournalWriter] = {}

    def read(self) -> list[Event]:
        """What was added since the last time, by whomever, in order."""
        found: list[Event] = []
        for path in sorted(self.path.glob(f"*{SUFFIX}")):
            known = self._files.get(path)
            size = path.stat().st_size
            if size == 0 or (known is not None and size == known.end):
                continue
            if known is None:
                if not _has_line(path):
                    continue
                got = read_journal(path)
                self._files[path] = _File(got.header, got.end)
            else:
                if size < known.end:
                    raise SettingsError(f"{path} became shorter; start goldspan again")
                got = read_journal(path, known.end, known.header)
                known.end = got.end
            found += got.events
        return sorted(found, key=lambda event: (event.n, event.by))

    @property
    def headers(self) -> tuple[Header, ...]:
        return tuple(file.header for file in self._files.values())

    def open(self, name: str, header: Header, now: str) -> None:
        """Become the writer of an adjudicator's journal."""
        if name in self._writers:
            return
        path = journal_path(self.path, name)
        try:
            writer = JournalWriter(path, header, self._say, now)
        except OSError as error:
            raise SettingsError(
                f"{path} cannot be written: {error.strerror or error}; choose another --output"
            ) from error
        self._writers[name] = writer

    def is_open(self, name: str) -> bool:
        return name in self._writers

    def append(self, name: str, event: Event) -> None:
        """Write an event down; it is on the disk when this returns, or an OSError tells why not."""
        writer = self._writers[name]
        size = writer.append(event)
        known = self._files.get(writer.path)
        if known is None:
            self._files[writer.path] = _File(writer.header, writer.path.stat().st_size)
        else:
            known.end += size

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()


def _has_line(path: Path) -> bool:
    with path.open("rb") as file:
        return any(b"\n" in piece for piece in iter(lambda: file.read(65536), b""))
