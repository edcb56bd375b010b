"""Media: what regions are on, and how each counts positions.

Measured on regions drawn by mouse in Label Studio 1.23: Text counts code points, Paragraphs count
UTF-16 code units in each paragraph, HyperText counts code points over the page's text, Audio has
seconds, Video timelines have frames from 1 with both ends included, TimeSeries has the values of
its time column.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, ClassVar

from goldspan.adapters.kit.digits import from_digits
from goldspan.engine.errors import InputError
from goldspan.engine.model import FIRST, LAST, Measure, Position

if TYPE_CHECKING:
    from goldspan.engine.facts import Fact

Value = Mapping[str, Any]


class Medium:
    """One task's text or recording. `spans` reads a region's positions, `value` writes them.

    `first_fields` and `last_fields` of a region's value say where it starts and ends, where that
    is more than our position says.
    """

    measure: ClassVar[Measure]
    labels: ClassVar[str]
    first_fields: ClassVar[tuple[str, ...]] = ()
    last_fields: ClassVar[tuple[str, ...]] = ()
    text: str | None = None
    media: str | None = None

    def spans(self, value: Value) -> list[tuple[Position, Position]]:
        """The positions of a region, in the medium's measure; several for a list of ranges."""
        raise NotImplementedError

    def value(self, start: Position, end: Position) -> dict[str, Any]:
        """What a region's value holds of a span, except its labels."""
        raise NotImplementedError

    def recount(self) -> Fact | None:
        """Count in another way that occurs, after the usual one failed; None if there is none."""
        return None


class Text(Medium):
    """Code points; a carriage return counts."""

    measure = Measure.CHARACTER
    labels = "labels"

    def __init__(self, text: str | None, media: str | None = None) -> None:
        self.text = text
        self.media = media

    def spans(self, value: Value) -> list[tuple[Position, Position]]:
        start, end = value.get("start"), value.get("end")
        if type(start) is int and type(end) is int:
            return [(start, end)]
        return [(whole(start, "start"), whole(end, "end"))]

    def value(self, start: Position, end: Position) -> dict[str, Any]:
        return {"start": start, "end": end, "text": (self.text or "")[int(start) : int(end)]}


class Audio(Medium):
    """Seconds, taken to the millisecond."""

    measure = Measure.MILLISECOND
    labels = "labels"
    first_fields = ("start", "channel")
    last_fields = ("end",)

    def __init__(self, media: str | None) -> None:
        self.media = media

    def spans(self, value: Value) -> list[tuple[Position, Position]]:
        return [(milliseconds(value.get("start"), "start"), milliseconds(value.get("end"), "end"))]

    def value(self, start: Position, end: Position) -> dict[str, Any]:
        return {"start": start / 1000, "end": end / 1000, "channel": 0}


class Video(Medium):
    """Frames are numbered from 1, and a click marks one frame: first and last both belong."""

    measure = Measure.FRAME
    labels = "timelinelabels"

    def __init__(self, media: str | None) -> None:
        self.media = media

    def spans(self, value: Value) -> list[tuple[Position, Position]]:
        ranges = value.get("ranges")
        if not isinstance(ranges, list) or not all(isinstance(one, dict) for one in ranges):
            raise InputError("the region has no ranges; export it again")
        return [
            (whole(one.get("start"), "start") - 1, whole(one.get("end"), "end")) for one in ranges
        ]

    def value(self, start: Position, end: Position) -> dict[str, Any]:
        return {"ranges": [{"start": start + 1, "end": end}]}


class TimeSeries(Medium):
    """The values of the time column; dates become milliseconds since 1970."""

    measure = Measure.STEP
    labels = "timeserieslabels"
    first_fields = ("start",)
    last_fields = ("end",)

    def __init__(self, media: str | None) -> None:
        self.media = media

    def spans(self, value: Value) -> list[tuple[Position, Position]]:
        return [(_moment(value.get("start"), "start"), _moment(value.get("end"), "end"))]

    def value(self, start: Position, end: Position) -> dict[str, Any]:
        return {"start": start, "end": end, "instant": False}


def whole(value: Any, name: str) -> int:
    """A whole number; floats and texts that hold one are taken."""
    if isinstance(value, str):
        digits = from_digits(value.removeprefix("-"))
        if digits is not None:
            return -digits if value.startswith("-") else digits
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise InputError(f"'{name}' is {value!r} where a whole number is expected")
    return int(value)


def number(value: Any, name: str) -> Position:
    """A number that a position can be."""
    told = isinstance(value, int | float) and not isinstance(value, bool)
    if not told or not FIRST <= value <= LAST:
        raise InputError(f"'{name}' is {value!r} where a number within 2**53 of 0 is expected")
    position: Position = value
    return position


def milliseconds(value: Any, name: str) -> int:
    """Seconds to milliseconds, half up."""
    return math.floor(number(number(value, name) * 1000, name) + 0.5)


def _moment(value: Any, name: str) -> Position:
    if not isinstance(value, str):
        return number(value, name)
    try:
        return number(float(value), name)
    except ValueError:
        pass
    try:
        # Python 3.10 does not know the Z that a browser ends a date with.
        moment = datetime.fromisoformat(re.sub(r"[Zz]$", "+00:00", value))
    except ValueError as error:
        raise InputError(
            f"'{name}' is {value!r}, which is neither a number nor an ISO date; "
            "give the time column as numbers"
        ) from error
    # Without a zone it is nobody's local time, least of all that of the machine that reads.
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=timezone.utc)
    return round(zoned.timestamp() * 1000)
