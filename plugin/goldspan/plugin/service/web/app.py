"""App: which address is whose; the service as an ASGI application."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from goldspan.plugin.service.database import Busy
from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.redaction import SENTENCE
from goldspan.plugin.service.web.endpoints import Hooks, alive
from goldspan.plugin.service.web.guesses import TooManyGuessesError
from goldspan.plugin.service.web.middleware import Guard

if TYPE_CHECKING:
    from goldspan.plugin.service.web.dashboard import Dashboard

BUSY = "Another program has locked the service's database, and nothing was stored; try again."
CALLS_HELD = 8
"""Calls of the largest size that are held at a time."""

SLOWED = "a caller that was wrong too often has to wait before it may show anything again"


def build_app(dashboard: Dashboard, hooks: Hooks, more: Sequence[Route] = ()) -> ASGIApp:
    """The application: the dashboard and webhook at the root, and `more` addresses that the
    platform adds.
    """
    routes = [
        # The first is found first, and it comes most often.
        Route("/webhook", hooks.webhook, methods=["POST"]),
        Route("/webhook/{project}", hooks.webhook, methods=["POST"]),
        Route("/", dashboard.page),
        Route("/score", dashboard.score, methods=["POST"]),
        Route("/begin", dashboard.begin, methods=["POST"]),
        Route("/forget", dashboard.forget, methods=["POST"]),
        Route("/monitor", dashboard.monitor, methods=["POST"]),
        Route("/options", dashboard.options, methods=["POST"]),
        Route("/project-{project}/rounds/{name}", dashboard.round),
        Route("/project-{project}/annotators/{name}", dashboard.annotator),
        Route("/project-{project}/{name:path}", dashboard.report),
        Route("/health", alive),
        *more,
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    return Guard(app, dashboard.access, CALLS_HELD * hooks.limit)


async def _busy(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse(BUSY, 503, headers={"Retry-After": "10"})


async def _too_many_guesses(_request: Request, error: Exception) -> Response:
    LOG.warning(SLOWED)
    seconds = error.seconds if isinstance(error, TooManyGuessesError) else 1
    return PlainTextResponse(
        f"Too many wrong guesses; try again in {seconds} s.", 429,
        headers={"Retry-After": str(seconds)},
    )  # fmt: skip


async def _fault(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse(f"{SENTENCE}.", 500)


HANDLERS = {Busy: _busy, TooManyGuessesError: _too_many_guesses, Exception: _fault}
