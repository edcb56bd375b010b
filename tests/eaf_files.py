"""Small EAF files for tests, and the rules of the format that every file must keep."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lxml import etree

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT AUTHOR="us" '
    'DATE="2024-05-06T07:08:09+01:00" FORMAT="3.0" VERSION="3.0" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">\n'
)
TYPES = """\
    <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="main" TIME_ALIGNABLE="true"/>
    <LINGUISTIC_TYPE CONTROLLED_VOCABULARY_REF="signs" GRAPHIC_REFERENCES="false"
        LINGUISTIC_TYPE_ID="sign" TIME_ALIGNABLE="true"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Time_Subdivision" GRAPHIC_REFERENCES="false"
        LINGUISTIC_TYPE_ID="word" TIME_ALIGNABLE="true"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Included_In" GRAPHIC_REFERENCES="false"
        LINGUISTIC_TYPE_ID="chunk" TIME_ALIGNABLE="true"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Symbolic_Association" GRAPHIC_REFERENCES="false"
        LINGUISTIC_TYPE_ID="code" TIME_ALIGNABLE="false"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Symbolic_Subdivision" GRAPHIC_REFERENCES="false"
        LINGUISTIC_TYPE_ID="morph" TIME_ALIGNABLE="false"/>
"""
TAIL = """\
    <LANGUAGE LANG_DEF="http://cdb.iso.org/lg/CDB-00138502-001" LANG_ID="eng" LANG_LABEL="English"/>
    <CONSTRAINT DESCRIPTION="no gaps" STEREOTYPE="Time_Subdivision"/>
    <CONSTRAINT DESCRIPTION="ordered" STEREOTYPE="Symbolic_Subdivision"/>
    <CONSTRAINT DESCRIPTION="1-1" STEREOTYPE="Symbolic_Association"/>
    <CONSTRAINT DESCRIPTION="gaps" STEREOTYPE="Included_In"/>
    <CONTROLLED_VOCABULARY CV_ID="signs">
        <DESCRIPTION LANG_REF="eng"/>
        <CV_ENTRY_ML CVE_ID="cve1"><CVE_VALUE LANG_REF="eng">wave</CVE_VALUE></CV_ENTRY_ML>
        <CV_ENTRY_ML CVE_ID="cve2"><CVE_VALUE LANG_REF="eng">nod</CVE_VALUE></CV_ENTRY_ML>
    </CONTROLLED_VOCABULARY>
</ANNOTATION_DOCUMENT>
"""


class EafText:
    """Text of an EAF file, tier by tier."""

    def __init__(
        self,
        media: str | None = "file:///rec/one.wav",
        units: str = "milliseconds",
        *,
        ordered: bool = False,
    ):
        self.media, self.units, self.ordered = media, units, ordered
        self.slots: list[tuple[str, int | None]] = []
        self.tiers: list[str] = []
        self.count = 0

    def slot(self, value: int | None) -> str:
        self.slots.append((f"ts{len(self.slots) + 1}", value))
        return self.slots[-1][0]

    def tier(
        self,
        name: str,
        spans: Iterable[tuple[int | str | None, int | str | None, str]] = (),
        kind: str = "main",
        **attributes: str,
    ) -> list[str]:
        """Add a tier; a bound is a time, None for a slot without one, or the name of a slot."""
        ids, lines = [], []
        for start, end, value in spans:
            first = start if isinstance(start, str) else self.slot(start)
            last = end if isinstance(end, str) else self.slot(end)
            self.count += 1
            ids.append(f"a{self.count}")
            lines.append(
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{ids[-1]}" '
                f'TIME_SLOT_REF1="{first}" TIME_SLOT_REF2="{last}"><ANNOTATION_VALUE>{value}'
                "</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
            )
        self._tier(name, kind, lines, attributes)
        return ids

    def refs(
        self,
        name: str,
        parent: str,
        spans: Iterable[tuple[str, str, str | None]],
        kind: str = "code",
        **attributes: str,
    ) -> list[str]:
        """Add a tier that refers: the annotation, the value, the previous annotation."""
        ids, lines = [], []
        for ref, value, previous in spans:
            self.count += 1
            ids.append(f"a{self.count}")
            before = f' PREVIOUS_ANNOTATION="{previous}"' if previous else ""
            lines.append(
                f'<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="{ids[-1]}" ANNOTATION_REF="{ref}"'
                f"{before}><ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></REF_ANNOTATION>"
                "</ANNOTATION>"
            )
        self._tier(name, kind, lines, {"PARENT_REF": parent, **attributes})
        return ids

    def _tier(self, name: str, kind: str, lines: list[str], attributes: dict[str, str]) -> None:
        more = "".join(f' {key}="{value}"' for key, value in attributes.items())
        self.tiers.append(
            f'    <TIER LINGUISTIC_TYPE_REF="{kind}" TIER_ID="{name}"{more}>\n        '
            + "\n        ".join(lines)
            + "\n    </TIER>\n"
        )

    def _order(self) -> list[tuple[str, int | None]]:
        """As made; or by time, those without one behind the one they were made after."""
        if not self.ordered:
            return self.slots
        last, keyed = 0, []
        for name, value in self.slots:
            last = last if value is None else value
            keyed.append((last, value is None, name, value))
        keyed.sort(key=lambda one: one[:2])
        return [(name, value) for _, _, name, value in keyed]

    def __str__(self) -> str:
        media = f'<MEDIA_DESCRIPTOR MEDIA_URL="{self.media}" MIME_TYPE="audio/x-wav"/>'
        slots = "\n        ".join(
            f'<TIME_SLOT TIME_SLOT_ID="{name}"'
            + (f' TIME_VALUE="{value}"/>' if value is not None else "/>")
            for name, value in self._order()
        )
        return (
            f'{HEAD}    <HEADER MEDIA_FILE="" TIME_UNITS="{self.units}">\n        '
            f"{media if self.media else ''}\n"
            f'        <PROPERTY NAME="lastUsedAnnotationId">{self.count + 40}</PROPERTY>\n'
            f"    </HEADER>\n    <TIME_ORDER>\n        {slots}\n    </TIME_ORDER>\n"
            f"{''.join(self.tiers)}{TYPES}{TAIL}"
        )

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(self), encoding="utf-8")
        return path


ORDER = (
    "LICENSE", "HEADER", "TIME_ORDER", "TIER", "LINGUISTIC_TYPE", "LOCALE", "LANGUAGE",
    "CONSTRAINT", "CONTROLLED_VOCABULARY", "LEXICON_REF", "REF_LINK_SET", "EXTERNAL_REF",
)  # fmt: skip


def assert_keeps_the_rules(root: Any) -> None:
    """What the schema says of order, required attributes, unique ids and references."""
    ranks = [ORDER.index(child.tag) for child in root if isinstance(child.tag, str)]
    assert ranks == sorted(ranks)
    assert {"DATE", "AUTHOR", "VERSION"} <= set(root.attrib)
    slots = [slot.get("TIME_SLOT_ID") for slot in root.iter("TIME_SLOT")]
    annotations = [a.get("ANNOTATION_ID") for a in root.iterfind("TIER/ANNOTATION/*")]
    assert len(set(slots + annotations)) == len(slots) + len(annotations)
    assert all(slot.get("TIME_VALUE", "0").isdigit() for slot in root.iter("TIME_SLOT"))
    types = {t.get("LINGUISTIC_TYPE_ID"): t for t in root.iterfind("LINGUISTIC_TYPE")}
    assert len(types) == len(root.findall("LINGUISTIC_TYPE"))
    tiers = {t.get("TIER_ID"): t for t in root.iterfind("TIER")}
    assert len(tiers) == len(root.findall("TIER"))
    stereotypes = {c.get("STEREOTYPE") for c in root.iterfind("CONSTRAINT")}
    for kind in types.values():
        assert {kind.get("CONSTRAINTS")} - {None} <= stereotypes
    known, referred = set(slots), set(annotations)
    for tier in tiers.values():
        kind = types[tier.get("LINGUISTIC_TYPE_REF")]
        assert tier.get("PARENT_REF") is None or tier.get("PARENT_REF") in tiers
        assert (kind.get("CONSTRAINTS") is None) == (tier.get("PARENT_REF") is None)
        for annotation in tier.iterfind("ANNOTATION/ALIGNABLE_ANNOTATION"):
            pair = {annotation.get("TIME_SLOT_REF1"), annotation.get("TIME_SLOT_REF2")}
            assert pair <= known
        for annotation in tier.iterfind("ANNOTATION/REF_ANNOTATION"):
            assert annotation.get("ANNOTATION_REF") in referred
    for prop in root.iterfind("HEADER/PROPERTY"):
        if prop.get("NAME") == "lastUsedAnnotationId":
            numbers = [int(one[1:]) for one in annotations if one[1:].isdigit()]
            assert int(prop.text) >= max(numbers, default=0)


def shape(element: Any) -> tuple[Any, ...]:
    """An element as far as anything can depend on it: indentation between elements left out."""
    text = element.text if len(element) == 0 else (element.text or "").strip()
    return element.tag, dict(element.attrib), text or "", tuple(shape(child) for child in element)


def assert_nothing_lost(source: Any, copy: Any, added: Iterable[str]) -> None:
    """The copy has every element of the source, unchanged and in order, and nothing else but the
    tiers `added` with what they need; the count of annotations may have grown.
    """
    new = set(added)
    before = [shape(child) for child in source]
    after = []
    for child in copy:
        if child.tag == "TIER" and child.get("TIER_ID") in new:
            continue
        after.append(shape(child))
    slots = {s.get("TIME_SLOT_ID") for s in source.iter("TIME_SLOT")}
    types = {t.get("LINGUISTIC_TYPE_ID") for t in source.iter("LINGUISTIC_TYPE")}
    constraints = {t.get("STEREOTYPE") for t in source.iter("CONSTRAINT")}
    after = [
        (tag, attrib, text, tuple(c for c in children if c[1].get("TIME_SLOT_ID") in slots))
        if tag == "TIME_ORDER"
        else (tag, attrib, text, children)
        for tag, attrib, text, children in after
        if not (tag == "LINGUISTIC_TYPE" and attrib["LINGUISTIC_TYPE_ID"] not in types)
        and not (tag == "CONSTRAINT" and attrib["STEREOTYPE"] not in constraints)
    ]
    assert [_uncounted(one) for one in after] == [_uncounted(one) for one in before]
    assert source.attrib == copy.attrib
    assert source.getroottree().docinfo.encoding.upper() == "UTF-8"


def _uncounted(one: tuple[Any, ...]) -> tuple[Any, ...]:
    tag, attrib, text, children = one
    if tag != "HEADER":
        return one
    return (
        tag,
        attrib,
        text,
        tuple(
            (*child[:2], "") if child[1].get("NAME") == "lastUsedAnnotationId" else child
            for child in children
        ),
    )


def parse(path: Path) -> Any:
    return etree.parse(str(path)).getroot()
