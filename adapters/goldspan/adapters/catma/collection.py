"""A collection: the annotations of one TEI file, as CATMA exports it.

Every annotation is a feature structure below <text>. Segments of the text name the annotations
that cover them, and point to their place: target="catma://CATMA_…#char=3,9".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.xml_file import parse_xml
from goldspan.engine.errors import InputError

TEI = "{http://www.tei-c.org/ns/1.0}"
ID = "{http://www.w3.org/XML/1998/namespace}id"
AUTHOR = "catma_markupauthor"
TARGET = re.compile(r"(?:catma://)?(.*)#char=(\d{1,15}),(\d{1,15})")

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag, and the tags above it in the tagset."""

    name: str
    path: str
    tagset: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation; touching ranges are one, so that several are fragments."""

    tag: Tag
    ranges: tuple[Range, ...]
    properties: Mapping[str, tuple[str, ...]]
    where: str

    @property
    def author(self) -> str:
        return next(iter(self.properties.get(AUTHOR, ())), "")


@dataclass(frozen=True, slots=True)
class Collection:
    """One file; `document` is CATMA's id of the text, and `length` is how long it was."""

    path: Path
    author: str
    document: str
    length: int | None
    annotations: tuple[Annotation, ...]


def collection_files(path: Path) -> list[Path]:
    """The .xml files of a folder, or the file itself."""
    return [path] if path.is_file() else files_below(path, (".xml",))


def read_collection(path: Path) -> Collection:
    """The annotations of a file, with their tags and ranges."""
    root = parse_xml(path, extra="catma").getroot()
    if root.tag != f"{TEI}TEI":
        raise InputError(
            "the root element is not TEI's; export the annotation collection from CATMA",
            where=f"{path}:{root.sourceline}",
        )
    text = root.find(f"{TEI}text")
    body = text.find(f"{TEI}body") if text is not None else None
    if text is None or body is None:
        raise InputError("there is no <text> with a <body>; export it again", where=str(path))
    pointers = [_pointer(element, path) for element in body.iter(f"{TEI}ptr")]
    documents = {document for document, _ in pointers}
    if len(documents) > 1:
        raise InputError(
            "the collection points into several documents; export each by itself", where=str(path)
        )
    tags = _tags(root, path)
    ranges = _ranges(body, path)
    annotations = [
        _annotation(element, tags, ranges, path) for element in text.iterchildren(f"{TEI}fs")
    ]
    return Collection(
        path,
        (root.findtext(f".//{TEI}titleStmt/{TEI}author") or "").strip(),
        next(iter(documents), ""),
        max((end for _, (_, end) in pointers), default=None),
        tuple(annotations),
    )


def _pointer(element: Any, path: Path) -> tuple[str, Range]:
    found = TARGET.fullmatch(element.get("target") or "")
    if found is None:
        raise InputError(
            f"the target '{(element.get('target') or '')[:60]}' does not end in #char=START,END",
            where=f"{path}:{element.sourceline}",
        )
    return found[1], (int(found[2]), int(found[3]))


def _ranges(body: Any, path: Path) -> dict[str, list[Range]]:
    """The ranges of each annotation, by its id."""
    found: dict[str, list[Range]] = {}
    for segment in body.iter(f"{TEI}seg"):
        for element in segment.iterchildren(f"{TEI}ptr"):
            place = _pointer(element, path)[1]
            for name in (segment.get("ana") or "").split():
                found.setdefault(name.removeprefix("#"), []).append(place)
    return found


def _tags(root: Any, path: Path) -> dict[str, Tag]:
    declared: dict[str, tuple[str, str, str]] = {}
    for tagset in root.iter(f"{TEI}fsdDecl"):
        # The name of a tagset is followed by its version, a date.
        called = re.sub(r" \d{4}-\d\d-\d\dT\S*$", "", tagset.get("n") or "")
        for element in tagset.iterchildren(f"{TEI}fsDecl"):
            name = (element.findtext(f"{TEI}fsDescr") or "").strip()
            declared[element.get(ID) or ""] = name, element.get("baseTypes") or "", called
    return {
        name: Tag(own[0], _path(name, declared, path), own[2]) for name, own in declared.items()
    }


def _path(name: str, declared: Mapping[str, tuple[str, str, str]], path: Path) -> str:
    parts: list[str] = []
    passed: set[str] = set()
    while name in declared:
        if name in passed:
            raise InputError(
                f"the tag '{parts[0]}' is below itself; export it again", where=str(path)
            )
        passed.add(name)
        parts.insert(0, declared[name][0])
        name = declared[name][1]
    return "/" + "/".join(parts)


def _annotation(
    element: Any, tags: Mapping[str, Tag], ranges: Mapping[str, list[Range]], path: Path
) -> Annotation:
    name, where = element.get(ID) or "", f"{path}:{element.sourceline}"
    tag = tags.get(element.get("type") or "")
    if tag is None:
        raise InputError("the annotation has a tag that no tagset declares", where=where)
    properties = {
        one.get("name") or "": tuple((text.text or "") for text in one.iter(f"{TEI}string"))
        for one in element.iterchildren(f"{TEI}f")
    }
    if name not in ranges:
        raise InputError("no segment of the text has this annotation; export it again", where=where)
    return Annotation(tag, tuple(_joined(ranges[name])), properties, where)


def _joined(ranges: Iterable[Range]) -> Iterator[Range]:
    """In order, with touching ones as one: other annotations cut them."""
    begun: Range | None = None
    for start, end in sorted(set(ranges)):
        if begun is not None and start <= begun[1]:
            begun = begun[0], max(begun[1], end)
            continue
        if begun is not None:
            yield begun
        begun = start, end
    if begun is not None:
        yield begun
