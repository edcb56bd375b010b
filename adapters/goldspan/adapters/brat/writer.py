"""Writing brat: the texts byte for byte where a source has them, marks in text order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from goldspan.adapters.adapter import Notes, WriteOptions
from goldspan.adapters.assignments import (
    assignment_rows,
    assignments_note,
    tells_more,
    write_assignments,
)
from goldspan.adapters.atomic import new_folder
from goldspan.adapters.brat.conf import ANNOTATION, VISUAL, read_conf
from goldspan.adapters.brat.sources import Sources
from goldspan.adapters.brat.types import BratTypes, annotation_conf, visual_conf
from goldspan.adapters.file_names import FileNames
from goldspan.adapters.offsets import BOM
from goldspan.adapters.text_file import read_text
from goldspan.adapters.votes import votes_line
from goldspan.engine.errors import InputError
from goldspan.engine.gold import Gold
from goldspan.engine.model import Continuum, Corpus, Measure, Note, Presence

PIECE = re.compile("[^\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
"""What brat keeps on one line of a file; it splits a span wherever this ends."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A mark to write, and the note that goes with it."""

    start: int
    end: int
    type: str
    note: str = ""


def write_brat(value: Corpus | Gold, path: Path, options: WriteOptions, sources: Sources) -> Notes:
    """Write the folder, all or nothing; what comes back is what brat could not hold."""
    corpus = value.corpus if isinstance(value, Gold) else value
    for continuum in corpus.continua:
        _require_text(continuum)
    writing = _Writing(
        sources,
        names=FileNames(corpus.annotators),
        tasks=FileNames((continuum.id for continuum in corpus.continua), folders=True),
    )
    with new_folder(path, replace=options.replace) as folder:
        if isinstance(value, Gold):
            used = {span.category for spans in value.spans.values() for span in spans}
            writing.types = BratTypes.of([*corpus.scale, *sorted(used.difference(corpus.scale))])
            writing.gold(value, folder)
        else:
            writing.types = BratTypes.of(corpus.categories)
            writing.corpus(value, folder)
        writing.configuration(folder)
    people = () if isinstance(value, Gold) else writing.names.notes
    notes = [*people, *writing.tasks.notes, *writing.types.notes, *writing.notes()]
    if not isinstance(value, Gold) and tells_more(value):
        notes.append(assignments_note(path / "assignments.csv"))
    if any(continuum.media is not None for continuum in corpus.continua):
        notes.append(Note("brat holds no references to media"))
    return notes


def _require_text(continuum: Continuum) -> None:
    where = f"task '{continuum.id}'"
    if continuum.measure is not Measure.CHARACTER:
        raise InputError(
            f"positions are in the measure '{continuum.measure}', and brat holds characters; "
            "choose another format",
            where=where,
        )
    if continuum.text is None:
        raise InputError("brat needs the text, and the task has none", where=where)


@dataclass(slots=True)
class _Writing:
    """One writing: the names given out so far, and how much brat could not hold."""

    sources: Sources
    names: FileNames
    tasks: FileNames
    types: BratTypes = field(default_factory=BratTypes)
    cut: int = 0
    lost: int = 0
    skipped: int = 0

    def corpus(self, corpus: Corpus, folder: Path) -> None:
        """A folder for each annotator; a text without .ann for who did not see the task."""
        for continuum in corpus.continua:
            data, shift = self._text(continuum)
            task = self.tasks[continuum.id]
            for name, state in continuum.presence.items():
                own = folder / self.names[name]
                units = continuum.of(name)
                _write(own / f"{task}.txt", data)
                if units or state in (Presence.DONE, Presence.EMPTY, Presence.PARTIAL):
                    lines = (_Line(int(u.start), int(u.end), self.types[u.category]) for u in units)
                    self._write_lines(own / f"{task}.ann", lines, continuum, shift)
        if tells_more(corpus):
            rows = assignment_rows(corpus)
            named = ((self.tasks[task], self.names[name], state) for task, name, state in rows)
            write_assignments(named, folder / "assignments.csv")

    def gold(self, gold: Gold, folder: Path) -> None:
        """One folder; each mark's confidence and votes are a note that brat shows with it."""
        for continuum in gold.corpus.continua:
            spans = gold.spans.get(continuum.id)
            if spans is None:
                self.skipped += 1
                continue
            data, shift = self._text(continuum)
            task = self.tasks[continuum.id]
            _write(folder / f"{task}.txt", data)
            lines = (
                _Line(int(s.start), int(s.end), self.types[s.category], votes_line(s))
                for s in spans
            )
            self._write_lines(folder / f"{task}.ann", lines, continuum, shift)

    def configuration(self, folder: Path) -> None:
        """The source's configuration where it knows every type, else one of our own."""
        annotation = self.sources.annotation[:1]
        known = set(read_conf(annotation, ()).types)
        if annotation and known.issuperset(self.types.names.values()):
            for name, files in ((ANNOTATION, annotation), (VISUAL, self.sources.visual[:1])):
                for file in files:
                    _write(folder / name, file.read_bytes())
            return
        _write(folder / ANNOTATION, annotation_conf(self.types).encode())
        if self.types.changed:
            _write(folder / VISUAL, visual_conf(self.types).encode())

    def notes(self) -> Iterator[Note]:
        """What brat could not hold, and what was written besides."""
        if self.cut:
            yield Note("line ends and tabs at the edges of spans cut off", count=self.cut)
        if self.lost:
            yield Note("spans of nothing but line ends and tabs left out", count=self.lost)
        if self.skipped:
            yield Note("tasks without gold left out", count=self.skipped)

    def _text(self, continuum: Continuum) -> tuple[bytes, int]:
        """The text's bytes, and how many characters brat counts before its first."""
        text = continuum.text or ""
        source = self.sources.texts.get(text)
        if source is not None:
            return source.read_bytes(), len(read_text(source, keep_bom=True)) - len(text)
        try:
            # A text that begins with the mark keeps it only behind another.
            data = (BOM + text if text.startswith(BOM) else text).encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"character {error.start} is half a surrogate pair, which UTF-8 cannot hold",
                where=f"task '{continuum.id}'",
            ) from error
        return data, int(text.startswith(BOM))

    def _write_lines(
        self, path: Path, lines: Iterable[_Line], continuum: Continuum, shift: int
    ) -> None:
        text = continuum.text or ""
        written: list[str] = []
        comments: list[str] = []
        for line in sorted(lines, key=lambda one: (one.start, one.end, one.type)):
            pieces = _pieces(text, line.start, line.end)
            if not pieces:
                self.lost += 1
                continue
            self.cut += pieces[0][0] > line.start or pieces[-1][1] < line.end
            name = f"T{len(written) + 1}"
            places = ";".join(f"{start + shift} {end + shift}" for start, end in pieces)
            marked = " ".join(text[start:end] for start, end in pieces)
            written.append(f"{name}\t{line.type} {places}\t{marked}\n")
            if line.note:
                comments.append(f"#{len(comments) + 1}\tAnnotatorNotes {name}\t{line.note}\n")
        _write(path, "".join(written + comments).encode())


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The fragments brat would make of a span: split at line ends and tabs, and the white space
    there taken off; that at the edges of the span itself stays.
    """
    found = [match.span() for match in PIECE.finditer(text, start, end)]
    pieces = []
    for index, (first, last) in enumerate(found):
        size = last - first
        left = size - len(text[first:last].lstrip()) if index else 0
        right = size - len(text[first:last].rstrip()) if index < len(found) - 1 else 0
        if max(left, right) < size:
            pieces.append((first + left, last - right))
        elif index in (0, len(found) - 1):
            pieces.append((first, last))
    return pieces


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
