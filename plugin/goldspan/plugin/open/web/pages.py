"""Pages: the files that the page is made of."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from goldspan.plugin.local.static_files import static_file
from goldspan.plugin.open.web.calls import refuse

PAGE = "open"


def index(_request: Request) -> Response:
    """The page."""
    return static_file(PAGE, "index.html") or refuse("not-found")


def static(request: Request) -> Response:
    """A file of the page."""
    return static_file(PAGE, request.path_params["name"]) or refuse("not-found")
