"""Events: of what Label Studio tells a webhook, only the action and the project are taken."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from goldspan.engine.errors import InputError

ACTIONS = frozenset({
    "ANNOTATION_CREATED", "ANNOTATIONS_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_DELETED",
    "TASKS_CREATED", "TASKS_DELETED", "PROJECT_UPDATED", "START_TRAINING",
})  # fmt: skip
"""Whatever may change agreement; PROJECT_UPDATED because labels can be renamed."""

MOST = 2**31
"""Label Studio's numbers are smaller."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened in a project."""

    project: int
    action: str


def read_event(body: bytes, project: str | None = None) -> Event | None:
    """The event in a call; None if its action is none of ours.

    `project` is what the call's address says, for webhooks that send no payload. An InputError
    says what is missing, and quotes nothing: payloads hold tokens.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InputError("the call holds no JSON") from error
    if not isinstance(value, dict) or not isinstance(value.get("action"), str):
        raise InputError("the call names no action")
    if value["action"] not in ACTIONS:
        return None
    number = project_number(value.get("project") if project is None else project)
    return Event(number, value["action"])


def project_number(value: Any) -> int:
    """A project's number: itself, in an object's id, or before the dot of the model protocol."""
    if isinstance(value, dict):
        value = value.get("id")
    if isinstance(value, str):
        head = value.partition(".")[0]
        value = int(head) if head.isascii() and head.isdigit() and len(head) < 11 else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < MOST:
        raise InputError("the call names no project")
    return value
