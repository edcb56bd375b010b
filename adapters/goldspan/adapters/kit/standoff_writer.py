"""Writing standoff: a folder of texts and marks for each annotator, or one folder of gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_folder
from goldspan.adapters.files.file_names import FileNames
from goldspan.adapters.kit.assignments import (
    assignment_rows,
    assignments_note,
    tells_more,
    write_assignments,
)
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit

if TYPE_CHECKING:
    from goldspan.adapters.adapter import WriteOptions
    from goldspan.adapters.kit.standoff import Suffixes

TABLE = "assignments.csv"


class Body(Protocol):
    """What a format puts into the files."""

    def text(self, continuum: Continuum) -> bytes:
        """The file of the text."""

    def marks(self, continuum: Continuum, spans: Sequence[Unit | GoldSpan], author: str) -> bytes:
        """The file of these marks, all of one author."""


class StandoffWriter:
    """The folders while they are written; `notes` are complete afterwards."""

    def __init__(
        self,
        value: Corpus | Gold,
        suffixes: Suffixes,
        format_name: str,
        reserved: Sequence[str] = (TABLE,),
    ) -> None:
        corpus = value.corpus if isinstance(value, Gold) else value
        self.value = value
        self.suffixes = suffixes
        people = () if isinstance(value, Gold) else corpus.annotators
        self.people = FileNames(people, reserved=reserved)
        self.tasks = FileNames((continuum.id for continuum in corpus.continua), folders=True)
        self.notes: list[Note] = [*self.people.notes, *self.tasks.notes]
        for continuum in corpus.continua:
            _require_text(continuum, format_name)
        if any(continuum.media is not None for continuum in corpus.continua):
            self.notes.append(Note.of(FormatFact.NO_MEDIA, format=format_name))

    def write(
        self, path: Path, options: WriteOptions, body: Body, more: Sequence[tuple[str, bytes]]
    ) -> None:
        """Write everything to a new folder, with `more` files beside, all or nothing."""
        with new_folder(path, replace=options.replace) as folder:
            if isinstance(self.value, Gold):
                self._gold(self.value, folder, body, options.annotator)
            else:
                self._corpus(self.value, folder, body)
            for name, data in more:
                _put(folder / name, data)
        if not isinstance(self.value, Gold) and tells_more(self.value):
            self.notes.append(assignments_note(path / TABLE))

    def _corpus(self, corpus: Corpus, folder: Path, body: Body) -> None:
        """An annotator who did not see a task gets its text without marks."""
        for continuum in corpus.continua:
            data = body.text(continuum)
            for name, state in continuum.presence.items():
                place = folder / self.people[name]
                units = continuum.of(name)
                self._put(place, continuum, self.suffixes.text, data)
                if units or state.takes_part or state is Presence.PARTIAL:
                    marks = body.marks(continuum, units, name)
                    self._put(place, continuum, self.suffixes.marks, marks)
        if tells_more(corpus):
            rows = assignment_rows(corpus)
            named = ((self.tasks[task], self.people[name], state) for task, name, state in rows)
            write_assignments(named, folder / TABLE)

    def _gold(self, gold: Gold, folder: Path, body: Body, author: str) -> None:
        skipped = 0
        for continuum in gold.corpus.continua:
            spans = gold.spans.get(continuum.id)
            if spans is None:
                skipped += 1
                continue
            self._put(folder, continuum, self.suffixes.text, body.text(continuum))
            self._put(folder, continuum, self.suffixes.marks, body.marks(continuum, spans, author))
        if skipped:
            self.notes.append(Note.of(FormatFact.NO_GOLD, count=skipped))

    def _put(self, place: Path, continuum: Continuum, suffix: str, data: bytes) -> None:
        _put(place / f"{self.tasks[continuum.id]}{suffix}", data)


def encoded(text: str, continuum: Continuum) -> bytes:
    """The text in UTF-8; half a surrogate pair is an error with its place."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"character {error.start} is half a surrogate pair, which UTF-8 cannot hold",
            where=f"task '{continuum.id}'",
        ) from error


def _require_text(continuum: Continuum, format_name: str) -> None:
    where = f"task '{continuum.id}'"
    if continuum.measure is not Measure.CHARACTER:
        raise InputError(
            f"positions are in the measure '{continuum.measure}', and {format_name} holds "
            "characters; choose another format",
            where=where,
        )
    if continuum.text is None:
        raise InputError(f"{format_name} needs the text, and the task has none", where=where)


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
