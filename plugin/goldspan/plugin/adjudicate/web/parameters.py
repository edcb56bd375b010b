"""Parameters: what the query of a call says, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request

from goldspan.plugin.adjudicate import wording
from goldspan.plugin.adjudicate.journal.file import LONGEST_NAME
from goldspan.plugin.adjudicate.views import QueueQuery

LARGEST = 2.0**53


class Invalid(HTTPException):
    """A parameter that means nothing."""

    def __init__(self, reason: str) -> None:
        super().__init__(422, reason)


def read_name(request: Request) -> str:
    """The name of the caller; empty for the server's own adjudicator."""
    name = request.query_params.get("by", "").strip()
    if len(name) > LONGEST_NAME or not (name == "" or name.isprintable()):
        raise Invalid(wording.BAD_NAME.format(most=LONGEST_NAME))
    return name


def read_query(request: Request) -> QueueQuery:
    """Which part of the queue is meant."""
    given: Mapping[str, Any] = {
        name: value
        for name, value in request.query_params.items()
        if name in QueueQuery.__struct_fields__
    }
    try:
        return msgspec.convert(given, QueueQuery, strict=False)
    except msgspec.ValidationError as error:
        raise Invalid(wording.BAD_QUERY.format(reason=error)) from error


def read_number(request: Request, name: str) -> float | None:
    """A number that is not too large; None if it is not given."""
    said = request.query_params.get(name, "")
    if not said:
        return None
    try:
        value = float(said)
    except ValueError as error:
        raise Invalid(wording.BAD_NUMBER.format(name=name)) from error
    if not -LARGEST <= value <= LARGEST:
        raise Invalid(wording.BAD_NUMBER.format(name=name))
    return value


def read_position(request: Request, name: str) -> int | float | None:
    """A position in a task."""
    value = read_number(request, name)
    return int(value) if value is not None and value.is_integer() else value
