"""Writing brat: the texts byte for byte where a source has them, marks in text order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.brat.conf import ANNOTATION, VISUAL, read_conf
from goldspan.adapters.brat.sources import SUFFIXES, Sources
from goldspan.adapters.brat.types import BratTypes, annotation_conf, visual_conf
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.standoff_writer import TABLE, StandoffWriter, encoded
from goldspan.adapters.kit.text.offsets import BOM
from goldspan.adapters.kit.votes import votes_line
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions
    from goldspan.engine.model import Continuum, Corpus, Unit

PIECE = re.compile("[^\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
"""What brat keeps on one line of a file; it splits a span wherever this ends."""


def write_brat(value: Corpus | Gold, path: Path, options: WriteOptions, sources: Sources) -> Notes:
    """Write the folder, all or nothing; what comes back is what brat could not hold."""
    corpus = value.corpus if isinstance(value, Gold) else value
    categories: Sequence[str] = corpus.categories
    if isinstance(value, Gold):
        used = {span.category for spans in value.spans.values() for span in spans}
        categories = [*corpus.scale, *sorted(used.difference(corpus.scale))]
    writer = StandoffWriter(value, SUFFIXES, "brat", reserved=(TABLE, ANNOTATION, VISUAL))
    body = _Body(sources, BratTypes.of(categories))
    writer.write(path, options, body, body.configuration())
    return [*writer.notes, *body.types.notes, *body.notes()]


@dataclass(slots=True)
class _Body:
    """What goes into brat's files, and how much they could not hold."""

    sources: Sources
    types: BratTypes
    cut: int = 0
    lost: int = 0

    def text(self, continuum: Continuum) -> bytes:
        """The source's bytes, where it has this text."""
        text = continuum.text or ""
        source = self.sources.texts.get(text)
        if source is not None:
            return source.read_bytes()
        # A text that begins with the mark keeps it only behind another.
        return encoded(BOM + text if text.startswith(BOM) else text, continuum)

    def marks(self, continuum: Continuum, spans: Sequence[Unit | GoldSpan], author: str) -> bytes:
        """T lines in text order; each gold mark's confidence and votes are a note to it."""
        del author
        text = continuum.text or ""
        shift = self._shift(text)
        old = self._lines_of_source(continuum, spans)
        lines = [line for _, line in sorted((at, line) for at, _, line in old.values())]
        taken = {name for _, name, _ in old.values()}
        names = (name for number in count(1) if (name := f"T{number}") not in taken)
        notes: list[str] = []
        for span in sorted(spans, key=lambda one: (one.start, one.end, one.category)):
            if span in old:
                continue
            parts = span.fragments or ((span.start, span.end),)
            pieces = [one for s, e in parts for one in _pieces(text, int(s), int(e))]
            if not pieces:
                self.lost += 1
                continue
            self.cut += pieces[0][0] > span.start or pieces[-1][1] < span.end
            name = next(names)
            places = ";".join(f"{start + shift} {end + shift}" for start, end in pieces)
            marked = " ".join(text[start:end] for start, end in pieces)
            lines.append(f"{name}\t{self.types[span.category]} {places}\t{marked}\n")
            if isinstance(span, GoldSpan):
                said = votes_line(span)
                notes.append(f"#{len(notes) + 1}\tAnnotatorNotes {name}\t{said}\n")
        return "".join(lines + notes).encode()

    def _lines_of_source(
        self, continuum: Continuum, spans: Sequence[Unit | GoldSpan]
    ) -> Mapping[Unit | GoldSpan, tuple[int, str, str]]:
        """The spans that a source has as they are: line number, id and line of each."""
        text = continuum.text or ""
        if text not in self.sources.texts:
            return {}
        found: dict[Unit | GoldSpan, tuple[int, str, str]] = {}
        names: set[str] = set()
        shift = self._shift(text)
        for span in spans:
            if isinstance(span, GoldSpan) or (line := self.sources.line_of(span.source)) is None:
                continue
            same = line.says(self.types[span.category], span, text, shift)
            if same and line.mark.id not in names:
                names.add(line.mark.id)
                found[span] = line.mark.line, line.mark.id, line.raw
        return found

    def configuration(self) -> list[tuple[str, bytes]]:
        """The source's configuration where it knows every type, else one of our own."""
        annotation = self.sources.annotation[:1]
        known = set(read_conf(annotation, ()).types)
        if annotation and known.issuperset(self.types.names.values()):
            files = [(ANNOTATION, file) for file in annotation]
            files += [(VISUAL, file) for file in self.sources.visual[:1]]
            return [(name, file.read_bytes()) for name, file in files]
        own = [(ANNOTATION, annotation_conf(self.types).encode())]
        if self.types.changed:
            own.append((VISUAL, visual_conf(self.types).encode()))
        return own

    def notes(self) -> Iterator[Note]:
        """What brat could not hold."""
        if self.cut:
            yield Note.of(FormatFact.EDGES_CUT, count=self.cut)
        if self.lost:
            yield Note.of(FormatFact.LINE_END_SPANS, count=self.lost)

    def _shift(self, text: str) -> int:
        """How many characters brat counts before the first of the text."""
        source = self.sources.texts.get(text)
        if source is not None:
            return len(read_text(source, keep_bom=True)) - len(text)
        return int(text.startswith(BOM))


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The fragments brat would make of a span: split at line ends and tabs, and the white space
    there taken off; that at the edges of the span itself stays.
    """
    found = [match.span() for match in PIECE.finditer(text, start, end)]
    pieces = []
    for index, (first, last) in enumerate(found):
        size = last - first
        left = size - len(text[first:last].lstrip()) if index else 0
        right = size - len(text[first:last].rstrip()) if index < len(found) - 1 else 0
        if max(left, right) < size:
            pieces.append((first + left, last - right))
        elif index in (0, len(found) - 1):
            pieces.append((first, last))
    return pieces
