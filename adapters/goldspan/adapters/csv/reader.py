"""Reader: every row a unit, or without positions a label of the whole task; a file without a column
of tasks is one task.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

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
from goldspan.adapters.csv.task_column import OtherColumns, judge
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.table import read_rows
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.layers import USUAL
from goldspan.adapters.kit.naming import Naming, listed
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus, Measure, Position, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths
    from goldspan.adapters.kit.task_draft import TaskDraft
    from goldspan.adapters.options import ReadOptions


def read_csv(paths: Paths, options: ReadOptions) -> Corpus:
    """The corpus in tables; a file without a task column is one task, called after the file."""
    draft = Draft(options, measure=Measure.STEP, open_tasks=True, spans_have_layers=False)
    source = Source.of(options)
    others: dict[str, OtherColumns] = {}
    for given in paths:
        tables = table_files(given)
        if not tables:
            raise InputError("there is no .csv or .tsv file in this folder", where=str(given))
        for file in tables:
            _read_file(file, source, draft, others)
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


def _read_file(path: Path, source: Source, draft: Draft, others: dict[str, OtherColumns]) -> None:
    annotator, task = source.of_file(path)
    text = read_text(path)
    rows = read_rows(text, str(path), delimiter=find_delimiter(text))
    line, first = next(rows, (1, []))
    if not first:
        raise InputError(
            "the file is empty; it should hold annotator,category,start,end", where=f"{path}:1"
        )
    columns = read_header(first, source, f"{path}:{line}")
    unread: dict[str, int] = {}
    if columns is None:
        columns = {name: index for index, name in enumerate(PLAIN)}
        rows = chain([(line, first)], rows)
    else:
        unread = {c.strip(): at for at, c in enumerate(first) if at not in columns.values()}
    if unread:
        draft.lose(f"the columns {listed(unread)}, in files")
    if annotator and "task" not in columns:
        # The file is there, so the annotator was, whether or not a row follows.
        draft.task(task).saw(annotator, Presence.DONE)
    pooled = None
    if unread and not ("task" in columns or source.task or source.names_task):
        pooled = others.setdefault(task, OtherColumns(str(path)))
    for number, cells in rows:
        where = f"{path}:{number}"
        if len(cells) != len(first):
            raise InputError(
                f"there are {len(cells)} columns where {len(first)} are expected; "
                "quote cells that hold the separator",
                where=where,
            )
        row = {name: cells[at] for name, at in columns.items()}
        name = annotator or row["annotator"]
        if not (row.get("start", "").strip() or row.get("end", "").strip()):
            _add_label(draft, row.get("task", task), name, row, where)
            continue
        start, end = _number(row["start"], where), _number(row["end"], where)
        _add_row(draft, row.get("task", task), (name, start, end, row["category"]), row, where)
        if pooled is not None:
            pooled.add(name, start, end, {of: cells[at].strip() for of, at in unread.items()})


def _add_row(
    draft: Draft,
    task: str,
    span: tuple[str, Position, Position, str],
    row: Mapping[str, str],
    where: str,
) -> None:
    _task(draft, task, row, where).span(*span, where)


def _add_label(draft: Draft, task: str, name: str, row: Mapping[str, str], where: str) -> None:
    """A row without positions; one without a category says that the annotator gave no label."""
    drafted, layer = _task(draft, task, row, where), row.get("layer", "").strip() or USUAL
    if not row["category"]:
        drafted.saw(name, Presence.DONE)
        draft.layers.declare(layer)
    else:
        drafted.label(layer, name, row["category"], where)


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
