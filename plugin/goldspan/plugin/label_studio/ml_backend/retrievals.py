"""Retrievals: the last retrieval of predictions in each project, in the service's database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.figure import Figure
from goldspan.plugin.label_studio.ml_backend.retrieval import Retrieval

if TYPE_CHECKING:
    from goldspan.plugin.service.database import Database


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The last retrieval of predictions in a project, and when it was."""

    at: float
    retrieval: Retrieval


@dataclass(frozen=True, slots=True)
class Retrievals:
    """The table `retrieval`, a row for each project."""

    database: Database
    clock: Callable[[], float] = time.time

    def add(self, found: Retrieval) -> None:
        """Predictions were retrieved; the project's last retrieval is replaced."""
        gamma = found.gamma
        with self.database.transaction() as rows:
            rows.execute(
                "INSERT OR REPLACE INTO retrieval VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (found.project, self.clock(), found.tasks, found.finished, found.changed,
                 gamma.value, gamma.low, gamma.high, gamma.level, found.error),
            )  # fmt: skip

    def latest(self) -> tuple[Retrieved, ...]:
        """The last one of each project, newest first."""
        with self.database.reading() as rows:
            found = rows.execute("SELECT * FROM retrieval ORDER BY at DESC").fetchall()
        return tuple(Retrieved(row["at"], _retrieval(row)) for row in found)


def _retrieval(row: sqlite3.Row) -> Retrieval:
    return Retrieval(
        project=row["project"],
        tasks=row["tasks"],
        finished=row["finished"],
        changed=row["changed"],
        gamma=Figure(row["gamma"], row["gamma_low"], row["gamma_high"], row["level"], 0),
        error=row["error"],
    )
