"""Layer controls: what Label Studio labels whole tasks with, and how such a label is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CHOICES, TAXONOMY, RATING = KINDS = ("choices", "taxonomy", "rating")
"""The types of results that can label whole tasks; their value has a key of the same name."""


@dataclass(frozen=True, slots=True)
class LayerControl:
    """A control that labels whole tasks. `labels` are those that it has, in their order, where that
    is known; `paths` leads from the top of a taxonomy to each of its labels.
    """

    name: str
    type: str = CHOICES
    object: str = "text"
    labels: tuple[str, ...] = ()
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def allows(self, label: str) -> bool:
        """Whether the control has the label, as far as is known."""
        return not self.labels or label in self.labels

    def value(self, labels: Sequence[str]) -> dict[str, Any]:
        """The value of a result that gives these labels."""
        if self.type == RATING and len(labels) == 1 and _is_number(labels[0]):
            number = float(labels[0])
            return {RATING: int(number) if number.is_integer() else number}
        if self.type == TAXONOMY:
            return {TAXONOMY: [list(self.paths.get(label, (label,))) for label in labels]}
        return {CHOICES: list(labels)}

    def region(self, labels: Sequence[str], number: str) -> dict[str, Any]:
        """A result that gives these labels; `number` is its id."""
        value = self.value(labels)
        return {
            "id": number,
            "from_name": self.name,
            "to_name": self.object,
            "type": next(iter(value)),
            "origin": "manual",
            "value": value,
        }


def _is_number(label: str) -> bool:
    try:
        return abs(float(label)) < 2**53
    except ValueError:
        return False
