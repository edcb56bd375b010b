"""csv: rows annotator,category,start,end, and with a header also task and length, in any order.

Rows cannot show that an annotator saw a task and marked nothing; an assignments file can.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.table import read_rows, write_rows
from goldspan.adapters.files.text_file import head, read_text
from goldspan.adapters.kit.annotator_filter import listed
from goldspan.adapters.kit.assignments import COLUMNS, assignment_rows, with_assignments
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import Naming, task_in_name
from goldspan.adapters.kit.task_column import BY_FILE, OtherColumns, judge
from goldspan.adapters.kit.task_draft import TaskDraft
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import Corpus, Measure, Note, Position, Presence

PLAIN = ("annotator", "category", "start", "end")
ALIASES = {
    "begin": "start",
    "onset": "start",
    "offset": "end",
    "stop": "end",
    "label": "category",
    "document": "task",
    "coder": "annotator",
    "rater": "annotator",
}
POSITIONS = "call the columns of positions start and end"
MISSING = {
    "start": POSITIONS,
    "end": POSITIONS,
    "category": "--category-from names the column of categories",
    "annotator": "--annotator-from names the column of annotators, or says file, dir or a pattern "
    "such as '{task}_{annotator}.csv' where file names say it",
}
"""What to do where a column is not found."""

SUFFIXES = (".csv", ".tsv")
DELIMITERS = (",", ";", "\t")


class CsvAdapter(Adapter):
    """Plain tables of spans."""

    name = "csv"
    summary = "annotator,category,start,end; with a header also task, length; comma, ; or TAB"
    annotators = "a column, or file and folder names (--annotator-from COLUMN, dir, file, pattern)"
    presence = "rows only; --assignments or --empty says who saw a task and marked nothing"
    holds_scale = False
    ignores = ("layers",)
    takes = ("task_from",)

    def sniff(self, path: Path) -> bool:
        """A table, or a folder of tables, with start and end or four cells that fit."""
        files = _files(path)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every row a unit; a file without a task column is one task, called after the file."""
        draft = Draft(options, measure=Measure.STEP, open_tasks=True)
        source = _Source.of(options)
        others: dict[str, OtherColumns] = {}
        for given in paths:
            files = _files(given)
            if not files:
                raise InputError("there is no .csv or .tsv file in this folder", where=str(given))
            for file in files:
                _read_file(file, source, draft, others)
            _note_assignments(given, draft)
        for note in judge(others.values(), paths, options):
            draft.note(note)
        # A file for each task and annotator tells by being there; a column cannot.
        by_file = isinstance(source.annotator, Naming) and source.names_task
        if len(draft.tasks) > 1 and not by_file:
            draft.unknown_elsewhere()
        if isinstance(source.annotator, Naming) and len(draft.tasks) == 1 and not by_file:
            _note_one_task(draft)
        return draft.corpus()

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """One table with a header, and `NAME.assignments.csv` when rows cannot tell it all."""
        delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        if isinstance(value, Gold):
            evidence = ("confidence", "votes", "seen")
            rows_of_gold = _gold_rows(value, options.annotator)
            _write_table(path, ("task", *PLAIN, *evidence), rows_of_gold, delimiter)
            return _losses(value.corpus)
        rows = _assignments(value) if _needs_assignments(value) else ()
        with with_assignments(path, rows, options) as told:
            known = any(continuum.length is not None for continuum in value.continua)
            header = ("task", *PLAIN, "length") if known else ("task", *PLAIN)
            _write_table(path, header, _rows(value, with_length=known), delimiter)
        return [*_losses(value), *_without_rows(value), *told]


def check_header(path: Path) -> None:
    """Refuse a table that has no column for something, as reading it would."""
    text = head(path)
    _header(_first_row(text.lstrip("\r\n"), _delimiter(text)), _Source(), f"{path}:1")


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a row's annotator, category and task come from."""

    annotator: str | Naming = "annotator"
    category: str = "category"
    task: str = ""

    @classmethod
    def of(cls, options: ReadOptions) -> _Source:
        given = options.annotator_from or "annotator"
        by_name = given in ("dir", "file") or "{" in given
        return cls(
            Naming(given) if by_name else given,
            options.category_from or "category",
            options.task_from or "",
        )

    @property
    def names_task(self) -> bool:
        """Whether the names of files tell the task of their rows."""
        return "{" in self.task or (
            isinstance(self.annotator, Naming)
            and self.annotator.names_task
            and self.task in ("", BY_FILE)
        )

    def of_file(self, path: Path) -> tuple[str, str]:
        """The annotator and the task of a file's rows, where their cells tell neither."""
        annotator, task = "", path.stem
        if isinstance(self.annotator, Naming):
            annotator, named = self.annotator.read(path)
            # A file for each annotator: the folder is what they share.
            task = named or path.absolute().parent.name or "task"
        return annotator, task_in_name(self.task, path) if "{" in self.task else task


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return [f for f in files_below(path, SUFFIXES) if not _tells_assignments(f)]


def _tells_assignments(path: Path) -> bool:
    """Whether a table is one of who saw what, such as we write beside spans."""
    if not path.name.endswith("assignments.csv"):
        return False
    return [cell.strip().casefold() for cell in _first_row(head(path), ",")] == list(COLUMNS)


def _note_assignments(given: Path, draft: Draft) -> None:
    if draft.options.assignments is not None or not given.is_dir():
        return
    for file in files_below(given, SUFFIXES):
        if _tells_assignments(file):
            draft.note(f"{file.name} is not read by itself; give it to --assignments")


def _note_one_task(draft: Draft) -> None:
    (task,) = draft.tasks.values()
    if len(task.presences) > 1:
        draft.note(
            f"every file is read as one annotator's, and all of them as one task, '{task.id}'; "
            "if their names tell the task too, use --annotator-from and a pattern such as "
            "'{task}_{annotator}.csv'"
        )


def _looks_right(path: Path) -> bool:
    text = head(path).lstrip("\r\n")
    return any(_is_ours(_first_row(text, delimiter)) for delimiter in DELIMITERS)


def _is_ours(cells: Sequence[str]) -> bool:
    return _is_data(cells) or {"start", "end"} <= {_column(cell) for cell in cells}


def _is_data(cells: Sequence[str]) -> bool:
    return len(cells) == len(PLAIN) and all(_is_number(cell) for cell in cells[2:])


def _first_row(text: str, delimiter: str) -> list[str]:
    lines = io.StringIO(text, newline="")
    try:
        return next(csv.reader(lines, delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []


def _delimiter(text: str) -> str:
    """The first separator that gives a row we know; else the one that gives most cells."""
    rows = {one: _first_row(text.lstrip("\r\n"), one) for one in DELIMITERS}
    for delimiter, cells in rows.items():
        if _is_ours(cells):
            return delimiter
    return max(rows, key=lambda one: len(rows[one]))


def _read_file(path: Path, source: _Source, draft: Draft, others: dict[str, OtherColumns]) -> None:
    annotator, task = source.of_file(path)
    text = read_text(path)
    rows = read_rows(text, str(path), delimiter=_delimiter(text))
    line, first = next(rows, (1, []))
    if not first:
        raise InputError(
            "the file is empty; it should hold annotator,category,start,end", where=f"{path}:1"
        )
    columns = _header(first, source, f"{path}:{line}")
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
    if not task:
        raise InputError("the task is empty; name it", where=where)
    drafted = draft.task(task)
    if row.get("length"):
        _measure(drafted, _number(row["length"], where), where)
    drafted.span(*span, where)


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


def _column(cell: str) -> str:
    name = cell.strip().casefold()
    return ALIASES.get(name, name)


def _header(cells: Sequence[str], source: _Source, where: str) -> Mapping[str, int] | None:
    """Column name to index; None when the first row is data already."""
    names = [cell.strip() for cell in cells]
    wanted = {"category": source.category}
    if isinstance(source.annotator, str):
        wanted["annotator"] = source.annotator
    asked = dict(wanted)
    if source.task and "{" not in source.task and (source.task != BY_FILE or BY_FILE in names):
        asked["task"] = source.task
    if _is_data(cells):
        for role, name in asked.items():
            if name != role:
                raise InputError(
                    f"there is no column '{name}': the table has no header", where=where
                )
        return None
    columns: dict[str, int] = {}
    for index, name in enumerate(names):
        columns.setdefault(_column(name), index)
    if source.task == BY_FILE:
        columns.pop("task", None)
    for role, name in asked.items():
        if name in names:
            columns[role] = names.index(name)
        elif name != role or role == "task":
            raise InputError(
                f"there is no column '{name}'; there are {', '.join(names)}", where=where
            )
    needed = ["start", "end", *wanted]
    missing = [name for name in needed if name not in columns]
    if missing:
        raise InputError(
            f"the first line '{','.join(cells)[:80]}' is neither a row "
            f"annotator,category,start,end nor a header with {', '.join(missing)}; "
            + "; ".join(dict.fromkeys(MISSING[name] for name in missing)),
            where=where,
        )
    return {name: columns[name] for name in (*needed, "task", "length") if name in columns}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def _number(cell: str, where: str) -> Position:
    """An int where an int is written, else a float; finite in any case."""
    if not _is_number(cell):
        raise InputError(f"'{cell}' is not a number; write a position", where=where)
    try:
        return int(cell)
    except ValueError:
        number = float(cell)
    if not math.isfinite(number):
        raise InputError(f"'{cell}' is not a position; write a finite number", where=where)
    return number


def _rows(corpus: Corpus, *, with_length: bool) -> Iterator[Sequence[object]]:
    for continuum in corpus.continua:
        length = "" if continuum.length is None else continuum.length
        for unit in continuum.units:
            row = (continuum.id, unit.annotator, unit.category, unit.start, unit.end)
            yield (*row, length) if with_length else row


def _gold_rows(gold: Gold, name: str) -> Iterator[Sequence[object]]:
    for continuum in gold.corpus.continua:
        for span in gold.spans.get(continuum.id, ()):
            votes = ";".join(span.voters)
            place = (continuum.id, name, span.category, span.start, span.end)
            yield *place, span.confidence, votes, span.seen


def _losses(corpus: Corpus) -> list[Note]:
    lost = sum(c.text is not None or c.media is not None for c in corpus.continua)
    return [Note("csv cannot hold texts or media; left out", count=lost)] if lost else []


def _without_rows(corpus: Corpus) -> list[Note]:
    lost = sum(c.length is not None and not c.units for c in corpus.continua)
    return [Note("lengths of tasks without a row left out", count=lost)] if lost else []


def _assignments(corpus: Corpus) -> Iterator[tuple[str, str, Presence]]:
    """Everybody in every task: whom the table does not name may have seen it, for all rows tell."""
    yield from assignment_rows(corpus)
    for continuum in corpus.continua:
        for name in corpus.annotators:
            if name not in continuum.presence:
                yield continuum.id, name, Presence.UNSEEN


def _needs_assignments(corpus: Corpus) -> bool:
    return len(corpus.continua) > 1 or any(
        state is not Presence.DONE for c in corpus.continua for state in c.presence.values()
    )


def _write_table(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str
) -> None:
    with new_file(path) as temporary:
        try:
            with temporary.open("w", encoding="utf-8", newline="") as file:
                write_rows(file, chain([header], rows), delimiter=delimiter)
        except UnicodeEncodeError as error:
            raise SettingsError(f"{path} cannot hold half of a surrogate pair") from error
