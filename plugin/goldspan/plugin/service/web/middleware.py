"""Guard: the outermost layer. Nothing of a fault reaches the client but a sentence."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.redaction import SENTENCE, place
from goldspan.plugin.service.web.host import read_host

if TYPE_CHECKING:
    from goldspan.plugin.service.web.access import Access

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

BAD_HOST = "The call needs one Host header, with a name or an address and perhaps a port."
OTHER_HOST = "Without a password this service answers under a loopback address only."
CROWDED = "The service holds as many large calls as it can; try again in 10 s."
LATER = {"Retry-After": "10", "Connection": "close"}
SMALL = 2**16
ROOM = 2**28
ENDING = "The service is ending; try again."


class Guard:
    """Catches what the application did not, checks whom a call was meant for, adds headers.

    All calls together hold `room` bytes; beyond that only small ones are taken.
    """

    def __init__(self, app: ASGIApp, access: Access, room: int = ROOM) -> None:
        self._app = app
        self._access = access
        self._room = room
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, size = False, 0

        async def count() -> Message:
            nonlocal size
            message = await receive()
            piece = len(message.get("body", b""))
            size += piece
            self._held += piece
            if self._held > self._room and size > SMALL:
                raise HTTPException(503, CROWDED, headers=LATER)
            return message

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            app = self._refusal(scope) or self._app
            await app(scope, count, answer)
        except asyncio.CancelledError:
            # The service ends, and the call was not done in the time that is left.
            if not begun:
                await PlainTextResponse(ENDING, 503)(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the last chance to keep it from the client
            LOG.error("%s: %s", scope["method"], place(error))
            if not begun:
                await PlainTextResponse(f"{SENTENCE}.", 500)(scope, receive, answer)
        finally:
            self._held -= size

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        """The answer to a call that was not meant for us; None if it was.

        Without a password a page of any site could reach the loopback address under a name of its
        own (DNS rebinding); it cannot pretend that the name is ours.
        """
        host = read_host([value for name, value in scope["headers"] if name == b"host"])
        if host is None:
            return PlainTextResponse(BAD_HOST, 400)
        if self._access.password is None and not host.is_loopback:
            return PlainTextResponse(OTHER_HOST, 421)
        return None
