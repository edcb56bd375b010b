"""Writing Glozz: a text on one line, its lines as paragraphs, and units with features."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.extras import require
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.xml_file import REFUSED, xml_text
from goldspan.adapters.glozz.reader import LAYOUT, SUFFIXES
from goldspan.adapters.kit.standoff_writer import StandoffWriter, encoded
from goldspan.adapters.kit.text.offsets import BOM
from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.adapters.kit.votes import votes_line
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions
    from goldspan.engine.model import Continuum, Corpus, Unit

LINE_END = re.compile(r"[\r\n]")
MODULUS = 99_999_999


def write_glozz(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """Write the folder, all or nothing; what comes back is what Glozz could not hold."""
    writer = StandoffWriter(value, SUFFIXES, "Glozz")
    body = _Body()
    writer.write(path, options, body, ())
    notes = list(writer.notes)
    if body.ends:
        notes.append(Note.of(FormatFact.LINE_ENDS_AS_BLANKS, count=body.ends))
    if body.renamed:
        notes.append(Note.of(FormatFact.LAYOUT_RENAMED, count=body.renamed, layout=LAYOUT))
    return notes


@dataclass(slots=True)
class _Body:
    """What goes into Glozz's files, and how much they could not hold."""

    ends: int = 0
    renamed: int = 0

    def text(self, continuum: Continuum) -> bytes:
        """The text without a line end, each as long as before."""
        line, count = LINE_END.subn(" ", continuum.text or "")
        self.ends += count
        # A text that begins with the mark keeps it only behind another.
        return encoded(BOM + line if line.startswith(BOM) else line, continuum)

    def marks(self, continuum: Continuum, spans: Sequence[Unit | GoldSpan], author: str) -> bytes:
        """Paragraphs for the lines, then the units in text order; positions as Java counts."""
        etree = require("lxml.etree", feature="writing Glozz", extra="glozz")
        where = f"task '{continuum.id}'"
        text = continuum.text or ""
        table = Utf16.of(text)
        root = etree.Element("annotations")
        etree.SubElement(root, "metadata", corpusHashcode=_hash_code(LINE_END.sub(" ", text)))
        name = xml_text(author, where=where)
        count = 0
        for match in re.finditer(r"[^\r\n]+", text):
            count += 1
            _add(root, count, name, LAYOUT, {}, (table.to_units(p) for p in match.span()))
        for span in sorted(spans, key=lambda one: (one.start, one.end, one.category)):
            count += 1
            kind = xml_text(span.category, where=where)
            if kind.strip().casefold() == LAYOUT:
                self.renamed += 1
                kind = f"{LAYOUT}_"
            places = (table.to_units(int(position)) for position in (span.start, span.end))
            _add(root, count, name, kind, _features(span), places)
        etree.indent(root, space="")
        data: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=False)
        return data


def _features(span: Unit | GoldSpan) -> Mapping[str, str]:
    if not isinstance(span, GoldSpan):
        return {}
    votes = REFUSED.sub("?", votes_line(span))
    return {"confidence": f"{span.confidence:.6g}", "votes": votes}


def _add(
    root: Any, number: int, author: str, kind: str, features: Mapping[str, str], places: Any
) -> None:
    """A unit as Glozz writes it; the number stands for the time it has no record of."""
    unit = root.makeelement("unit", id=f"goldspan_{number}")
    root.append(unit)
    metadata = _child(unit, "metadata")
    _child(metadata, "author", author)
    _child(metadata, "creation-date", str(number))
    _child(metadata, "lastModifier", "n/a")
    _child(metadata, "lastModificationDate", "0")
    nature = _child(unit, "characterisation")
    _child(nature, "type", kind)
    held = _child(nature, "featureSet")
    for name, value in features.items():
        _child(held, "feature", value).set("name", name)
    positioning = _child(unit, "positioning")
    for side, place in zip(("start", "end"), places, strict=True):
        _child(_child(positioning, side), "singlePosition").set("index", str(place))


def _child(parent: Any, tag: str, text: str | None = None) -> Any:
    element = parent.makeelement(tag)
    element.text = text
    parent.append(element)
    return element


def _hash_code(text: str) -> str:
    """Glozz's check that a text is the one that was annotated: its length and a product."""
    data = text.encode("utf-16-le")
    code = 1
    for low, high in zip(data[::2], data[1::2], strict=True):
        unit = low + 256 * high
        code = code * unit % MODULUS if unit else code
    return f"{len(data) // 2}-{code}"
