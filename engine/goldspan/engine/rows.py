"""Rows: a result as plain tables, for csv files, pandas, polars or a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from goldspan.engine.disagreement import DISAGREEMENT_KINDS, Disagreements

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.reference.against import Against, AgainstResult
    from goldspan.engine.result import AnnotatorResult, Figured, PairResult, Result, TaskResult

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]

One = TypeVar("One")
Column: TypeAlias = tuple[str, Callable[[One], Cell]]
"""A column's name, and how its cell is found in what a row is about."""

FIGURE: tuple[Column[Figure], ...] = (
    ("", lambda figure: figure.value),
    ("_low", lambda figure: figure.low),
    ("_high", lambda figure: figure.high),
    ("_n", lambda figure: figure.n),
)
"""The columns of a figure; the names follow that of its coefficient."""


@dataclass(frozen=True, slots=True)
class Table:
    """The names of the columns, which are there without rows too, and the rows."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]


def tables(result: Result) -> dict[str, Table]:
    """The tables `tasks`, `pairs`, `labels` and `annotators`; with a reference also `against` and
    `against_labels`.

    A figure is a column named after its coefficient, and three more with its interval (`_low`,
    `_high`) and what it rests on (`_n`); None where there is no value. `n_missed` and the like
    count disagreements.
    """
    whole = [key for key, label in result.figures if not label]
    labels = dict.fromkeys(label for _, label in result.figures if label)
    found = {
        "tasks": _table(_tasks(whole), result.tasks.values()),
        "pairs": _table(_pairs(whole), result.pairs),
        "labels": _table(_labels(result), labels),
        "annotators": _table(_annotators(whole), result.annotators),
    }
    return found if result.against is None else found | _against(result.against)


def _against(against: Against) -> dict[str, Table]:
    """Each annotator against the reference, and each label of each of them."""
    figures = {key: None for one in against.annotators for key in one.figures}
    pairs = [(one, label) for one in against.annotators for label in against.labels]

    def of_label(key: str) -> Callable[[tuple[AgainstResult, str]], Figure | None]:
        return lambda pair: pair[0].figures.get((key, pair[1]))

    by_label = dict.fromkeys(key for key, label in figures if label)
    columns: list[Column[AgainstResult]] = [
        ("annotator", lambda one: one.name),
        ("reference", lambda _: against.reference),
        ("tasks", lambda one: one.n_tasks),
        ("units", lambda one: one.n_units),
        ("reference_units", lambda one: one.n_reference_units),
        *_figures(key for key, label in figures if not label),
        ("reason", lambda one: one.gamma.remark),
    ]
    label_columns: list[Column[tuple[AgainstResult, str]]] = [
        ("annotator", lambda pair: pair[0].name),
        ("label", lambda pair: pair[1]),
        *(column for key in by_label for column in _figure(key, of_label(key))),
    ]
    return {
        "against": _table(columns, against.annotators),
        "against_labels": _table(label_columns, pairs),
    }


def _table(columns: Sequence[Column[One]], items: Iterable[One]) -> Table:
    names = tuple(name for name, _ in columns)
    return Table(names, tuple({name: cell(one) for name, cell in columns} for one in items))


def _tasks(keys: Iterable[str]) -> list[Column[TaskResult]]:
    return [
        ("task", lambda one: one.id),
        ("annotators", lambda one: len(one.annotators)),
        ("units", lambda one: one.n_units),
        *_figures(keys),
        ("observed_disorder", lambda one: one.observed_disorder),
        ("expected_disorder", lambda one: one.expected_disorder),
        ("optimal", lambda one: one.optimal),
        *_cases(_parts),
        ("reason", lambda one: one.gamma.remark),
    ]


def _pairs(keys: Iterable[str]) -> list[Column[PairResult]]:
    return [
        ("annotator", lambda one: one.annotators[0]),
        ("other", lambda one: one.annotators[1]),
        ("tasks", lambda one: one.n_tasks),
        ("units", lambda one: one.n_units),
        *_figures(keys),
        *_cases(_parts),
        ("reason", lambda one: one.gamma.remark),
    ]


def _labels(result: Result) -> list[Column[str]]:
    keys = dict.fromkeys(key for key, label in result.figures if label)

    def figure(key: str) -> Callable[[str], Figure | None]:
        return lambda label: result.figures.get((key, label))

    def parts(label: str) -> Disagreements:
        return result.disagreements_by_label.get(label, {})

    return [
        ("label", lambda label: label),
        *(column for key in keys for column in _figure(key, figure(key))),
        *_cases(parts),
        ("reason", lambda label: _first_reason(result, label)),
    ]


def _annotators(keys: Iterable[str]) -> list[Column[AnnotatorResult]]:
    """The figures are those of the other annotators, without this one."""
    return [
        ("annotator", lambda one: one.name),
        ("tasks", lambda one: one.n_tasks),
        ("units", lambda one: one.n_units),
        *_figures(keys, "_without"),
        ("reason", lambda one: one.gamma_without.remark),
    ]


def _parts(one: TaskResult | PairResult) -> Disagreements:
    return one.disagreements


def _first_reason(result: Result, label: str) -> str | None:
    found = (figure for (_, of), figure in result.figures.items() if of == label)
    return next((figure.remark for figure in found if figure.reason), None)


def _figures(keys: Iterable[str], suffix: str = "") -> Iterator[Column[Figured]]:
    def figure(key: str) -> Callable[[Figured], Figure | None]:
        return lambda one: one.figures.get((key, ""))

    for key in keys:
        yield from _figure(f"{key}{suffix}", figure(key))


def _figure(name: str, of: Callable[[One], Figure | None]) -> Iterator[Column[One]]:
    def found(cell: Callable[[Figure], Cell]) -> Callable[[One], Cell]:
        return lambda one: None if (figure := of(one)) is None else cell(figure)

    for end, cell in FIGURE:
        yield f"{name}{end}", found(cell)


def _cases(of: Callable[[One], Disagreements]) -> Iterator[Column[One]]:
    def found(kind: str) -> Callable[[One], Cell]:
        return lambda one: 0 if (part := of(one).get(kind)) is None else part.count

    for kind in DISAGREEMENT_KINDS:
        yield f"n_{kind}", found(kind)
