"""An EAF tree that grows: new tiers, slots and annotations, everything else left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from goldspan.adapters.extras import require
from goldspan.adapters.kit.digits import from_digits

ORDER = (
    "LICENSE", "HEADER", "TIME_ORDER", "TIER", "LINGUISTIC_TYPE", "LOCALE", "LANGUAGE",
    "CONSTRAINT", "CONTROLLED_VOCABULARY", "LEXICON_REF", "REF_LINK_SET", "EXTERNAL_REF",
)  # fmt: skip
"""The order of the root's children in the EAF schema."""

XSI = "http://www.w3.org/2001/XMLSchema-instance"
SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
LAST_ID = "lastUsedAnnotationId"
ASSOCIATION = "Symbolic_Association"

MIME_TYPES = {
    "wav": "audio/x-wav", "mp3": "audio/mpeg", "m4a": "audio/mp4", "mp4": "video/mp4",
    "mpg": "video/mpeg", "mpeg": "video/mpeg", "mov": "video/quicktime",
}  # fmt: skip

EMPTY = f"""<ANNOTATION_DOCUMENT AUTHOR="goldspan" DATE="1970-01-01T00:00:00Z" FORMAT="3.0"
  VERSION="3.0" xmlns:xsi="{XSI}" xsi:noNamespaceSchemaLocation="{SCHEMA}"
  ><HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/><TIME_ORDER/></ANNOTATION_DOCUMENT>"""
"""A file is the same however often it is written, so its date is none of a clock."""


class Entry(NamedTuple):
    """An annotation to write; `entry` is the id of its vocabulary entry, `note` is said of it in
    a tier of its own.
    """

    start: int
    end: int
    value: str
    entry: str | None = None
    note: str = ""


@dataclass(slots=True)
class EafTree:
    """The tree of one file; `close` ends the growing and gives the bytes."""

    root: Any
    _ids: set[str] = field(default_factory=set)
    _last: int = 0
    _last_slot: int = 0
    _slots: list[tuple[int, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for element in self.root.iter("TIME_SLOT", "ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
            self._ids.add(element.get("TIME_SLOT_ID") or element.get("ANNOTATION_ID", ""))
        for prop in self.root.iterfind("HEADER/PROPERTY"):
            if prop.get("NAME") == LAST_ID:
                self._last = from_digits((prop.text or "").strip()) or 0
        numbers = [int(m[1]) for one in self._ids if (m := re.fullmatch(r"a(\d{1,18})", one))]
        self._last = max([self._last, *numbers])

    @classmethod
    def new(cls) -> EafTree:
        """A file without tiers."""
        etree = require("lxml.etree", feature="writing EAF", extra="elan")
        return cls(etree.fromstring(EMPTY))

    def media(self, url: str) -> None:
        """Name the recording in the header."""
        kind = MIME_TYPES.get(url.rpartition(".")[2].lower(), "unknown")
        _child(self.root.find("HEADER"), "MEDIA_DESCRIPTOR", MEDIA_URL=url, MIME_TYPE=kind)

    def property(self, name: str, value: str) -> None:
        """Add a property to the header."""
        _child(self.root.find("HEADER"), "PROPERTY", NAME=name).text = value

    def tier_name(self, wanted: str) -> str:
        """The name, or with a number behind it if the file has such a tier."""
        return _free(wanted, {tier.get("TIER_ID") for tier in self.root.iterfind("TIER")})

    def type_name(self, wanted: str, constraint: str | None = None) -> str:
        """The linguistic type of this name and constraint, made if there is none."""
        types = {t.get("LINGUISTIC_TYPE_ID"): t for t in self.root.iterfind("LINGUISTIC_TYPE")}
        found = types.get(wanted)
        plain = found is not None and not found.get("CONTROLLED_VOCABULARY_REF")
        if found is not None and plain and found.get("CONSTRAINTS") == constraint:
            return wanted
        name = _free(wanted, types)
        attributes = {"GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": name}
        attributes["TIME_ALIGNABLE"] = "true" if constraint is None else "false"
        if constraint is not None:
            attributes["CONSTRAINTS"] = constraint
            self._constraint(constraint)
        self._put("LINGUISTIC_TYPE", attributes)
        return name

    def tier(self, name: str, kind: str, annotator: str, entries: Sequence[Entry]) -> None:
        """Add a tier of entries that do not overlap; with their notes on a tier that refers to it,
        where there are any.
        """
        tier = self._put(
            "TIER", {"ANNOTATOR": annotator, "LINGUISTIC_TYPE_REF": kind, "TIER_ID": name}
        )
        names = []
        for entry in entries:
            names.append(self._id())
            annotation = _child(
                _child(tier, "ANNOTATION"), "ALIGNABLE_ANNOTATION",
                ANNOTATION_ID=names[-1],
                TIME_SLOT_REF1=self._slot(entry.start),
                TIME_SLOT_REF2=self._slot(entry.end),
            )  # fmt: skip
            if entry.entry is not None:
                annotation.set("CVE_REF", entry.entry)
            _child(annotation, "ANNOTATION_VALUE").text = entry.value
        if any(entry.note for entry in entries):
            self._notes(name, annotator, names, [entry.note for entry in entries])

    def _notes(
        self, parent: str, annotator: str, names: Sequence[str], notes: Sequence[str]
    ) -> None:
        kind = self.type_name("goldspan-votes", ASSOCIATION)
        tier = self._put("TIER", {
            "ANNOTATOR": annotator, "LINGUISTIC_TYPE_REF": kind, "PARENT_REF": parent,
            "TIER_ID": self.tier_name(f"{parent} votes"),
        })  # fmt: skip
        for name, note in zip(names, notes, strict=True):
            annotation = _child(
                _child(tier, "ANNOTATION"), "REF_ANNOTATION",
                ANNOTATION_ID=self._id(), ANNOTATION_REF=name,
            )  # fmt: skip
            _child(annotation, "ANNOTATION_VALUE").text = note

    def close(self) -> bytes:
        """The file, with new time slots in their places and the count of annotations raised."""
        order = self.root.find("TIME_ORDER")
        waiting = sorted(self._slots, key=lambda one: one[0], reverse=True)
        slots: list[Any] = []
        for slot in order:
            value = slot.get("TIME_VALUE") if isinstance(slot.tag, str) else None
            # Slots without a time stay behind the one they follow.
            while value is not None and waiting and waiting[-1][0] < int(value):
                slots.append(waiting.pop()[1])
            slots.append(slot)
        slots += (slot for _, slot in reversed(waiting))
        order[:] = slots
        self._slots.clear()
        for prop in self.root.iterfind("HEADER/PROPERTY"):
            if prop.get("NAME") == LAST_ID:
                prop.text = str(self._last)
        etree = require("lxml.etree", feature="writing EAF", extra="elan")
        tree = self.root.getroottree()
        data: bytes = etree.tostring(
            tree, xml_declaration=True, encoding="UTF-8", standalone=tree.docinfo.standalone
        )
        return data + b"\n"

    def _id(self) -> str:
        self._last += 1
        return f"a{self._last}"

    def _slot(self, value: int) -> str:
        name = f"ts{self._last_slot + 1}"
        while name in self._ids:
            self._last_slot += 1
            name = f"ts{self._last_slot + 1}"
        self._last_slot += 1
        slot = self.root.makeelement("TIME_SLOT", TIME_SLOT_ID=name, TIME_VALUE=str(value))
        self._slots.append((value, slot))
        return name

    def _constraint(self, stereotype: str) -> None:
        if any(c.get("STEREOTYPE") == stereotype for c in self.root.iterfind("CONSTRAINT")):
            return
        self._put("CONSTRAINT", {
            "DESCRIPTION": "1-1 association with a parent annotation", "STEREOTYPE": stereotype,
        })  # fmt: skip

    def _put(self, tag: str, attributes: dict[str, str]) -> Any:
        """A new child of the root, behind the last one that may stand before it."""
        element = self.root.makeelement(tag, attributes)
        before = ORDER[: ORDER.index(tag) + 1]
        places = [i for i, child in enumerate(self.root) if child.tag in before]
        element.tail = self.root[places[-1]].tail
        self.root.insert(places[-1] + 1, element)
        return element


def _child(parent: Any, tag: str, **attributes: str) -> Any:
    element = parent.makeelement(tag, attributes)
    parent.append(element)
    return element


def _free(wanted: str, taken: Iterable[str]) -> str:
    names = set(taken)
    count, name = 1, wanted
    while name in names:
        count += 1
        name = f"{wanted}-{count}"
    return name
