"""Servers of the newsroom in processes that start fast: forks of one that has it merged.

Run as a program it reads a line for each server, `FOLDER<tab>FAULT`, and prints the line
`PID PORT KEY` when the server listens.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from adjudication_projects import newsroom
from goldspan.plugin.adjudicate.desk import DeskSettings, open_desk
from goldspan.plugin.adjudicate.journal.file import FAULT
from goldspan.plugin.adjudicate.media.library import Library
from goldspan.plugin.adjudicate.web.serving import serve
from goldspan.plugin.local.address import Address
from goldspan.plugin.service.web.ending import Ending


def _announce(address: Address) -> None:
    sys.stdout.write(f"{os.getpid()} {address.port} {address.key}\n")
    sys.stdout.flush()


def _serve(folder: Path, fault: str) -> None:
    os.environ[FAULT] = fault
    desk = open_desk(newsroom(), folder, DeskSettings("ana"))
    with Ending() as ending:
        serve(
            desk, folder, Library(), port=None, say=lambda _: None, ready=_announce, ending=ending
        )


def _main() -> None:
    newsroom()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        folder, _, fault = line.rstrip("\n").partition("\t")
        if os.fork() == 0:
            _serve(Path(folder), fault)
            os._exit(0)


class ForkedServer:
    """Answers HTTP on a folder until it is killed, or until the fault point."""

    def __init__(self, said: str) -> None:
        pid, port, key = said.split()
        self._pid = int(pid)
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}",
            headers={"Authorization": f"Bearer {key}"},
            timeout=180,
        )

    def get(self, path: str, **params: Any) -> Any:
        return self._client.get(path, params=params).json()

    def post(self, event: dict[str, Any]) -> httpx.Response | None:
        """The answer; None if the server died over it."""
        with suppress(httpx.TransportError):
            return self._client.post("/api/events", json=event)
        return None

    def next_site(self) -> dict[str, Any] | None:
        items = self.get("/api/queue", limit=1)["items"]
        return dict(self.get(f"/api/sites/{items[0]['id']}")) if items else None

    def kill(self) -> None:
        """As kill -9; after a fault point it has ended already."""
        self._client.close()
        with suppress(ProcessLookupError):
            while True:
                os.kill(self._pid, signal.SIGKILL)
                time.sleep(0.01)


class Forks:
    """Starts servers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def start(self, folder: Path, fault: str = "") -> ForkedServer:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{folder}\t{fault}\n")
        self._process.stdin.flush()
        return ForkedServer(self._process.stdout.readline())


@contextmanager
def forks() -> Iterator[Forks]:
    """What starts servers, until the block ends."""
    with subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as process:  # fmt: skip
        yield Forks(process)
        process.kill()


if __name__ == "__main__":
    _main()
