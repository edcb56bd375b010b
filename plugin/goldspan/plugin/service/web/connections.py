"""Connections: what a caller may take up before it has said what it wants.

A request's head has some seconds and some bytes, and of too many connections the oldest that wants
nothing gives way to the newest: a caller with something to say is heard, however many say nothing.

Uvicorn's own limits do not serve here, which is why there is a protocol of our own:

- `limit_concurrency` answers the newest connection with 503 and keeps the idle ones, so a thousand
  of these stop the service;
- `timeout_keep_alive` begins after the first answer, and nothing limits the time for a head;
- `h11_max_incomplete_event_size` limits its size, but with the parser h11, which takes 0.5 ms for
  a webhook's call where httptools takes 0.3; with httptools nothing does.

What uvicorn does well stays its own: parsing, keep-alive, bodies, answers and the end.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.redaction import place

HEAD_SECONDS = 10.0
"""Seconds for the head of a request, from its first byte or from the connection's beginning."""

HEAD = 2**16
"""Bytes in the head of a request, and between the pieces of its body."""

AT_ONCE = 1
"""Connections that asyncio takes in a turn of its loop, before it looks at any. Where one cannot be
taken it tries so many more, and each of them tries again a second later, so many times.
"""

QUEUE = 2048
"""Connections that wait in the system until they are taken."""

MOST = 1000

SENTENCE = b"The head of a call may hold 64 KB."
TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%s" % (len(SENTENCE), SENTENCE)
)


def most_connections() -> int:
    """As many as leave the other half of the files that the system gives us for everything else."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return MOST
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else max(1, min(MOST, files // 2))


class Connection(HttpToolsProtocol):
    """A connection, closed when the head of a request takes too long or is too large."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._most = most_connections()
        self._begun = 0.0
        self._unread = 0
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begun = self.loop.time()
        self._wait()
        if len(self.connections) > self._most:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # Also after a request: uvicorn forgets its own timer with the first byte of anything.
        if self._waiting is None and self.is_idle:
            self._wait()
        self._unread += len(data)
        super().data_received(data)
        if self._unread > HEAD and not self.transport.is_closing():
            self.transport.write(TOO_LARGE)
            self.transport.close()

    def on_headers_complete(self) -> None:
        self._wait_no_longer()
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        # What comes after the last piece, and between pieces, is kept by the parser like a head.
        self._unread = 0
        super().on_body(body)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _wait_no_longer(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _make_room(self) -> None:
        idle = (one for one in self.connections if isinstance(one, Connection) and one.is_idle)
        oldest = min(idle, key=lambda one: one._begun)
        # It is lost only after this turn of the loop, in which others may come.
        self.connections.discard(oldest)
        oldest.transport.abort()


class Listener(uvicorn.Server):
    """Uvicorn, with connections such as these."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen."""

        def fault(_loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
            error = context.get("exception")
            if isinstance(error, OSError) and "accept" in context["message"]:
                LOG.warning(
                    "a connection cannot be taken (%s); if this goes on, let the service have "
                    "more open files (ulimit -n)", error.strerror,
                )  # fmt: skip
            else:
                LOG.error("a connection: %s", place(error) if error else context["message"])

        asyncio.get_running_loop().set_exception_handler(fault)
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(QUEUE)
