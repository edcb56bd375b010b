"""Retrievals that take long: they end in time, and when nobody waits; they hold up no other."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest

from goldspan.plugin.label_studio.ml_backend.retrieval import Limits, failure
from goldspan.plugin.service.processes import AT_ONCE, Apart
from service_calls import CONFIG, body, task
from service_parts import service
from service_process import TIMED, Service, is_running, wait_until

PROC = pytest.mark.skipif(not Path("/proc").exists(), reason="it looks into /proc")
CALL = body(task(1), task(2))


def error_of(folder: Path, path: str = "/predict", **more: Any) -> tuple[int, str, str]:
    """Status and sentence of an answer, and what the dashboard shows."""
    with service(folder, connected=False, limit=10**7, **more) as parts:
        answer = parts.client.post(path, json=CALL)
        noted = [one.retrieval.error for one in parts.retrievals.latest()]
        return answer.status_code, answer.json()["error"], "".join(noted)


def test_with_no_room_it_says_when_to_come_again(tmp_path: Path) -> None:
    with service(tmp_path, connected=False, limit=10**6, executor=Apart(most=0)) as parts:
        answer = parts.client.post("/predict", json=CALL)
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "10"
        assert "try again in 10 s" in answer.json()["error"]
        assert parts.retrievals.latest() == ()


def test_what_takes_too_long_is_ended_and_on_the_dashboard(tmp_path: Path) -> None:
    """No process begins in so short a time."""
    status, said, noted = error_of(tmp_path, executor=Apart(), limits=Limits(answer=0.001))
    assert status == 503
    assert "the answer took longer than 0.001 s; retrieve fewer tasks at a time" in said
    assert noted == said


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to the limit")
def test_what_takes_too_much_memory_is_a_sentence(tmp_path: Path) -> None:
    """Less than the engine takes to be loaded."""
    status, said, noted = error_of(tmp_path, executor=Apart(memory=2**27))
    assert status in {413, 503}
    assert "the tasks take more memory" in said or "was ended" in said
    assert noted == said


@pytest.mark.parametrize("sent", [b"", b"[", b"[]", b"{}", b'{"project": "x"}', b"[" * 10**6,
                                  b'{"project": "%s"}' % (b"9" * 10**6)])  # fmt: skip
def test_a_failure_of_nobodys_project_is_noted_nowhere(sent: bytes) -> None:
    reply = failure(503, "too slow", sent)
    assert reply.retrieval is None
    assert json.loads(reply.content) == {"error": "too slow"}


def test_a_caller_that_leaves_takes_its_work_along(tmp_path: Path) -> None:
    """Before it is begun, which is the earliest."""
    sent: list[Any] = []

    async def call(app: Any) -> None:
        messages = [
            {"type": "http.request", "body": json.dumps(CALL).encode(), "more_body": False},
            {"type": "http.disconnect"},
        ]

        async def receive() -> Any:
            return messages.pop(0)

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope = {
            "type": "http", "method": "POST", "path": "/predict", "headers": headers,
            "query_string": b"", "client": ("127.0.0.1", 1), "http_version": "1.1",
        }  # fmt: skip
        await app(scope, receive, send)

    with Apart() as apart, service(tmp_path, connected=False, executor=apart) as parts:
        anyio.run(call, parts.client.app)
        wait_until(lambda: not apart._busy)
        assert not apart._idle, "its process was ended, and not kept"
        assert parts.retrievals.latest() == ()
    assert sent[0]["status"] == 499


# In a real service: a process that is stopped takes as long as one likes.


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[Service, int]]:
    """A service, and the process in it that the next retrieval gets and that does not go on."""
    with Service(tmp_path / "folder") as started:
        assert retrieve(started) == 200
        (helper,) = started.helpers
        os.kill(helper, signal.SIGSTOP)
        yield started, helper


def retrieve(started: Service) -> int:
    return started.post("/predict", json=CALL, timeout=600).status_code


def begun(started: Service) -> socket.socket:
    """A retrieval that was sent, and whose answer nobody has read."""
    sent = json.dumps(CALL).encode()
    line = socket.create_connection(("127.0.0.1", int(started.port)), timeout=600)
    line.sendall(
        b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(sent), sent)
    )
    return line


@PROC
def test_a_slow_retrieval_holds_up_no_other_and_ends_with_its_caller(
    slow: tuple[Service, int],
) -> None:
    started, helper = slow
    with begun(started):
        assert retrieve(started) == 200, "by another process"
        assert retrieve(started) == 200
        assert is_running(helper)
        assert helper in started.helpers
    wait_until(lambda: not is_running(helper))
    wait_until(lambda: len(started.helpers) == 1)
    assert retrieve(started) == 200


@PROC
def test_an_end_during_a_retrieval_leaves_no_traceback(slow: tuple[Service, int]) -> None:
    started, helper = slow
    with begun(started) as line:
        assert retrieve(started) == 200, "so that the first has been taken"
        assert started.end() == 0
        assert line.recv(4096).startswith(b"HTTP/1.1 503 ")
    assert not is_running(helper)
    assert "Traceback" not in started.said
    assert all(TIMED.match(line) for line in started.said.splitlines()), started.said


@PROC
def test_more_at_once_than_there_is_room_for_are_refused(tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as started, ThreadPoolExecutor(AT_ONCE) as pool:
        stopped: set[int] = set()
        answers = []
        for _ in range(AT_ONCE):
            answers.append(pool.submit(retrieve, started))
            # A process takes longer than this to load the engine.
            for new in wait_until(lambda: set(started.helpers) - stopped):
                os.kill(new, signal.SIGSTOP)
                stopped.add(new)
        assert started.post("/predict", json=CALL).status_code == 503
        assert started.get("/health").status_code == 200
        for helper in stopped:
            os.kill(helper, signal.SIGCONT)
        assert [answer.result() for answer in answers] == [200] * AT_ONCE
        wait_until(lambda: len(started.helpers) == 1)
        assert retrieve(started) == 200


@PROC
def test_a_limit_of_the_service_ends_a_retrieval(tmp_path: Path) -> None:
    with Service(tmp_path / "folder", "--max-seconds", "600") as started:
        assert retrieve(started) == 200
        (helper,) = started.helpers
        assert started.end() == 0
    with Service(tmp_path / "folder", "--max-seconds", "0.01") as started:
        answer = started.post("/predict", json=CALL)
        assert answer.status_code == 503
        assert "longer than 0.01 s" in answer.json()["error"]
        assert "longer than 0.01 s" in started.get().text
        wait_until(lambda: not started.helpers)
    assert not is_running(helper)


def crowd(people: int, spans: int) -> dict[str, Any]:
    """Everybody marks nearly the same place, again and again, a little elsewhere."""
    text = "x" * 1000
    annotations = [
        {
            "id": person, "completed_by": person, "was_cancelled": False,
            "result": [
                {"id": f"{person}-{span}", "from_name": "label", "to_name": "text",
                 "type": "labels", "value": {"start": 400 + (7 * span + 3 * person) % 31,
                                             "end": 500 + (5 * span + person) % 37,
                                             "labels": ["PER"]}}
                for span in range(spans)
            ],
        }
        for person in range(1, people + 1)
    ]  # fmt: skip
    return task(1) | {"data": {"text": text}, "annotations": annotations}


def test_a_hostile_body_comes_back(tmp_path: Path) -> None:
    """Many people near one place: whatever it takes, there is an answer and no process is left."""
    sent = {"tasks": [crowd(10, 12), task(2)], "project": "7.1", "label_config": CONFIG}
    with Service(tmp_path / "folder", "--max-seconds", "10", "--seconds", "3") as started:
        answer = started.post("/predict", json=sent, timeout=600)
        assert answer.status_code in {200, 413, 422, 503}
        assert started.get("/health").status_code == 200
        assert started.end() == 0
    assert all(TIMED.match(line) for line in started.said.splitlines()), started.said
