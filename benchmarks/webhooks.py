"""Webhook calls to the service on loopback, a new connection each, as Label Studio makes them.

Calls are sent when they are due, whether the ones before were answered or not, and timed from
when they were due. Label Studio waits one second for an answer and keeps its annotator waiting.
A second run is made while the service merges annotations for “Retrieve Predictions”.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

from goldspan.plugin.service.database import Database
from goldspan.plugin.service.web.access import SECRET_HEADER, webhook_secret

RATE = 200
SECONDS = 30
WARM_UP = 6
"""Seconds in which the service's worker starts and loads the engine."""

PROJECTS = 5
TEXT = "Ada Obi met Ben Cole in Port Alder. " * 20
CONFIG = (
    '<View><Labels name="label" toName="text"><Label value="PER"/></Labels>'
    '<Text name="text" value="$text"/></View>'
)


def call(project: int, secret: str) -> bytes:
    """A request of about 4 KB, as large as those of a real Label Studio."""
    event = {
        "action": "ANNOTATION_CREATED",
        "annotation": {"id": 1, "result": [{"id": "x", "value": {"text": TEXT}}]},
        "project": {"id": project, "label_config": CONFIG, "title": "A project " * 50},
        "task": {"id": 1, "data": {"text": TEXT * 3}},
    }
    body = json.dumps(event).encode()
    head = (
        f"POST /webhook HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"{SECRET_HEADER}: {secret}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


async def send(port: int, request: bytes, due: float) -> float | None:
    """Seconds from when the call was due to its answer; None if it was not taken."""
    await asyncio.sleep(due - time.perf_counter())
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        answer = await reader.read()
        writer.close()
    except OSError:
        return None
    return time.perf_counter() - due if answer.startswith(b"HTTP/1.1 204") else None


async def load(port: int, secret: str, seconds: int) -> list[float | None]:
    requests = [call(number + 1, secret) for number in range(PROJECTS)]
    begin = time.perf_counter() + 0.2
    return await asyncio.gather(
        *(
            send(port, requests[number % PROJECTS], begin + number / RATE)
            for number in range(RATE * seconds)
        )
    )


@contextmanager
def service(folder: Path) -> Iterator[int]:
    """A service whose Label Studio does not answer, so that events only pile up; its port."""
    command = [sys.executable, "-m", "goldspan.plugin", "label-studio", "serve", "--port", "0"]
    options = ["--folder", str(folder), "--url", "http://127.0.0.1:9", "--debounce", "600"]
    environment = dict(os.environ) | {"GOLDSPAN_LABEL_STUDIO_TOKEN": "none"}
    with subprocess.Popen(
        [*command, *options], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            said = process.stderr.readline() if process.stderr else ""
            found = re.search(r":(\d+)/", said)
            if found is None:
                raise RuntimeError(f"the service did not start: {said}")
            yield int(found[1])
        finally:
            process.kill()


def retrieval() -> bytes:
    """What Label Studio sends for “Retrieve Predictions” on 200 tasks of three annotators."""

    def annotation(task: int, person: int) -> dict[str, object]:
        starts = range(person * (task % 3), 600, 36)
        return {
            "id": 10 * task + person, "completed_by": person,
            "result": [
                {"id": f"r{start}", "from_name": "label", "to_name": "text", "type": "labels",
                 "value": {"start": start, "end": start + 7, "labels": ["PER"]}}
                for start in starts
            ],
        }  # fmt: skip

    tasks = [
        {"id": task, "data": {"text": TEXT}, "is_labeled": True, "predictions": [],
         "annotations": [annotation(task, person) for person in range(3)]}
        for task in range(200)
    ]  # fmt: skip
    return json.dumps({"tasks": tasks, "project": "9.1", "label_config": CONFIG}).encode()


def retrieve(port: int, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(f"http://127.0.0.1:{port}/predict", body, headers)) as answer:
        answer.read()


async def both(port: int, secret: str) -> list[float | None]:
    """A load for as long as a retrieval takes, and how that load fares."""
    body = retrieval()
    retrieving = asyncio.create_task(asyncio.to_thread(retrieve, port, body))
    taken: list[float | None] = []
    while not retrieving.done():
        taken += await load(port, secret, 1)
    await retrieving
    return taken


def stored(folder: Path) -> int:
    database = Database(folder / "service.sqlite")
    with database.reading() as rows:
        count = int(rows.execute("SELECT sum(count) FROM event").fetchone()[0])
    database.close()
    return count


def figures(taken: list[float | None]) -> str:
    known = sorted(1000 * one for one in taken if one is not None)
    cuts = statistics.quantiles(known, n=100)
    return f"median {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, slowest {known[-1]:.0f} ms"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        secret = webhook_secret(folder)
        with service(folder) as port:
            asyncio.run(load(port, secret, WARM_UP))
            before = stored(folder)
            begin = time.perf_counter()
            taken = asyncio.run(load(port, secret, SECONDS))
            rate = len(taken) / (time.perf_counter() - begin)
            lost = len(taken) - (stored(folder) - before)
            said = f"{len(taken)} webhook calls at {rate:.0f} a second"
            print(f"{said}: {lost} lost, {figures(taken)}")
            retrieve(port, retrieval())  # compiles
            busy = asyncio.run(both(port, secret))
            print(f"{len(busy)} more while 200 tasks are merged: {busy.count(None)} lost, "
                  f"{figures(busy).replace('p99', '99 of 100 within')}")  # fmt: skip


if __name__ == "__main__":
    main()
