"""The template: names of tags and data of tasks, taken from an export of the same project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goldspan.adapters.label_studio.locator import Locator, medium_name
from goldspan.adapters.label_studio.medium import Audio, Medium, TimeSeries, Video, label_key
from goldspan.adapters.label_studio.tasks import Region, json_files, raw_tasks
from goldspan.adapters.label_studio.whole_tasks import LayerControl, layer_controls
from goldspan.engine.errors import InputError

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

    def medium(self, data: Mapping[str, Any]) -> Medium:
        """What the regions of a task with this data are on."""
        return self.locator().medium(data, ())

    def locator(self) -> Locator:
        """Where regions are, as this template says; an export's field was only found."""
        stated = bool(self.owners)
        return Locator(self.kind, self.to_name, key=self.key, text_key=self.text_key, stated=stated)


def read_template(paths: Sequence[Path]) -> Template:
    """The names in an export; its most frequent ones for categories it does not have."""
    data: dict[str, Mapping[str, Any]] = {}
    controls: dict[str, Counter[tuple[str, str]]] = {}
    names: Counter[tuple[str, str, str, str]] = Counter()
    locator: Locator | None = None
    layers: dict[str, LayerControl] = {}
    for task in (task for path in paths for file in json_files(path) for task in raw_tasks(file)):
        layers = layer_controls(task, layers)
        data.setdefault(task.id, task.data)
        regions = [
            region
            for work in task.work
            for region in work.result
            if label_key(region) and isinstance(region.get("value"), dict)
        ]
        for region in regions:
            control = str(region.get("from_name")), label_key(region)
            names[(*control, str(region.get("to_name")), medium_name(region, task.data))] += 1
            for label in _labels(region):
                controls.setdefault(label, Counter())[control] += 1
        if regions and locator is None:
            first = regions[0]
            locator = Locator(medium_name(first, task.data), str(first.get("to_name")))
            locator.medium(task.data, [region["value"] for region in regions])
    if not names and layers:
        first_layer = next(iter(layers.values()))
        return Template("label", first_layer.object, "labels", data=data, layers=layers)
    if not names:
        raise InputError(
            "there is no labelled region to take names from; give an export with annotations",
            where=str(paths[0]),
        )
    (from_name, kind, to_name, medium), _ = names.most_common(1)[0]
    return Template(
        from_name,
        to_name or "text",
        kind,
        medium,
        locator.key if locator is not None else None,
        {label: counts.most_common(1)[0][0] for label, counts in controls.items()},
        data,
        layers=layers,
    )


def _labels(region: Region) -> list[str]:
    value = region.get("value")
    labels = value.get(label_key(region)) if isinstance(value, dict) else None
    return [str(label) for label in labels] if isinstance(labels, list) else []
