"""brat's configuration: the order of the types, the values of attributes, the labels shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from goldspan.adapters.files.text_file import read_text

ANNOTATION, VISUAL = "annotation.conf", "visual.conf"

SECTION = re.compile(r"\s*\[(.*)\]\s*")
MACRO = re.compile(r"<([A-Za-z_-]+)>=\s*(.*?)\s*")
SKIPPED = re.compile(r"\s*(#.*|-+\s*)?")


@dataclass(frozen=True, slots=True)
class BratConf:
    """What the annotators could choose from.

    `types` are in the order of the configuration, entities before events, without those that are
    only headings; `values` are the choices of each attribute; `labels` is what the screen shows
    for a type.
    """

    types: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


def conf_files(folders: Iterable[Path], top: Path, name: str) -> tuple[Path, ...]:
    """The file of this name that brat would use for each folder, each once.

    brat looks in the folder and above it; here the search ends one above `top`, the path a user
    named, because an annotator's folder is inside the folder that has the configuration.
    """
    found: dict[Path, None] = {}
    above = top.resolve().parent
    for folder in folders:
        place = folder.resolve()
        while not (place / name).is_file() and place not in (above, place.parent):
            place = place.parent
        if (place / name).is_file():
            found[place / name] = None
    return tuple(found)


def read_conf(annotation: Iterable[Path], visual: Iterable[Path]) -> BratConf:
    """The configuration in these files; where they differ, the first has the first word."""
    types: dict[str, None] = {}
    values: dict[str, tuple[str, ...]] = {}
    labels: dict[str, str] = {}
    for path in annotation:
        sections = _sections(read_text(path))
        for section in ("entities", "events"):
            types.update(dict.fromkeys(_types(sections.get(section, ()))))
        for line in sections.get("attributes", ()):
            name, _, arguments = line.strip().partition("\t")
            choices = re.search(r"\bValue:([^\s,]+)", arguments)
            if choices:
                values.setdefault(name.split("|")[0].strip(), tuple(choices[1].split("|")))
    for path in visual:
        for line in _sections(read_text(path)).get("labels", ()):
            name, *shown = (part.strip() for part in line.split("|"))
            if shown and shown[0]:
                labels.setdefault(name, shown[0])
    return BratConf(tuple(types), values, labels)


def _sections(text: str) -> dict[str, list[str]]:
    """The lines of each section, macros expanded, comments and separators left out."""
    sections: dict[str, list[str]] = {}
    macros: dict[str, str] = {}
    lines: list[str] = []
    for raw in text.split("\n"):
        line = raw.rstrip("\r")
        if section := SECTION.fullmatch(line):
            lines = sections.setdefault(section[1], [])
        elif macro := MACRO.fullmatch(line):
            macros[f"<{macro[1]}>"] = macro[2]
        elif not SKIPPED.fullmatch(line):
            for name, value in macros.items():
                line = line.replace(name, value)
            lines.append(line)
    return sections


def _types(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        terms = line.split()[0].split("|")
        if not any(term.startswith("!") for term in terms):
            yield terms[0]
