"""The tokens of a text: those it came with, or words, punctuation and what spans cut."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.model import Position

WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Words, where each begins on the continuum, and the indices of those that end a sentence."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
    last: frozenset[int]

    def span(self, start: Position, end: Position) -> tuple[int, int] | None:
        """The tokens that begin in the span; None when there is none."""
        first, after = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return (first, after) if first < after else None


def given_tokens(text: str, length: Position | None, where: str) -> Tokens:
    """The tokens of a text that is counted in them: a blank between, sentences on lines."""
    sentences = [line.split(" ") for line in text.split("\n")] if text else []
    words = [word for sentence in sentences for word in sentence]
    if not all(words) or (length is not None and length != len(words)):
        raise InputError(
            f"the text has {len(words)} tokens between single blanks, and the task {length}; "
            "choose another format",
            where=where,
        )
    last, count = set(), 0
    for sentence in sentences:
        count += len(sentence)
        last.add(count - 1)
    return Tokens(tuple(words), tuple(range(len(words))), frozenset(last))


def made_tokens(text: str, edges: Iterable[int]) -> Tokens:
    """Words and punctuation, cut at the edges inside one; lines are sentences."""
    cuts = sorted(set(edges))
    pieces: list[tuple[int, int]] = []
    at = 0
    for match in WORD.finditer(text):
        start = match.start()
        while at < len(cuts) and cuts[at] <= start:
            at += 1
        while at < len(cuts) and cuts[at] < match.end():
            pieces.append((start, cuts[at]))
            start = cuts[at]
            at += 1
        pieces.append((start, match.end()))
    last = {len(pieces) - 1} if pieces else set()
    for index in range(len(pieces) - 1):
        if "\n" in text[pieces[index][1] : pieces[index + 1][0]]:
            last.add(index)
    words = tuple(text[start:end] for start, end in pieces)
    return Tokens(words, tuple(start for start, _ in pieces), frozenset(last))
