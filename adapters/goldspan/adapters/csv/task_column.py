"""Task columns: whether columns that nobody asked for divide a table's rows into tasks.

A table without a column of tasks is one task, and all its rows are on one timeline. Where another
column tells the recordings apart, that would be a wrong figure, so it is looked for here.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.naming import listed
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.engine.model import Position

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions

Extent: TypeAlias = tuple[Position, Position]
"""A start and an end."""

Groups: TypeAlias = Mapping[str, Mapping[str, Sequence[Extent]]]
"""The spans of each annotator, by the value of a column, both in the order of the file."""

BY_FILE = "file"
"""What --task-from says where all rows of a file are one task."""

FEW = 0.1
"""The share of overlapping spans that a column may leave overlapping and still separate them."""


class OtherColumns:
    """The rows of what is read as one task, with their cells in the columns that are not read;
    `where` is the first file that has some.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self._rows: list[tuple[str, Position, Position]] = []
        self._cells: dict[str, list[str]] = {}

    def add(self, annotator: str, start: Position, end: Position, cells: Mapping[str, str]) -> None:
        """One row; a column that another file does not have is empty there."""
        before = len(self._rows)
        self._rows.append((annotator, min(start, end), max(start, end)))
        for name, cell in cells.items():
            column = self._cells.setdefault(name, [])
            column += [""] * (before - len(column))
            column.append(cell)

    @property
    def varying(self) -> tuple[str, ...]:
        """The columns with more than one value."""
        return tuple(name for name in self._cells if len(set(self._column(name))) > 1)

    @property
    def of_tasks(self) -> tuple[str, ...]:
        """The columns that look like the task of each row.

        Every row has a value, most values are shared by two annotators, the value is not the marked
        text, and positions begin again with the values: either each annotator's rows of a value
        stand together in the file while the stretches that they cover overlap, or most spans
        overlap another one of the same annotator and hardly any do within a value.
        """
        return tuple(name for name in self.varying if self._divides(self._column(name)))

    def _column(self, name: str) -> list[str]:
        found = self._cells[name]
        return found + [""] * (len(self._rows) - len(found))

    def _divides(self, column: Sequence[str]) -> bool:
        if "" in column or not self._is_shared(column) or self._is_text(column):
            return False
        groups: dict[str, dict[str, list[Extent]]] = defaultdict(lambda: defaultdict(list))
        for (annotator, start, end), value in zip(self._rows, column, strict=True):
            groups[annotator][value].append((start, end))
        return (self._in_blocks(column) and _stretches_overlap(groups)) or _separates(groups)

    def _is_shared(self, column: Sequence[str]) -> bool:
        people: dict[str, set[str]] = defaultdict(set)
        for (annotator, _, _), value in zip(self._rows, column, strict=True):
            people[value].add(annotator)
        if len(set(chain.from_iterable(people.values()))) == 1:
            return True
        return 2 * sum(len(names) > 1 for names in people.values()) >= len(people)

    def _is_text(self, column: Sequence[str]) -> bool:
        rows = zip(self._rows, column, strict=True)
        return 2 * sum(len(value) == end - start for (_, start, end), value in rows) > len(column)

    def _in_blocks(self, column: Sequence[str]) -> bool:
        """Whether no annotator comes back to a value after another one."""
        last: dict[str, str] = {}
        seen: set[tuple[str, str]] = set()
        for (annotator, _, _), value in zip(self._rows, column, strict=True):
            if last.get(annotator) != value and (annotator, value) in seen:
                return False
            last[annotator] = value
            seen.add((annotator, value))
        return True


def judge(others: Iterable[OtherColumns], paths: Paths, options: ReadOptions) -> Iterator[Note]:
    """Notes on columns that are not read; an error where rows seem to be of several tasks."""
    for pooled in others:
        varying = pooled.varying
        if names := pooled.of_tasks:
            raise InputError(
                _question(names, varying, paths, options),
                where=pooled.where,
                choices={_task_option(options): (*names, _whole(varying))},
            )
        if varying:
            option = _task_option(options)
            yield Note.of(FormatFact.COLUMNS_UNREAD, columns=listed(varying), option=option)


def _question(
    names: Sequence[str], columns: Sequence[str], paths: Paths, options: ReadOptions
) -> str:
    """What to say of columns that look like tasks, with both answers."""
    option = _task_option(options)
    command = ["goldspan", "score", *map(str, paths)]
    if options.adjudicated:
        command = ["goldspan", "gold", "…", "--adjudicated", str(paths[0])]
    for said, value in (
        ("--annotator-from", None if options.adjudicated else options.annotator_from),
        ("--category-from", options.category_from),
        (option, names[0]),
    ):
        command += [said, value] if value else []
    return (
        f"there is no column of tasks, but {listed(names)} may be one; read as a single task, all "
        f"rows would share one timeline. If {names[0]} is the task, run: {shlex.join(command)}. "
        f"If all rows of a file are one task, add {option} {shlex.quote(_whole(columns))} instead"
    )


def _whole(columns: Sequence[str]) -> str:
    """What the option says if all rows of a file are one task. A column called file comes first; a
    pattern means the file in any case.
    """
    return BY_FILE if BY_FILE not in columns else "{task}.*"


def _task_option(options: ReadOptions) -> str:
    return "--adjudicated-task-from" if options.adjudicated else "--task-from"


def _stretches_overlap(groups: Groups) -> bool:
    stretches = [
        [(min(start for start, _ in spans), max(end for _, end in spans)) for spans in of.values()]
        for of in groups.values()
    ]
    return 2 * sum(map(_overlapping, stretches)) > sum(map(len, stretches))


def _separates(groups: Groups) -> bool:
    pooled = [[span for spans in of.values() for span in spans] for of in groups.values()]
    found = sum(map(_overlapping, pooled))
    left = sum(_overlapping(spans) for of in groups.values() for spans in of.values())
    return 2 * found > sum(map(len, pooled)) and left <= FEW * found


def _overlapping(extents: Iterable[Extent]) -> int:
    """How many of them overlap another one."""
    ordered = sorted(extents)
    found: set[int] = set()
    reach = -1
    for at, (start, end) in enumerate(ordered):
        if reach >= 0 and start < ordered[reach][1]:
            found |= {reach, at}
        if reach < 0 or end > ordered[reach][1]:
            reach = at
    return len(found)
