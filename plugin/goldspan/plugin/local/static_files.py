"""Static files: a page itself. It holds no data, so that it needs no key."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from starlette.responses import FileResponse

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
"""The drawing of annotations, written once for reports and for pages."""

PART = r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*"
NAME = re.compile(rf"(?:{PART}/)?{PART}")


def static_file(page: str, name: str) -> FileResponse | None:
    """A file of a page, which is a folder of the plugin with a folder `static`; None if there is
    no such file.
    """
    path = _path(page, name)
    kind = TYPES.get(path.suffix.lower()) if path else None
    return FileResponse(path, media_type=kind) if path is not None and kind is not None else None


def _path(page: str, name: str) -> Path | None:
    if NAME.fullmatch(name) is None:
        return None
    package = Path(str(files("goldspan.plugin")))
    if name in OF_THE_REPORT:
        return package / "report" / "templates" / name
    path = package / page / "static" / name
    return path if path.is_file() else None
