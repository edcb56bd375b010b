"""Prodigy's sessions: whose answer a row is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from goldspan.adapters.kit.naming import ANNOTATOR_FROM, Naming

if TYPE_CHECKING:
    from goldspan.adapters.kit.record import Record

SESSION = "session"
FIELDS = ("_session_id", "_annotator_id")
UNNAMED = re.compile(r"(.*-)?\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d")
OPTIONS = (
    "use --annotator-from file, dir or a pattern such as '{annotator}.jsonl' when each annotator "
    "has a file, or name the field that holds the annotator"
)

Row: TypeAlias = tuple[str, str, str]
"""What a row's file is called without its suffix, the row's session, and its task."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """Where the names of annotators come from: sessions, files, or a field of the row.

    Prodigy calls a session DATASET-NAME, and either part may hold a dash. The dataset is what a
    file is called, where every session begins so; else what all sessions have in common.
    """

    source: str | Naming

    @classmethod
    def of(cls, given: str | None) -> Sessions:
        source = given or SESSION
        by_name = source in ("dir", "file") or "{" in source
        return cls(Naming(source) if by_name else source)

    def of_row(self, path: Path, record: Record) -> str:
        """The session, or the annotator, of a row; "" for a task that nobody answered."""
        if isinstance(self.source, Naming):
            return self.source.read(path)[0]
        return _session(record) if self.source == SESSION else _field(record, self.source)

    def names(self, rows: Sequence[Row]) -> dict[str, str]:
        """Each session's annotator, judged on the rows of all files together.

        Sessions of two datasets are one annotator when their files are called by the datasets and
        no task has answers of both; else two sessions are never one.
        """
        sessions = sorted({session for _, session, _ in rows})
        whole = {session: session for session in sessions}
        if self.source != SESSION or not sessions:
            return whole
        names = _without({f"{stem}-" for stem, _, _ in rows}, sessions)
        answers = {(session, task) for _, session, task in rows}
        if names and len({(names[session], task) for session, task in answers}) == len(answers):
            return names
        beginnings = [{one[: dash.end()] for dash in re.finditer("-", one)} for one in sessions]
        datasets = set.intersection(*beginnings) or set.union({""}, *beginnings)
        names = _without(datasets, sessions)
        return names if len(set(names.values())) == len(sessions) else whole


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
                    f"annotators apart; {OPTIONS} ('{key}' takes each session for one)",
                    {ANNOTATOR_FROM: ()},
                )
            return value
    raise record.error(f"the answer belongs to no session; {OPTIONS}", {ANNOTATOR_FROM: ()})


def _without(datasets: Iterable[str], sessions: Iterable[str]) -> dict[str, str]:
    """What follows the dataset, with its dash, in each session; nothing when one has none."""
    names: dict[str, str] = {}
    for session in sessions:
        fitting = [one for one in datasets if session.startswith(one) and session != one]
        if not fitting:
            return {}
        names[session] = session.removeprefix(max(fitting, key=len))
    return names
