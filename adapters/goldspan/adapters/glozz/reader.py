"""Reading Glozz: units by their types and features, in code points of the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.files.xml_file import parse_xml
from goldspan.adapters.kit.digits import from_digits
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.standoff import Document, Suffixes, find_documents, read_documents
from goldspan.adapters.kit.text.offsets import BOM
from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.engine.errors import InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions
    from goldspan.engine.model import Corpus

SUFFIXES = Suffixes(marks=".aa", text=".ac")
LAYOUT = "paragraph"


class _Unit(NamedTuple):
    """A unit as it is written; positions as Glozz counted them."""

    type: str
    features: dict[str, str]
    start: int
    end: int
    where: str


class _Page(NamedTuple):
    """One annotator's file: its units, and the length that it gives the text, if it does."""

    document: Document
    units: list[_Unit]
    length: int | None


def read_glozz(paths: Paths, options: ReadOptions) -> Corpus:
    """Every unit but paragraphs; relations and schemas are not spans."""
    shelf = find_documents(paths, SUFFIXES, options)
    draft = Draft(options)
    reading = _Reading(draft, options.category_from or "type")
    read_documents(shelf, draft, SUFFIXES.marks, reading.read)
    reading.settle()
    reading.finish()
    return draft.corpus()


@dataclass(slots=True)
class _Reading:
    """One reading of many documents, with what has to be known of all of them at the end."""

    draft: Draft
    category: str
    types: set[str] = field(default_factory=set)
    features: set[str] = field(default_factory=set)
    layout: int = 0
    held: dict[tuple[str, str], list[_Page]] = field(default_factory=dict)

    @property
    def feature(self) -> str | None:
        """The feature that is the category, or part of it."""
        return None if self.category == "type" else self.category.removeprefix("type/")

    def read(self, document: Document) -> None:
        """Hold the units of one annotator's file; the text goes to the task at once."""
        if document.text is None:
            name = document.marks.with_suffix(SUFFIXES.text).name
            raise InputError(
                f"there is no text {name} beside it; put it there; marks need their text",
                where=str(document.marks),
            )
        whole = read_text(document.text, keep_bom=True)
        text = whole.removeprefix(BOM)
        root = parse_xml(document.marks, extra="glozz").getroot()
        if root.tag != "annotations":
            raise InputError(
                f"the root element is <{root.tag}>, not <annotations>; this is not a Glozz file",
                where=f"{document.marks}:{root.sourceline}",
            )
        units = [_unit(element, document.marks) for element in root.iterfind("unit")]
        for tag in ("relation", "schema"):
            self.draft.lose(f"{tag}s", len(root.findall(tag)))
        page = _Page(document, units, _length(root, document.marks))
        self.held.setdefault((document.task, whole), []).append(page)
        self.draft.task(document.task).read_by(document.annotator, text)

    def settle(self) -> None:
        """Hand the units to the draft, in code points.

        Where no length tells how positions were counted, everybody's are judged together: one
        annotator's may fit by accident where the others' show that they were counted twice.
        """
        for (task, whole), pages in self.held.items():
            silent = [page for page in pages if page.length is None]
            last = max((unit.end for page in silent for unit in page.units), default=0)
            guessed = last > len(whole.removeprefix(BOM))
            if silent and Utf16.of(whole).wide:
                self.draft.note(
                    FormatFact.COUNTING_ASSUMED, task=task, count=len(silent), utf16=guessed
                )
            for page in pages:
                self._add(page, _counting(page, whole, twice=guessed))

    def _add(self, page: _Page, convert: Callable[[int, _Unit], int]) -> None:
        task = self.draft.task(page.document.task)
        layers = self.draft.options.layers
        for unit in page.units:
            if unit.type.strip().casefold() == LAYOUT:
                self.layout += 1
                continue
            self.types.add(unit.type)
            self.features.update(unit.features)
            self.draft.lose("features", len(unit.features.keys() - {self.feature}))
            if not layers or unit.type in layers:
                start, end = convert(unit.start, unit), convert(unit.end, unit)
                task.span(page.document.annotator, start, end, self._category(unit), unit.where)

    def finish(self) -> None:
        """Say what was left out; refuse names that nothing answers to."""
        if self.feature is not None and self.feature not in self.features:
            known = ", ".join(sorted(self.features)) or "none"
            raise SettingsError(f"there is no feature '{self.feature}'; there are {known}")
        for layer in self.draft.options.layers:
            if layer not in self.types:
                known = ", ".join(sorted(self.types)) or "none"
                raise SettingsError(f"there are no units of type '{layer}'; there are {known}")
        if self.layout:
            self.draft.note(FormatFact.LAYOUT_LEFT_OUT, count=self.layout)

    def _category(self, unit: _Unit) -> str:
        if self.category == "type":
            return unit.type
        value = unit.features.get(self.feature or "", "")
        if not self.category.startswith("type/"):
            return value
        return f"{unit.type}/{value}" if value else unit.type


def _unit(element: Any, path: Path) -> _Unit:
    where = f"{path}:{element.sourceline}"
    name = element.get("id") or "without an id"
    kind = (element.findtext("characterisation/type") or "").strip("\r\n")
    positions = []
    for side in ("start", "end"):
        place = element.find(f"positioning/{side}/singlePosition")
        index = place.get("index") if place is not None else None
        position = from_digits(index or "")
        if position is None:
            raise InputError(
                f"the unit {name} has no whole number for its {side}; correct its positioning",
                where=where,
            )
        positions.append(position)
    features = {
        feature.get("name", ""): (feature.text or "").strip("\r\n")
        for feature in element.iterfind("characterisation/featureSet/feature")
    }
    return _Unit(kind, features, positions[0], positions[1], f"{where} {name}")


def _counting(page: _Page, whole: str, *, twice: bool) -> Callable[[int, _Unit], int]:
    """How positions become code points, judged by the length that the file gives the text; `twice`
    is the guess for a file that gives none.

    Glozz runs on Java, which counts characters beyond U+FFFF twice; other tools write code points.
    """
    text = whole.removeprefix(BOM)
    table = Utf16.of(text)
    wide = len(text) + len(table.wide)
    length = page.length
    shift = 0
    if length in (len(text), len(text.rstrip("\r\n")), len(whole.encode(errors="replace"))):
        twice = False
    elif length == wide:
        twice = True
    elif whole.startswith(BOM) and length in (len(text) + 1, wide + 1):
        twice, shift = length == wide + 1 and bool(table.wide), 1
    elif length is not None:
        raise InputError(
            f"the text has {len(text)} characters, and the marks were made on {length}; "
            "put the text beside them that was annotated",
            where=str(page.document.marks),
        )

    def convert(position: int, unit: _Unit) -> int:
        if not twice:
            return position - shift
        point = table.to_points(position - shift)
        if point is None:
            raise InputError(f"the position {position} is inside a character", where=unit.where)
        return point

    return convert


def _length(root: Any, path: Path) -> int | None:
    """The number before the dash of the corpus's hash code."""
    metadata = root.find("metadata")
    code = metadata.get("corpusHashcode") if metadata is not None else None
    if code is None:
        return None
    number = from_digits(code.partition("-")[0])
    if number is None:
        raise InputError(
            f"the corpusHashcode '{code[:40]}' does not begin with a length",
            where=f"{path}:{metadata.sourceline}",
        )
    return number
