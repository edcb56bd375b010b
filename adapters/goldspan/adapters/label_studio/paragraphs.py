"""Paragraphs: a dialogue, whose regions count UTF-16 code units in each paragraph."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.adapters.label_studio.medium import Medium, Value, whole
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Fact
from goldspan.engine.model import Measure, Position


class Paragraphs(Medium):
    """The paragraphs one after the other, a line feed between two, as one text."""

    measure = Measure.CHARACTER
    labels = "paragraphlabels"
    first_fields = ("start", "startOffset")
    last_fields = ("end", "endOffset")

    def __init__(self, paragraphs: Sequence[str]) -> None:
        self.paragraphs = tuple(paragraphs)
        self.text = "\n".join(self.paragraphs)
        self.starts = (0, *accumulate(len(one) + 1 for one in self.paragraphs))[:-1]
        self.tables = tuple(Utf16.of(one) for one in self.paragraphs)

    def spans(self, value: Value) -> list[tuple[Position, Position]]:
        start = self._position(value, "start", "startOffset")
        return [(start, self._position(value, "end", "endOffset"))]

    def value(self, start: Position, end: Position) -> dict[str, Any]:
        first, from_start = self._paragraph(int(start), at_end=False)
        last, to_end = self._paragraph(int(end), at_end=True)
        return {
            "start": str(first),
            "end": str(last),
            "startOffset": from_start,
            "endOffset": to_end,
            "text": (self.text or "")[int(start) : int(end)],
        }

    def recount(self) -> Fact | None:
        """Scripts that post regions count code points, as Python does."""
        if not any(table.wide for table in self.tables):
            return None
        self.tables = (Utf16(()),) * len(self.paragraphs)
        return Fact.of(FormatFact.IN_CODE_POINTS)

    def _position(self, value: Value, name: str, offset_name: str) -> int:
        index = whole(value.get(name), name)
        offset = whole(value.get(offset_name), offset_name)
        if not 0 <= index < len(self.paragraphs):
            raise InputError(f"there is no paragraph {index}; there are {len(self.paragraphs)}")
        point = self.tables[index].to_points(offset)
        if point is None or not 0 <= point <= len(self.paragraphs[index]):
            raise InputError(
                f"'{offset_name}' {offset} is not a position in paragraph {index}, which has "
                f"{self.tables[index].to_units(len(self.paragraphs[index]))} UTF-16 code units"
            )
        return self.starts[index] + point

    def _paragraph(self, position: int, *, at_end: bool) -> tuple[int, int]:
        """The paragraph and the code unit in it. The line feed between two paragraphs is nowhere
        on the page: a span that starts with it starts at the end of the paragraph before.
        """
        index = max(bisect_right(self.starts, position - at_end) - 1, 0)
        point = min(position - self.starts[index], len(self.paragraphs[index]) + at_end)
        if point > len(self.paragraphs[index]):
            # The span ends with the line feed, so right before the next paragraph's first letter.
            return index + 1, 0
        return index, self.tables[index].to_units(point)
