"""HyperText: a page, whose regions count code points over its text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate
from typing import Any

from goldspan.adapters.kit.text.utf16 import Utf16
from goldspan.adapters.label_studio.medium import Medium, Value, whole
from goldspan.adapters.label_studio.page import lay_out
from goldspan.engine.errors import InputError
from goldspan.engine.model import Measure, Position

STEP = re.compile(r"/(text\(\)|[\w:.-]+)(?:\[(\d+)\])?")


class HyperText(Medium):
    """The text of the page that a browser builds, with a line feed for each `<br>`."""

    measure = Measure.CHARACTER
    labels = "hypertextlabels"
    first_fields = ("start", "startOffset")
    last_fields = ("end", "endOffset")

    def __init__(self, html: str) -> None:
        self.pieces = lay_out(html)
        self.starts = [0, *accumulate(len(piece.text) for piece in self.pieces)]
        self.text = "".join(piece.text for piece in self.pieces)

    def spans(self, value: Value) -> list[tuple[Position, Position]]:
        offsets = value.get("globalOffsets")
        if isinstance(offsets, dict):
            return [(whole(offsets.get("start"), "start"), whole(offsets.get("end"), "end"))]
        start = self._position(value, "start", "startOffset")
        return [(start, self._position(value, "end", "endOffset"))]

    def value(self, start: Position, end: Position) -> dict[str, Any]:
        over = {"globalOffsets": {"start": start, "end": end}}
        first = bisect_right(self.starts, start) - 1
        last = bisect_left(self.starts, end) - 1
        within = [] if end > self.starts[-1] else self._text_nodes(first, last)
        if not within:
            # A page that a browser counts in another way; the paths are then somebody's own.
            return over
        path, offset = self._place(within[0], int(start))
        end_path, end_offset = self._place(within[-1], int(end))
        return {
            "start": path,
            "end": end_path,
            "startOffset": offset,
            "endOffset": end_offset,
            **over,
            "text": (self.text or "")[int(start) : int(end)],
        }

    def _text_nodes(self, first: int, last: int) -> list[int]:
        """The pieces from `first` to `last` that are not line breaks."""
        return [i for i in range(first, last + 1) if self.pieces[i].place is not None]

    def _place(self, index: int, position: int) -> tuple[str, int]:
        """The path of a text node and the code unit in it that comes nearest to a position."""
        piece = self.pieces[index]
        point = min(max(position - self.starts[index], 0), len(piece.text))
        return piece.path, Utf16.of(piece.text).to_units(point)

    def _position(self, value: Value, name: str, offset_name: str) -> int:
        """A position from a path and code units, as exports before globalOffsets have it."""
        path, offset = str(value.get(name)), whole(value.get(offset_name), offset_name)
        full = "".join(f"/{step}[{index or 1}]" for step, index in STEP.findall(path))
        index = self._indexes.get(full)
        if index is not None:
            text = self.pieces[index].text
            point = Utf16.of(text).to_points(offset)
            if point is not None and point <= len(text):
                return self.starts[index] + point
        raise InputError(
            f"the place {path} + {offset} is not found in the page, and the region has no "
            "globalOffsets; open and save the annotation in a current Label Studio"
        )

    @cached_property
    def _indexes(self) -> dict[str, int]:
        """Where the text node is that a path leads to; few exports need it."""
        return {piece.path: index for index, piece in enumerate(self.pieces) if piece.path}
