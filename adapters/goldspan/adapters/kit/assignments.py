"""Assignments: a table that says who saw which document, where the files cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file, real_place
from goldspan.adapters.files.table import read_rows, write_rows
from goldspan.adapters.files.text_file import read_text
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import Note
from goldspan.engine.model import Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import WriteOptions

COLUMNS = ("document", "annotator", "status")


def read_assignments(path: Path) -> Mapping[str, Mapping[str, Presence]]:
    """Document to annotator to status, from rows document,annotator,status under that header."""
    rows = read_rows(read_text(path), str(path))
    line, first = next(rows, (1, []))
    if [name.strip().casefold() for name in first] != list(COLUMNS):
        raise InputError(
            f"the first line is not '{','.join(COLUMNS)}'; put that header there",
            where=f"{path}:{line}",
        )
    table: dict[str, dict[str, Presence]] = {}
    for line, row in rows:
        document, annotator, status = _row(row, f"{path}:{line}")
        if table.setdefault(document, {}).setdefault(annotator, status) is not status:
            raise InputError(
                f"'{annotator}' has two statuses for '{document}'; keep one", where=f"{path}:{line}"
            )
    return table


def assignment_rows(corpus: Corpus) -> Iterator[tuple[str, str, Presence]]:
    """Document, annotator and status of everybody in every task."""
    for continuum in corpus.continua:
        yield from ((continuum.id, name, state) for name, state in continuum.presence.items())


def tells_more(corpus: Corpus) -> bool:
    """Whether a table tells more than files or tiers that are there, empty or not there.

    They cannot tell skipped, partial and unknown, and nothing of who never took part.
    """
    states = [(name, state) for _, name, state in assignment_rows(corpus)]
    working = {name for name, state in states if state.takes_part}
    plain = (Presence.DONE, Presence.EMPTY, Presence.UNSEEN)
    return any(state not in plain or name not in working for name, state in states)


def write_assignments(rows: Iterable[tuple[str, str, Presence]], path: Path) -> None:
    """Write rows document,annotator,status under their header; `path` is a name nobody has yet."""
    with path.open("w", encoding="utf-8", newline="") as file:
        write_rows(file, [COLUMNS])
        write_rows(file, ((document, name, state.value) for document, name, state in rows))


def assignments_of(path: Path) -> Path:
    """Where the table goes that belongs to a written file: `NAME.assignments.csv` beside it."""
    return path.with_name(f"{path.stem}.assignments.csv")


@contextmanager
def with_assignments(
    path: Path, rows: Iterable[tuple[str, str, Presence]], options: WriteOptions
) -> Iterator[tuple[Note, ...]]:
    """Write these rows beside the file that the block writes, or neither; the remark comes back.

    Without rows nothing is written. A table that is there already is replaced together with the
    file; without such a file it is somebody's own.
    """
    known = tuple(rows)
    if not known:
        yield ()
        return
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; name a file to write")
    beside = assignments_of(path)
    if real_place(beside) in map(real_place, options.keep):
        raise SettingsError(
            f"the output {path} would touch the input {beside}, which says who saw what; "
            "inputs are never edited, choose another place"
        )
    if beside.exists() and not path.exists() and not options.replace:
        raise SettingsError(
            f"the table of who saw what would overwrite {beside}; choose another output, "
            "or use --replace"
        )
    with new_file(beside) as temporary:
        write_assignments(known, temporary)
        yield (assignments_note(beside),)


def assignments_note(path: Path) -> Note:
    """The note of a writer that also had to write such a table."""
    return Note.of(FormatFact.ASSIGNMENTS_WRITTEN, path=str(path))


def _row(row: list[str], where: str) -> tuple[str, str, Presence]:
    if len(row) != len(COLUMNS):
        raise InputError(f"there are {len(row)} columns; write {','.join(COLUMNS)}", where=where)
    document, annotator, status = row[0], row[1].strip(), row[2]
    if not document or not annotator:
        raise InputError("the document or the annotator is missing; name both", where=where)
    try:
        return document, annotator, Presence(status.strip().casefold())
    except ValueError as error:
        known = ", ".join(Presence)
        raise InputError(
            f"there is no status '{status}'; there are {known}", where=where
        ) from error
