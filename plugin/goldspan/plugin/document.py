"""Document: a result as JSON, made once for everything that a run writes and compares."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
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

_EXPONENT = re.compile(rb"e[-0-9]")
"""What is in all of these but the small ones; to look for it takes a tenth of the time."""

TASKS_AT_ONCE = 50
"""So many tasks are put into text together."""


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
    """The text of a result's document, some tasks at a time: it is never there as a whole."""
    from goldspan.engine.schema.document import result_json, task_json  # noqa: PLC0415 - as above
    from goldspan.engine.schema.figure import plain  # noqa: PLC0415
    from goldspan.engine.task_results import together  # noqa: PLC0415

    text = json_text(plain(result_json(result, with_tasks=False)) | more)
    if not result.tasks:
        yield text
        return
    before, after = text.split(_NO_TASKS)
    yield before + _NO_TASKS[:-1]
    comma = ""
    for some in together(result.tasks, TASKS_AT_ONCE):
        yield comma + _items_text([task_json(task) for task in some])
        comma = ","
    yield "\n ]" + after


def _items_text(items: Sequence[Struct]) -> str:
    """The items of a list inside an object as `json_text` writes them, and four times as fast."""
    import msgspec  # noqa: PLC0415 - as above

    # A list in a list, so that the items are indented as far.
    with suppress(UnicodeEncodeError):
        compact = msgspec.json.encode([items])
        if not _may_differ(compact):
            return _inner(msgspec.json.format(compact, indent=1).decode())
    if len(items) > 1:  # one by one: few of them have such numbers
        return ",".join(_items_text([item]) for item in items)
    value = msgspec.to_builtins([items])
    return _inner(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1))


def _inner(text: str) -> str:
    """What is inside of a list in a list."""
    return text.removeprefix("[\n [").removesuffix("\n ]\n]")


def _may_differ(compact: bytes) -> bool:
    if b"0.0000" not in compact and not _EXPONENT.search(compact):
        return False
    return _OTHER_DIGITS.search(compact) is not None
