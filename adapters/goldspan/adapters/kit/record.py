"""Records: the objects of a JSON file, each with its place, and JSON Lines in and out."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.text_file import UTF16, decode, head
from goldspan.engine.errors import InputError

LONGEST_LINE = 1 << 26
HEAD_BYTES = 4096
TEXTS = ("text", "data")
"""Under these keys are the texts of tasks."""

LINE_BREAKS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters that JSON need not escape and that many tools take for ends of lines."""


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object; asking for a value that is not what it should be is an error with a place.

    `where` is a file and line, or a part of another record.
    """

    values: Mapping[str, Any]
    where: str

    def get(self, key: str) -> Any:
        """The value under a key, with dots from object to object; None where there is none."""
        if key in self.values or "." not in key:
            return self.values.get(key)
        first, _, rest = key.partition(".")
        inner = self.values.get(first)
        return Record(inner, self.where).get(rest) if isinstance(inner, dict) else None

    def text(self, key: str) -> str:
        """The text under a key."""
        value = self.values.get(key)
        if not isinstance(value, str):
            raise self.error(f"'{key}' is {_said(value)}, not a text; check the export")
        return value

    def integer(self, key: str) -> int:
        """The whole number under a key."""
        return whole(self.values.get(key), f"'{key}'", self.where)

    def entries(self, key: str) -> list[Any]:
        """The list under a key; an absent one is empty."""
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.error(f"'{key}' is {_said(value)}, not a list; check the export")
        return value

    def records(self, key: str) -> Iterator[Record]:
        """The objects in the list under a key."""
        for number, value in enumerate(self.entries(key), start=1):
            where = f"{self.where}, {key} {number}"
            if not isinstance(value, dict):
                raise InputError(f"this is {_said(value)}, not an object", where=where)
            yield Record(value, where)

    def error(
        self, message: str, choices: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ) -> InputError:
        """An error at this place."""
        return InputError(message, where=self.where, choices=choices)


def whole(value: object, name: str, where: str) -> int:
    """The value as an int; tables turn whole numbers to floats on their way, text is refused."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name} is {_said(value)}, not a whole number", where=where)
    return value


def label_text(value: object, record: Record) -> str:
    """A label as a category: a text, or a number as such; "" where there is none."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise record.error(f"a label is {_said(value)}, not a text; check the export")
    return str(value)


def read_records(path: Path) -> Iterator[Record]:
    """The objects of a JSON Lines file, or of a file that holds one JSON list."""
    with path.open("rb") as file:
        yield from stream_records(file, str(path))


def stream_records(file: BinaryIO, where: str) -> Iterator[Record]:
    """The same of an open file, a line at a time. A list is read as a whole, and so is a file in
    UTF-16.
    """
    start = file.read(HEAD_BYTES)
    file.seek(0)
    if start.startswith(UTF16) or not start.removeprefix(BOM_UTF8).lstrip().startswith(b"{"):
        yield from parse_records(decode(file.read(), where), where)
        return
    for number, line in enumerate(file, start=1):
        yield from _of_line(
            decode(line.removesuffix(b"\n"), where, first_line=number), where, number
        )


def parse_records(text: str, where: str) -> Iterator[Record]:
    """The objects in a text; `where` names it in errors."""
    if text.lstrip()[:1] == "[":
        yield from _from_list(text, where)
        return
    # Not splitlines: JSON may hold line separators of other kinds inside its texts.
    for number, line in enumerate(text.split("\n"), start=1):
        yield from _of_line(line, where, number)


def _of_line(line: str, where: str, number: int) -> Iterator[Record]:
    """The object in a line; none in a blank one."""
    if line.strip():
        place = f"{where}:{number}"
        value = load_json(line, where, number)
        if not isinstance(value, dict):
            raise InputError(f"this is {_said(value)}, not an object", where=place)
        yield Record(value, place)


class SharedTexts:
    """One text for all records that have the same. Each annotator's record brings a copy of the
    text, and a reader keeps all records until it has seen the last one.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, record: Record, without: Collection[str] = ()) -> Record:
        """The record with the texts that were met before, and without some of its keys."""
        values = {
            key: self._known.setdefault(value, value) if key in TEXTS and isinstance(value, str)
            else value
            for key, value in record.values.items()
            if key not in without
        }  # fmt: skip
        return Record(values, record.where)


def first_record(path: Path) -> Mapping[str, Any]:
    """The first object of a JSON Lines file, for a first look; empty when there is none."""
    if not head(path).lstrip().startswith("{"):
        return {}
    with path.open("rb") as file:
        # One document may be a line of many megabytes; no end of line is not waited for.
        lines = iter(lambda: file.readline(LONGEST_LINE), b"")
        line = next((line for line in lines if line.strip()), b"")
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def write_records(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON Lines, all or nothing."""
    with new_file(path) as temporary, temporary.open("wb") as file:
        file.writelines(dump(row) for row in rows)


def dump(row: Mapping[str, Any]) -> bytes:
    """One line; readable characters unless they cannot be encoded, or would break the line."""
    line = json.dumps(row, ensure_ascii=False)
    for char, escaped in LINE_BREAKS.items():
        line = line.replace(char, escaped)
    try:
        return f"{line}\n".encode()
    except UnicodeEncodeError:
        return f"{json.dumps(row)}\n".encode()


def _from_list(text: str, where: str) -> Iterator[Record]:
    values = load_json(text, where)
    for number, value in enumerate(values, start=1):
        place = f"{where}, item {number}"
        if not isinstance(value, dict):
            raise InputError(f"this is {_said(value)}, not an object", where=place)
        yield Record(value, place)


def load_json(text: str, where: str, line: int = 1) -> Any:
    """The value in a text that begins on this line of the file; an error with a line if none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{where}:{line + error.lineno - 1}"
        raise InputError(
            f"this is not JSON: {error.msg} (column {error.colno})", where=place
        ) from error
    except ValueError as error:
        raise InputError(
            "a number has more digits than can be read", where=f"{where}:{line}"
        ) from error
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply", where=f"{where}:{line}") from error


def _said(value: object) -> str:
    if value is None:
        return "missing"
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
