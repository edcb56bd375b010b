"""csv: rows annotator,category,start,end, and with a header also task, in any order.

Rows are all there is: who saw a task and marked nothing is told by an assignments file.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.assignments import COLUMNS
from goldspan.adapters.atomic import new_file
from goldspan.adapters.draft import Draft
from goldspan.adapters.naming import Naming
from goldspan.adapters.text_file import head, read_text
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold import Gold
from goldspan.engine.model import Corpus, Measure, Note, Position, Presence

PLAIN = ("annotator", "category", "start", "end")
ALIASES = {
    "begin": "start",
    "onset": "start",
    "offset": "end",
    "stop": "end",
    "label": "category",
    "type": "category",
    "document": "task",
    "coder": "annotator",
    "rater": "annotator",
}
SUFFIXES = (".csv", ".tsv", ".txt")
DELIMITERS = (",", ";", "\t")


class CsvAdapter(Adapter):
    """Plain tables of spans."""

    name = "csv"
    summary = "annotator,category,start,end; with a header also task; comma, semicolon or TAB"
    annotators = "a column; or file and folder names (--annotator-from dir, file or a pattern)"
    presence = "rows only; --assignments or --empty says who saw a task and marked nothing"

    def sniff(self, path: Path) -> bool:
        """A file, or a folder of files, that begins with a known header or four good cells."""
        files = _files(path)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every row a unit; a file without a task column is one task, called after the file."""
        draft = Draft(options, measure=Measure.STEP, open_tasks=True)
        source = _Source.of(options)
        for given in paths:
            files = _files(given)
            if not files:
                raise InputError("there is no .csv or .tsv file in this folder", where=str(given))
            for file in files:
                _read_file(file, source, draft)
        if len(draft.tasks) > 1:
            draft.unknown_elsewhere()
        return draft.corpus()

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """One table with a header, and `NAME.assignments.csv` when rows cannot tell it all."""
        corpus = value.corpus if isinstance(value, Gold) else value
        rows = _gold_rows(value, options.annotator) if isinstance(value, Gold) else _rows(value)
        header: tuple[str, ...] = ("task", *PLAIN)
        if isinstance(value, Gold):
            header = (*header, "confidence", "votes", "seen")
        delimiter = "\t" if path.suffix == ".tsv" else ","
        _write_table(path, header, rows, delimiter)
        notes = []
        if not isinstance(value, Gold) and _needs_assignments(corpus):
            beside = path.with_name(f"{path.stem}.assignments.csv")
            _write_table(beside, COLUMNS, _assignments(corpus), ",")
            notes.append(
                Note(f"who saw what was written to {beside}; give it to --assignments when reading")
            )
        if any(c.text is not None or c.media is not None for c in corpus.continua):
            notes.append(Note("csv holds no texts and no references to media"))
        return notes


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a row's annotator and category come from."""

    annotator: str | Naming
    category: str

    @classmethod
    def of(cls, options: ReadOptions) -> _Source:
        given = options.annotator_from or "annotator"
        by_name = given in ("dir", "file") or "{" in given
        return cls(Naming(given) if by_name else given, options.category_from or "category")


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        found = (f for f in sorted(path.rglob("*")) if f.suffix.lower() in SUFFIXES[:2])
        return [f for f in found if f.is_file() and not f.name.endswith(".assignments.csv")]
    return [path] if path.is_file() else []


def _looks_right(path: Path) -> bool:
    if path.suffix.lower() not in SUFFIXES:
        return False
    lines = head(path).splitlines()
    if not lines:
        return False
    for delimiter in DELIMITERS:
        try:
            cells = next(csv.reader([lines[0]], delimiter=delimiter), [])
        except csv.Error:
            continue
        names = {_column(cell) for cell in cells}
        if {"start", "end"} <= names:
            return True
        if len(cells) == len(PLAIN) and all(_is_number(cell) for cell in cells[2:]):
            return True
    return False


def _read_file(path: Path, source: _Source, draft: Draft) -> None:
    rows = _parse(path)
    line, first = next(rows, (1, []))
    if not first:
        raise InputError(
            "the file is empty; it should hold annotator,category,start,end", where=f"{path}:1"
        )
    columns = _header(first, source, f"{path}:{line}")
    by_name, task_name = None, None
    if isinstance(source.annotator, Naming):
        by_name, task_name = source.annotator.read(path)
    if columns is None:
        columns = {name: index for index, name in enumerate(PLAIN)}
        rows = _chain((line, first), rows)
    for number, cells in rows:
        where = f"{path}:{number}"
        if len(cells) <= max(columns.values()) or (len(cells) > len(first)):
            raise InputError(
                f"there are {len(cells)} columns where {len(first)} are expected; "
                "quote cells that hold the separator",
                where=where,
            )
        task = cells[columns["task"]] if "task" in columns else (task_name or path.stem)
        if not task:
            raise InputError("the task is empty; name it", where=where)
        draft.task(task).span(
            by_name or cells[columns["annotator"]],
            _number(cells[columns["start"]], where),
            _number(cells[columns["end"]], where),
            cells[columns["category"]],
            where,
        )
    if by_name and task_name and task_name not in draft.tasks:
        draft.task(task_name)
    if by_name and task_name and by_name not in {s.annotator for s in draft.task(task_name).spans}:
        # A file of its own, with a header and no row: the annotator was there.
        draft.task(task_name).saw(by_name, Presence.EMPTY)


def _chain(
    first: tuple[int, list[str]], rest: Iterator[tuple[int, list[str]]]
) -> Iterator[tuple[int, list[str]]]:
    yield first
    yield from rest


def _parse(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of every row that is not blank."""
    text = read_text(path)
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
    begun = 1
    try:
        for row in rows:
            if any(row):
                yield begun, row
            begun = rows.line_num + 1
    except csv.Error as error:
        raise InputError(f"the quoting is broken: {error}", where=f"{path}:{begun}") from error


def _column(cell: str) -> str:
    name = cell.strip().casefold()
    return ALIASES.get(name, name)


def _header(cells: Sequence[str], source: _Source, where: str) -> Mapping[str, int] | None:
    """Column name to index; None when the first row is data already."""
    plain = isinstance(source.annotator, str)
    if len(cells) == len(PLAIN) and plain and all(_is_number(cell) for cell in cells[2:]):
        return None
    names = [cell.strip() for cell in cells]
    columns = {_column(name): index for index, name in enumerate(names)}
    wanted = {"category": source.category}
    if isinstance(source.annotator, str):
        wanted["annotator"] = source.annotator
    else:
        columns.pop("annotator", None)
    for role, name in wanted.items():
        if name in names:
            columns[role] = names.index(name)
        elif name != role:
            raise InputError(
                f"there is no column '{name}'; there are {', '.join(names)}", where=where
            )
    needed = ["start", "end", *wanted]
    missing = [name for name in needed if name not in columns]
    if missing:
        raise InputError(
            f"the first line '{','.join(cells)[:80]}' is neither a row "
            f"annotator,category,start,end nor a header with {', '.join(missing)}",
            where=where,
        )
    return {name: columns[name] for name in (*needed, "task") if name in columns}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(cell: str, where: str) -> Position:
    """An int where an int is written, else a float; finite in any case."""
    try:
        return int(cell)
    except ValueError:
        pass
    try:
        number = float(cell)
    except ValueError as error:
        raise InputError(f"'{cell}' is not a number; write a position", where=where) from error
    if not math.isfinite(number):
        raise InputError(f"'{cell}' is no position; write a finite number", where=where)
    return number


def _rows(corpus: Corpus) -> Iterator[Sequence[object]]:
    for continuum in corpus.continua:
        for unit in continuum.units:
            yield continuum.id, unit.annotator, unit.category, unit.start, unit.end


def _gold_rows(gold: Gold, name: str) -> Iterator[Sequence[object]]:
    for continuum in gold.corpus.continua:
        for span in gold.spans.get(continuum.id, ()):
            votes = " ".join(span.voters)
            yield (
                continuum.id, name, span.category, span.start, span.end,
                span.confidence, votes, span.seen,
            )  # fmt: skip


def _needs_assignments(corpus: Corpus) -> bool:
    return len(corpus.continua) > 1 or any(
        state is not Presence.DONE for c in corpus.continua for state in c.presence.values()
    )


def _assignments(corpus: Corpus) -> Iterator[Sequence[object]]:
    for continuum in corpus.continua:
        for name, state in continuum.presence.items():
            yield continuum.id, name, state.value


def _write_table(
    path: Path, header: Sequence[str], rows: Iterator[Sequence[object]], delimiter: str
) -> None:
    with new_file(path) as temporary:
        try:
            with temporary.open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
                writer.writerow(header)
                writer.writerows(rows)
        except UnicodeEncodeError as error:
            raise SettingsError(f"{path} cannot hold half a surrogate pair") from error
