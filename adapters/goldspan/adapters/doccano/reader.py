"""Reading for doccano: whose rows they are, which are the same example, and who saw it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from goldspan.adapters.doccano.rows import Row, read_row
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import Naming
from goldspan.adapters.kit.record import SharedTexts, stream_records
from goldspan.adapters.kit.roundtrip import take_leftover
from goldspan.adapters.kit.text.marks import Marks
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions
    from goldspan.adapters.files.bundle import Member
    from goldspan.adapters.kit.task_draft import TaskDraft

MERGED = "all"
JOINERS = "\u200c\u200d\ufe0e\ufe0f"

Key: TypeAlias = tuple[str, str, int]
"""What makes two rows the same example: an export and an id, or a text and its number there."""


@dataclass(frozen=True, slots=True)
class _File:
    """One file of an export; `annotator` is "" where the rows name users themselves."""

    where: str
    stem: str
    export: str
    annotator: str
    rows: Sequence[Row]

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(row.id for row in self.rows if row.marks is not None)


class Reader:
    """The files of a reading on their way to a draft."""

    def __init__(self, options: ReadOptions) -> None:
        self.draft = Draft(options, spans_have_layers=False)
        self.marks = Marks(self.draft)
        source = options.annotator_from
        self.naming = Naming(source) if source and source != "user" else None
        self.files: list[_File] = []
        self.texts = SharedTexts()
        self.names: dict[Key, str] = {}

    def read(self, member: Member) -> None:
        """Take in a file; a folder or zip that holds several is one export."""
        records = stream_records(BytesIO(member.read()), member.where)
        rows = [read_row(self.texts.of(record)) for record in records]
        stem = member.name.stem
        has_users = any(row.has_users for row in rows)
        export = str(Path(member.where).parent)
        annotator = ""
        if self.naming is not None:
            annotator = self.naming.read(Path(member.where))[0]
        elif has_users:
            export = member.where
        else:
            annotator = _told(rows) or stem
        if annotator == stem == MERGED and not has_users:
            raise InputError(
                "this export of a collaborative project merges all annotators into one, so that "
                "no agreement can be computed; share the project without collaboration, or put "
                "each annotator's export into a folder and use --annotator-from dir",
                where=member.where,
            )
        self.files.append(_File(member.where, stem, export, annotator, rows))

    def corpus(self) -> Corpus:
        confirmed = self._confirmed()
        for file in self.files:
            users = sorted(
                {user for row in file.rows for user in (*(row.marks or ()), *row.labels)}
            )
            for key, row in self._keyed(file):
                task = self._task(key, file, row)
                take_leftover(row.leftover, self.draft, task)
                if row.marks is None:
                    continue
                if file.annotator:
                    self._add_file(task, file, row, sure=file.export in confirmed)
                else:
                    self._add_users(task, users, row)
        self._note_graphemes()
        self.marks.settle()
        return self.draft.corpus()

    def _add_file(self, task: TaskDraft, file: _File, row: Row, *, sure: bool) -> None:
        found = [mark for marks in (row.marks or {}).values() for mark in marks]
        name = file.annotator
        if name in task.texts:
            raise row.record.error(f"'{name}' has the example '{task.id}' twice; keep one")
        self.marks.add(task, name, row.text, found)
        self._note_numbers(row)
        labels = [label for given in row.labels.values() for label in given]
        self._label(task, row, name, labels)
        told = task.presences.get(name)
        if found or labels or name in task.labellers:
            task.saw(name, Presence.PARTIAL if told is Presence.PARTIAL else Presence.DONE)
        elif told is None:
            task.saw(name, self._approved() if sure else self._undecided())

    def _add_users(self, task: TaskDraft, users: Sequence[str], row: Row) -> None:
        """The old export lists only who marked something."""
        for user in users:
            found = (row.marks or {}).get(user, ())
            self.marks.add(task, user, row.text, found)
            labels = row.labels.get(user, ())
            self._label(task, row, user, labels)
            task.saw(user, Presence.DONE if found or labels else self._undecided())
        self._note_numbers(row)

    def _label(self, task: TaskDraft, row: Row, name: str, labels: Sequence[str]) -> None:
        kept = row.leftover.get("layer") if isinstance(row.leftover, dict) else None
        layer = kept if isinstance(kept, str) and kept else row.layer
        for label in labels:
            task.label(layer, name, label, row.record.where)

    def _approved(self) -> Presence:
        self.draft.note(FormatFact.APPROVED_ONLY)
        return Presence.EMPTY

    def _undecided(self) -> Presence:
        if self.draft.options.empty is None:
            self.draft.note(FormatFact.MAYBE_UNSEEN)
        return self.draft.undecided

    def _confirmed(self) -> frozenset[str]:
        """The exports that hold approved examples only: the others list every example for
        every member, so that files which differ, but share some, cannot be one of those.
        """
        exports: dict[str, list[frozenset[str]]] = {}
        for file in self.files:
            if file.annotator:
                exports.setdefault(file.export, []).append(file.ids)
        return frozenset(
            export
            for export, ids in exports.items()
            if len(set(ids)) > 1 and sum(map(len, ids)) > len(frozenset[str]().union(*ids))
        )

    def _keyed(self, file: _File) -> Iterator[tuple[Key, Row]]:
        by_text = self.naming is not None and len({f.export for f in self.files}) > 1
        counts: dict[str, int] = {}
        for row in file.rows:
            if row.id and not by_text:
                yield (file.export, row.id, 0), row
            else:
                counts[row.text] = counts.get(row.text, 0) + 1
                yield ("", row.text, counts[row.text]), row

    def _task(self, key: Key, file: _File, row: Row) -> TaskDraft:
        if key not in self.names:
            name = row.id or f"{file.stem}:{len(self.names) + 1}"
            while name in self.draft.tasks:
                name = f"{file.stem}-{name}"
            self.names[key] = name
        task = self.draft.task(self.names[key])
        if task.text is None:
            task.text = row.text
        return task

    def _note_numbers(self, row: Row) -> None:
        if row.numbered:
            self.draft.note(FormatFact.NUMBERED_LABELS)

    def _note_graphemes(self) -> None:
        texts: Mapping[str, str | None] = {t.id: t.text for t in self.draft.tasks.values()}
        count = sum(1 for text in texts.values() if text and _has_clusters(text))
        if count:
            self.draft.note(FormatFact.GRAPHEMES, count=count)


def _told(rows: Sequence[Row]) -> str:
    """The annotator's name as our own writer keeps it where no file can be called so."""
    for row in rows:
        name = row.leftover.get("annotator") if isinstance(row.leftover, dict) else None
        if isinstance(name, str) and name:
            return name
    return ""


def _has_clusters(text: str) -> bool:
    if text.isascii():
        return "\r\n" in text
    return "\r\n" in text or any(
        unicodedata.combining(char) or char in JOINERS or _extends(char) for char in text
    )


def _extends(char: str) -> bool:
    # Skin tones, and the letters that make flags.
    return "\U0001f3fb" <= char <= "\U0001f3ff" or "\U0001f1e6" <= char <= "\U0001f1ff"
