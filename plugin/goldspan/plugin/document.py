"""Document: a result as JSON, made once for everything that a run writes and compares."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from msgspec import Struct

    from goldspan.engine.result import Result

_NO_TASKS = '\n "tasks": []'
"""The line of a document without tasks; no other begins like this, as names inside are indented
further."""

_OTHER_DIGITS = re.compile(rb"[0-9]e[-0-9]|0\.0000")
"""Where msgspec may write a number in other digits than `json.dumps`: very small, very large."""


@dataclass(frozen=True, slots=True)
class Document:
    """The result as plain values, and as text."""

    value: Mapping[str, Any]
    text: str

    @classmethod
    def of(cls, result: Result, **more: str) -> Document:
        """A result's document; `more` are names that only this one has."""
        value = result.as_json() | more
        return cls(value, json_text(value))


def json_text(value: Mapping[str, Any]) -> str:
    """JSON with a line for each value, indented by one, as `json.dumps` writes it."""
    import msgspec  # noqa: PLC0415 - `--help` does not wait for it

    compact = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        # Three times as fast as `json.dumps` with `indent`, which runs in Python.
        return msgspec.json.format(compact, indent=1) + "\n"
    except UnicodeEncodeError:
        # Half a surrogate pair; the file has it as \udXXX.
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def text_pieces(result: Result, **more: str) -> Iterator[str]:
    """The text of a result's document, a task at a time, so that it is never there as a whole."""
    from goldspan.engine.schema.document import result_json, task_json  # noqa: PLC0415 - as above
    from goldspan.engine.schema.figure import plain  # noqa: PLC0415

    text = json_text(plain(result_json(result, with_tasks=False)) | more)
    if not result.tasks:
        yield text
        return
    before, after = text.split(_NO_TASKS)
    yield before + _NO_TASKS[:-1]
    for number, task in enumerate(result.tasks.values()):
        yield (",\n  " if number else "\n  ") + _struct_text(task_json(task)).replace("\n", "\n  ")
    yield "\n ]" + after


def _struct_text(struct: Struct) -> str:
    """As `json_text`, without the last line break, and four times as fast."""
    import msgspec  # noqa: PLC0415 - as above

    with suppress(UnicodeEncodeError):
        compact = msgspec.json.encode(struct)
        if not _OTHER_DIGITS.search(compact):
            return msgspec.json.format(compact, indent=1).decode()
    return json_text(msgspec.to_builtins(struct)).removesuffix("\n")
