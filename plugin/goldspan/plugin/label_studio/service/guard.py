"""Guard: the outermost layer. Nothing of a fault reaches the client but a sentence."""

from __future__ import annotations

import asyncio

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldspan.plugin.label_studio.service.access import Access
from goldspan.plugin.label_studio.service.faults import SENTENCE, place
from goldspan.plugin.label_studio.service.host import read_host
from goldspan.plugin.label_studio.service.log import LOG

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
ENDING = "The service is ending; try again."


class Guard:
    """Catches what the application did not, checks whom a call was meant for, adds headers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

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
            await app(scope, receive, answer)
        except asyncio.CancelledError:
            # The service ends, and the call was not done in the time that is left.
            if not begun:
                await PlainTextResponse(ENDING, 503)(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the last chance to keep it from the client
            LOG.error("%s: %s", scope["method"], place(error))
            if not begun:
                await PlainTextResponse(f"{SENTENCE}.", 500)(scope, receive, answer)

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
