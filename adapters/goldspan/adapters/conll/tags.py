"""Tags: spans over tokens in IOB1, IOB2 and BIOES, which is also called BILOU."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from goldspan.engine.errors import InputError

OUTSIDE = ("O", "_", "")
TAG = re.compile(r"([BIESLUMW])-(.+)", re.DOTALL)
ALONE, END = "SUW", "EL"


class TokenSpan(NamedTuple):
    """Tokens from `start` up to but not with `end`; `line` is where the first stands."""

    start: int
    end: int
    label: str
    line: int


@dataclass(slots=True)
class Decoding:
    """The spans of one column. `begun` counts spans that began with another tag than they should;
    `opened` those that began with B- where a reader of IOB1 would have written I-.
    """

    spans: list[TokenSpan] = field(default_factory=list)
    begun: int = 0
    opened: int = 0
    _open: tuple[int, str, int] | None = None

    def feed(self, first: int, rows: Iterable[tuple[int, str]], where: str) -> None:
        """Read the tags of one sentence, whose first token has this index."""
        at = first
        for line, tag in rows:
            self._step(at, line, tag, where)
            at += 1
        self._close(at)

    @property
    def iob1(self) -> bool:
        """Whether every span began as IOB1 has it."""
        return self.begun > 0 and self.opened == 0

    def _step(self, at: int, line: int, tag: str, where: str) -> None:
        if tag in OUTSIDE:
            self._close(at)
            return
        match = TAG.fullmatch(tag)
        if match is None:
            raise InputError(
                f"'{tag}' is not a tag; write O, B-LABEL and I-LABEL, or BIOES",
                where=f"{where}:{line}",
            )
        kind, label = match[1], match[2]
        going_on = self._open is not None and self._open[1] == label
        if kind == "B" or kind in ALONE:
            self.opened += not going_on
            self._close(at)
        elif not going_on:
            self.begun += 1
            self._close(at)
        if self._open is None:
            self._open = at, label, line
        if kind in ALONE or kind in END:
            self._close(at + 1)

    def _close(self, end: int) -> None:
        if self._open is not None:
            start, label, line = self._open
            self.spans.append(TokenSpan(start, end, label, line))
            self._open = None


def is_tag(word: str) -> bool:
    """Whether it can be a tag."""
    return word in OUTSIDE or TAG.fullmatch(word) is not None


def encode(size: int, spans: Sequence[tuple[int, int, str]]) -> list[str]:
    """IOB2 tags of so many tokens; the spans do not overlap."""
    tags = ["O"] * size
    for start, end, label in spans:
        tags[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return tags
