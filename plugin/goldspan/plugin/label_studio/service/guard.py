"""Guard: the outermost layer. Nothing of a fault reaches the client but a sentence."""

from __future__ import annotations

import logging

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldspan.plugin.label_studio.service.access import Access
from goldspan.plugin.label_studio.service.faults import SENTENCE, place

LOG = logging.getLogger("goldspan.service")

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

        if not self._access.knows_host(Headers(scope=scope)):
            refusal = PlainTextResponse(
                "Without a password this service answers under a loopback address only.", 400
            )
            await refusal(scope, receive, answer)
            return
        try:
            await self._app(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the last chance to keep it from the client
            LOG.error("%s: %s", scope["method"], place(error))  # noqa: TRY400 - no payload
            if not begun:
                await PlainTextResponse(f"{SENTENCE}.", 500)(scope, receive, answer)
