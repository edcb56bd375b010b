"""JSON in a stream: the elements of a large top-level array, one at a time.

`json.load` on a 100 MB export keeps the bytes, the decoded text (four bytes a character as soon
as there is one emoji) and every object at once, more than a gigabyte. Here one element at a time
becomes objects. Arrays in UTF-8 are cut into elements by msgspec, which decodes them three times
as fast as `json`. All else (files that are very large, are not arrays, have NaN or lone surrogates,
or are broken) is decoded by `json` from a window on the file, which also words the errors.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import msgspec

from goldspan.adapters.files.text_file import UTF16, read_text
from goldspan.engine.errors import InputError

Json: TypeAlias = Any
"""A value of JSON, of which nothing is known yet."""

JsonObject: TypeAlias = dict[str, Any]

LARGEST = 1 << 28
"""Bytes of a file that is kept in memory while its elements are decoded."""

WINDOW = 1 << 20
"""Characters read at a time; an element that is larger makes the window grow."""

BLANK = " \t\r\n"
GAP = b", \t\r\n"
"""What may stand between two elements."""

AFTER = (",", "]", *BLANK)
"""What may stand behind a value."""


def elements(path: Path) -> Iterator[tuple[int, Any]]:
    """Line and value of each element of the array in the file.

    A file that holds one value that is not an array gives that value.
    """
    data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    count = 0
    with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        for element in _cut(data):
            yield element
            count += 1
        return
    yield from islice(_windowed(path), count, None)


def _cut(data: bytes) -> Iterator[tuple[int, Any]]:
    """The elements of an array, by msgspec, which refuses some that `json` takes."""
    parts = msgspec.json.decode(data, type=list[msgspec.Raw])
    decode = msgspec.json.Decoder().decode
    at = data.index(b"[") + 1
    line, newline = 1, data.find(b"\n")
    for part in parts:
        while data[at] in GAP:
            at += 1
        # An export is often one line; to look at all its bytes again would take its time.
        if -1 < newline < at:
            line += data.count(b"\n", newline, at)
            newline = data.find(b"\n", at)
        yield line, decode(part)
        at += len(part)


def _windowed(path: Path) -> Iterator[tuple[int, Any]]:
    """The elements of whatever the file holds, by `json`."""
    with path.open("rb") as file:
        utf16 = file.read(2) in UTF16
    with path.open("r", encoding="utf-16" if utf16 else "utf-8-sig", newline="") as text:
        window = _Window(text, str(path))
        try:
            yield from _values(window)
        except UnicodeDecodeError:
            # Here the window is known, but not the line; reading the whole file tells it.
            read_text(path)
            raise


def _values(window: _Window) -> Iterator[tuple[int, Any]]:
    first = window.peek()
    if first != "[":
        yield window.value()
        window.expect_end()
        return
    window.skip()
    if window.peek() == "]":
        window.skip()
        window.expect_end()
        return
    while True:
        yield window.value()
        mark = window.peek()
        if mark not in (",", "]"):
            raise window.error("a comma or the end of the list is missing", window.line)
        window.skip()
        if mark == "]":
            window.expect_end()
            return


class _Window:
    """The part of the file that is being decoded; `line` is the line at the position `at`, and
    `count` is how many values came before it.
    """

    def __init__(self, file: TextIO, where: str) -> None:
        self.file = file
        self.where = where
        self.text = ""
        self.at = 0
        self.line = 1
        self.count = 0
        self.ended = False
        self.decoder = json.JSONDecoder()

    def go(self, to: int) -> None:
        self.line += self.text.count("\n", self.at, to)
        self.at = to

    def peek(self) -> str:
        """The next character that is not blank; "" at the end."""
        while True:
            text, at, size = self.text, self.at, len(self.text)
            while at < size and text[at] in BLANK:
                at += 1
            self.go(at)
            if at < size:
                return text[at]
            if not self.more():
                return ""

    def skip(self) -> None:
        self.at += 1

    def more(self) -> bool:
        """Read on, dropping what was decoded; False at the end of the file."""
        if self.ended:
            return False
        rest = self.text[self.at :]
        chunk = self.file.read(max(WINDOW, len(rest)))
        self.ended = not chunk
        self.text, self.at = rest + chunk, 0
        return bool(chunk)

    def value(self) -> tuple[int, Any]:
        """The next value, and the line it begins on."""
        if not self.peek():
            raise self.error("the JSON ends too early", self.line)
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                # What looks like a mistake may be the edge of the window.
                if self.more():
                    continue
                line = self.line + self.text.count("\n", self.at, error.pos)
                # Exports are often one long line, in which a line number says little.
                found = f"{error.msg.removesuffix(' starting at')} in item {self.count + 1}"
                raise self.error(f"this is not JSON: {found}; export it again", line) from error
            except ValueError as error:
                raise self.error("a number has more digits than can be read", self.line) from error
            except RecursionError as error:
                raise self.error("the JSON is nested too deeply", self.line) from error
            # "1" at the edge of the window may be the beginning of "1.5e3".
            if self.text[end : end + 1] not in AFTER and self.more():
                continue
            line = self.line
            self.go(end)
            self.count += 1
            return line, value

    def expect_end(self) -> None:
        if self.peek():
            raise self.error("there is more after the end of the JSON", self.line)

    def error(self, message: str, line: int) -> InputError:
        return InputError(message, where=f"{self.where}:{line}")
