"""Answers: values as JSON, and refusals with their status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from goldspan.plugin.adjudicate.views import Refusal

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.recording import Refused

JSON = "application/json"


def reply(value: Any, status: int = 200) -> Response:
    """The value, or the refusal with its own status."""
    if isinstance(value, Refusal):
        status = value.status
    return Response(_encode(value), status, media_type=JSON)


def refuse(refused: Refused) -> Response:
    """Why something was not done."""
    return reply(refused.refusal)


def _encode(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can only escape
        return json.dumps(msgspec.to_builtins(value)).encode()
