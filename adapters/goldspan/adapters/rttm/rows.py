"""The rows of RTTM and UEM files: columns of words, times in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.times import decimal_seconds, milliseconds
from goldspan.engine.errors import InputError

NOTHING = "<NA>"
FIELDS = ("type", "file", "channel", "onset", "duration", "ortho", "stype", "name", "conf", "slat")
NO_CHANNEL = (NOTHING, "NA")
"""How UEM files say that a region is not of one channel."""
COMMENT = ";;"
OPEN = ";;length-unknown"
"""A comment of ours before a region whose end is the last unit's, because its length is unknown. It
is one word, because some readers treat every line with four fields as a region.
"""


class Turn(NamedTuple):
    """A row of an RTTM file; times in milliseconds."""

    fields: tuple[str, ...]
    start: int
    end: int
    where: str

    def field(self, name: str) -> str:
        """A field by its name; "" for what is not given."""
        value = self.fields[FIELDS.index(name)]
        return "" if value == NOTHING else value


class Region(NamedTuple):
    """A row of a UEM file: what was to be annotated; times in milliseconds. `channel` is "" if it
    names none.

    `open` is said of an end that is not known to be the recording's.
    """

    file: str
    channel: str
    start: int
    end: int
    open: bool


def read_turns(path: Path) -> Iterator[Turn]:
    """Every row, of whatever type; types that have no time of their own have none here."""
    for where, fields in _rows(path):
        if fields[0].startswith(COMMENT):
            continue
        if len(fields) not in (9, 10):
            raise InputError(
                f"there are {len(fields)} fields where RTTM has 9 or 10; names cannot hold blanks",
                where=where,
            )
        if NOTHING in fields[3:5]:
            yield Turn(tuple(fields), 0, 0, where)
            continue
        onset, duration = (decimal_seconds(field, where) for field in fields[3:5])
        if duration < 0:
            raise InputError(f"the duration {duration} is below 0; correct it", where=where)
        yield Turn(tuple(fields), milliseconds(onset), milliseconds(onset + duration), where)


def read_regions(path: Path) -> Iterator[Region]:
    """Every row `file channel start end`."""
    is_open = False
    for where, fields in _rows(path):
        if fields[0].startswith(COMMENT):
            is_open = fields == [OPEN]
            continue
        if len(fields) != 4:
            raise InputError(
                f"there are {len(fields)} fields where UEM has file, channel, start and end",
                where=where,
            )
        start, end = (milliseconds(decimal_seconds(field, where)) for field in fields[2:])
        if start > end:
            raise InputError(f"the region [{start}, {end}) ends before it starts", where=where)
        channel = "" if fields[1] in NO_CHANNEL else fields[1]
        yield Region(fields[0], channel, start, end, is_open)
        is_open = False


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Place and fields of every row and comment."""
    # Only a line feed ends a row, and only blanks and tabs end a field.
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        fields = line.rstrip("\r").replace("\t", " ").split(" ")
        words = [field for field in fields if field]
        if words:
            yield f"{path}:{number}", words
