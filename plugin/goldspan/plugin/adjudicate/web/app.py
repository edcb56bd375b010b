"""App: the page and its addresses as an ASGI application."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp

from goldspan.plugin.adjudicate.recording import Refused
from goldspan.plugin.adjudicate.web.answers import refuse
from goldspan.plugin.adjudicate.web.endpoints import Endpoints, refuse_http
from goldspan.plugin.adjudicate.web.files import index, static
from goldspan.plugin.local.gate import Gate

if TYPE_CHECKING:
    from goldspan.plugin.local.address import Address


def build_app(
    endpoints: Endpoints, address: Address, say: Callable[[str], None], more: Sequence[Route] = ()
) -> ASGIApp:
    """The application; `say` hears of faults."""
    routes = [
        Route("/", index),
        Route("/static/{name:path}", static),
        *endpoints.routes,
        *more,
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: refuse_http})
    app.router.redirect_slashes = False
    return Gate(app, address, lambda kind, **words: refuse(Refused(kind, **words)), say)
