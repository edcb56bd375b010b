"""Files: the page itself. It holds no data, so that it needs no key."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from goldspan.plugin.adjudicate.recording import Refused
from goldspan.plugin.adjudicate.web.answers import refuse

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
OF_THE_REPORT = ("lanes.css", "lanes.js", "palette.css")
"""The drawing of annotations, written once for reports and for this page."""

PART = r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*"
NAME = re.compile(rf"(?:{PART}/)?{PART}")


def index(_request: Request) -> Response:
    """The page."""
    return _file("index.html")


def static(request: Request) -> Response:
    """A file of the page."""
    return _file(request.path_params["name"])


def _file(name: str) -> Response:
    path = _path(name)
    kind = TYPES.get(path.suffix.lower()) if path else None
    if path is None or kind is None:
        return refuse(Refused("not-found"))
    return FileResponse(path, media_type=kind)


def _path(name: str) -> Path | None:
    """Where a file of the package is; None unless it is one."""
    if NAME.fullmatch(name) is None:
        return None
    package = Path(str(files("goldspan.plugin")))
    if name in OF_THE_REPORT:
        return package / "report" / "templates" / name
    path = package / "adjudicate" / "static" / name
    return path if path.is_file() else None
