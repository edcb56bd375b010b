"""Endpoint: the dashboard's button that gives tasks to one more annotator."""

from __future__ import annotations

import json
from asyncio import wrap_future
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.errors import GoldspanError
from goldspan.plugin.label_studio.routing.lock import routing_lock
from goldspan.plugin.label_studio.routing.routing import RouteRequest, route
from goldspan.plugin.report.wording import many
from goldspan.plugin.service.database import FILE as DATABASE
from goldspan.plugin.service.database import Database
from goldspan.plugin.service.history import History
from goldspan.plugin.service.private import private
from goldspan.plugin.service.processes import FullError
from goldspan.plugin.service.queue import Queue
from goldspan.plugin.service.redaction import SENTENCE, redact
from goldspan.plugin.service.web.forms import asked_project

if TYPE_CHECKING:
    from starlette.requests import Request

    from goldspan.plugin.label_studio.connection import ConnectionRequest
    from goldspan.plugin.service.archive import Archive
    from goldspan.plugin.service.web.frontend import Context

FILE = "routing.json"
"""What the last routing of a project came to, in its folder."""


@dataclass(frozen=True, slots=True)
class RouteEndpoint:
    """Routes a monitored project, in a process of its own."""

    context: Context
    connection: ConnectionRequest

    async def route(self, request: Request) -> Response:
        """Route, remember what came of it, and go back to the dashboard."""
        context, number = self.context, await asked_project(self.context.access, request)
        if context.only and number not in context.only:
            raise HTTPException(400, "The service was started for other projects.")
        if History(context.database).project(number) is None:
            raise HTTPException(400, "The service does not monitor this project.")
        try:
            said = await wrap_future(
                context.executor.submit(
                    route_in_words, self.connection, number, context.archive.folder
                )
            )
        except FullError:
            raise HTTPException(503, "The service is busy; try again.") from None
        except Exception as error:  # noqa: BLE001 - a sentence on the dashboard
            said = f"{SENTENCE} ({type(error).__name__})"
        path = context.archive.place(number, FILE)
        with private(context.archive.folder), new_file(path) as temporary:
            temporary.write_text(json.dumps({"said": said}), encoding="utf-8")
        return RedirectResponse(f"./#project-{number}", 303)


def route_in_words(connection: ConnectionRequest, project: int, folder: Path) -> str:
    """Route with the usual request; what was done, or what was wrong. An undo waits for it, and
    what was dropped meanwhile is not routed.
    """
    try:
        with routing_lock(folder, project):
            with closing(Database(folder / DATABASE)) as database:
                if not Queue(database).is_known(project):
                    return "the project is no longer monitored"
            with connection.connect() as server:
                found = route(server, project, RouteRequest())
    except GoldspanError as error:
        return redact(error)
    more = f", {found.waiting} waited already" if found.waiting else ""
    return f"{many(len(found.routes), 'task')} routed{more}"


def last_routing(archive: Archive, project: int) -> str:
    """What the last routing came to; "" if there was none."""
    try:
        found = json.loads(archive.place(project, FILE).read_text(encoding="utf-8"))
        return str(found["said"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
