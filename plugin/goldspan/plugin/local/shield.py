"""Shield: the outermost layer of a page. It refuses calls, adds headers, and hides faults."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldspan.plugin.service.redaction import place

if TYPE_CHECKING:
    from starlette.responses import Response

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "media-src 'self' blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
API = "/api/"


class Shield:
    """Answers with `check`'s refusal, if it has one, and with the application otherwise.

    `refuse` makes the answer to a call that is refused, from the name of the reason and its words;
    `say` hears of faults.
    """

    def __init__(
        self,
        app: ASGIApp,
        check: Callable[[Scope], Response | None],
        refuse: Callable[..., Response],
        say: Callable[[str], None],
    ) -> None:
        self._app = app
        self._check = check
        self._refuse = refuse
        self._say = say

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
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
            refused = self._check(scope)
            app = self._app if refused is None else refused
            await app(scope, receive, answer)
        except asyncio.CancelledError:
            if not begun:
                await self._refuse("ending")(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the last chance to keep it from the page
            self._say(f"a call of the page failed: {place(error)}")
            if not begun:
                await self._refuse("bug")(scope, receive, answer)
