"""History: what became of each project, for the dashboard, the rounds and the reconcile."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.figure import Figure
from goldspan.plugin.service.rounds import Round, Tally

if TYPE_CHECKING:
    from goldspan.engine.result import Result
    from goldspan.plugin.service.database import Database


@dataclass(frozen=True, slots=True)
class Scored:
    """A round's figures and the name of its file in the project's folder of rounds. `figures` are
    by coefficient, γ first, and `symbols` what people call these.
    """

    number: int
    at: float
    file: str
    tasks: int
    annotators: int
    units: int
    figures: Mapping[str, Figure]
    symbols: Mapping[str, str]

    @property
    def gamma(self) -> Figure:
        return self.figures["gamma"]


@dataclass(frozen=True, slots=True)
class Project:
    """What is known of a project; times are seconds since 1970, or None if it never happened.

    It is `waiting` until the work on it is done, because a person `requested` it or because it has
    changed, and `in_hand` while somebody is at work; `progress` says how far that is. `attempts`
    are those that failed since the last success. `annotators` and `live` are options of its own,
    None where those of the service hold.
    """

    id: int
    title: str
    events: int
    last_event: float | None
    waiting: bool
    requested: bool
    in_hand: bool
    progress: str
    attempts: int
    retry_at: float | None
    error: str
    error_at: float | None
    looked_at: float | None
    synced_at: float | None
    syncs: int
    writes: int
    said: str
    fingerprint: str
    round: Round
    tasks: int
    complete: int
    wanted: int
    rounds: tuple[Scored, ...]
    annotators: int | None = None
    live: bool | None = None


class History:
    """The projects and their rounds in a database."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def projects(self) -> tuple[Project, ...]:
        """Every known project, by number."""
        with self._database.reading() as rows:
            query = "SELECT * FROM project WHERE NOT forgotten ORDER BY id"
            found = rows.execute(query).fetchall()
            return tuple(self._project(rows, row) for row in found)

    def project(self, number: int) -> Project | None:
        """A project, or None if it is not known."""
        with self._database.reading() as rows:
            query = "SELECT * FROM project WHERE id = ? AND NOT forgotten"
            row = rows.execute(query, (number,)).fetchone()
            return self._project(rows, row) if row else None

    def list_projects(self, found: Iterable[tuple[int, str]]) -> None:
        """These are all projects that the account may see now."""
        rows_now = [(int(number), title) for number, title in found]
        with self._database.transaction() as rows:
            rows.execute("DELETE FROM listed")
            rows.executemany("INSERT OR REPLACE INTO listed VALUES (?, ?)", rows_now)

    def unmonitored(self) -> tuple[tuple[int, str], ...]:
        """Number and title of the projects that nobody monitors, by title."""
        with self._database.reading() as rows:
            query = (
                "SELECT project, title FROM listed WHERE project NOT IN "
                "(SELECT id FROM project WHERE NOT forgotten) ORDER BY title, project"
            )
            return tuple((row["project"], row["title"]) for row in rows.execute(query))

    def set_options(self, number: int, annotators: int | None, live: bool | None) -> None:
        """Options of a project's own; None for those of the service."""
        with self._database.transaction() as rows:
            rows.execute(
                "UPDATE project SET annotators = ?, live = ? WHERE id = ?",
                (annotators, live, number),
            )

    def looked(self, number: int, title: str, found: Tally, now: Round) -> None:
        """The project was looked at and found so."""
        with self._database.transaction() as rows:
            rows.execute(
                "UPDATE project SET title = ?, looked_at = ?, fingerprint = ?, "
                "tasks = ?, complete = ?, wanted = ? WHERE id = ?",
                (title, self._clock(), found.fingerprint, found.tasks, found.complete, found.wanted,
                 number),
            )  # fmt: skip
            # A person may have begun the next round while this one was being scored.
            rows.execute(
                "UPDATE project SET round = ?, closed = ?, counted = ? WHERE id = ? AND round <= ?",
                (now.number, now.closed, now.counted, number, now.number),
            )

    def note_progress(self, number: int, said: str) -> None:
        """How far the work on the project is."""
        with self._database.transaction() as rows:
            rows.execute("UPDATE project SET progress = ? WHERE id = ?", (said, number))

    def synced(self, number: int, writes: int, said: str) -> None:
        """Gold and agreement of the project are current; that took so many writes."""
        with self._database.transaction() as rows:
            rows.execute(
                "UPDATE project SET synced_at = ?, syncs = syncs + 1, writes = writes + ?, "
                "said = ? WHERE id = ?",
                (self._clock(), writes, said, number),
            )

    def scored(self, number: int, round_number: int, result: Result, file: str) -> None:
        """The figures of a round; those it had before are replaced."""
        names = {name for task in result.tasks.values() for name in task.annotators}
        with self._database.transaction() as rows:
            rows.execute(
                "INSERT OR REPLACE INTO round VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, round_number, self._clock(), file, len(result.tasks), len(names),
                 result.n_units),
            )  # fmt: skip
            round_key = number, round_number
            rows.execute("DELETE FROM figure WHERE project = ? AND number = ?", round_key)
            rows.executemany(
                "INSERT INTO figure VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(*round_key, place, *row) for place, row in enumerate(_figure_rows(result))],
            )

    def begin(self, number: int, now: Round) -> None:
        """The project is in this round from now on."""
        with self._database.transaction() as rows:
            rows.execute(
                "UPDATE project SET round = ?, closed = ?, counted = ? WHERE id = ?",
                (now.number, now.closed, now.counted, number),
            )

    def note_trouble(self, sentence: str) -> None:
        """What is wrong with the server; an empty sentence if nothing is."""
        if sentence != self.trouble():
            with self._database.transaction() as rows:
                rows.execute("INSERT OR REPLACE INTO trouble VALUES (1, ?)", (sentence,))

    def trouble(self) -> str:
        """What is wrong with the server, if anything."""
        with self._database.reading() as rows:
            row = rows.execute("SELECT said FROM trouble").fetchone()
        return str(row["said"]) if row else ""

    def event_counts(self, number: int) -> dict[str, int]:
        """How many events of each kind have come for a project."""
        with self._database.reading() as rows:
            query = "SELECT kind, count FROM event WHERE project = ?"
            found = rows.execute(query, (number,)).fetchall()
        return {row["kind"]: row["count"] for row in found}

    def _project(self, rows: sqlite3.Connection, row: sqlite3.Row) -> Project:
        events = rows.execute(
            "SELECT coalesce(sum(count), 0) AS count, max(last_at) AS last_at FROM event "
            "WHERE project = ? AND kind NOT IN ('REQUEST', 'RECONCILE', 'START')",
            (row["id"],),
        ).fetchone()
        scored = rows.execute(
            "SELECT * FROM round WHERE project = ? ORDER BY number", (row["id"],)
        ).fetchall()
        figures: dict[int, list[sqlite3.Row]] = {one["number"]: [] for one in scored}
        for one in rows.execute(
            "SELECT * FROM figure WHERE project = ? ORDER BY number, place", (row["id"],)
        ):
            figures[one["number"]].append(one)
        return Project(
            id=row["id"],
            title=row["title"],
            events=events["count"],
            last_event=events["last_at"],
            waiting=row["asked"] > row["done"],
            requested=row["requested"] > row["done"],
            in_hand=row["taken"] > row["done"],
            progress=row["progress"],
            attempts=row["attempts"],
            retry_at=row["retry_at"],
            error=row["error"],
            error_at=row["error_at"],
            looked_at=row["looked_at"],
            synced_at=row["synced_at"],
            syncs=row["syncs"],
            writes=row["writes"],
            said=row["said"],
            fingerprint=row["fingerprint"],
            round=Round(row["round"], bool(row["closed"]), row["counted"]),
            tasks=row["tasks"],
            complete=row["complete"],
            wanted=row["wanted"],
            rounds=tuple(_scored(one, figures[one["number"]]) for one in scored),
            annotators=row["annotators"],
            live=None if row["live"] is None else bool(row["live"]),
        )


def _figure_rows(result: Result) -> Iterator[tuple[object, ...]]:
    """The figures of all labels together; those of each label are in the round's file."""
    for one in result.coefficients:
        figure = result.figures.get((one.key, ""))
        if figure is not None:
            ends = figure.value, figure.low, figure.high
            yield (one.key, one.symbol, *ends, figure.level, figure.n)


def _scored(row: sqlite3.Row, figures: Sequence[sqlite3.Row]) -> Scored:
    return Scored(
        number=row["number"],
        at=row["at"],
        file=row["file"],
        tasks=row["tasks"],
        annotators=row["annotators"],
        units=row["units"],
        figures={
            one["coefficient"]: Figure(
                one["value"], one["low"], one["high"], one["level"], one["n"]
            )
            for one in figures
        },
        symbols={one["coefficient"]: one["symbol"] for one in figures},
    )
