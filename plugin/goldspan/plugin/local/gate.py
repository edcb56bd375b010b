"""Gate: refuses calls that are not from our own page on this machine.

A page of another site can make a browser call us, under a name that leads to this machine too (DNS
rebinding). It cannot forge the Host header, hide its origin, or know the key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Scope

from goldspan.plugin.local.shield import API, Shield
from goldspan.plugin.service.web.host import Host, read_host

if TYPE_CHECKING:
    from starlette.responses import Response

    from goldspan.plugin.local.address import Address

OWN_NAMES = ("127.0.0.1", "localhost", "::1")
CAPABILITIES = "/api/media/"
"""Addresses that a capability in them opens instead of the key: players and frames send no key."""


class Gate(Shield):
    """Checks where a call comes from and what it shows.

    `refuse` and `say` are those of a Shield.
    """

    def __init__(
        self,
        app: ASGIApp,
        address: Address,
        refuse: Callable[..., Response],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(app, self._refused, refuse, say)
        self._address = address

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
