"""Document: a result as JSON, made once for everything that a run writes and compares."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldspan.engine.result import Result


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
