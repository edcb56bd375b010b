"""UTF-16: positions as JavaScript, Java and .NET count them, and as Python does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Utf16:
    """A text's UTF-16 code unit positions against its code point positions."""

    wide: tuple[int, ...]
    """Code point positions of the characters that take two code units."""

    @classmethod
    def of(cls, text: str) -> Utf16:
        if text.isascii() or max(text) <= "\uffff":
            return cls(())
        return cls(tuple(i for i, char in enumerate(text) if char > "\uffff"))

    def to_points(self, position: int) -> int | None:
        """The code point position; None inside a surrogate pair."""
        if not self.wide:
            return position
        starts = bisect_left(_Shifted(self.wide), position)
        point = position - starts
        # Just behind the first half of a pair, the count of pairs is one too high by half.
        if starts and self.wide[starts - 1] >= point:
            return None
        return point

    def to_units(self, position: int) -> int:
        """The UTF-16 code unit position."""
        return position + bisect_left(self.wide, position)


@dataclass(frozen=True, slots=True)
class _Shifted(Sequence[int]):
    """The code unit positions at which wide characters start, without a second list."""

    wide: tuple[int, ...]

    def __getitem__(self, index: int) -> int:  # type: ignore[override]
        return self.wide[index] + index

    def __len__(self) -> int:
        return len(self.wide)
