"""Tables: a result as csv files for spreadsheets and scripts, all tasks included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.table import write_rows
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.disagreement import KINDS, Disagreements
from goldspan.engine.errors import SettingsError
from goldspan.engine.result import OWN_NAMES, Result
from goldspan.plugin.report.counts import SIDES, Counts, count

Row = Sequence[object]

CASES = tuple(f"n_{kind}" for kind in KINDS)
FIGURE = ("", "_low", "_high", "_n")
FIGURE_NAMES = ("value", "low", "high", "n")


def write_tables(folder: Path, result: Result) -> tuple[Path, ...]:
    """Write tasks.csv, pairs.csv, labels.csv, annotators.csv and confusion.csv into a folder."""
    if folder.is_file():
        raise SettingsError(f"{folder} is a file; name a folder for the tables")
    counts = count(result)
    tables = {
        "tasks": _tasks(result),
        "pairs": _pairs(result),
        "labels": _labels(result),
        "annotators": _annotators(result, counts),
        "confusion": _confusion(counts),
    }
    if any(one.key not in OWN_NAMES for one in result.coefficients):
        tables["coefficients"] = _coefficients(result)
    return tuple(_write(folder / f"{name}.csv", rows) for name, rows in tables.items())


def _write(path: Path, rows: Iterable[Row]) -> Path:
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="", errors="backslashreplace") as file,
    ):
        write_rows(file, rows)
    return path


def _tasks(result: Result) -> Iterator[Row]:
    yield ("task", "annotators", "units", *_heads("gamma"), *_heads("gamma_cat"),
           "observed_disorder", "expected_disorder", "optimal", *CASES, "reason")  # fmt: skip
    for t in result.tasks.values():
        yield (t.id, len(t.annotators), t.n_units, *_figure(t.gamma), *_figure(t.gamma_cat),
               t.alignment.disorder, t.expected_disorder, t.alignment.optimal,
               *_cases(t.disagreements), t.gamma.remark)  # fmt: skip
    for one in result.excluded:
        if one.task not in result.tasks:
            nothing = [None] * (2 + 2 * len(FIGURE) + 3 + len(KINDS))
            yield (one.task, *nothing, f"left out: {one.reason}")


def _pairs(result: Result) -> Iterator[Row]:
    yield ("annotator", "other", "tasks", "units", *_heads("gamma"), *_heads("gamma_cat"), *CASES)
    for p in result.pairs:
        yield (*p.annotators, p.n_tasks, p.n_units, *_figure(p.gamma), *_figure(p.gamma_cat),
               *_cases(p.disagreements))  # fmt: skip


def _labels(result: Result) -> Iterator[Row]:
    yield ("label", *_heads("gamma_k"), *CASES, "reason")
    for label, figure in result.gamma_k.items():
        parts = result.disagreements_by_label.get(label)
        cases = _cases(parts) if parts else (0,) * len(KINDS)
        yield (label, *_figure(figure), *cases, figure.remark)


def _coefficients(result: Result) -> Iterator[Row]:
    """Every figure of every coefficient, of the corpus and of each task, a row each."""
    yield ("coefficient", "label", "task", *FIGURE_NAMES, "reason")
    for task, figures in (
        ("", result.figures), *((t.id, t.figures) for t in result.tasks.values())
    ):  # fmt: skip
        for (key, label), figure in figures.items():
            yield (key, label, task, *_figure(figure), figure.remark)


def _annotators(result: Result, counts: Counts) -> Iterator[Row]:
    yield (
        "annotator",
        "tasks",
        "units",
        *_heads("gamma_without"),
        *(f"n_{side}" for side in SIDES),
    )
    for one in result.annotators:
        cases = (counts.cases.get(one.name, {}).get(side, 0) for side in SIDES)
        yield (one.name, one.n_tasks, one.n_units, *_figure(one.gamma_without), *cases)


def _confusion(counts: Counts) -> Iterator[Row]:
    """An empty second label stands for a unit that another annotator did not mark."""
    pairs = ((*labels, number) for labels, number in sorted(counts.pairs.items()))
    lone = ((label, "", number) for label, number in sorted(counts.unmatched.items()) if number)
    yield from chain([("label", "other", "pairs")], pairs, lone)


def _heads(name: str) -> Iterator[str]:
    return (f"{name}{suffix}" for suffix in FIGURE)


def _figure(figure: Figure) -> Row:
    return figure.value, figure.low, figure.high, figure.n


def _cases(parts: Disagreements) -> tuple[int, ...]:
    return tuple(parts[kind].count for kind in KINDS)
