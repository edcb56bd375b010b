"""Event: what an adjudicator did, as the page sends it and as the journal keeps it."""

from __future__ import annotations

import zlib
from enum import Enum

import msgspec

from goldspan.engine.adjudication.answer import Span  # noqa: TC001 - msgspec reads it

VERSION = 1
"""Of the journal."""


class Op(str, Enum):
    """What was done. An undo can be undone."""

    SETTLE = "settle"
    SKIP = "skip"
    REOPEN = "reopen"
    NOTE = "note"
    BATCH = "batch"
    UNDO = "undo"


class How(str, Enum):
    """How an answer came about."""

    ACCEPT = "accept"
    TAKE = "take"
    LABEL = "label"
    MOVE = "move"
    SPLIT = "split"
    JOIN = "join"
    DROP = "drop"
    ADD = "add"
    BATCH = "batch"


class Via(str, Enum):
    """How a person came to a site."""

    QUEUE = "queue"
    AUDIT = "audit"
    BROWSE = "browse"
    BATCH = "batch"


class Saw(msgspec.Struct, frozen=True):
    """What was suggested when the answer was given: the spans, the probability that they are wrong,
    and the chance with which this site was drawn.
    """

    spans: tuple[Span, ...]
    p: float
    pi: float = 1.0


class Drawn(msgspec.Struct, frozen=True, array_like=True):
    """A unit at the site, as it was then."""

    start: int | float
    end: int | float
    label: str
    annotator: str


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One site of a batch. Without spans the suggestion is meant."""

    site: str
    spans: tuple[Span, ...] | None = None
    base: int | None = None
    task: str = ""
    of: str = ""
    place: tuple[int | float, int | float] | None = None
    drawn: tuple[Drawn, ...] = ()
    saw: Saw | None = None


class Event(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A line of the journal.

    The page gives `id`, `op`, what was decided, and `base`: the last number that it saw for the
    site. The desk adds the rest. `n` grows over all journals of a folder that the writer knew, so
    that it orders events whatever the clocks say. `of` is the digest of the task's text, `place`
    and `drawn` are the site as it was.
    """

    n: int = 0
    id: str
    at: str = ""
    by: str = ""
    op: Op
    site: str = ""
    task: str = ""
    spans: tuple[Span, ...] | None = None
    how: How | None = None
    via: Via = Via.QUEUE
    reading: int | None = None
    saw: Saw | None = None
    ms: int | None = None
    note: str = ""
    tags: tuple[str, ...] = ()
    target: str = ""
    items: tuple[Item, ...] = ()
    base: int | None = None
    of: str = ""
    place: tuple[int | float, int | float] | None = None
    drawn: tuple[Drawn, ...] = ()


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a journal."""

    journal: int = VERSION
    goldspan: str
    by: str
    corpus: str
    seed: int = 0
    settings: dict[str, str] = {}
    at: str = ""


_ENCODER = msgspec.json.Encoder()
_EVENT = msgspec.json.Decoder(Event)
_HEADER = msgspec.json.Decoder(Header)
_MARK = b',"crc":"'


def encode_line(value: Event | Header) -> bytes:
    """The line of a journal, with its checksum and the line break."""
    body = _ENCODER.encode(value)
    return body[:-1] + _MARK + b'%08x"}\n' % zlib.crc32(body)


def decode_event(line: bytes) -> Event:
    """The event of a line without its line break; a ValueError if the line is damaged."""
    return _EVENT.decode(_body(line))


def decode_header(line: bytes) -> Header:
    """The header of a journal; a ValueError if the line is damaged."""
    return _HEADER.decode(_body(line))


def decode_posted(body: bytes) -> Event:
    """What the page sent; a ValueError that says what is wrong with it."""
    return _EVENT.decode(body)


def _body(line: bytes) -> bytes:
    at = line.rfind(_MARK)
    body = line[:at] + b"}"
    if at < 0 or line[at:] != _MARK + b'%08x"}' % zlib.crc32(body):
        raise ValueError("the checksum is wrong")
    return body
