"""Serving: an application on a port of this machine, until a signal ends it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

import uvicorn
from starlette.types import ASGIApp

from goldspan.engine.errors import SettingsError
from goldspan.plugin.local.address import HOST
from goldspan.plugin.service.web.ending import Ending, EndsOnSignal

ENDING_SECONDS = 3

IsEnding: TypeAlias = Callable[[], bool]
"""Says whether the server is about to end, so that no call should wait any longer."""


def serve_until_signal(
    listening: socket.socket, build: Callable[[IsEnding], ASGIApp], ready: Callable[[], None],
    ending: Ending,
) -> None:  # fmt: skip
    """Answer calls on the socket; `ready` is called when a signal would end the server in order."""
    config = uvicorn.Config(
        build(lambda: ending.asked),
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
    ending.catch(server)
    ready()
    server.run(sockets=[listening])


@contextmanager
def listening_on(port: int | None, last: int) -> Iterator[socket.socket]:
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
