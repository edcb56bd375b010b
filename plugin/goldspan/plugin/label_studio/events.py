"""Events: what Label Studio's webhooks and its model protocol say about a project."""

from __future__ import annotations

from typing import Any

from goldspan.plugin.service.web import events
from goldspan.plugin.service.web.events import Event, read_action

TRAINING = "START_TRAINING"
"""The button “Train” of the model protocol, which wants to see JSON; no webhook's action."""

ACTIONS = frozenset({
    "ANNOTATION_CREATED", "ANNOTATIONS_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_DELETED",
    "TASKS_CREATED", "TASKS_DELETED", "PROJECT_UPDATED", TRAINING,
})  # fmt: skip
"""Whatever may change agreement; PROJECT_UPDATED because labels can be renamed."""


def read_event(body: bytes, project: str | None = None) -> Event | None:
    """The event in a call; None if its action is none of ours.

    `project` is what the call's address says, for webhooks that send no payload. An InputError
    says what is missing, and quotes nothing: payloads hold tokens.
    """
    value = read_action(body)
    action = value["action"]
    if action not in ACTIONS:
        return None
    number = project_number(value.get("project") if project is None else project)
    return Event(number, action, is_asked=action == TRAINING)


def project_number(value: Any) -> int:
    """A project's number: itself, in an object's id, or before the dot of the model protocol."""
    if isinstance(value, dict):
        value = value.get("id")
    if isinstance(value, str):
        value = value.partition(".")[0]
    return events.project_number(value)
