"""Rows: a result as plain tables, from which pandas, polars or a spreadsheet make their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.disagreement import KINDS, Disagreements

if TYPE_CHECKING:
    from goldspan.engine.result import Figured, Result

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]


def tables(result: Result) -> dict[str, list[Row]]:
    """The tables `tasks`, `pairs`, `labels` and `annotators`, a list of rows each.

    All rows of a table have the same columns. A figure is a column named after its coefficient, and
    three more with its interval (`_low`, `_high`) and what it rests on (`_n`); None where there is
    no value. `n_missed` and the like count disagreements.
    """
    whole = [key for key, label in result.figures if not label]
    by_label = list(dict.fromkeys(key for key, label in result.figures if label))
    return {
        "tasks": list(_tasks(result, whole)),
        "pairs": list(_pairs(result, whole)),
        "labels": list(_labels(result, by_label)),
        "annotators": list(_annotators(result, whole)),
    }


def _tasks(result: Result, keys: Iterable[str]) -> Iterator[Row]:
    for one in result.tasks.values():
        yield {
            "task": one.id,
            "annotators": len(one.annotators),
            "units": one.n_units,
            **_figures(one, keys),
            "observed_disorder": one.alignment.disorder,
            "expected_disorder": one.expected_disorder,
            "optimal": one.alignment.optimal,
            **_cases(one.disagreements),
            "reason": one.gamma.remark,
        }


def _pairs(result: Result, keys: Iterable[str]) -> Iterator[Row]:
    for one in result.pairs:
        yield {
            "annotator": one.annotators[0],
            "other": one.annotators[1],
            "tasks": one.n_tasks,
            "units": one.n_units,
            **_figures(one, keys),
            **_cases(one.disagreements),
            "reason": one.gamma.remark,
        }


def _labels(result: Result, keys: Iterable[str]) -> Iterator[Row]:
    for label in dict.fromkeys(label for _, label in result.figures if label):
        row: Row = {"label": label}
        for key in keys:
            row |= _columns(key, result.figures.get((key, label)))
        row |= _cases(result.disagreements_by_label.get(label, {}))
        yield row | {"reason": next((f.remark for f in _of(result, label) if f.reason), None)}


def _annotators(result: Result, keys: Iterable[str]) -> Iterator[Row]:
    """The figures are those of the other annotators, without this one."""
    for one in result.annotators:
        yield {
            "annotator": one.name,
            "tasks": one.n_tasks,
            "units": one.n_units,
            **_figures(one, keys, "_without"),
            "reason": one.gamma_without.remark,
        }


def _of(result: Result, label: str) -> Iterator[Figure]:
    return (figure for (_, of), figure in result.figures.items() if of == label)


def _figures(one: Figured, keys: Iterable[str], suffix: str = "") -> Row:
    row: Row = {}
    for key in keys:
        row |= _columns(f"{key}{suffix}", one.figures.get((key, "")))
    return row


def _columns(name: str, figure: Figure | None) -> Row:
    ends: Mapping[str, Cell] = {"": None, "_low": None, "_high": None, "_n": None}
    if figure is not None:
        ends = {"": figure.value, "_low": figure.low, "_high": figure.high, "_n": figure.n}
    return {f"{name}{end}": cell for end, cell in ends.items()}


def _cases(parts: Disagreements) -> Row:
    return {f"n_{kind}": parts[kind].count if kind in parts else 0 for kind in KINDS}
