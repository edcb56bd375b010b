"""brat's types: category names in the form that its files can hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.unique_names import unique_names
from goldspan.engine.facts import Note

REFUSED = re.compile(r"[\s|<>\[\]!#\x00-\x1f\x7f\ud800-\udfff]")
"""White space ends a type in a line; the rest means something else in a configuration."""

EMPTY_SECTIONS = ("relations", "events", "attributes")


@dataclass(frozen=True, slots=True)
class BratTypes:
    """A type for each category, no two alike, in the order given."""

    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, categories: Iterable[str]) -> BratTypes:
        return cls(unique_names(categories, _form, joint="_"))

    def __getitem__(self, category: str) -> str:
        return self.names[category]

    @property
    def changed(self) -> Mapping[str, str]:
        """The categories that could not stay as they are, with their types."""
        return {category: name for category, name in self.names.items() if category != name}

    @property
    def notes(self) -> tuple[Note, ...]:
        """A remark for each category that brat cannot hold."""
        return tuple(
            Note.of(FormatFact.TYPE_CHANGED, category=category, type=name)
            for category, name in self.changed.items()
        )


def annotation_conf(types: BratTypes) -> str:
    """A configuration with these types as entities."""
    lines = ["[entities]", *types.names.values()]
    for section in EMPTY_SECTIONS:
        lines += ["", f"[{section}]"]
    return "\n".join(lines) + "\n"


def visual_conf(types: BratTypes) -> str:
    """Labels for the types that differ from their categories."""
    lines = ["[labels]"]
    for category, name in types.changed.items():
        label = " ".join(category.replace("|", " ").split()) or name
        lines.append(f"{name} | {label}")
    lines += ["", "[drawing]", "SPAN_DEFAULT\tfgColor:black, bgColor:lightgreen, borderColor:black"]
    lines.append("ARC_DEFAULT\tcolor:black")
    return "\n".join(lines) + "\n"


def _form(category: str) -> str:
    name = REFUSED.sub("_", category)
    return name if name.strip("-") else "_" + name
