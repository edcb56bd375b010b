"""Files: the page itself. It holds no data, so that it needs no key."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from goldspan.plugin.adjudicate.recording import Refused
from goldspan.plugin.adjudicate.web.answers import refuse
from goldspan.plugin.local.static_files import static_file

PAGE = "adjudicate"


def index(_request: Request) -> Response:
    """The page."""
    return static_file(PAGE, "index.html") or refuse(Refused("not-found"))


def static(request: Request) -> Response:
    """A file of the page."""
    return static_file(PAGE, request.path_params["name"]) or refuse(Refused("not-found"))
