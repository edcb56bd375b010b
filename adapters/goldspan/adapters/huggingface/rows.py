"""Rows: what the columns of a dataset mean, and the spans in a cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.adapters.huggingface.table import Table
    from goldspan.engine.model import Position

TASK = ("id", "task", "doc_id", "document_id", "document", "uid", "idx")
TEXT = ("text", "sentence", "content", "document_text", "context")
ANNOTATOR = ("annotator", "annotator_id", "annotator_name", "user", "worker_id", "worker")
SPANS = ("spans", "entities", "annotations", "span_annotations", "labels")
START = ("start", "begin", "start_offset", "start_char", "char_start", "onset")
END = ("end", "stop", "end_offset", "end_char", "char_end", "offset")
LABEL = ("label", "category", "type", "entity_type", "entity_group", "tag", "class", "entity")


@dataclass(frozen=True, slots=True)
class Span:
    """A span as it stands in a cell; `annotator` is "" where the cell does not say."""

    annotator: str
    start: Position
    end: Position
    label: str


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column is what; "" where there is none."""

    table: Table
    spans: tuple[str, ...]
    task: str
    text: str
    annotator: str

    @classmethod
    def of(cls, table: Table, layers: Sequence[str], annotator: str) -> Columns:
        """By the names that are usual; the options name others."""
        known = ", ".join(table.columns)
        for name in (*layers, *([annotator] if annotator else [])):
            if name not in table.columns:
                raise SettingsError(
                    f"there is no column '{name}' in {table.path}; there are {known}"
                )
        spans = tuple(layers) or tuple(filter(None, [_first(table, SPANS)]))
        if not spans:
            hint = "; tokens with tags can be read as CoNLL" if "tokens" in table.columns else ""
            raise InputError(
                f"there is no column of spans ({', '.join(SPANS)}); --layer COLUMN names one of "
                f"{known}{hint}",
                where=str(table.path),
            )
        found = annotator or _first(table, ANNOTATOR)
        return cls(table, spans, _first(table, TASK), _first(table, TEXT), found)

    def read(self, row: Mapping[str, Any], where: str) -> Iterator[Span]:
        """The spans of a row, from all columns that have some."""
        for column in self.spans:
            for value in _listed(row.get(column), where):
                yield self._span(column, value, where)

    def _span(self, column: str, value: Mapping[str, Any], where: str) -> Span:
        places = []
        for keys in (START, END):
            place = next((value[key] for key in keys if key in value), None)
            if isinstance(place, bool) or not isinstance(place, (int, float)):
                raise InputError(
                    f"a span in '{column}' has no number under {', '.join(keys[:4])}", where=where
                )
            places.append(place)
        key = next((key for key in LABEL if key in value), "")
        label = value.get(key)
        if isinstance(label, int) and not isinstance(label, bool):
            names = self.table.names(column, key)
            label = names[label] if 0 <= label < len(names) else str(label)
        if isinstance(label, list):
            label = "|".join(sorted(map(str, label)))
        name = next((value[key] for key in ANNOTATOR if value.get(key) is not None), "")
        return Span(str(name), places[0], places[1], "" if label is None else str(label))


def _first(table: Table, names: Sequence[str]) -> str:
    return next((name for name in names if name in table.columns), "")


def _listed(cell: object, where: str) -> list[Mapping[str, Any]]:
    """The spans of a cell: a list of objects, or, as older datasets have it, an object of lists."""
    if cell is None:
        return []
    if isinstance(cell, dict):
        lists = {key: value for key, value in cell.items() if isinstance(value, list)}
        if len({len(value) for value in lists.values()}) > 1:
            raise InputError("the lists of starts, ends and labels differ in length", where=where)
        size = len(next(iter(lists.values()), []))
        return [{key: value[at] for key, value in lists.items()} for at in range(size)]
    if not isinstance(cell, list) or not all(isinstance(one, dict) for one in cell):
        raise InputError(
            "the cell does not hold spans with a start, an end and a label; --layer COLUMN names "
            "another column",
            where=where,
        )
    return cell
