"""Label tables: old category to new category, from a file a person writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from goldspan.adapters.files.table import read_rows
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.record import load_json
from goldspan.engine.errors import InputError


def read_labels(path: Path) -> Mapping[str, str]:
    """The table in a csv file of rows old,new, or in a JSON object."""
    text = read_text(path)
    pairs = _from_json(text, path) if _is_json(text) else _from_csv(text, path)
    table: dict[str, str] = {}
    for old, new, where in pairs:
        if not old or not new:
            raise InputError("a label is empty; write old,new", where=where)
        if table.setdefault(old, new) != new:
            raise InputError(f"'{old}' is renamed twice; keep one", where=where)
    return table


def _is_json(text: str) -> bool:
    """Whether it is meant as JSON; a row of csv may begin with a bracket too."""
    try:
        json.loads(text)
    except ValueError:
        return text.lstrip().startswith("{")
    except RecursionError:
        return True
    return True


def _from_json(text: str, path: Path) -> list[tuple[str, str, str]]:
    table = load_json(text, str(path))
    if not isinstance(table, dict):
        raise InputError('this is not a JSON object; write {"old": "new"}', where=str(path))
    if not all(isinstance(new, str) for new in table.values()):
        raise InputError("a label is renamed to something that is not text", where=str(path))
    return [(old, new, str(path)) for old, new in table.items()]


def _from_csv(text: str, path: Path) -> list[tuple[str, str, str]]:
    pairs: list[tuple[str, str, str]] = []
    for line, row in read_rows(text, str(path)):
        where = f"{path}:{line}"
        if len(row) != 2:
            raise InputError(f"there are {len(row)} columns; write old,new", where=where)
        if pairs or row != ["old", "new"]:
            pairs.append((row[0], row[1], where))
    return pairs
