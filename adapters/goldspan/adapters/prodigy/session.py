"""Prodigy's sessions: whose answer a row is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from goldspan.adapters.naming import Naming
from goldspan.adapters.record import Record

SESSION = "session"
FIELDS = ("_session_id", "_annotator_id")
UNNAMED = re.compile(r"(.*-)?\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d")
OPTIONS = (
    "say --annotator-from file, dir or a pattern such as '{annotator}.jsonl' when each annotator "
    "has a file, or name the field that holds the annotator"
)


@dataclass(frozen=True, slots=True)
class Sessions:
    """Where the names of annotators come from: sessions, files, or a field of the row.

    Prodigy calls a session DATASET-NAME, and either part may hold a dash. What all sessions of a
    file have in common is the dataset; the file's own name settles it where it is the dataset's.
    """

    source: str | Naming

    @classmethod
    def of(cls, given: str | None) -> Sessions:
        source = given or SESSION
        by_name = source in ("dir", "file") or "{" in source
        return cls(Naming(source) if by_name else source)

    def names(self, path: Path, records: Sequence[Record]) -> list[str]:
        """The annotator of each record of a file; "" for a task that nobody answered."""
        if isinstance(self.source, Naming):
            return [self.source.read(path)[0]] * len(records)
        if self.source != SESSION:
            return [_field(record, self.source) for record in records]
        found = [_session(record) for record in records]
        prefix = _dataset({name for name in found if name}, path.stem)
        return [_without(name, prefix) for name in found]


def _field(record: Record, name: str) -> str:
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise record.error(f"there is no annotator in '{name}'; {OPTIONS}")
    return str(value)


def _session(record: Record) -> str:
    if "answer" not in record.values and not any(record.values.get(key) for key in FIELDS):
        return ""
    for key in FIELDS:
        value = record.values.get(key)
        if isinstance(value, str) and value:
            if UNNAMED.fullmatch(value):
                raise record.error(
                    f"the session '{value}' has no name, only a time, so that nothing tells "
                    f"annotators apart; {OPTIONS} ('{key}' takes each session for one)"
                )
            return value
    raise record.error(f"the answer belongs to no session; {OPTIONS}")


def _dataset(sessions: set[str], stem: str) -> str:
    """What stands before the annotators' names, with its dash; "" when it is not the same."""
    if sessions and all(name.startswith(f"{stem}-") for name in sessions):
        return f"{stem}-"
    if len(sessions) < 2:
        return ""
    first, last = min(sessions), max(sessions)
    same = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first)
    )
    return first[: first.rfind("-", 0, same) + 1]


def _without(session: str, prefix: str) -> str:
    name = session.removeprefix(prefix) if prefix else session.rpartition("-")[2]
    return name or session
