"""The template: names of tags and data of tasks, taken from an export of the same project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from goldspan.adapters.label_studio.layer_control import LayerControl
from goldspan.adapters.label_studio.medium import Audio, Medium, TimeSeries, Video

OBJECTS: Mapping[type[Medium], str] = {Audio: "audio", Video: "video", TimeSeries: "ts"}


@dataclass(frozen=True, slots=True)
class Template:
    """Which control and object regions name; `data` is each task's, by id.

    `controls` holds the control and type by category, for projects with several controls.
    `labels` are those the project allows, None where that is not known; `text_key` is where its
    paragraphs have their words. `owners` has the labels of each control that a configuration
    names, None for those that the tasks bring. `layers` are the controls that label whole tasks.
    """

    from_name: str
    to_name: str
    type: str
    kind: str = "text"
    key: str | None = None
    controls: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    data: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    labels: frozenset[str] | None = None
    text_key: str | None = None
    owners: Mapping[tuple[str, str], frozenset[str] | None] = field(default_factory=dict)
    layers: Mapping[str, LayerControl] = field(default_factory=dict)

    @classmethod
    def usual(cls, medium: Medium) -> Template:
        """The names Label Studio's own examples use."""
        return cls("label", OBJECTS.get(type(medium), "text"), medium.labels)

    def layer(self, name: str) -> LayerControl:
        """The control of a layer; a Choices control where none is known."""
        return self.layers.get(name) or LayerControl(name, object=self.to_name)

    def control(self, category: str) -> tuple[str, str]:
        """The control and the type for a region of this category."""
        labels = self.parts(category)
        if len(labels) > 1:
            for control, known in self.owners.items():
                if known is not None and known.issuperset(labels):
                    return control
        return self.controls.get(labels[0], (self.from_name, self.type))

    def has(self, control: tuple[str, str], category: str) -> bool:
        """Whether the control is there and has the category's labels, as far as is known."""
        if not self.owners:
            return True
        known = self.owners.get(control, frozenset())
        return known is None or known.issuperset(self.parts(category))

    def allows(self, category: str) -> bool:
        """Whether the project has this label, or all of a joined one in a single control, as far
        as is known.
        """
        return self.labels is None or self.has(self.control(category), category)

    def parts(self, category: str) -> list[str]:
        """The labels of a region of this category: several where the reader joined them."""
        known = self.controls if self.labels is None else self.labels
        labels = category.split("|")
        if category not in known and all(label in known for label in labels):
            return labels
        return [category]
