"""HyperText: a page, whose regions count code points over its text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate
from typing import Any

from goldspan.adapters.label_studio.medium import Medium, Value, whole
from goldspan.adapters.offsets import Utf16, normal_newlines
from goldspan.engine.errors import InputError
from goldspan.engine.model import Measure, Position

VOID = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr",
    }
)  # fmt: skip
DROPPED = frozenset({"html", "head", "body"})
"""Tags a browser drops inside a page, for the text stands in a page of its own."""

CLOSES_P = frozenset(
    {
        "address", "article", "aside", "blockquote", "div", "dl", "fieldset", "footer", "form",
        "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre",
        "section", "table", "ul",
    }
)  # fmt: skip
CELLS, ROWS = {"td", "th"}, {"td", "th", "tr"}
CLOSES: Mapping[str, set[str]] = {
    "li": {"li"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "option": {"option"},
    "td": CELLS,
    "th": CELLS,
    "tr": ROWS,
    "tbody": ROWS | {"thead", "tbody"},
    "tfoot": ROWS | {"thead", "tbody"},
    **{tag: {"p"} for tag in CLOSES_P},
}
"""A tag that begins ends these, when they are the ones open."""

STEP = re.compile(r"/(text\(\)|[\w-]+)(?:\[(\d+)\])?")


@dataclass(slots=True)
class Node:
    """An element of the page, or a piece of its text."""

    name: str
    children: list[Node] = field(default_factory=list)
    text: str = ""

    def texts(self) -> Iterator[tuple[str, str]]:
        """The path and the text of every piece below, in order."""
        # A page may nest deeper than Python calls.
        steps: list[str] = []
        below = [self._steps()]
        while below:
            step, child = next(below[-1], ("", self))
            if child is self:
                below.pop()
                del steps[-1:]
            elif child.name == "text()":
                yield "/" + "/".join([*steps, step]), child.text
            else:
                steps.append(step)
                below.append(child._steps())

    def _steps(self) -> Iterator[tuple[str, Node]]:
        """Each child and how a path names it: among those of its kind, from 1."""
        counts: dict[str, int] = {}
        for child in self.children:
            counts[child.name] = counts.get(child.name, 0) + 1
            yield f"{child.name}[{counts[child.name]}]", child


class _Page(HTMLParser):
    """Builds the tree as a browser would, for the tags that annotated pages are made of."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in DROPPED:
            return
        while self.open[-1].name in CLOSES.get(tag, ()):
            self.open.pop()
        if tag == "tr" and self.open[-1].name == "table":
            self._push("tbody")
        if tag in VOID:
            self.open[-1].children.append(Node(tag))
        else:
            self._push(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # A browser ignores the slash: <p/> opens a paragraph.
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self.open) - 1, 0, -1):
            if self.open[depth].name == tag:
                del self.open[depth:]
                return

    def handle_data(self, data: str) -> None:
        siblings = self.open[-1].children
        if siblings and siblings[-1].name == "text()":
            siblings[-1].text += data
        else:
            siblings.append(Node("text()", text=data))

    def _push(self, tag: str) -> None:
        node = Node(tag)
        self.open[-1].children.append(node)
        self.open.append(node)


class HyperText(Medium):
    """The page's text: tags taken away, entities decoded, line ends as single line feeds."""

    measure = Measure.CHARACTER
    labels = "hypertextlabels"
    first_fields = ("start", "startOffset")
    last_fields = ("end", "endOffset")

    def __init__(self, html: str) -> None:
        page = _Page()
        page.feed(normal_newlines(html))
        page.close()
        pieces = list(page.root.texts())
        self.paths = [path for path, _ in pieces]
        self.pieces = [text for _, text in pieces]
        self.starts = [0, *accumulate(len(text) for text in self.pieces)]
        self.text = "".join(self.pieces)

    def spans(self, value: Value) -> list[tuple[Position, Position]]:
        offsets = value.get("globalOffsets")
        if isinstance(offsets, dict):
            return [(whole(offsets.get("start"), "start"), whole(offsets.get("end"), "end"))]
        start = self._position(value, "start", "startOffset")
        return [(start, self._position(value, "end", "endOffset"))]

    def value(self, start: Position, end: Position) -> dict[str, Any]:
        first, last = int(start), int(end)
        if last > len(self.text or ""):
            # A page that a browser counts in another way; the paths are then somebody's own.
            return {"globalOffsets": {"start": start, "end": end}}
        path, offset = self._place(bisect_right(self.starts, first) - 1, first)
        end_path, end_offset = self._place(bisect_left(self.starts, last) - 1, last)
        return {
            "start": path,
            "end": end_path,
            "startOffset": offset,
            "endOffset": end_offset,
            "globalOffsets": {"start": start, "end": end},
            "text": (self.text or "")[first:last],
        }

    def _place(self, index: int, position: int) -> tuple[str, int]:
        units = Utf16.of(self.pieces[index]).to_units(position - self.starts[index])
        return self.paths[index], units

    def _position(self, value: Value, name: str, offset_name: str) -> int:
        """A position from a path and code units, as exports before globalOffsets have it."""
        path, offset = str(value.get(name)), whole(value.get(offset_name), offset_name)
        steps = STEP.findall(path)
        full = "".join(f"/{step}[{index or 1}]" for step, index in steps)
        if full in self.paths:
            index = self.paths.index(full)
            point = Utf16.of(self.pieces[index]).to_points(offset)
            if point is not None and point <= len(self.pieces[index]):
                return self.starts[index] + point
        raise InputError(
            f"the place {path} + {offset} is not found in the page, and the region has no "
            "globalOffsets; open and save the annotation in a current Label Studio"
        )
