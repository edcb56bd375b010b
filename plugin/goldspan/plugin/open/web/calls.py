"""Calls: what the page says as JSON, and the answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.plugin.open.refusal import Refusal, Refused
from goldspan.plugin.service.web.request_body import read_json

if TYPE_CHECKING:
    from starlette.types import Lifespan

LONGEST_BODY = 2**20
HTTP_ERRORS = {404: "not-found", 405: "method", 413: "bad-call", 415: "not-json"}

Body = TypeVar("Body", bound=msgspec.Struct)


class Nothing(msgspec.Struct, frozen=True):
    """A call that says nothing more than its address."""


def reply(value: Any, status: int = 200) -> Response:
    """The value as JSON."""
    try:
        body = msgspec.json.encode(value)
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can only escape
        body = json.dumps(msgspec.to_builtins(value)).encode()
    return Response(body, status, media_type="application/json")


def html_page(pieces: Iterable[str]) -> Response:
    """A page that goldspan writes to files, for a frame or a tab of its own."""
    from goldspan.plugin.report.page import report_policy  # noqa: PLC0415 - loads templates

    policy = f"{report_policy()}; frame-ancestors 'self'"
    return Response(
        "".join(pieces).encode("utf-8", "backslashreplace"), media_type="text/html",
        headers={"Content-Security-Policy": policy},
    )  # fmt: skip


def refuse(kind: str, **words: object) -> Response:
    """The answer to a call that is refused."""
    return _refusal(Refused(kind, **words).refusal)


async def refuse_call(_request: Request, error: Exception) -> Response:
    """The answer to a call that ended in an error of ours."""
    return _refusal(error.refusal) if isinstance(error, Refused) else refuse("bad-call")


async def refuse_http(_request: Request, error: Exception) -> Response:
    """What Starlette, or reading a call, refuses."""
    status = error.status_code if isinstance(error, HTTPException) else 400
    return refuse(HTTP_ERRORS.get(status, "bad-call"))


def _refusal(refusal: Refusal) -> Response:
    response = reply(refusal, refusal.status)
    if refusal.error == "too-large":
        # The rest of the body is not taken.
        response.headers["Connection"] = "close"
    return response


async def read_call(request: Request, kind: type[Body]) -> Body:
    """What a call says; a Refused if that is not a call of the page."""
    text = await read_json(request, LONGEST_BODY)
    try:
        return msgspec.json.decode(text, type=kind)
    except (ValueError, RecursionError) as error:
        raise Refused("invalid", reason=f"This is not a call of the page: {error}.") from error


def make_app(routes: Sequence[Route], lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """The addresses as an application, whose refusals are sentences."""
    handlers = {
        HTTPException: refuse_http, Refused: refuse_call, ClientDisconnect: refuse_call,
    }  # fmt: skip
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    return app
