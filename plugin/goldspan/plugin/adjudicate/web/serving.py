"""Serving: the adjudication on a port of this machine, until a signal ends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from goldspan.plugin.adjudicate.media.waveform import Waveforms
from goldspan.plugin.adjudicate.web.address import keep_address, load_address
from goldspan.plugin.adjudicate.web.app import build_app
from goldspan.plugin.adjudicate.web.endpoints import Endpoints
from goldspan.plugin.adjudicate.web.media import MediaEndpoints
from goldspan.plugin.local.serving import IsEnding, listening_on, serve_until_signal

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from goldspan.plugin.adjudicate.desk import Desk
    from goldspan.plugin.adjudicate.media.library import Library
    from goldspan.plugin.local.address import Address
    from goldspan.plugin.service.web.ending import Ending


def serve(
    desk: Desk, folder: Path, library: Library, *, port: int | None,
    ready: Callable[[Address], None], say: Callable[[str], None], ending: Ending,
) -> None:  # fmt: skip
    """Answer the page until a signal ends it; `ready` hears the address. Without a port it is the
    one of the last time, if it is free.
    """
    name = desk.settings.adjudicator
    kept = load_address(folder, name)
    with listening_on(port, kept.port) as listening:
        address = msgspec.structs.replace(kept, port=listening.getsockname()[1])
        keep_address(folder, name, address)

        def build(is_ending: IsEnding) -> ASGIApp:
            media = MediaEndpoints(library, Waveforms(folder / "peaks"), address)
            return build_app(Endpoints(desk, library, is_ending), address, say, media.routes)

        serve_until_signal(listening, build, lambda: ready(address), ending)
