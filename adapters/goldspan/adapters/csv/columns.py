"""Columns: what a table's first row says, and what is wanted from it."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.csv.cell_labels import COLUMNS as LABEL_COLUMNS
from goldspan.adapters.csv.options import END_FROM, START_FROM, TASK_FROM
from goldspan.adapters.csv.task_column import BY_FILE
from goldspan.adapters.csv.workbook import SUFFIX, is_workbook
from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.text_file import head
from goldspan.adapters.kit.assignments import COLUMNS
from goldspan.adapters.kit.naming import Naming, task_in_name
from goldspan.adapters.kit.rules.file_layout import PlacedFile, better_patterns
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.adapters.options import ReadOptions

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
LESS_USUAL = {"tag": "category", "start_point": "start", "end_point": "end"}
"""As CATMA's tables have them; read where no other column means the same."""

WHOLE = {"task", "annotator", "category"}
"""The columns of a table of labels of whole tasks, which have no positions."""

MISSING = {
    "start": "--from csv --start-from names the column of starts",
    "end": "--end-from names the column of ends",
    "category": "--category-from names the column of categories",
    "annotator": "--annotator-from names the column of annotators, or says file, dir or a pattern "
    "such as '{task}_{annotator}.csv' where file names say it",
}
"""What to do where a column is not found."""

HINTS = {
    "start": ("start", "begin", "from", "onset"),
    "end": ("end", "stop", "until", "offset", "to"),
    "category": ("label", "categor", "tag", "class", "type", "entity", "code"),
    "annotator": ("annotat", "rater", "coder", "worker", "user", "judge"),
    "task": ("task", "doc", "file", "item", "text_id", "id"),
}
"""What the names of columns contain that may be the one that is missing."""

SUFFIXES = (".csv", ".tsv", SUFFIX)
DELIMITERS = (",", ";", "\t")


def check_header(path: Path) -> None:
    """Refuse a table that has no column for something, as reading it would."""
    if path.suffix.lower() == SUFFIX:
        return
    text = head(path)
    read_header(_first_row(text.lstrip("\r\n"), find_delimiter(text)), Source(), f"{path}:1")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a row's annotator, category, task and positions come from; no category where each
    label has a column.
    """

    annotator: str | Naming = "annotator"
    category: str = "category"
    task: str = ""
    start: str = "start"
    end: str = "end"

    @classmethod
    def of(cls, options: ReadOptions) -> Source:
        given = options.annotator_from or "annotator"
        by_name = given in ("dir", "file") or "{" in given
        category = options.category_from or "category"
        return cls(
            Naming(given) if by_name else given,
            "" if category.startswith(LABEL_COLUMNS) else category,
            TASK_FROM.of(options) or "",
            START_FROM.of(options) or "start",
            END_FROM.of(options) or "end",
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


def table_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return [f for f in files_below(path, SUFFIXES) if not tells_assignments(f)]


def tells_assignments(path: Path) -> bool:
    """Whether a table is one of who saw what, such as we write beside spans."""
    if not path.name.endswith("assignments.csv"):
        return False
    return [cell.strip().casefold() for cell in _first_row(head(path), ",")] == list(COLUMNS)


def is_table(path: Path) -> bool:
    if path.suffix.lower() == SUFFIX:
        return is_workbook(path)
    text = head(path).lstrip("\r\n")
    return any(_is_ours(_first_row(text, delimiter)) for delimiter in DELIMITERS)


def _is_ours(cells: Sequence[str]) -> bool:
    columns = _known([cell.strip() for cell in cells], ()).keys()
    return _is_data(cells) or {"start", "end"} <= columns or columns >= WHOLE


def _is_data(cells: Sequence[str]) -> bool:
    return len(cells) == len(PLAIN) and all(is_number(cell) for cell in cells[2:])


def _first_row(text: str, delimiter: str) -> list[str]:
    lines = io.StringIO(text, newline="")
    try:
        return next(csv.reader(lines, delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []


def find_delimiter(text: str) -> str:
    """The first separator that gives a row we know; else the one that gives most cells."""
    rows = {one: _first_row(text.lstrip("\r\n"), one) for one in DELIMITERS}
    for delimiter, cells in rows.items():
        if _is_ours(cells):
            return delimiter
    return max(rows, key=lambda one: len(rows[one]))


def read_header(
    cells: Sequence[str], source: Source, where: str, files: Sequence[Path] = ()
) -> Mapping[str, int] | None:
    """Column name to index; None when the first row is data already. `files` are all that are read:
    where no column says who annotated, their names may.
    """
    names = [cell.strip() for cell in cells]
    wanted = {"category": source.category} if source.category else {}
    if isinstance(source.annotator, str):
        wanted["annotator"] = source.annotator
    asked = {**wanted, "start": source.start, "end": source.end}
    if source.task and "{" not in source.task and (source.task != BY_FILE or BY_FILE in names):
        asked["task"] = source.task
    if _is_data(cells):
        for role, name in asked.items():
            if name != role:
                raise InputError(
                    f"there is no column '{name}': the table has no header", where=where
                )
        return None
    columns = _known(names, {name for role, name in asked.items() if name != role})
    if source.task == BY_FILE:
        columns.pop("task", None)
    for role, name in asked.items():
        if name in names:
            columns[role] = names.index(name)
        elif name != role or role == "task":
            raise InputError(
                f"there is no column '{name}'; there are {', '.join(names)}", where=where
            )
    needed = [*_places(columns), *wanted]
    missing = [name for name in needed if name not in columns]
    if missing:
        raise InputError(
            f"the first line '{','.join(cells)[:80]}' is neither a row "
            f"annotator,category,start,end nor a header with {', '.join(missing)}; "
            + "; ".join(dict.fromkeys(MISSING[name] for name in missing)),
            where=where,
            remedy=guessed_columns(names, missing, files),
            choices=_choices(names, missing),
        )
    read = (*needed, "task", "length", "layer")
    return {name: columns[name] for name in read if name in columns}


def _choices(names: Sequence[str], missing: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The columns that options may name. Without positions the format has to be named too, because
    a table of any kind has columns.
    """
    known = tuple(filter(None, names))
    found = {f"--{role}-from": known for role in missing} | {"--task-from": ("", *known)}
    return {"--from": ("csv",), **found} if {"start", "end"} & {*missing} else found


def guessed_columns(
    names: Sequence[str], missing: Sequence[str], files: Sequence[Path] = ()
) -> tuple[str, ...]:
    """Options that name the missing columns, each by the first whose name sounds like it, and the
    annotators by the names of files if only these have them; none if one remains without a guess.
    """
    wanted = [*missing] if "task" in map(_column, names) else [*missing, "task"]
    free = [name for name in names if _column(name) not in PLAIN]
    words, pattern = ["--from", "csv"], ""
    for role in wanted:
        if role == "task" and pattern:
            # The names of files have the task too.
            continue
        sounds = (name for hint in HINTS[role] for name in free if hint in name.casefold())
        found = next(sounds, None)
        if found is not None:
            free.remove(found)
            words += [f"--{role}-from", found]
        elif role == "annotator" and (pattern := _pattern(files)):
            words += ["--annotator-from", pattern]
        elif role != "task":
            return ()
    return tuple(words)


def _pattern(files: Sequence[Path]) -> str:
    """How the names of files say whose they are; "" if they do not."""
    placed = [PlacedFile(file, file.name, file.name) for file in files]
    return next((pattern for pattern, _ in better_patterns(placed)), "")


def _known(names: Sequence[str], named: Collection[str]) -> dict[str, int]:
    """Columns by what their names mean, without those that options name."""
    columns: dict[str, int] = {}
    for index, name in enumerate(names):
        if name not in named:
            columns.setdefault(_column(name), index)
    for name, meaning in LESS_USUAL.items():
        if name in columns and meaning not in columns:
            columns[meaning] = columns.pop(name)
    return columns


def _places(columns: Mapping[str, int]) -> Sequence[str]:
    """The columns of positions that must be there; none in a table of labels of whole tasks."""
    places = ("start", "end")
    return () if "task" in columns and not columns.keys() & set(places) else places


def _column(cell: str) -> str:
    name = cell.strip().casefold()
    return ALIASES.get(name, name)


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell
