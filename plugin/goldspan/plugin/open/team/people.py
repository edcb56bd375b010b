"""People: who has shown the password, and the files of each, apart from those of the others."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.plugin.open.data import Data, Limits, Shelf

if TYPE_CHECKING:
    from goldspan.plugin.open.team.calls import Maker

MOST_PEOPLE = 2_000
"""Sessions; the one that was used longest ago ends first."""

MOST_REPORTS = 12


@dataclass(slots=True)
class Person:
    """A session: a browser that has shown the password.

    id       names the person within this server; it opens nothing
    used     when a call came last
    reports  the calls that made the last reports, by the token of each
    """

    id: str
    folder: Path
    shelf: Shelf
    used: float
    reports: OrderedDict[str, Maker] = field(default_factory=OrderedDict)

    def keep_report(self, token: str, made_by: Maker) -> None:
        """Remember what made a report."""
        self.reports[token] = made_by
        while len(self.reports) > MOST_REPORTS:
            self.reports.popitem(last=False)


class People:
    """All sessions. What a person stored is deleted after `keep_seconds`, and so is a session that
    was not used for as long.
    """

    def __init__(
        self, folder: Path, shared: Callable[[Path], Data | None], limits: Limits,
        keep_seconds: float, clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._folder = folder
        self._shared = shared
        self._limits = limits
        self.keep_seconds = keep_seconds
        self._clock = clock
        self._people: OrderedDict[str, Person] = OrderedDict()

    def add(self) -> str:
        """A new session; what its browser shows from now on."""
        while len(self._people) >= MOST_PEOPLE:
            self._remove(next(iter(self._people)))
        shown = secrets.token_urlsafe(32)
        name = secrets.token_hex(8)
        folder = self._folder / name
        folder.mkdir()
        shelf = Shelf(folder, self._shared(folder / "given"), self._limits)
        self._people[_digest(shown)] = Person(name, folder, shelf, self._clock())
        return shown

    def find(self, shown: str) -> Person | None:
        """Whose session this is."""
        digest = _digest(shown)
        person = self._people.get(digest)
        if person is not None:
            person.used = self._clock()
            self._people.move_to_end(digest)
        return person

    def leave(self, shown: str) -> None:
        """End a session and delete what it stored."""
        if _digest(shown) in self._people:
            self._remove(_digest(shown))

    def delete(self, person: Person) -> None:
        """Delete what a person stored."""
        for data in person.shelf.sent:
            person.shelf.drop(data)
        person.reports.clear()

    def ends(self, data: Data) -> float:
        """When a set of files is deleted, in seconds since 1970."""
        return data.added + self.keep_seconds

    def sweep(self) -> bool:
        """Delete what was stored for long enough; whether anything was."""
        now, found = self._clock(), False
        for digest, person in list(self._people.items()):
            if now - person.used >= self.keep_seconds:
                self._remove(digest)
                found = True
                continue
            for data in person.shelf.sent:
                if now >= self.ends(data):
                    person.shelf.drop(data)
                    found = True
        return found

    def _remove(self, digest: str) -> None:
        person = self._people.pop(digest)
        shutil.rmtree(person.folder, ignore_errors=True)


def _digest(shown: str) -> str:
    """Sessions are found by this, so that no comparison says how much of a guess was right."""
    return hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()
