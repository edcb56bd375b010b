"""Gate: the outermost layer. It refuses calls that are not from our own page.

A page of another site can make a browser call us, under a name that leads to this machine too (DNS
rebinding). It cannot forge the Host header, hide its origin, or know the key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from goldspan.plugin.service.redaction import place
from goldspan.plugin.service.web.host import Host, read_host

if TYPE_CHECKING:
    from starlette.responses import Response

    from goldspan.plugin.local.address import Address

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
OWN_NAMES = ("127.0.0.1", "localhost", "::1")
API = "/api/"
CAPABILITIES = "/api/media/"
"""Addresses that a capability in them opens instead of the key: players and frames send no key."""


class Gate:
    """Checks where a call comes from and what it shows; adds headers; hides faults.

    `refuse` makes the answer to a call that is refused, from the name of the reason and its words.
    """

    def __init__(
        self,
        app: ASGIApp,
        address: Address,
        refuse: Callable[..., Response],
        say: Callable[[str], None],
    ) -> None:
        self._app = app
        self._address = address
        self._refuse = refuse
        self._say = say

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call."""
        if scope["type"] != "http":
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
            refused = self._refused(scope)
            app = self._app if refused is None else refused
            await app(scope, receive, answer)
        except asyncio.CancelledError:
            if not begun:
                await self._refuse("ending")(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the last chance to keep it from the page
            self._say(f"a call of the page failed: {place(error)}")
            if not begun:
                await self._refuse("bug")(scope, receive, answer)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = read_host([value for name, value in scope["headers"] if name == b"host"])
        if host is None or not self._is_ours(host):
            return self._refuse("bad-host", url=f"http://127.0.0.1:{self._address.port}/")
        if not scope["path"].startswith(API):
            return None
        if not self._is_own_call(headers):
            return self._refuse("other-origin")
        if scope["path"].startswith(CAPABILITIES) or self._shows_key(headers):
            return None
        return self._refuse("no-key")

    def _is_own_call(self, headers: Headers) -> bool:
        site = headers.get("sec-fetch-site", "none")
        origins = headers.getlist("origin")
        return site in ("same-origin", "none") and all(map(self._is_own_origin, origins))

    def _shows_key(self, headers: Headers) -> bool:
        scheme, _, key = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self._address.opens(key.strip())

    def _is_ours(self, host: Host) -> bool:
        return host.name in OWN_NAMES and host.port == self._address.port

    def _is_own_origin(self, origin: str) -> bool:
        scheme, _, rest = origin.partition("://")
        host = read_host([rest.encode("ascii", "replace")])
        return scheme == "http" and host is not None and self._is_ours(host)
