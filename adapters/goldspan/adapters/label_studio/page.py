"""A page as a browser builds it: its text nodes in order, and the path that leads to each.

html5lib implements the rules that all browsers follow. Label Studio 1.23 removes comments, scripts
and inner frames, ends paragraphs before tables, as pages with a doctype do, and shows the page as a
document in a frame of its own, with scripting on. It counts a line break as one character.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from time import thread_time
from typing import Any, TypeAlias

Element: TypeAlias = Any
"""An element of the standard library's xml.etree, or a comment, whose tag is not a string."""

DOCTYPE = "<!DOCTYPE html>"
COMMENT = "comment()"
REMOVED = frozenset({COMMENT, "script", "iframe"})
LINE_BREAK, HIDDEN = "br", "template"


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A node and the one it is in; a page may nest so deep that whole paths take too much room."""

    step: str
    """How a path names the node among its siblings: `/p[2]` or `/text()[1]`."""
    parent: Place | None


@dataclass(frozen=True, slots=True)
class Piece:
    """A text node or a line break."""

    text: str
    place: Place | None
    """None for a line break: no region begins or ends in one."""

    @property
    def path(self) -> str:
        """The path from the page's body to the text node; "" for a line break."""
        steps = []
        place = self.place
        while place is not None:
            steps.append(place.step)
            place = place.parent
        return "".join(reversed(steps))


def lay_out(html: str, *, seconds: float = 5.0) -> list[Piece]:
    """The pieces of the page's body in document order.

    Nothing for a page that takes far longer than pages of its size do: one of a megabyte takes two
    seconds and may take fifteen. `seconds` is what a small page may take.
    """
    import html5lib  # noqa: PLC0415 - slow, and few exports hold pages

    tree = html5lib.getTreeBuilder("etree")
    parser = html5lib.HTMLParser(tree, namespaceHTMLElements=False)
    source = _Source(DOCTYPE + html, seconds + len(html) / 100_000)
    try:
        root = parser.parse(source, scripting=True)
    except TimeoutError:
        return []
    body = root.find("body")
    return [] if body is None else list(_pieces(body))


class _Source(StringIO):
    """A page that ends the parsing when it has taken too much of the processor's time."""

    def __init__(self, html: str, seconds: float) -> None:
        super().__init__(html, newline="")
        self.end = thread_time() + seconds

    def read(self, size: int | None = -1, /) -> str:
        """The next characters; html5lib asks for some thousands at a time."""
        if thread_time() > self.end:
            raise TimeoutError
        return super().read(size)


def _pieces(body: Element) -> Iterator[Piece]:
    # A page may nest deeper than Python calls.
    below = [_children(body, None)]
    while below:
        child = next(below[-1], None)
        if child is None:
            below.pop()
        elif isinstance(child, Piece):
            yield child
        else:
            below.append(_children(*child))


def _children(parent: Element, within: Place | None) -> Iterator[Piece | tuple[Element, Place]]:
    """The text nodes and line breaks of an element, and the elements that may have some."""
    counts: dict[str, int] = {}

    def place(name: str) -> Place:
        counts[name] = counts.get(name, 0) + 1
        return Place(f"/{name}[{counts[name]}]", within)

    text = parent.text or ""
    for child in parent:
        name = _name(child)
        if name not in REMOVED:
            if text:
                yield Piece(text, place("text()"))
                text = ""
            if name == LINE_BREAK:
                yield Piece("\n", None)
            elif name != HIDDEN:
                yield child, place(name)
        # What stands around a removed node becomes one text node.
        text += child.tail or ""
    if text:
        yield Piece(text, place("text()"))


def _name(element: Element) -> str:
    """As a path has it: without a namespace, in small letters."""
    if not isinstance(element.tag, str):
        # A comment, which has a function for a tag.
        return COMMENT
    return element.tag.rpartition("}")[2].lower()
