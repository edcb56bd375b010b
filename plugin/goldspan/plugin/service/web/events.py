"""Events: of what a platform's webhook sends, only the action and the project are taken."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from goldspan.engine.errors import InputError

MOST = 2**31
"""The numbers of projects are smaller."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened in a project. `is_asked` says that the caller wants to see an answer."""

    project: int
    action: str
    is_asked: bool = False


def read_action(body: bytes) -> dict[str, Any]:
    """The JSON object in a call, which names an action.

    An InputError says what is missing, and quotes nothing: payloads hold tokens.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InputError("the call holds no JSON") from error
    if not isinstance(value, dict) or not isinstance(value.get("action"), str):
        raise InputError("the call names no action")
    return value


def project_number(value: Any) -> int:
    """A project's number, as a number or in decimal digits."""
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) < 11 else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < MOST:
        raise InputError("the call names no project")
    return value
