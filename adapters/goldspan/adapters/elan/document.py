"""An EAF file as it is written: tiers, annotations and time slots, before any rule is applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from goldspan.adapters.files.xml_file import parse_xml
from goldspan.adapters.kit.digits import from_digits
from goldspan.engine.errors import InputError

ALIGNED = (None, "Time_Subdivision", "Included_In")
"""Constraints of tiers whose annotations have times of their own."""

TASK, LENGTH = "goldspan.task", "goldspan.length"
"""Properties that goldspan writes, for what the format has no place for."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotation: two time slots, or the annotation it refers to."""

    id: str
    value: str
    line: int
    slots: tuple[str, str] | None = None
    parent: str | None = None
    previous: str | None = None
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier; `constraint` is that of its linguistic type, None for a tier of its own."""

    id: str
    type: str
    constraint: str | None
    annotator: str
    participant: str
    parent: str | None
    vocabulary: str | None
    language: str | None
    line: int
    annotations: tuple[Annotation, ...]

    @property
    def aligned(self) -> bool:
        return self.constraint in ALIGNED


@dataclass(frozen=True, slots=True)
class Eaf:
    """A whole file. `slots` are milliseconds, None where nobody placed the slot; `vocabularies`
    give the values of each entry in order, by language.
    """

    path: Path
    tiers: Mapping[str, Tier]
    slots: Mapping[str, int | None]
    properties: Mapping[str, str]
    media: str | None = None
    vocabularies: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)

    def where(self, line: int) -> str:
        return f"{self.path}:{line}"

    @property
    def recording(self) -> str | None:
        """The name of the recording: the media file's, without folder and ending."""
        if self.media is None:
            return None
        return PurePosixPath(unquote(self.media).replace("\\", "/")).stem or None

    def values(self, tier: Tier) -> tuple[str, ...]:
        """The tier's controlled vocabulary in order, in the tier's language where there is one."""
        entries = self.vocabularies.get(tier.vocabulary or "", {}).values()
        return tuple(
            entry.get(tier.language or "", next(iter(entry.values()))) for entry in entries if entry
        )


def read_eaf(path: Path) -> Eaf:
    """The file; what its own references do not bear out is an error with its line."""
    root = parse_xml(path).getroot()
    if root.tag != "ANNOTATION_DOCUMENT":
        raise InputError(
            f"the root element is <{root.tag}>, not <ANNOTATION_DOCUMENT>; this is not an EAF file",
            where=f"{path}:{root.sourceline}",
        )
    header = root.find("HEADER")
    units = header.get("TIME_UNITS", "milliseconds") if header is not None else "milliseconds"
    if units != "milliseconds":
        raise InputError(
            f"times are in {units}; open the file in ELAN and save it in milliseconds",
            where=f"{path}:{header.sourceline}",
        )
    media = root.find("HEADER/MEDIA_DESCRIPTOR")
    slots = _slots(root, path)
    eaf = Eaf(
        path=path,
        tiers=_tiers(root, slots, path),
        slots=slots,
        properties={p.get("NAME", ""): p.text or "" for p in root.iterfind("HEADER/PROPERTY")},
        media=media.get("MEDIA_URL") or None if media is not None else None,
        vocabularies={
            cv.get("CV_ID"): _entries(cv) for cv in root.iterfind("CONTROLLED_VOCABULARY")
        },
    )
    _check_references(eaf)
    return eaf


def _slots(root: Any, path: Path) -> dict[str, int | None]:
    slots: dict[str, int | None] = {}
    for slot in root.iterfind("TIME_ORDER/TIME_SLOT"):
        name, value = slot.get("TIME_SLOT_ID"), slot.get("TIME_VALUE")
        if not name or name in slots:
            raise InputError(
                f"the time slot id '{name or ''}' is missing or occurs twice",
                where=f"{path}:{slot.sourceline}",
            )
        time = None if value is None else from_digits(value.strip())
        if value is not None and time is None:
            raise InputError(
                f"the time slot {name} has the time '{value[:40]}'; write whole milliseconds",
                where=f"{path}:{slot.sourceline}",
            )
        slots[name] = time
    return slots


def _tiers(root: Any, slots: Mapping[str, int | None], path: Path) -> dict[str, Tier]:
    types = {t.get("LINGUISTIC_TYPE_ID"): t for t in root.iterfind("LINGUISTIC_TYPE")}
    tiers: dict[str, Tier] = {}
    seen: set[str] = set()
    for element in root.iterfind("TIER"):
        name = element.get("TIER_ID")
        where = f"{path}:{element.sourceline}"
        if not name or name in tiers:
            raise InputError(f"the tier '{name or ''}' has no name, or occurs twice", where=where)
        kind = types.get(element.get("LINGUISTIC_TYPE_REF"))
        if kind is None:
            raise InputError(
                f"the tier '{name}' has the linguistic type "
                f"'{element.get('LINGUISTIC_TYPE_REF')}', which is not in the file",
                where=where,
            )
        tiers[name] = Tier(
            id=name,
            type=kind.get("LINGUISTIC_TYPE_ID"),
            constraint=(kind.get("CONSTRAINTS") or "").replace(" ", "_") or None,
            annotator=element.get("ANNOTATOR", "").strip(),
            participant=element.get("PARTICIPANT", "").strip(),
            parent=element.get("PARENT_REF"),
            vocabulary=kind.get("CONTROLLED_VOCABULARY_REF"),
            language=element.get("LANG_REF"),
            line=element.sourceline,
            annotations=tuple(
                _annotation(one, slots, seen, path) for one in element.iterfind("ANNOTATION/*")
            ),
        )
    return tiers


def _annotation(
    element: Any, slots: Mapping[str, int | None], seen: set[str], path: Path
) -> Annotation:
    get = element.get
    name = get("ANNOTATION_ID")
    value = element.findtext("ANNOTATION_VALUE") or ""
    if not name or name in seen:
        raise InputError(
            f"the annotation id '{name or ''}' is missing or occurs twice",
            where=f"{path}:{element.sourceline}",
        )
    seen.add(name)
    if element.tag == "REF_ANNOTATION":
        parent, previous = get("ANNOTATION_REF"), get("PREVIOUS_ANNOTATION")
        return Annotation(
            name, value, element.sourceline, None, parent or "", previous, get("CVE_REF")
        )
    pair = get("TIME_SLOT_REF1"), get("TIME_SLOT_REF2")
    if pair[0] not in slots or pair[1] not in slots:
        raise InputError(
            f"the annotation {name} refers to the time slots {pair[0]} and {pair[1]}, "
            "and they are not both in the file",
            where=f"{path}:{element.sourceline}",
        )
    return Annotation(name, value, element.sourceline, pair, entry=get("CVE_REF"))


def _entries(vocabulary: Any) -> dict[str, dict[str, str]]:
    """Entry id to language to value; entries before EAF 2.8 have neither id nor language."""
    entries: dict[str, dict[str, str]] = {}
    for index, entry in enumerate(vocabulary):
        if entry.tag == "CV_ENTRY_ML":
            entries[entry.get("CVE_ID", f"#{index}")] = {
                value.get("LANG_REF", ""): value.text or "" for value in entry.iterfind("CVE_VALUE")
            }
        elif entry.tag == "CV_ENTRY":
            entries[f"#{index}"] = {"": entry.text or ""}
    return entries


def _check_references(eaf: Eaf) -> None:
    known = {annotation.id for tier in eaf.tiers.values() for annotation in tier.annotations}
    for tier in eaf.tiers.values():
        if tier.parent is not None and tier.parent not in eaf.tiers:
            raise InputError(
                f"the tier '{tier.id}' belongs to '{tier.parent}', which is not in the file",
                where=eaf.where(tier.line),
            )
        for annotation in tier.annotations:
            if annotation.parent is not None and annotation.parent not in known:
                raise InputError(
                    f"the annotation {annotation.id} refers to '{annotation.parent}', "
                    "which is not in the file",
                    where=eaf.where(annotation.line),
                )
