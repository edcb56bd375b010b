"""The shared text: what all annotators of a task had before them, up to line ends."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.model import Position


@dataclass(frozen=True, slots=True)
class SharedText:
    """A text that annotators have in common.

    `own` holds each annotator's text when they differ in their line ends; `text` then has line
    feeds only, and positions have to be moved.
    """

    text: str | None
    own: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Mapping[str, str], otherwise: str | None) -> SharedText | None:
        """The one text of all, `otherwise` when nobody brought one, None when they differ."""
        if not texts:
            return cls(otherwise)
        first = next(iter(texts.values()))
        if all(text == first for text in texts.values()):
            return cls(first)
        if len({_digest(text) for text in texts.values()}) > 1:
            return None
        return cls(_normal_newlines(first), own=dict(texts))

    def move(self, annotator: str, position: Position) -> Position:
        """A position in the annotator's own text, in the shared one."""
        own = self.own.get(annotator)
        if own is None:
            return position
        return position - own.count("\r\n", 0, int(position))


def _digest(text: str) -> bytes:
    # Lone surrogates occur in files that other tools cut; they must compare, not fail.
    encoded = _normal_newlines(text).encode("utf-8", errors="surrogatepass")
    return hashlib.sha256(encoded).digest()


def _normal_newlines(text: str) -> str:
    """The text with every line end as a single line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
