"""Queue: which projects are due to be looked at. It loses none, and doubles none.

Every event is a ticket with the next number of its project. A project is due while a ticket is not
done. A worker that claims a project takes all its tickets and says when they are done; events that
come meanwhile have later tickets, so they are not covered. A process that dies in between leaves
tickets taken but not done, and `recover` makes them due again. The work itself compares before it
writes, so that doing it again does nothing.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from goldspan.plugin.service.database import LOCK_SECONDS, Database

FIRST_PAUSE = 30.0
LONGEST_PAUSE = 15 * 60.0


@dataclass(frozen=True, slots=True)
class Debounce:
    """A project is due `quiet` seconds after its last event, at most `longest` after the first."""

    quiet: float = 30.0
    longest: float = 300.0


@dataclass(frozen=True, slots=True)
class Claim:
    """A project to be looked at now; `requested` if a person asked for its score."""

    project: int
    ticket: int
    requested: bool


def pause(attempts: int) -> float:
    """Seconds until the next attempt, after this many failed: 30 s, 1, 2, 4, 8, 15 min."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempts - 1, 10))


class Queue:
    """The due projects in a database. Events hold a project, a kind and a time, nothing else."""

    def __init__(
        self,
        database: Database,
        debounce: Debounce | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._debounce = debounce or Debounce()
        self._clock = clock

    @property
    def path(self) -> Path:
        """The database's file."""
        return self._database.path

    def add(self, project: int, kind: str, patience: float = LOCK_SECONDS) -> None:
        """An event: when this returns, the project is due, whatever happens; but for one that was
        forgotten, which only a person takes up again. Busy if others had the database that long.
        """
        self._ticket(project, kind, "", patience)

    def request(self, project: int) -> None:
        """A person wants the score now: no debounce, and no waiting for a server that failed."""
        self.remember(project)
        self._ticket(project, "REQUEST", ", requested = asked + 1, retry_at = NULL")

    def add_known(self, project: int, kind: str, patience: float = LOCK_SECONDS) -> bool:
        """An event that may only concern a project that is known; whether it is."""
        if not self.is_known(project, patience):
            return False
        self.add(project, kind, patience)
        return True

    def is_known(self, project: int, patience: float = LOCK_SECONDS) -> bool:
        """Whether the project is monitored."""
        with self._database.reading(patience) as rows:
            query = "SELECT 1 FROM project WHERE id = ? AND NOT forgotten"
            return rows.execute(query, (project,)).fetchone() is not None

    def is_claimed(self, project: int) -> bool:
        """Whether somebody is at work on the project, or died over it."""
        with self._database.reading() as rows:
            query = "SELECT 1 FROM project WHERE id = ? AND taken > done"
            return rows.execute(query, (project,)).fetchone() is not None

    def know(self, project: int) -> None:
        """Monitor the project from now on; it is due the first time."""
        if not self.is_known(project):
            self.remember(project)
            self.add(project, "START")

    def forget(self, project: int) -> None:
        """Stop monitoring the project, whatever events come; its rounds and files stay.

        Unclaimed work is dropped; a worker that has claimed it can see that it was dropped.
        """
        with self._database.transaction() as rows:
            rows.execute("INSERT OR IGNORE INTO project (id) VALUES (?)", (project,))
            rows.execute(
                "UPDATE project SET forgotten = 1, asked = taken, requested = 0, first_at = NULL, "
                "last_at = NULL, retry_at = NULL, attempts = 0, error = '', error_at = NULL "
                "WHERE id = ?",
                (project,),
            )

    def remember(self, project: int) -> None:
        """Monitor a dropped project again, with its next round."""
        with self._database.transaction() as rows:
            rows.execute(
                "UPDATE project SET forgotten = 0, fingerprint = '', closed = 0, counted = '', "
                "round = (SELECT 1 + coalesce(max(number), 0) FROM round WHERE project = ?) "
                "WHERE id = ? AND forgotten",
                (project, project),
            )

    def claim(self) -> Claim | None:
        """Take the project that has been due longest, with all its tickets; None if none is."""
        now = self._clock()
        with self._database.transaction() as rows:
            due = [(self._due(row, now), row) for row in self._waiting(rows)]
            ripe = min((one for one in due if one[0] <= now), key=_by_time, default=None)
            if ripe is None:
                return None
            row = ripe[1]
            rows.execute(
                "UPDATE project SET taken = asked, first_at = NULL, last_at = NULL, progress = '' "
                "WHERE id = ?",
                (row["id"],),
            )
        return Claim(row["id"], row["asked"], row["requested"] > row["done"])

    def done(self, claim: Claim) -> None:
        """The work on a claim is finished."""
        with self._database.transaction() as rows:
            rows.execute(
                "UPDATE project SET done = max(done, ?), retry_at = NULL, attempts = 0, "
                "error = '', error_at = NULL WHERE id = ?",
                (claim.ticket, claim.project),
            )

    def give_up(self, claim: Claim, sentence: str) -> None:
        """The work cannot be done until the project changes; the sentence says why."""
        with self._database.transaction() as rows:
            rows.execute(
                "UPDATE project SET done = max(done, ?), retry_at = NULL, attempts = 0, "
                "error = ?, error_at = ? WHERE id = ?",
                (claim.ticket, sentence, self._clock(), claim.project),
            )

    def fail(self, claim: Claim, sentence: str) -> float:
        """The work failed and stays due, after a pause that doubles; how long it is."""
        now = self._clock()
        with self._database.transaction() as rows:
            rows.execute(
                "UPDATE project SET taken = done, attempts = attempts + 1, error = ?, "
                "error_at = ? WHERE id = ?",
                (sentence, now, claim.project),
            )
            row = rows.execute(
                "SELECT attempts FROM project WHERE id = ?", (claim.project,)
            ).fetchone()
            wait = pause(row["attempts"]) if row else 0.0
            rows.execute(
                "UPDATE project SET retry_at = ? WHERE id = ?", (now + wait, claim.project)
            )
        return wait

    def recover(self) -> int:
        """Make due again what a process that died had claimed; how many projects."""
        with self._database.transaction() as rows:
            return rows.execute("UPDATE project SET taken = done WHERE taken > done").rowcount

    def wait(self) -> float:
        """Seconds until a project is due: 0 if one is, infinity if none waits."""
        now = self._clock()
        with self._database.reading() as rows:
            waiting = self._waiting(rows)
        return max(0.0, min((self._due(row, now) for row in waiting), default=math.inf) - now)

    def _ticket(self, project: int, kind: str, more: str, patience: float = LOCK_SECONDS) -> None:
        now = self._clock()
        with self._database.transaction(patience) as rows:
            rows.execute("INSERT OR IGNORE INTO project (id) VALUES (?)", (project,))
            taken = rows.execute(
                "UPDATE project SET asked = asked + 1, first_at = coalesce(first_at, ?), "  # noqa: S608
                f"last_at = ? {more} WHERE id = ? AND NOT forgotten",
                (now, now, project),
            )
            if taken.rowcount:
                rows.execute(
                    "INSERT INTO event VALUES (?, ?, 1, ?) ON CONFLICT DO UPDATE "
                    "SET count = count + 1, last_at = excluded.last_at",
                    (project, kind, now),
                )

    @staticmethod
    def _waiting(rows: sqlite3.Connection) -> list[sqlite3.Row]:
        return rows.execute("SELECT * FROM project WHERE asked > done AND taken = done").fetchall()

    def _due(self, row: sqlite3.Row, now: float) -> float:
        """When a waiting project is due; a clock that was set back makes nobody wait."""
        if row["retry_at"] is not None:
            return row["retry_at"] if row["retry_at"] <= now + LONGEST_PAUSE else now
        if row["first_at"] is None or row["requested"] > row["done"] or row["last_at"] > now:
            return min(now, row["first_at"] or now)
        quiet = row["last_at"] + self._debounce.quiet
        return float(min(quiet, row["first_at"] + self._debounce.longest))


def _by_time(one: tuple[float, sqlite3.Row]) -> float:
    return one[0]
