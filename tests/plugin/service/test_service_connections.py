"""What callers may take up who say little, nothing, or far too much; on real sockets."""

from __future__ import annotations

import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from goldspan.plugin.service.web import connections
from goldspan.plugin.service.web.connections import AT_ONCE, Connection, Listener
from service_process import Service, wait_until

BEGUN = b"GET / HTTP/1.1\r\nHost: x\r\n"
WHOLE = BEGUN + b"\r\n"


async def count(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the number of bytes in the body."""
    body = await Request(scope, receive).body()
    await Response(str(len(body)))(scope, receive, send)


@pytest.fixture
def port() -> Iterator[int]:
    config = uvicorn.Config(
        count, http=Connection, loop="asyncio", backlog=AT_ONCE, log_config=None, lifespan="off",
        timeout_keep_alive=3600,
    )  # fmt: skip
    listener = Listener(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        found = listening.getsockname()[1]
        serving = threading.Thread(target=listener.run, args=([listening],))
        serving.start()
        yield found
        listener.should_exit = listener.force_exit = True
        serving.join(30)


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def read_until(line: socket.socket, end: bytes) -> None:
    found = b""
    while not found.endswith(end):
        piece = line.recv(2**16)
        assert piece, f"it was closed after {found!r}"
        found += piece


def all_of(line: socket.socket) -> bytes:
    """What comes until the other side closes."""
    found = b""
    with suppress(ConnectionResetError):
        while piece := line.recv(2**16):
            found += piece
    return found


@pytest.mark.parametrize("head", [b"\r\n", b"GET", BEGUN, BEGUN + b"X: " + b"a" * 100])
def test_a_head_that_does_not_end_is_not_waited_for(
    head: bytes, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(port) as second:
        second.sendall(WHOLE)
        read_until(second, b"\r\n\r\n0")
        monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
        with connected(port) as first:
            first.sendall(head)
            second.sendall(head)
            assert all_of(first) == all_of(second) == b""


def test_a_body_has_the_time_that_it_takes(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    with connected(port) as line, connected(port) as other:
        line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab")
        assert all_of(other) == b"", "which took as long as a head may take"
        line.sendall(b"cd")
        read_until(line, b"\r\n\r\n4")


CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("before", "again"),
    [
        (b"GET /", b"a" * 1000),
        (BEGUN + b"X: ", b"a" * 1000),
        (BEGUN, b"X: a\r\n" * 200),
        (CHUNKED + b"1\r\na\r\n0\r\nX: ", b"a" * 1000),
        (CHUNKED + b"1;", b"a" * 1000),
    ],
    ids=["address", "one header", "many headers", "trailer", "extension of a chunk"],
)
def test_a_head_has_a_largest_size(before: bytes, again: bytes, port: int) -> None:
    sent = 0
    with connected(port) as line:
        line.sendall(before)
        with suppress(ConnectionResetError, BrokenPipeError):
            while sent < 2**24:
                line.sendall(again)
                sent += len(again)
        answer = all_of(line)
    assert sent < 2**24, "it was cut off"
    assert answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400")) or not answer


def test_what_is_no_head_may_be_larger(port: int) -> None:
    """Many small pieces of a body have as many small heads."""
    with connected(port) as line:
        line.sendall(CHUNKED)
        for _ in range(200):
            line.sendall(b"1\r\na\r\n" * 100)
        line.sendall(b"0\r\n\r\n")
        read_until(line, b"\r\n\r\n20000")


LINUX = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="only Linux lets others change a process's limits"
)


@LINUX
def test_many_who_say_nothing_give_way(tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as service, ExitStack() as stack:
        assert service._process is not None
        resource.prlimit(service._process.pid, resource.RLIMIT_NOFILE, (200, 4096))
        for _ in range(400):
            line = stack.enter_context(connected(int(service.port)))
            line.sendall(BEGUN)
        for _ in range(5):
            assert service.get("/health").status_code == 200
    assert len(service.said.splitlines()) == 1, "where it listens, and nothing else"


@LINUX
def test_files_that_run_out_are_one_sentence(tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as service, ExitStack() as stack:
        assert service._process is not None
        number = service._process.pid
        assert service.get("/health").status_code == 200
        used = max(int(file.name) for file in Path(f"/proc/{number}/fd").iterdir())
        resource.prlimit(number, resource.RLIMIT_NOFILE, (used, 4096))
        for _ in range(50):
            stack.enter_context(connected(int(service.port)))
        wait_until(lambda: "cannot be taken" in service.said)
        # It is tried every second.
        more = [connected(int(service.port)) for _ in range(3)]
        threading.Event().wait(3)
        resource.prlimit(number, resource.RLIMIT_NOFILE, (1024, 4096))
        assert service.get("/health").status_code == 200
        for line in more:
            line.close()
    assert "Traceback" not in service.said
    assert service.said.count("cannot be taken") == 1
