"""Items: the texts of a Potato project, from its data file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.files.table import read_rows
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.record import Record, read_records
from goldspan.adapters.potato.options import ITEM_KEYS, ITEMS
from goldspan.engine.errors import InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.adapters.options import ReadOptions

TABLES = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Items:
    """What is known of the items, by id."""

    text_key: str = ""
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def text(self, item: str, target: str) -> str | None:
        """The text of an item, or of one of its fields; None if it is not known."""
        found = self.values.get(item, {}).get(target or self.text_key)
        return found if isinstance(found, str) else None


def read_items(options: ReadOptions) -> Items:
    """The items of the data file that the options name; none without one."""
    path = ITEMS.of(options)
    keys = [key.strip() for key in ITEM_KEYS.of(options).split(",")]
    if len(keys) != 2 or not all(keys):
        raise SettingsError("--item-keys names two keys, such as id,text")
    if path is None:
        return Items()
    if not path.is_file():
        raise InputError("there is no such file; --items names Potato's data file", where=str(path))
    id_key, text_key = keys
    found: dict[str, Mapping[str, Any]] = {}
    for record in _records(path):
        for key in keys:
            if key not in record.values:
                known = ", ".join(record.values)
                raise record.error(
                    f"there is no '{key}'; there are {known}; --item-keys ID,TEXT names others"
                )
        name = str(record.values[id_key])
        if name in found:
            raise record.error(f"the item '{name}' is there twice; keep one")
        found[name] = record.values
    return Items(text_key, found)


def _records(path: Path) -> Iterator[Record]:
    delimiter = TABLES.get(path.suffix.lower())
    if delimiter is None:
        yield from read_records(path)
        return
    rows = read_rows(read_text(path), str(path), delimiter=delimiter)
    _, header = next(rows, (1, []))
    for line, cells in rows:
        yield Record(dict(zip(header, cells, strict=False)), f"{path}:{line}")
