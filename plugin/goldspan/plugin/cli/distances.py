"""Distances between categories, read from a file that a user wrote.

A csv is a square matrix with the categories as header, and again as first column if wished. JSON is
one of {"ordinal": ["low", "mid", "high"]}, {"interval": {"low": 1, "high": 5}},
{"categories": ["a", "b"], "matrix": [[0, 0.5], [0.5, 0]]}, {"sets": "masi", "separator": "|"} or
{"tree": {"A": ["A1", "A2"]}, "formula": "geertzen-bunt", "a": 0.75, "b": 1}.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from goldspan.adapters.files.table import plain_cell
from goldspan.adapters.kit.record import load_json
from goldspan.engine.dissimilarity import Distances, Interval, Ordinal, Table
from goldspan.engine.errors import GoldspanError, InputError
from goldspan.engine.hierarchy import FORMULAS, WEIGHTED, Hierarchy
from goldspan.engine.set_distances import SEPARATOR, Sets


def read_distances(path: Path) -> Distances:
    """The distances a file holds; what cannot be understood is an InputError with its place."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8 text; save it as UTF-8", where=str(path)) from error
    if text.lstrip().startswith(("{", "[")):
        return _placed(_from_json, load_json(text, str(path)), path)
    return _placed(_from_csv, text, path)


def _placed(make: Callable[[Any], Distances], value: Any, path: Path) -> Distances:
    """The distances that a value stands for; an error names the file."""
    try:
        return make(value)
    except GoldspanError as error:
        raise InputError(str(error), where=str(path)) from error


def _from_json(value: Any) -> Distances:
    if isinstance(value, dict):
        if isinstance(value.get("ordinal"), list):
            return Ordinal(tuple(str(category) for category in value["ordinal"]))
        if isinstance(value.get("interval"), dict):
            return Interval(
                tuple((category, _number(n, category)) for category, n in value["interval"].items())
            )
        if isinstance(value.get("categories"), list) and isinstance(value.get("matrix"), list):
            return _table([str(c) for c in value["categories"]], value["matrix"])
        if isinstance(value.get("sets"), str):
            return Sets(value["sets"], str(value.get("separator", SEPARATOR)))
        if isinstance(value.get("tree"), dict | list):
            return _tree(value)
    raise InputError(
        'the JSON must have "ordinal" (a list), "interval" (an object of numbers), '
        '"categories" and "matrix" (two lists), "sets" (the name of a distance), or "tree" '
        "(an object or a list)"
    )


def _tree(value: dict[str, Any]) -> Hierarchy:
    formula = str(value.get("formula", FORMULAS[0]))
    odd = [name for name in ("a", "b") if name in value]
    if odd and formula != WEIGHTED:
        raise InputError(f"'{odd[0]}' is for the formula {WEIGHTED}; leave it out, or choose that")
    weights = {name: _number(value[name], name) for name in odd}
    return Hierarchy.of(value["tree"], formula, **weights)


def _from_csv(text: str) -> Distances:
    rows = [row for row in csv.reader(text.splitlines()) if any(cell.strip() for cell in row)]
    if not rows:
        raise InputError("the file is empty; write the categories in the first line")
    header = [plain_cell(cell.strip()) for cell in rows[0]]
    body = rows[1:]
    if header and header[0] == "":  # the categories are repeated in the first column
        header = header[1:]
        named = [plain_cell(row[0].strip()) for row in body]
        if named != header:
            raise InputError("the first column does not repeat the header's categories in order")
        body = [row[1:] for row in body]
    return _table(header, body)


def _table(categories: list[str], rows: list[Any]) -> Table:
    numbers = []
    for category, row in zip(categories, rows, strict=False):
        if not isinstance(row, list):
            raise InputError(f"the row of '{category}' is not a list of numbers")
        numbers.append(tuple(_number(cell, category) for cell in row))
    numbers.extend(() for _ in rows[len(categories) :])
    return Table(tuple(categories), tuple(numbers))


def _number(cell: Any, category: str) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError) as error:
        raise InputError(f"'{cell}', given for '{category}', is not a number") from error
