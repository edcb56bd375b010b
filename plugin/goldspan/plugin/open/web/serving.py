"""Serving: the page on a port of this machine, until a signal ends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from starlette.routing import Route

from goldspan.plugin.local.address import new_address
from goldspan.plugin.local.gate import Gate
from goldspan.plugin.local.serving import IsEnding, listening_on, serve_until_signal
from goldspan.plugin.open.data import Shelf, given_data, private_folder
from goldspan.plugin.open.web.calls import make_app, refuse
from goldspan.plugin.open.web.endpoints import computing
from goldspan.plugin.open.web.pages import index, static
from goldspan.plugin.open.web.uploads import Uploads
from goldspan.plugin.service.web.ending import Ending

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from goldspan.plugin.local.address import Address
    from goldspan.plugin.open.reading import Words


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
    app = make_app([*own, *uploads.routes, *computing(shelf, words, ending)])
    return Gate(app, address, refuse, say)
