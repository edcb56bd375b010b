"""The lines of an .ann file: text-bound marks, their attributes and the events they trigger."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from goldspan.adapters.files.text_file import read_text
from goldspan.engine.errors import InputError

LINE = re.compile(r"(?P<id>\S+)\t(?P<data>[^\t]*)(?:\t(?P<tail>.*))?", re.DOTALL)
FRAGMENTS = re.compile(r"(\S+) (-?\d{1,18} -?\d{1,18}(?:;-?\d{1,18} -?\d{1,18})*) *")
WITHOUT_SPANS = {
    "E": "events",
    "R": "relations",
    "*": "equivalences",
    "N": "normalisations",
    "#": "notes",
}
"""What lines are called whose id begins so; an event's trigger is a span of its own."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A T line: fragments as they are written, the text stored with them, and its line number."""

    id: str
    type: str
    fragments: tuple[tuple[int, int], ...]
    stored: str | None
    line: int


@dataclass(slots=True)
class Marks:
    """What one .ann file says.

    `events` are the events that a mark triggers; `others` counts lines without a span by what they
    are, `strange` those of a kind that brat does not define.
    """

    path: Path
    marks: dict[str, Mark] = field(default_factory=dict)
    attributes: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    events: dict[str, list[str]] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)
    strange: int = 0

    def where(self, mark: Mark) -> str:
        return f"{self.path}:{mark.line}"

    def attributes_of(self, mark: Mark) -> Mapping[str, tuple[str, ...]]:
        """Attribute name to values, of the mark itself and of the events that it triggers."""
        found: dict[str, dict[str, None]] = {}
        for owner in (mark.id, *self.events.get(mark.id, ())):
            for name, values in self.attributes.get(owner, {}).items():
                found.setdefault(name, {}).update(dict.fromkeys(values))
        return {name: tuple(values) for name, values in found.items()}


def read_marks(path: Path) -> Marks:
    """All marks of the file; a line that cannot be one is an error with its number."""
    marks = Marks(path)
    seen: set[str] = set()
    for number, name, data, tail in _lines(path):
        where = f"{path}:{number}"
        if name in seen and name != "*":
            raise InputError(f"the id {name} occurs twice; give each its own", where=where)
        seen.add(name)
        if name[0] in WITHOUT_SPANS:
            marks.others[WITHOUT_SPANS[name[0]]] += 1
        if name.startswith("T"):
            marks.marks[name] = _mark(name, data, tail, number, where)
        elif name[0] in "AM":
            _attribute(data, marks, where)
        elif name.startswith("E"):
            marks.events.setdefault(_trigger(name, data, where), []).append(name)
        elif name[0] not in WITHOUT_SPANS:
            marks.strange += 1
    for trigger, events in marks.events.items():
        if trigger not in marks.marks:
            raise InputError(
                f"the event {events[0]} is triggered by {trigger}, not a span; add its line",
                where=str(path),
            )
    return marks


def merged(
    fragments: Sequence[tuple[int, int]], text: str | None, where: str
) -> list[tuple[int, int]]:
    """The fragments in order, joined where only white space is between them; without the text,
    where nothing is.

    brat splits a span at every line end; that is how it is stored, not what was meant.
    """
    full = [pair for pair in sorted(fragments) if pair[0] < pair[1]] or list(fragments[:1])
    parts = full[:1]
    for start, end in full[1:]:
        last, until = parts[-1]
        if start < until:
            raise InputError(
                f"the fragments [{last}, {until}) and [{start}, {end}) overlap; correct them",
                where=where,
            )
        if start == until or (text is not None and not text[until:start].strip()):
            parts[-1] = last, end
        else:
            parts.append((start, end))
    return parts


def _lines(path: Path) -> Iterator[tuple[int, str, str, str | None]]:
    # Only a line feed ends a line: a marked text may hold other characters that look like it.
    for number, raw in enumerate(read_text(path).split("\n"), start=1):
        line = raw.removesuffix("\r")
        if not line.strip():
            continue
        match = LINE.fullmatch(line)
        if match is None:
            raise InputError(
                f"the line '{line[:40]}' is not a brat annotation; write an id and a TAB first",
                where=f"{path}:{number}",
            )
        yield number, match["id"], match["data"], match["tail"]


def _mark(name: str, data: str, tail: str | None, number: int, where: str) -> Mark:
    match = FRAGMENTS.fullmatch(data)
    if match is None:
        raise InputError(
            f"'{data[:40]}' is not a type with positions; write TYPE START END[;START END…]",
            where=where,
        )
    pairs = (part.split(" ") for part in match[2].split(";"))
    return Mark(name, match[1], tuple((int(s), int(e)) for s, e in pairs), tail, number)


def _trigger(name: str, data: str, where: str) -> str:
    match = re.match(r"[^\s:]+:(\S+)", data)
    if match is None:
        raise InputError(f"the event {name} has no trigger; add Type:T…", where=where)
    return match[1]


def _attribute(data: str, marks: Marks, where: str) -> None:
    name, _, rest = data.partition(" ")
    target, _, value = rest.partition(" ")
    if not target:
        raise InputError(f"the attribute '{data[:40]}' has no target; add one", where=where)
    # A flag has no value: that it is there is all it says.
    marks.attributes.setdefault(target, {}).setdefault(name, []).append(value.strip() or name)
