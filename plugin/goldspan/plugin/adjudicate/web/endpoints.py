"""Endpoints: what the page asks, passed on to the desk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.plugin.adjudicate import wording
from goldspan.plugin.adjudicate.journal.event import Event, Item, Op
from goldspan.plugin.adjudicate.recording import Refused
from goldspan.plugin.adjudicate.views import Recorded, Refusal
from goldspan.plugin.adjudicate.web.answers import refuse, reply
from goldspan.plugin.adjudicate.web.parameters import (
    Invalid,
    read_name,
    read_number,
    read_position,
    read_query,
)
from goldspan.plugin.service.web.request_body import read_json

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.desk import Desk
    from goldspan.plugin.adjudicate.media.library import Library
    from goldspan.plugin.adjudicate.views import Project

LONGEST_BODY = 2**22
LONGEST_WAIT = 25.0
TICK_SECONDS = 0.05
LOOK_SECONDS = 2.0
"""How often journals of other processes are looked at while a page waits."""

HTTP_ERRORS = {404: "not-found", 405: "method", 413: "too-large", 415: "not-json"}


class _Batch(msgspec.Struct, frozen=True):
    """What `POST /api/batch` holds: a group, to see what accepting it would do; or an id and items,
    to do it.
    """

    group: str = ""
    id: str = ""
    items: tuple[Item, ...] = ()
    note: str = ""
    tags: tuple[str, ...] = ()


class Endpoints:
    """The addresses of a desk; `ending` says that pages must not wait any longer."""

    def __init__(
        self,
        desk: Desk,
        library: Library | None = None,
        ending: Callable[[], bool] = lambda: False,
    ) -> None:
        self._desk = desk
        self._library = library
        self._ending = ending

    @property
    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/project", self.project),
            Route("/api/queue", self.queue),
            Route("/api/sites/{site}", self.site),
            Route("/api/sites/{site}/ahead", self.ahead),
            Route("/api/tasks/{n:int}/text", self.text),
            Route("/api/tasks/{n:int}/units", self.units),
            Route("/api/tasks/{n:int}/sites", self.sites),
            Route("/api/groups", self.groups),
            Route("/api/stop", self.stop),
            Route("/api/changes", self.changes),
            Route("/api/batch", self.batch, methods=["POST"]),
            Route("/api/events", self.events, methods=["POST"]),
            Route("/api/write", self.write, methods=["POST"]),
        ]

    # What the page asks. Starlette calls these in threads: the desk waits for its lock and disk.

    def project(self, request: Request) -> Response:
        found = self._desk.project(by=read_name(request))
        return reply(found if self._library is None else with_media(found, self._library))

    def queue(self, request: Request) -> Response:
        return reply(self._desk.queue(read_query(request), by=read_name(request)))

    def site(self, request: Request) -> Response:
        return reply(self._desk.site(request.path_params["site"], by=read_name(request)))

    def ahead(self, request: Request) -> Response:
        beside = request.query_params.get("beside", "")
        return reply(
            self._desk.ahead(
                request.path_params["site"],
                read_query(request),
                beside.split(",") if beside else (),
                by=read_name(request),
            )
        )

    def text(self, request: Request) -> Response:
        start, end = read_position(request, "from"), read_position(request, "to")
        return reply(
            self._desk.task_text(
                request.path_params["n"],
                None if start is None else int(start),
                None if end is None else int(end),
            )
        )

    def units(self, request: Request) -> Response:
        start, end = read_position(request, "from"), read_position(request, "to")
        return reply(
            self._desk.task_units(request.path_params["n"], start, end, by=read_name(request))
        )

    def sites(self, request: Request) -> Response:
        return reply(self._desk.task_sites(request.path_params["n"], by=read_name(request)))

    def groups(self, request: Request) -> Response:
        return reply(self._desk.groups(by=read_name(request)))

    def stop(self, request: Request) -> Response:
        return reply(self._desk.stop(by=read_name(request)))

    async def changes(self, request: Request) -> Response:
        """Waits without a thread, because every open page has one of these."""
        by = read_name(request)
        since = int(read_number(request, "since") or 0)
        until = time.monotonic() + min(max(read_number(request, "wait") or 0.0, 0.0), LONGEST_WAIT)
        while True:
            found = await run_in_threadpool(self._desk.changes, since, by=by)
            look = min(time.monotonic() + LOOK_SECONDS, until)
            while self._desk.revision == since and time.monotonic() < look and not self._ending():
                await asyncio.sleep(TICK_SECONDS)
            if found.revision != since or time.monotonic() >= until or self._ending():
                return reply(found)

    # What the page does.

    async def events(self, request: Request) -> Response:
        by, query = read_name(request), read_query(request)
        body = await read_json(request, LONGEST_BODY)
        return _recorded(await run_in_threadpool(self._desk.record, body, by=by, query=query))

    async def batch(self, request: Request) -> Response:
        by, query = read_name(request), read_query(request)
        body = await read_json(request, LONGEST_BODY)
        try:
            asked = msgspec.json.decode(body, type=_Batch)
        except (ValueError, RecursionError) as error:
            raise Invalid(wording.BAD_EVENT.format(reason=error)) from error
        if not asked.items:
            return reply(await run_in_threadpool(self._desk.batch, asked.group, by=by))
        event = Event(id=asked.id, op=Op.BATCH, items=asked.items, note=asked.note, tags=asked.tags)
        return _recorded(await run_in_threadpool(self._desk.record, event, by=by, query=query))

    async def write(self, request: Request) -> Response:
        await read_json(request, LONGEST_BODY)
        return reply(await run_in_threadpool(self._desk.write))


def with_media(project: Project, library: Library) -> Project:
    """Tasks name the recording that was found, where one was."""
    tasks = [
        msgspec.structs.replace(one, media=found[0].path.name) if found else one
        for one in project.tasks
        for found in [library[one.n].recordings]
    ]
    return msgspec.structs.replace(project, tasks=tuple(tasks))


async def refuse_http(_request: Request, error: Exception) -> Response:
    """What Starlette, or reading a call, refuses."""
    if isinstance(error, Invalid):
        return refuse(Refused("invalid", reason=error.detail))
    status = error.status_code if isinstance(error, HTTPException) else 500
    answer = refuse(Refused(HTTP_ERRORS.get(status, "bad-call")))
    if status not in HTTP_ERRORS:
        answer.status_code = status
    return answer


def _recorded(found: Recorded | Refusal) -> Response:
    created = isinstance(found, Recorded) and not found.known
    return reply(found, 201 if created else 200)
