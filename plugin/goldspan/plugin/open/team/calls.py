"""Calls: what a process that computes is asked, and its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from goldspan.plugin.open.data import Limits
    from goldspan.plugin.open.reading import Words

OK, NOT_FOUND = 200, 404
JSON = b"application/json"
MAKERS = ("/api/measure", "/api/rounds")
"""Calls whose answers have a token that opens a report."""

MEDIA = "/api/media/"


@dataclass(frozen=True, slots=True)
class Desk:
    """Whose files they are, where they are, and how they may be read."""

    person: str
    folder: Path
    shared: tuple[Path, ...]
    limits: Limits
    words: Words


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a page. The file `flag` appears when nobody waits for the answer any more."""

    method: str
    path: str
    query: bytes
    kind: bytes
    body: bytes
    flag: Path


@dataclass(frozen=True, slots=True)
class Maker:
    """What was asked by the call that made a report."""

    path: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back to the page."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Work:
    """What a process does: `answer` a call, which another one may have prepared, and
    `tidy` up after files were deleted. Both are functions of a module.
    """

    words: Words
    answer: Callable[[Desk, Call, Maker | None], Answer]
    tidy: Callable[[], None]


class _Made(msgspec.Struct):
    report: str = ""


def report_token(body: bytes) -> str:
    """What opens the report of a result; empty if it has none."""
    return msgspec.json.decode(body, type=_Made).report
