"""A TextGrid file: tiers of intervals or points, in Praat's long or short text form.

praatio reads this format too, and is what the tests compare with. It takes a label that holds
`item [` for a new tier, strips labels, and cannot say which line is wrong, so this is by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.times import decimal_seconds
from goldspan.engine.errors import InputError

TOKEN = re.compile(r'"(?:[^"]|"")*"|"|![^\n]*|<[^<>\s]*>|[^\s"]+')
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
INTERVALS, POINTS = "IntervalTier", "TextTier"
BINARY = b"ooBinaryFile"
OPEN = "! length unknown"
"""A comment of ours, for Praat and people: the end is the last unit's, for want of a length."""


class Entry(NamedTuple):
    """An interval or, with both ends at the same place, a point; in seconds as written."""

    start: Decimal
    end: Decimal
    label: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier with its entries, empty ones among them."""

    name: str
    entries: tuple[Entry, ...]
    points: bool = False


@dataclass(frozen=True, slots=True)
class TextGrid:
    """A file: where it starts and ends, and its tiers in order.

    `open` is said of an end that is not known to be the recording's.
    """

    start: Decimal
    end: Decimal
    tiers: tuple[Tier, ...]
    open: bool = False


def read_textgrid(path: Path) -> TextGrid:
    """The file; what Praat could not read either is an error with its line."""
    if path.read_bytes()[: len(BINARY)] == BINARY:
        raise InputError(
            "this is a binary TextGrid; open it in Praat and save it as a text file",
            where=str(path),
        )
    tokens = _Tokens(path)
    if not tokens.string().startswith("ooTextFile") or tokens.string() != "TextGrid":
        raise InputError("this is not a TextGrid file", where=f"{path}:1")
    start, end = tokens.number(), tokens.number()
    if tokens.next("a flag such as <exists>") != "<exists>":
        return TextGrid(start, end, ())
    tiers = tuple(_tier(tokens) for _ in range(tokens.count()))
    return TextGrid(start, end, tiers, OPEN in tokens.comments)


def format_textgrid(grid: TextGrid) -> str:
    """The long text form."""
    # Readers that work line by line skip this one, whatever follows the flag.
    flag = f"<exists> {OPEN}" if grid.open else "<exists> "
    lines = [
        'File type = "ooTextFile"', 'Object class = "TextGrid"', "",
        f"xmin = {grid.start:f} ", f"xmax = {grid.end:f} ", f"tiers? {flag}",
        f"size = {len(grid.tiers)} ", "item []: ",
    ]  # fmt: skip
    for number, tier in enumerate(grid.tiers, start=1):
        kind, word = (POINTS, "points") if tier.points else (INTERVALS, "intervals")
        lines += [
            f"    item [{number}]:", f'        class = "{kind}" ',
            f"        name = {_quoted(tier.name)} ", f"        xmin = {grid.start:f} ",
            f"        xmax = {grid.end:f} ", f"        {word}: size = {len(tier.entries)} ",
        ]  # fmt: skip
        for index, (start, end, label, _) in enumerate(tier.entries, start=1):
            lines.append(f"        {word} [{index}]:")
            if tier.points:
                lines += [
                    f"            number = {start:f} ",
                    f"            mark = {_quoted(label)} ",
                ]
            else:
                lines += [f"            xmin = {start:f} ", f"            xmax = {end:f} "]
                lines.append(f"            text = {_quoted(label)} ")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


class _Tokens:
    """The words of a file that mean something: strings, numbers that stand alone, and flags.

    All else, such as `xmin =` and `intervals [1]:`, is for people, as Praat reads it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1
        self.comments: set[str] = set()
        self._tokens = self._read(read_text(path))

    def _read(self, text: str) -> Iterator[str]:
        at = 0
        for match in TOKEN.finditer(text):
            self.line += text.count("\n", at, match.start())
            at = match.start()
            word = match[0]
            if word == '"':
                raise InputError(
                    "a quotation mark is never closed; double those inside a label",
                    where=self.where,
                )
            if word[0] == "!":
                self.comments.add(word.rstrip())
            elif word[0] in '"<' or NUMBER.fullmatch(word):
                yield word

    @property
    def where(self) -> str:
        return f"{self.path}:{self.line}"

    def next(self, wanted: str) -> str:
        token = next(self._tokens, None)
        if token is None:
            raise InputError(f"the file ends where {wanted} should be", where=self.where)
        return token

    def string(self) -> str:
        token = self.next("a quoted text")
        if token[0] != '"':
            raise InputError(f"a quoted text should be where {token} is", where=self.where)
        return token[1:-1].replace('""', '"')

    def number(self) -> Decimal:
        token = self.next("a number")
        if not NUMBER.fullmatch(token):
            raise InputError(f"a number should be where {token} is", where=self.where)
        return decimal_seconds(token, self.where)

    def count(self) -> int:
        number = self.number()
        if number < 0 or number != int(number):
            raise InputError(f"{number} is not how many there can be", where=self.where)
        return int(number)


def _tier(tokens: _Tokens) -> Tier:
    kind = tokens.string()
    if kind not in (INTERVALS, POINTS):
        raise InputError(
            f"a tier is a '{kind}', and TextGrids have {INTERVALS} and {POINTS}", where=tokens.where
        )
    name = tokens.string()
    tokens.number(), tokens.number()
    entries = []
    for _ in range(tokens.count()):
        start = tokens.number()
        end = start if kind == POINTS else tokens.number()
        entries.append(Entry(start, end, tokens.string(), tokens.line))
    return Tier(name, tuple(entries), kind == POINTS)
