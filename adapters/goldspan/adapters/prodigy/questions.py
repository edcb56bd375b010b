"""Questions about whole tasks in Prodigy: choices among options, and labels to accept or reject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldspan.adapters.kit.layers import USUAL
from goldspan.adapters.kit.record import Record, label_text
from goldspan.adapters.kit.roundtrip import KEY

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus

BINARY = ("accept", "reject")
"""The labels of a layer that asks about one label at a time."""

LABELLED = {"classification", "choice", "text", "html", "blocks", ""}
"""The views that can ask about a whole task."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a row asks about the whole task: its layer, and the labels to choose from."""

    layer: str
    scale: tuple[str, ...]
    is_binary: bool = False


def question(record: Record) -> Question | None:
    """The question about the whole task; None where a row asks for spans alone."""
    values = record.values
    if isinstance(values.get("options"), list) or isinstance(values.get("accept"), list):
        ids = [label_text(one.get("id"), one) for one in record.records("options")]
        kept = values.get(KEY)
        named = kept.get("layer") if isinstance(kept, Mapping) else None
        layer = named if isinstance(named, str) and named else USUAL
        return Question(layer, tuple(dict.fromkeys(one for one in ids if one)))
    label = values.get("label")
    asks = isinstance(label, str) and label and str(values.get("_view_id") or "") in LABELLED
    if not asks or values.get("spans"):
        return None
    return Question(str(label), BINARY, is_binary=True)


def answered(record: Record, asked: Question) -> list[str]:
    """The labels that an answer gives."""
    if asked.is_binary:
        return [str(record.values["answer"])]
    labels = [label_text(one, record) for one in record.entries("accept")]
    return [label for label in labels if label]


@dataclass(frozen=True, slots=True)
class LayerSheet:
    """How a layer is written: by accept and reject if it asks about one label and everybody
    answered, else as a choice among its labels.
    """

    name: str
    is_binary: bool
    categories: tuple[str, ...]

    @classmethod
    def of(cls, name: str, layer: Corpus) -> LayerSheet:
        binary = bool(layer.categories) and set(layer.categories) <= set(BINARY)
        for continuum in layer if binary else ():
            answers = [unit.annotator for unit in continuum.units]
            binary = binary and sorted(answers) == sorted(continuum.annotators)
        return cls(name, binary, layer.categories)

    @property
    def view(self) -> str:
        """The view that asks it."""
        return "classification" if self.is_binary else "choice"

    def row(self, labels: Sequence[str] | None) -> dict[str, Any]:
        """What a row says of the layer; None where the annotator skipped it."""
        if self.is_binary:
            return {"label": self.name, "answer": labels[0] if labels else "ignore"}
        return {
            "options": [{"id": one, "text": one} for one in self.categories],
            "accept": list(labels or ()),
            "answer": "ignore" if labels is None else "accept",
        }
