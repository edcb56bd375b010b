"""Listening: a server for other machines, with connections that cannot be used up."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import uvicorn
from starlette.types import ASGIApp

from goldspan.engine.errors import SettingsError
from goldspan.plugin.service.web.connections import AT_ONCE, Connection, Listener
from goldspan.plugin.service.web.ending import EndsOnSignal


class Serving(EndsOnSignal, Listener):
    """A listener which ends when asked, and lets us end what we began."""


def make_server(app: ASGIApp, lifespan: Literal["on", "off"] = "off") -> Serving:
    """The application, ready to run on a socket; with a lifespan, if it has work of its own."""
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        loop="asyncio",
        backlog=AT_ONCE,
        log_config=None,
        access_log=False,  # addresses hold keys
        lifespan=lifespan,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
    )
    return Serving(config)


@contextmanager
def listening_on(host: str, port: int) -> Iterator[socket.socket]:
    """A socket on this address; a SettingsError if it cannot be had."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = found[0]
        listening = socket.create_server(address[:2], family=family)
    except OSError as error:
        raise SettingsError(
            f"the service cannot listen on {host}, port {port}: {error.strerror or error}; choose "
            "another with --host or --port"
        ) from error
    with listening:
        yield listening
