"""Door: which calls come from a page of this server, and from a person who has shown the password.

A session opens everything, and only a browser that has shown the password gets one. No other site
can use it: the cookie stays with this name (SameSite), and a call says where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse

from goldspan.plugin.local.shield import API
from goldspan.plugin.service.web.host import Host, read_host

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope

    from goldspan.plugin.open.team.people import People, Person

SESSION = "goldspan-session"
LOGIN = "/login"
PORTS = {"http": 80, "https": 443}


class Door:
    """Refuses what no page of ours sends, and everything but the login without a session."""

    def __init__(self, people: People, refuse: Callable[..., Response]) -> None:
        self._people = people
        self._refuse = refuse

    def check(self, scope: Scope) -> Response | None:
        """The answer to a call that may not come in; None if it may."""
        headers = Headers(scope=scope)
        host = read_host([value for name, value in scope["headers"] if name == b"host"])
        if host is None:
            return self._refuse("bad-call")
        path = scope["path"]
        is_reading = scope["method"] in ("GET", "HEAD")
        if (path.startswith(API) or not is_reading) and not _is_own_call(headers, host):
            return self._refuse("other-origin")
        if path == LOGIN or path.startswith("/static/"):
            return None
        person = self._people.find(shown_by(HTTPConnection(scope)))
        if person is None:
            return RedirectResponse(LOGIN, 303) if path == "/" else self._refuse("no-session")
        scope.setdefault("state", {})["person"] = person
        return None


def person_of(request: Request) -> Person:
    """The person whose page calls."""
    person: Person = request.state.person
    return person


def shown_by(call: HTTPConnection) -> str:
    """The session that a call names."""
    return call.cookies.get(SESSION, "")


def _is_own_call(headers: Headers, host: Host) -> bool:
    site = headers.get("sec-fetch-site", "none")
    own = all(_leads_to(origin, host) for origin in headers.getlist("origin"))
    return site in ("same-origin", "none") and own


def _leads_to(origin: str, host: Host) -> bool:
    """Whether a page of this origin is ours. A proxy may have added TLS, so that its scheme says
    nothing; its name and its port do.
    """
    scheme, _, rest = origin.partition("://")
    found = read_host([rest.encode("ascii", "replace")])
    usual = PORTS.get(scheme)
    if found is None or usual is None or found.name != host.name:
        return False
    return (found.port or usual) == (host.port or usual)
