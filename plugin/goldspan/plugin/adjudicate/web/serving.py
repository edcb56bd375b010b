"""Serving: the application on a port of this machine, until a signal ends it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import uvicorn

from goldspan.engine.errors import SettingsError
from goldspan.plugin.adjudicate.media.waveform import Waveforms
from goldspan.plugin.adjudicate.web.address import HOST, Address, keep_address, load_address
from goldspan.plugin.adjudicate.web.app import build_app
from goldspan.plugin.adjudicate.web.endpoints import Endpoints
from goldspan.plugin.adjudicate.web.media import MediaEndpoints
from goldspan.plugin.service.web.ending import EndsOnSignal

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.desk import Desk
    from goldspan.plugin.adjudicate.media.library import Library

ENDING_SECONDS = 3


def serve(
    desk: Desk, folder: Path, library: Library, *, port: int | None,
    ready: Callable[[Address], None], say: Callable[[str], None],
) -> None:  # fmt: skip
    """Answer the page until a signal ends it; `ready` hears the address. Without a port it is the
    one of the last time, if it is free.
    """
    name = desk.settings.adjudicator
    kept = load_address(folder, name)
    with _listening(port, kept.port) as listening:
        address = msgspec.structs.replace(kept, port=listening.getsockname()[1])
        keep_address(folder, name, address)
        server: EndsOnSignal | None = None
        endpoints = Endpoints(desk, library, lambda: server is not None and server.should_exit)
        media = MediaEndpoints(library, Waveforms(folder / "peaks"), address)
        config = uvicorn.Config(
            build_app(endpoints, address, say, media.routes),
            ws="none",
            loop="asyncio",
            log_config=None,
            access_log=False,  # addresses hold capabilities
            lifespan="off",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=ENDING_SECONDS,
        )
        server = EndsOnSignal(config)
        # A person may press Ctrl-C as soon as the address is printed.
        with server.capture_signals():
            ready(address)
            server.run(sockets=[listening])


@contextmanager
def _listening(port: int | None, last: int) -> Iterator[socket.socket]:
    """A socket on the port that was asked for, else on the last one, else on a free one."""
    try:
        listening = _first_free([port] if port is not None else [last, 0] if last else [0])
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SettingsError(
            f"the page cannot be served on port {port or 0}: {reason}; choose another --port"
        ) from error
    with listening:
        # Connections inherit it. Else an answer's body waits for the browser to confirm its head,
        # which browsers put off for 40 ms.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield listening


def _first_free(ports: list[int]) -> socket.socket:
    """A socket on the first of these that is free; an error for the last one."""
    for number in ports[:-1]:
        with suppress(OSError):
            return socket.create_server((HOST, number))
    return socket.create_server((HOST, ports[-1]))
