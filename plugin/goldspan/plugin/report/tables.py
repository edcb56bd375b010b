"""Tables: a result as csv files for spreadsheets and scripts, all tasks included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.table import write_rows
from goldspan.engine.errors import SettingsError
from goldspan.engine.result import OWN_NAMES, Result
from goldspan.engine.rows import FIGURE, Table, tables
from goldspan.plugin.report.counts import SIDES, Counts, count

Row = Sequence[object]


def write_tables(folder: Path, result: Result) -> tuple[Path, ...]:
    """Write tasks.csv, pairs.csv, labels.csv, annotators.csv and confusion.csv into a folder."""
    if folder.is_file():
        raise SettingsError(f"{folder} is a file; name a folder for the tables")
    counts, found = count(result), tables(result)
    files = {
        "tasks": chain(_lines(found["tasks"]), _left_out(result, found["tasks"])),
        "pairs": _lines(found["pairs"]),
        "labels": _lines(found["labels"]),
        "annotators": _lines(_with_sides(found["annotators"], counts)),
        "confusion": _confusion(counts),
    }
    files |= {name: _lines(found[name]) for name in ("against", "against_labels") if name in found}
    if any(one.key not in OWN_NAMES for one in result.coefficients):
        files["coefficients"] = _coefficients(result)
    if result.layers:
        files["layers"] = _layers(result)
    paths = {folder / f"{name}.csv": rows for name, rows in files.items()}
    # All are complete before the first appears: tables of two runs do not fit together.
    with ExitStack() as parts:
        for path, rows in paths.items():
            _write(parts.enter_context(new_file(path)), rows)
    return tuple(paths)


def _write(part: Path, rows: Iterable[Row]) -> None:
    with part.open("w", encoding="utf-8", newline="", errors="backslashreplace") as file:
        write_rows(file, rows)


def _lines(table: Table) -> Iterator[Row]:
    yield table.names
    for row in table.rows:
        yield tuple(row.values())


def _left_out(result: Result, table: Table) -> Iterator[Row]:
    nothing = [None] * (len(table.names) - 2)
    for one in result.excluded:
        if one.task not in result.tasks:
            yield (one.task, *nothing, f"left out: {one.reason}")


def _with_sides(table: Table, counts: Counts) -> Table:
    """The annotators with what their disagreements are, after γ, where it was in 0.1."""
    at = table.names.index("gamma_without_n") + 1
    sides = tuple(f"n_{side}" for side in SIDES)
    names = (*table.names[:at], *sides, *table.names[at:])
    rows = []
    for row in table.rows:
        cases = counts.cases.get(str(row["annotator"]), {})
        whole = row | {f"n_{side}": cases.get(side, 0) for side in SIDES}
        rows.append({name: whole[name] for name in names})
    return Table(names, tuple(rows))


def _coefficients(result: Result) -> Iterator[Row]:
    """Every figure of every coefficient, of the corpus and of each task, a row each."""
    yield ("coefficient", "label", "task", "value", "low", "high", "n", "reason", "coverage")
    for task, figures in (
        ("", result.figures), *((t.id, t.figures) for t in result.tasks.values())
    ):  # fmt: skip
        for (key, label), figure in figures.items():
            cells = (cell(figure) for _, cell in FIGURE)
            yield (key, label, task, *cells, figure.remark, figure.coverage)


def _layers(result: Result) -> Iterator[Row]:
    """Labels of whole tasks: every figure of every layer, and the agreement on each task."""
    yield (
        "layer",
        "coefficient",
        "label",
        "task",
        "value",
        "low",
        "high",
        "n",
        "reason",
        "coverage",
    )
    for name, layer in result.layers.items():
        for (key, label), figure in layer.figures.items():
            cells = (cell(figure) for _, cell in FIGURE)
            yield (name, key, label, "", *cells, figure.remark, figure.coverage)
        for task, share in layer.agreement.items():
            yield (name, "observed_agreement", "", task, share, None, None, None, None, None)


def _confusion(counts: Counts) -> Iterator[Row]:
    """An empty second label stands for a unit that another annotator did not mark."""
    pairs = ((*labels, number) for labels, number in sorted(counts.pairs.items()))
    lone = ((label, "", number) for label, number in sorted(counts.unmatched.items()) if number)
    yield from chain([("label", "other", "pairs")], pairs, lone)
