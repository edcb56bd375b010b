"""Serving: the page on a port of this machine, until a signal ends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.plugin.local.address import new_address
from goldspan.plugin.local.gate import Gate
from goldspan.plugin.local.serving import IsEnding, listening_on, serve_until_signal
from goldspan.plugin.local.static_files import static_file
from goldspan.plugin.open.data import Shelf, given_data, private_folder
from goldspan.plugin.open.measuring import Measurer
from goldspan.plugin.open.reading import Reader, Words
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.web.calls import refuse, refuse_call, refuse_http
from goldspan.plugin.open.web.endpoints import Endpoints
from goldspan.plugin.open.web.uploads import Uploads
from goldspan.plugin.service.web.ending import Ending

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Lifespan

    from goldspan.plugin.local.address import Address

PAGE = "open"


def serve(
    paths: Sequence[Path], words: Words, *, port: int | None,
    ready: Callable[[Address], None], say: Callable[[str], None],
) -> None:  # fmt: skip
    """Answer the page until a signal ends it; `ready` hears the address. Files that the page sent
    are deleted then.
    """
    with Ending() as ending, private_folder() as folder, listening_on(port, 0) as listening:
        shelf = Shelf(folder, given_data(paths, folder / "given"))
        address = msgspec.structs.replace(new_address(), port=listening.getsockname()[1])

        def build(is_ending: IsEnding) -> ASGIApp:
            return build_app(shelf, words, address, say, is_ending)

        serve_until_signal(listening, build, lambda: ready(address), ending)


def build_app(
    shelf: Shelf, words: Words, address: Address, say: Callable[[str], None], ending: IsEnding
) -> ASGIApp:
    """The application; `say` hears of faults."""
    uploads = Uploads(lambda _request: shelf)
    own = [Route("/", index), Route("/static/{name:path}", static)]
    app = build_routes([*own, *uploads.routes, *computing(shelf, words, ending)])
    return Gate(app, address, refuse, say)


def computing(shelf: Shelf, words: Words, ending: IsEnding) -> list[Route]:
    """All addresses whose answers are computed from the files on the shelf."""
    reader = Reader(shelf, words)
    return Endpoints(shelf, reader, Measurer(reader, ending)).routes


def build_routes(routes: Sequence[Route], lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """The addresses as an application, whose refusals are sentences."""
    handlers = {
        HTTPException: refuse_http, Refused: refuse_call, ClientDisconnect: refuse_call,
    }  # fmt: skip
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    return app


def index(_request: Request) -> Response:
    """The page."""
    return static_file(PAGE, "index.html") or refuse("not-found")


def static(request: Request) -> Response:
    """A file of the page."""
    return static_file(PAGE, request.path_params["name"]) or refuse("not-found")
