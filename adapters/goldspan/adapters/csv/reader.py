"""Reader: every row a unit, or without positions a label of the whole task; a file without a column
of tasks is one task.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.csv.cell_labels import CellLabels
from goldspan.adapters.csv.columns import (
    PLAIN,
    SUFFIXES,
    Source,
    find_delimiter,
    is_number,
    read_header,
    table_files,
    tells_assignments,
)
from goldspan.adapters.csv.options import SHEET
from goldspan.adapters.csv.task_column import OtherColumns, judge
from goldspan.adapters.csv.workbook import SUFFIX, workbook_rows
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.table import Row, read_rows
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.layers import USUAL
from goldspan.adapters.kit.naming import Naming, listed
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Measure, Position, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths
    from goldspan.adapters.kit.task_draft import TaskDraft
    from goldspan.adapters.options import ReadOptions


PLAIN_CELLS = ("task", "annotator", "category", "start", "end")
PLAIN_ROW = frozenset(PLAIN_CELLS)
"""The columns of a table that needs no rule."""

MOST_DIGITS = 15
"""Of a number that is a position without a doubt."""

MOST_KEPT = 100_000
"""So many numbers are remembered at once."""


def read_csv(paths: Paths, options: ReadOptions) -> Corpus:
    """The corpus in tables; a file without a task column is one task, called after the file."""
    draft = Draft(options, measure=Measure.STEP, open_tasks=True, spans_have_layers=False)
    source = Source.of(options)
    others: dict[str, OtherColumns] = {}
    tables = {given: table_files(given) for given in paths}
    files = [file for found in tables.values() for file in found]
    if SHEET.of(options) and all(file.suffix.lower() != SUFFIX for file in files):
        raise SettingsError(f"--sheet names a sheet of {SUFFIX} files, and there is none here")
    for given, found in tables.items():
        if not found:
            raise InputError("there is no .csv or .tsv file in this folder", where=str(given))
        for file in found:
            _read_file(file, source, draft, others, files)
        _note_assignments(given, draft)
    for note in judge(others.values(), paths, options):
        draft.add_note(note)
    # A file for each task and annotator tells by being there; a column cannot.
    by_file = isinstance(source.annotator, Naming) and source.names_task
    if len(draft.tasks) > 1 and not by_file:
        draft.unknown_elsewhere()
    if isinstance(source.annotator, Naming) and len(draft.tasks) == 1 and not by_file:
        _note_one_task(draft)
    return draft.corpus()


def _note_assignments(given: Path, draft: Draft) -> None:
    if draft.options.assignments is not None or not given.is_dir():
        return
    for file in files_below(given, SUFFIXES):
        if tells_assignments(file):
            draft.note(FormatFact.ASSIGNMENTS_UNREAD, file=file.name)


def _note_one_task(draft: Draft) -> None:
    (task,) = draft.tasks.values()
    if len(task.presences) > 1:
        draft.note(FormatFact.ONE_TASK, name=task.id)


def _rows(path: Path, sheet: str | None) -> Iterator[Row]:
    if path.suffix.lower() == SUFFIX:
        return workbook_rows(path, sheet)
    text = read_text(path)
    return read_rows(text, str(path), delimiter=find_delimiter(text))


def _read_file(
    path: Path,
    source: Source,
    draft: Draft,
    others: dict[str, OtherColumns],
    files: Sequence[Path],
) -> None:
    annotator, task = source.of_file(path)
    rows = _rows(path, SHEET.of(draft.options))
    line, first = next(rows, (1, []))
    if not first:
        raise InputError(
            "the file is empty; it should hold annotator,category,start,end", where=f"{path}:1"
        )
    columns = read_header(first, source, f"{path}:{line}", files)
    told, ticks = CellLabels.of(draft.options), dict[str, int]()
    unread: dict[str, int] = {}
    if columns is None:
        columns = {name: index for index, name in enumerate(PLAIN)}
        rows = chain([(line, first)], rows)
        told.columns((), {}, f"{path}:{line}")
    else:
        ticks = told.columns([c.strip() for c in first], columns, f"{path}:{line}")
        read = {*columns.values(), *ticks.values()}
        unread = {c.strip(): at for at, c in enumerate(first) if at not in read}
    if unread:
        draft.lose(f"the columns {listed(unread)}, in files")
    if annotator and "task" not in columns:
        # The file is there, so the annotator was, whether or not a row follows.
        draft.task(task).saw(annotator, Presence.DONE)
        draft.read_from(path, annotator, task)
    pooled = None
    if unread and not ("task" in columns or source.task or source.names_task):
        pooled = others.setdefault(task, OtherColumns(str(path)))
    has_rules = bool(annotator or told.patterns or told.separator or unread)
    has_rules = has_rules or columns.keys() != PLAIN_ROW
    if_plain = {} if has_rules else columns
    for number, cells in _without_plain(rows, draft, if_plain, len(first), path):
        where = f"{path}:{number}"
        if len(cells) != len(first):
            raise InputError(
                f"there are {len(cells)} columns where {len(first)} are expected; "
                "quote cells that hold the separator",
                where=where,
            )
        row = {name: cells[at] for name, at in columns.items()}
        name = annotator or row["annotator"]
        labels = told.read(cells, row.get("category", ""), ticks, where)
        if len(labels) > 1:
            draft.note(FormatFact.LABELS_IN_CELL)
        if not (row.get("start", "").strip() or row.get("end", "").strip()):
            _add_labels(draft, row.get("task", task), name, labels, row, where)
            continue
        start, end = _number(row["start"], where), _number(row["end"], where)
        drafted = _task(draft, row.get("task", task), row, where)
        for label in labels:
            drafted.span(name, start, end, label, where)
        if pooled is not None:
            pooled.add(name, start, end, {of: cells[at].strip() for of, at in unread.items()})


def _without_plain(
    rows: Iterator[Row], draft: Draft, columns: Mapping[str, int], width: int, path: Path
) -> Iterator[Row]:
    """The rows that need a rule. Those with a task, an annotator, a category and two whole numbers
    need none, and are added on the way: most rows of large tables are such. Without `columns`, all
    rows need a rule.
    """
    if not columns:
        yield from rows
        return
    cells_of = itemgetter(*(columns[name] for name in PLAIN_CELLS))
    drafted, current = None, ""
    whole, texts, place = _WholeNumbers(), dict[str, str](), str(path)
    for number, cells in rows:
        if len(cells) == width:
            task, name, category, first, last = cells_of(cells)
            start, end = whole[first], whole[last]
            if task and category and start is not None and end is not None:
                if drafted is None or task != current:
                    drafted, current = draft.task(task), task
                # One text for all units of an annotator, and for all of a category.
                name, category = texts.setdefault(name, name), texts.setdefault(category, category)
                drafted.span(name, start, end, category, f"{place}:{number}")
                continue
        yield number, cells


class _WholeNumbers(dict[str, "int | None"]):
    """The whole number in each cell; None if it may be something else. A number that occurs again
    is the same object: those of a large corpus would take a third of its memory.
    """

    def __missing__(self, cell: str) -> int | None:
        if len(self) >= MOST_KEPT:
            self.clear()
        found = int(cell) if cell.isdecimal() and len(cell) <= MOST_DIGITS else None
        self[cell] = found
        return found


def _add_labels(
    draft: Draft, task: str, name: str, labels: Sequence[str], row: Mapping[str, str], where: str
) -> None:
    """A row without positions; one without a category says that the annotator gave no label."""
    drafted, layer = _task(draft, task, row, where), row.get("layer", "").strip() or USUAL
    for label in labels:
        if not label:
            drafted.saw(name, Presence.DONE)
            draft.layers.declare(layer)
        else:
            drafted.label(layer, name, label, where)


def _task(draft: Draft, task: str, row: Mapping[str, str], where: str) -> TaskDraft:
    if not task:
        raise InputError("the task is empty; name it", where=where)
    drafted = draft.task(task)
    if row.get("length"):
        _measure(drafted, _number(row["length"], where), where)
    return drafted


def _measure(task: TaskDraft, length: Position, where: str) -> None:
    """Take a task's length from a row; all of its rows must say the same."""
    if length < 0:
        raise InputError(f"the length {length} is below 0", where=where)
    if task.length not in (None, length):
        raise InputError(
            f"the length of '{task.id}' is {length} here and {task.length} above; make them equal",
            where=where,
        )
    task.length = length


def _number(cell: str, where: str) -> Position:
    """An int where an int is written, else a float; finite in any case."""
    if not is_number(cell):
        raise InputError(f"'{cell}' is not a number; write a position", where=where)
    try:
        return int(cell)
    except ValueError:
        number = float(cell)
    if not math.isfinite(number):
        raise InputError(f"'{cell}' is not a position; write a finite number", where=where)
    return number
