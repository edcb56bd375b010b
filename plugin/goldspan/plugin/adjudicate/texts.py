"""Texts: quotes and windows of a task's text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from goldspan.engine.model import Measure
from goldspan.plugin.adjudicate.views import Block

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Position

BLOCK = 500
"""Characters of a block, about."""

WHOLE = 200_000
"""A text of so many characters is sent at once."""

AROUND = 80
LONGEST_QUOTE = 200


def text_of(continuum: Continuum) -> str | None:
    """The text that positions count in; None where they count something else."""
    return continuum.text if continuum.measure is Measure.CHARACTER else None


def quote(continuum: Continuum, start: Position, end: Position) -> str:
    """What is written there, without its middle where it is long; empty where there is no text."""
    text = text_of(continuum)
    if text is None:
        return ""
    found = text[int(start) : int(end)]
    if len(found) <= LONGEST_QUOTE:
        return found
    half = LONGEST_QUOTE // 2
    return f"{found[:half]} … {len(found) - 2 * half:,} characters … {found[-half:]}"


def around(continuum: Continuum, start: Position, end: Position) -> tuple[str, str]:
    """What stands before and after."""
    text = text_of(continuum)
    if text is None:
        return "", ""
    return text[max(int(start) - AROUND, 0) : int(start)], text[int(end) : int(end) + AROUND]


def blocks(text: str, start: int, end: int) -> tuple[Block, ...]:
    """The blocks that overlap a window; they are the same whatever the window is."""
    return tuple(Block(at, text[at:stop]) for at, stop in _cuts(text) if at < end and stop > start)


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    """Blocks end at line breaks, else at a space, else after so many characters."""
    at = 0
    while at < len(text):
        stop = min(at + BLOCK, len(text))
        if stop < len(text):
            least = at + BLOCK // 2
            line = text.rfind("\n", least, stop)
            space = text.rfind(" ", least, stop)
            stop = (line if line >= 0 else space if space >= 0 else stop - 1) + 1
            stop = _whole(text, at, stop)
        yield at, stop
        at = stop


def _whole(text: str, at: int, stop: int) -> int:
    """Not between a character and the marks, joiners and skin tones that belong to it."""
    from unicodedata import combining  # noqa: PLC0415 - rarely needed

    while stop < len(text) and (
        combining(text[stop])
        or text[stop] in "\u200d\ufe0f\n"
        or text[stop - 1] == "\u200d"
        or "\U0001f3fb" <= text[stop] <= "\U0001f3ff"
    ):
        stop += 1
    return max(stop, at + 1)
