"""Serving: the page for a team, until a signal ends it."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route

from goldspan.plugin.local.shield import Shield
from goldspan.plugin.open.data import given_data, private_folder
from goldspan.plugin.open.team.crew import Crew
from goldspan.plugin.open.team.door import Door, person_of
from goldspan.plugin.open.team.endpoints import TeamEndpoints
from goldspan.plugin.open.team.people import People
from goldspan.plugin.open.web.calls import make_app, refuse
from goldspan.plugin.open.web.pages import index, static
from goldspan.plugin.open.web.uploads import Uploads
from goldspan.plugin.service.log import LOG, log_to_stderr
from goldspan.plugin.service.private import OTHERS
from goldspan.plugin.service.web.access import Access
from goldspan.plugin.service.web.ending import Ending
from goldspan.plugin.service.web.listening import listening_on, make_server

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from goldspan.plugin.open.team.calls import Work
    from goldspan.plugin.open.team.settings import TeamSettings

SWEEP_SECONDS = 20.0


def serve_team(
    settings: TeamSettings, password: str, work: Work, ready: Callable[[str], None]
) -> None:
    """Answer the pages of a team until a signal ends it; `ready` hears the address. All that they
    stored is deleted then.
    """
    log_to_stderr(quiet=settings.quiet)
    listening_there = listening_on(settings.host, settings.port)
    with Ending() as ending, private_folder() as folder, listening_there as listening:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        host, port = listening.getsockname()[:2]
        server = make_server(build_team(settings, password, work, folder), "on")
        ending.catch(server)
        ready(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
        server.run(sockets=[listening])


def build_team(settings: TeamSettings, password: str, work: Work, folder: Path) -> ASGIApp:
    """The application; people's files are in the folder."""
    people_folder, flags = folder / "people", folder / "flags"
    for one in (people_folder, flags):
        one.mkdir(mode=0o777 & ~OTHERS)
    people = People(
        people_folder, lambda scratch: given_data(settings.shared, scratch, is_shared=True),
        settings.limits, settings.keep_seconds,
    )  # fmt: skip
    crew = Crew(flags, settings.workers, settings.max_seconds, work.tidy)
    access = Access(secrets.token_urlsafe(32), password)
    endpoints = TeamEndpoints(settings, work, people, access, crew)

    @asynccontextmanager
    async def living(_app: Starlette) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(_sweep(people, crew))
        try:
            yield
        finally:
            sweeping.cancel()
            crew.close()

    routes = [
        Route("/", index),
        Route("/static/{name:path}", static),
        *Uploads(lambda request: person_of(request).shelf).routes,
        *endpoints.routes,
    ]
    return Shield(make_app(routes, living), Door(people, refuse).check, refuse, LOG.error)


async def _sweep(people: People, crew: Crew) -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        if people.sweep():
            LOG.info("deleted files that were stored for as long as they may be")
            crew.forget()
