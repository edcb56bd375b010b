"""The log: every line has a time, and nobody can fill it."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path

import pytest

from goldspan.plugin.service.log import MOST_KINDS, ThrottledHandler
from goldspan.plugin.service.web.access import webhook_secret
from service_parts import Clock
from service_process import TIMED, Service, wait_until

GARBAGE = b"\x16\x03\x01 this is not HTTP\r\n\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Written:
    """A log on paper, with a clock that is turned."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.stream = StringIO()
        self.handler = ThrottledHandler(self.stream, self.clock)
        self.log = logging.Logger("a log")
        self.log.addHandler(self.handler)

    @property
    def lines(self) -> list[str]:
        """What was written, without the times, which must be there."""
        found = self.stream.getvalue().splitlines()
        for line in found:
            assert datetime.fromisoformat(line.partition(" ")[0]).tzinfo is not None
        return [line.partition(" ")[2] for line in found]


@pytest.fixture
def written() -> Iterator[Written]:
    made = Written()
    yield made
    made.handler.close()


def test_a_line_that_comes_again_is_counted(written: Written) -> None:
    for _ in range(313):
        written.log.warning("refused a %s", "password")
    written.log.warning("something else")
    assert written.lines == ["refused a password", "something else"]
    written.clock.now += 59
    written.handler.tick()
    assert len(written.lines) == 2
    written.clock.now += 1
    written.handler.tick()
    assert written.lines[2:] == ["refused a password … and 312 more in the last minute"]
    written.log.warning("refused a password")
    assert written.lines[3:] == ["refused a password"]


def test_a_minute_ends_with_the_next_line_if_nothing_ticks(written: Written) -> None:
    for wait in (0, 1, 100):
        written.clock.now += wait
        written.log.warning("it happened")
    assert written.lines == [
        "it happened", "it happened … and 1 more in the last minute", "it happened"
    ]  # fmt: skip


def test_lines_that_all_differ_have_a_limit(written: Written) -> None:
    for number in range(10 * MOST_KINDS):
        written.log.warning("line %d", number)
    assert len(written.lines) == MOST_KINDS
    written.clock.now += 60
    written.handler.tick()
    (said,) = written.lines[MOST_KINDS:]
    assert said == f"other lines … and {9 * MOST_KINDS} more in the last minute"


def test_what_was_counted_is_said_at_the_end(written: Written) -> None:
    written.log.warning("it happened")
    written.log.warning("it happened")
    written.handler.close()
    assert written.lines[1:] == ["it happened … and 1 more in the last minute"]


def test_an_error_is_a_place_and_not_its_words(written: Written) -> None:
    try:
        int("a token in a payload")
    except ValueError:
        written.log.error("a fault\n", exc_info=sys.exc_info())
    (line,) = written.lines
    assert line.startswith("a fault: ValueError at test_service_log.py:")
    assert "token" not in line


def test_nothing_reaches_a_terminal_raw(written: Written) -> None:
    written.log.warning("one\ntwo \x1b]52;c;eA==\x07 \u202e %s", "x" * 5000)
    (line,) = written.lines
    assert line.startswith("one\\ntwo \\u001b]52;c;eA==\\u0007 \\u202e x")
    assert len(line) <= 1000


def send(port: str, *messages: bytes) -> None:
    for message in messages:
        with (
            suppress(ConnectionResetError, BrokenPipeError),
            socket.create_connection(("127.0.0.1", int(port)), timeout=60) as line,
        ):
            line.sendall(message)
            line.recv(4096)


def test_garbage_cannot_flood_the_log(tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as service:
        send(service.port, *[GARBAGE, UPGRADE] * 200)
        for _ in range(20):
            assert service.post("/webhook", json={}).status_code == 401
        assert service.end() == 0
    lines = service.said.splitlines()
    assert all(TIMED.match(line) for line in lines), lines
    assert any(line.endswith("… and 199 more in the last minute") for line in lines)
    assert len(lines) < 15


class Refusing(BaseHTTPRequestHandler):
    """A Label Studio that takes no token."""

    def do_GET(self) -> None:
        self.send_error(401)

    do_POST = do_GET  # noqa: N815 - the names that the server looks for

    def log_message(self, *_: object) -> None:
        pass


def test_a_worker_has_a_time_on_every_line_too(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = ("--url", f"http://127.0.0.1:{server.server_port}", "--project", "3",
                   "--debounce", "0.1")  # fmt: skip
        with Service(tmp_path / "folder", *options, token="a-token-of-some-length") as service:  # noqa: S106 - made up
            wait_until(lambda: "project 3" in service.said)
            assert service.end() == 0
        server.shutdown()
    assert all(TIMED.match(line) for line in service.said.splitlines())


def test_a_worker_that_cannot_begin_is_one_line(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("a-token-of-some-length", encoding="utf-8")
    options = ("--url", "http://127.0.0.1:9", "--token-file", str(token))
    with Service(tmp_path / "folder", *options) as service:
        token.unlink()
        (worker,) = wait_until(lambda: service.helpers)
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: "cannot be read" in service.said)
        assert service.end() == 0
    assert all(TIMED.match(line) for line in service.said.splitlines()), service.said


def test_an_end_during_a_call_that_is_still_coming_is_no_error(tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as service:
        secret = webhook_secret(service.folder)
        with socket.create_connection(("127.0.0.1", int(service.port)), timeout=60) as line:
            line.sendall(
                b"POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"X-Goldspan-Secret: %s\r\nContent-Length: 9\r\n\r\n{" % secret.encode()
            )
            assert service.get("/health").status_code == 200
            assert service.end() == 0
            assert line.recv(4096).startswith(b"HTTP/1.1 503 ")
    assert "Traceback" not in service.said
    assert all(TIMED.match(line) for line in service.said.splitlines()), service.said
