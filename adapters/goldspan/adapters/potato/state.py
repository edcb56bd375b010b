"""State: one annotator's user_state.json, as Potato 2 writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.text_file import head, read_text
from goldspan.adapters.kit.record import Record, label_text, load_json
from goldspan.engine.errors import InputError

NAME = "user_state.json"
SPANS = "instance_id_to_span_to_value"
LABELS = "instance_id_to_label_to_value"
VISITS = "instance_id_to_behavioral_data"
BEGINS = re.compile(r'\s*\{\s*"user_id"\s*:')
FREE_TEXT = re.compile(r"text_?box.*|free_response", re.IGNORECASE)
"""What Potato calls the answer to a question for free text."""

IN_VALUE = ("slider", "select-one", "number")
"""Questions whose answer is the value; the others have it as the name."""


@dataclass(frozen=True, slots=True)
class Span:
    """A marked stretch; `target` is the field of the item that it is in, or ""."""

    schema: str
    name: str
    start: int
    end: int
    target: str
    parts: int
    where: str


@dataclass(frozen=True, slots=True)
class State:
    """What one annotator did; `open_item` is the one on their screen, if they are not done."""

    path: Path
    user: str
    record: Record

    @property
    def items(self) -> tuple[str, ...]:
        """The items that the annotator opened or marked, in the order of the file."""
        found = (self._objects(key) for key in (VISITS, LABELS, SPANS))
        return tuple(dict.fromkeys(item for one in found for item in one))

    @property
    def open_item(self) -> str:
        order = self.record.entries("instance_id_ordering")
        at = self.record.get("current_instance_index")
        phase = self.record.get("current_phase_and_page")
        if isinstance(phase, list) and phase[:1] == ["done"]:
            return ""
        fits = isinstance(at, int) and 0 <= at < len(order)
        return str(order[at]) if fits else ""

    def spans(self, item: str) -> Iterator[Span]:
        """The spans of an item."""
        for record, _ in self._pairs(SPANS, item):
            parts = [(record.integer("start"), record.integer("end"))]
            parts += (
                (part.integer("start"), part.integer("end"))
                for part in record.records("additional_parts")
            )
            start, end = parts[0]
            if len(parts) > 1:
                start, end = min(min(p) for p in parts), max(max(p) for p in parts)
            yield Span(
                label_text(record.get("schema"), record),
                label_text(record.get("name"), record),
                start,
                end,
                label_text(record.get("target_field"), record),
                len(parts),
                record.where,
            )

    def labels(self, item: str) -> Iterator[tuple[str, str, str]]:
        """Question, answer and place of the labels of an item; the answer is "" for free text."""
        for record, value in self._pairs(LABELS, item):
            name = label_text(record.get("name"), record)
            if value is None or value is False or value == "":
                continue
            if FREE_TEXT.fullmatch(name):
                name = ""
            elif name in IN_VALUE:
                name = label_text(value, record)
            yield record.text("schema"), name, record.where

    def _pairs(self, key: str, item: str) -> Iterator[tuple[Record, Any]]:
        found = self._objects(key).get(item, [])
        for number, pair in enumerate(found if isinstance(found, list) else [found], start=1):
            where = f"{self.path}, {key}, {item}, entry {number}"
            if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], dict)):
                raise InputError(
                    "this is not a mark and its value, as Potato 2 writes them; check the file",
                    where=where,
                )
            yield Record(pair[0], where), pair[1]

    def _objects(self, key: str) -> Mapping[str, Any]:
        found = self.record.get(key)
        if found is None:
            return {}
        if not isinstance(found, dict):
            raise self.record.error(f"'{key}' is not an object; check the file")
        return found


def state_files(path: Path) -> list[Path]:
    """The files of this name below a folder, or the file itself."""
    if path.is_file():
        return [path]
    return [file for file in files_below(path, (".json",)) if file.name == NAME]


def looks_like_state(path: Path) -> bool:
    """Whether it begins as Potato begins."""
    text = head(path)
    return BEGINS.match(text) is not None and '"instance_id_ordering"' in text


def read_state(path: Path) -> State:
    """The annotator and what they did."""
    value = load_json(read_text(path), str(path))
    if not isinstance(value, dict) or "user_id" not in value:
        raise InputError(
            f"there is no 'user_id'; name {NAME} files of Potato 2, or their folder",
            where=str(path),
        )
    record = Record(value, str(path))
    return State(path, label_text(value["user_id"], record), record)
