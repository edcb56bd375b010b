"""Database: the service's memory, one SQLite file that outlives a kill at any moment.

The journal is a write-ahead log with `synchronous=NORMAL`: what was committed survives the death
of the process, always; a power cut may take the last commits along. That is enough, because what
they tell (a project has changed) is found again by comparing with the server, which every start
begins with, and it spares an fsync for each call of a webhook.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldspan.engine.errors import SettingsError
from goldspan.plugin.service.private import private

FILE = "service.sqlite"
"""Its name in the folder."""

VERSION = 6
ROUNDS = """
CREATE TABLE round (
  project INTEGER NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, file TEXT NOT NULL,
  tasks INTEGER NOT NULL, annotators INTEGER NOT NULL, units INTEGER NOT NULL,
  PRIMARY KEY (project, number)
) WITHOUT ROWID;
CREATE TABLE figure (                     -- of a round, a row for each coefficient
  project INTEGER NOT NULL, number INTEGER NOT NULL, place INTEGER NOT NULL,
  coefficient TEXT NOT NULL, symbol TEXT NOT NULL,
  value REAL, low REAL, high REAL, level REAL NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (project, number, place)
) WITHOUT ROWID;
"""
LISTED = """
CREATE TABLE listed (                     -- all projects that the account may see
  project INTEGER PRIMARY KEY, title TEXT NOT NULL
);
"""
SCHEMA = f"""{ROUNDS}
CREATE TABLE project (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL DEFAULT '',
  asked INTEGER NOT NULL DEFAULT 0,       -- events so far; each is a ticket
  taken INTEGER NOT NULL DEFAULT 0,       -- the last ticket that was claimed
  done INTEGER NOT NULL DEFAULT 0,        -- the last ticket whose work is finished
  requested INTEGER NOT NULL DEFAULT 0,   -- the last ticket of a person who asked for a score
  first_at REAL, last_at REAL,            -- of the events since the last claim
  retry_at REAL, attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '', error_at REAL,
  looked_at REAL,
  synced_at REAL, syncs INTEGER NOT NULL DEFAULT 0, writes INTEGER NOT NULL DEFAULT 0,
  said TEXT NOT NULL DEFAULT '',
  progress TEXT NOT NULL DEFAULT '',      -- of the work on the last claim, in words
  fingerprint TEXT NOT NULL DEFAULT '',
  round INTEGER NOT NULL DEFAULT 1, closed INTEGER NOT NULL DEFAULT 0,
  counted TEXT NOT NULL DEFAULT '',
  tasks INTEGER NOT NULL DEFAULT 0, complete INTEGER NOT NULL DEFAULT 0,
  wanted INTEGER NOT NULL DEFAULT 0,
  forgotten INTEGER NOT NULL DEFAULT 0,   -- not monitored until a person asks for it
  annotators INTEGER, live INTEGER        -- its own options; NULL for those of the service
);
{LISTED}
CREATE TABLE event (
  project INTEGER NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, last_at REAL NOT NULL,
  PRIMARY KEY (project, kind)
) WITHOUT ROWID;
CREATE TABLE trouble (                    -- with the server, until it is over
  id INTEGER PRIMARY KEY CHECK (id = 1), said TEXT NOT NULL
);
CREATE TABLE retrieval (                  -- the last time that predictions were retrieved
  project INTEGER PRIMARY KEY, at REAL NOT NULL,
  tasks INTEGER NOT NULL, finished INTEGER NOT NULL, changed INTEGER NOT NULL,
  gamma REAL, gamma_low REAL, gamma_high REAL, level REAL NOT NULL, error TEXT NOT NULL
);
"""
FROM_1 = """
ALTER TABLE project ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
"""
FROM_2 = """
UPDATE project SET counted = '';          -- what is counted has changed
"""
FROM_3 = f"""
ALTER TABLE round RENAME TO old_round;
{ROUNDS}
INSERT INTO round SELECT project, number, at, file, tasks, annotators, units FROM old_round;
INSERT INTO figure SELECT project, number, 0, 'gamma', 'γ', gamma, gamma_low, gamma_high, level,
  units FROM old_round;
INSERT INTO figure SELECT project, number, 1, 'gamma_cat', 'γcat', gamma_cat, NULL, NULL, level,
  0 FROM old_round;
DROP TABLE old_round;
"""  # noqa: S608 - nothing but our own words
FROM_4 = """
ALTER TABLE project ADD COLUMN progress TEXT NOT NULL DEFAULT '';
"""
FROM_5 = f"""
ALTER TABLE project ADD COLUMN annotators INTEGER;
ALTER TABLE project ADD COLUMN live INTEGER;
{LISTED}
"""
STEPS = (SCHEMA, FROM_1, FROM_2, FROM_3, FROM_4, FROM_5)
"""What makes of each version the next; the first makes the newest of nothing."""


LOCK_SECONDS = 10.0
"""Seconds to wait for others who use the file."""


class Busy(sqlite3.OperationalError):
    """Others had the file for as long as was waited; nothing was stored."""


class Database:
    """The file, with as many connections as there are threads that use it at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: list[sqlite3.Connection] = []
        # Writers of this process wait here and not in SQLite, whose waiting is sleep and poll.
        self._writing = threading.Lock()
        try:
            # SQLite gives the files beside it the mode of the database.
            with private(path.parent):
                found = self._prepare()
        except (OSError, sqlite3.Error) as error:
            self.close()
            raise SettingsError(
                f"{path} cannot be used as the service's database: {error}; name another --folder"
            ) from error
        if found > VERSION:
            self.close()
            raise SettingsError(
                f"{path} was written by a newer goldspan; update goldspan, or name another --folder"
            )

    def _prepare(self) -> int:
        """Create or upgrade the tables; the version of those that were there."""
        with self.reading() as rows:
            rows.execute("PRAGMA journal_mode=WAL")
        with self.transaction() as rows:
            found = int(rows.execute("PRAGMA user_version").fetchone()[0])
            if found < VERSION:
                for step in STEPS[found:] if found else STEPS[:1]:
                    for statement in step.split(";\n"):
                        rows.execute(statement)
                rows.execute(f"PRAGMA user_version={VERSION}")
        return found

    @contextmanager
    def reading(self, patience: float = LOCK_SECONDS) -> Iterator[sqlite3.Connection]:
        """A connection for reading, which nobody else uses meanwhile; rows have names."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect()
        try:
            connection.execute(f"PRAGMA busy_timeout={round(1000 * patience)}")
            yield connection
        except sqlite3.OperationalError as error:
            if is_locked(error):
                raise Busy(f"{self.path}: {error}") from error
            raise
        finally:
            self._idle.append(connection)

    @contextmanager
    def transaction(self, patience: float = LOCK_SECONDS) -> Iterator[sqlite3.Connection]:
        """A connection to write by: all of the block or nothing; Busy if others write."""
        if not self._writing.acquire(timeout=patience):
            raise Busy(f"{self.path} is being written to")
        try:
            with self.reading(patience) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
        finally:
            self._writing.release()

    def close(self) -> None:
        """Close every connection; none may be in use."""
        while self._idle:
            self._idle.pop().close()

    def _connect(self) -> sqlite3.Connection:
        # One thread at a time has a connection, but not always the same.
        connection = sqlite3.connect(
            self.path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        try:
            connection.execute("PRAGMA synchronous=NORMAL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def is_locked(error: sqlite3.Error) -> bool:
    """Whether others use the file, and nothing else is wrong with it."""
    # Python has its number from 3.11 on.
    return str(error) == "database is locked"


class ServedError(SettingsError):
    """A service works on this folder now."""


def is_served(folder: Path) -> bool:
    """Whether a service works on this folder now."""
    try:
        with sole_user(folder):
            return False
    except ServedError:
        return True
    except SettingsError:
        # Nobody can serve a folder whose lock cannot be had.
        return False


@contextmanager
def sole_user(folder: Path) -> Iterator[None]:
    """Nobody else serves this folder while the block runs; the system lets go when we die."""
    try:
        with locked(folder, "service.lock"):
            yield
    except Busy as error:
        raise ServedError(
            f"another service works on the folder {folder}; end it, or name another --folder"
        ) from error


@contextmanager
def locked(folder: Path, name: str, patience: float = 0.0) -> Iterator[None]:
    """Nobody else has the lock of this name in the folder while the block runs; the system lets go
    when we die. Busy if others have it for longer than `patience` seconds.
    """
    path = folder / name
    try:
        with private(folder):
            connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise SettingsError(f"{path} cannot be made: {error}; name another --folder") from error
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if is_locked(error):
            raise Busy(f"{path} is in use") from error
        raise SettingsError(
            f"{path} cannot be used ({error}); it holds nothing: remove it if no service runs, or "
            "name another --folder"
        ) from error
    try:
        yield
    finally:
        connection.close()
