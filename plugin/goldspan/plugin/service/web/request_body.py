"""Bodies: what a call holds, up to a limit, whatever it says about its length."""

from __future__ import annotations

from urllib.parse import parse_qs

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

BODY_SECONDS = 30.0
"""Seconds that a sender has."""

FORM_LIMIT = 4096


async def read_json(request: Request, limit: int) -> bytes:
    """The body of a call that holds JSON, as it came.

    A page of another site can send any body to us, but not under this type.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "This address takes application/json.")
    return await _read(request, limit)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form, the last of each name."""
    body = await _read(request, FORM_LIMIT)
    try:
        found = parse_qs(body.decode("ascii"), max_num_fields=20)
    except ValueError as error:
        raise HTTPException(400, "This is not a form of the dashboard.") from error
    return {name: values[-1] for name, values in found.items()}


async def _read(request: Request, limit: int) -> bytes:
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limit:
        raise _too_large(limit)
    body = bytearray()
    try:
        with anyio.fail_after(BODY_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > limit:
                    raise _too_large(limit)
    except TimeoutError as error:
        raise HTTPException(408, "The call took too long to arrive.") from error
    except ClientDisconnect as error:
        raise HTTPException(400, "The call broke off.") from error
    return bytes(body)


def _too_large(limit: int) -> HTTPException:
    return HTTPException(413, f"A call may hold {limit} bytes.", headers={"Connection": "close"})
