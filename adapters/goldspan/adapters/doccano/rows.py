"""doccano's rows: the shapes that its versions export, of spans and of labels of whole texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from goldspan.adapters.kit.layers import USUAL
from goldspan.adapters.kit.record import Record, label_text, whole
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.kit.text.marks import Mark

SUFFIXES = (".jsonl", ".json")
TRIPLES = ("label", "labels")
CATS = "cats"
"""Where projects of intents and slots keep the labels of the whole text, beside entities."""


@dataclass(frozen=True, slots=True)
class Row:
    """One example: `marks` by user, under "" where the row names none; `labels` of the whole text
    likewise, with the layer that they belong to.

    `marks` is None when the row says nothing of annotations at all.
    """

    record: Record
    id: str
    text: str
    marks: Mapping[str, tuple[Mark, ...]] | None
    has_users: bool = False
    numbered: bool = False
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    layer: str = USUAL

    @property
    def leftover(self) -> Any:
        return self.record.values.get(KEY)


def is_doccano(values: Mapping[str, Any]) -> bool:
    """Whether an object looks like a row of a project of spans or of labels of texts."""
    if "text" not in values and "data" not in values:
        return False
    old = values.get("annotations")
    if isinstance(old, list):
        return _all_have(old, "start_offset") or (bool(old) and _all_have(old, "user"))
    entities = values.get("entities")
    if isinstance(entities, list):
        return _all_have(entities, "start_offset") and bool(entities or "relations" in values)
    found = next((values[key] for key in TRIPLES if key in values), None)
    if not isinstance(found, list):
        return False
    return _are_labels(found) or all(isinstance(one, list) and len(one) == 3 for one in found)


def _are_labels(values: list[Any]) -> bool:
    """Whether a list holds labels of the whole text; an empty one may hold either."""
    return bool(values) and all(isinstance(one, str) for one in values)


def _all_have(values: list[Any], key: str) -> bool:
    return all(isinstance(one, dict) and key in one for one in values)


def read_row(record: Record) -> Row:
    """The row, whichever shape it has."""
    values = record.values
    text = record.text("data" if "text" not in values and "data" in values else "text")
    given = values.get("id")
    name = str(given) if isinstance(given, (str, int)) and not isinstance(given, bool) else ""
    if "annotations" in values:
        marks, labels, numbered = _old(record)
        return Row(record, name, text, marks, has_users=True, numbered=numbered, labels=labels)
    labels = {"": _labels(record, CATS)} if isinstance(values.get(CATS), list) else {}
    if isinstance(values.get("entities"), list):
        found = tuple(_mark(one) for one in record.records("entities"))
        return Row(record, name, text, {"": found}, labels=labels, layer=CATS)
    key = next((key for key in TRIPLES if key in values), None)
    if key is None and KEY in values:
        return Row(record, name, text, None)
    if key is None:
        raise record.error(
            "there is neither 'label' nor 'entities' nor 'annotations'; export a project of "
            "sequence labelling or text classification as JSONL, or leave the file out"
        )
    if _are_labels(record.entries(key)):
        return Row(record, name, text, {"": ()}, labels={"": _labels(record, key)})
    triples = tuple(_triple(record, key, value) for value in record.entries(key))
    return Row(record, name, text, {"": triples}, labels=labels, layer=CATS if labels else USUAL)


def _labels(record: Record, key: str) -> tuple[str, ...]:
    given = [label_text(one, record) for one in record.entries(key)]
    return tuple(label for label in given if label)


def _old(
    record: Record,
) -> tuple[Mapping[str, tuple[Mark, ...]], Mapping[str, tuple[str, ...]], bool]:
    marks: dict[str, tuple[Mark, ...]] = {}
    labels: dict[str, tuple[str, ...]] = {}
    numbered = False
    for one in record.records("annotations"):
        user = one.get("user")
        if isinstance(user, bool) or not isinstance(user, (str, int)):
            raise one.error("'user' is missing, so that nobody made the span; export it again")
        numbered = numbered or isinstance(one.get("label"), int)
        if "start_offset" in one.values:
            marks[str(user)] = (*marks.get(str(user), ()), _mark(one))
        elif label := label_text(one.get("label"), one):
            labels[str(user)] = (*labels.get(str(user), ()), label)
    return marks, labels, numbered


def _mark(record: Record) -> Mark:
    start, end = record.integer("start_offset"), record.integer("end_offset")
    return Mark(start, end, label_text(record.get("label"), record), source=record.where)


def _triple(record: Record, key: str, value: object) -> Mark:
    if not isinstance(value, list) or len(value) != 3:
        raise record.error(
            f"'{key}' holds something that is not [start, end, label]; export a sequence "
            "labelling project"
        )
    start, end, label = value
    return Mark(
        whole(start, "the start", record.where),
        whole(end, "the end", record.where),
        label_text(label, record),
        source=record.where,
    )
