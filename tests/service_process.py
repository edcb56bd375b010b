"""The service as a process of its own, as the command starts it; it can be killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from label_studio_server import free_port

PATIENCE = 180.0
COMMAND = [sys.executable, "-m", "goldspan.plugin", "label-studio", "serve"]

TIMED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d \S")
"""How every line of its log begins."""


def is_running(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(what: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What comes back when it is not false any more."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come about in time")


class Service:
    """`goldspan label-studio serve` on a free port, which stays the same from start to start.

    The system chooses no port for it, because it may give that to another program after a kill. A
    retrieval may take long, because the first one compiles and gives way to everything else.
    """

    def __init__(self, folder: Path, *options: str, token: str = "") -> None:
        self.folder = folder
        self.log = folder.with_suffix(".log")
        self.port = str(free_port())
        patient = () if {"--url", "--max-seconds"} & {*options} else ("--max-seconds", "600")
        self._options = ("--folder", str(folder), *patient, *options)
        self._environment = os.environ | (
            {"GOLDSPAN_LABEL_STUDIO_TOKEN": token} if token else {}
        )  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Service:  # noqa: PYI034 - Self needs Python 3.11
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def number(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def helpers(self) -> list[int]:
        """The processes that it has begun for work that takes long: each leads a group."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, parent, group = path.read_text().rpartition(")")[2].split()[:3]
                if int(parent) == self.number and group == path.parent.name and state != "Z":
                    found.append(int(group))
        return found

    @property
    def said(self) -> str:
        """Everything on the standard error stream, of every start."""
        return self.log.read_text(encoding="utf-8")

    def start(self) -> Service:
        """Start, and wait until it listens."""
        before = len(self.said) if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*COMMAND, "--port", self.port, *self._options],
                env=self._environment,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        found = wait_until(
            lambda: (
                re.search(r"http://127\.0\.0\.1:(\d+)/", self.said[before:])
                or self._process is None
                or self._process.poll() is not None
            )
        )
        assert isinstance(found, re.Match), f"it did not start: {self.said}"
        self.port = found[1]
        return self

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and wait; its exit code."""
        assert self._process is not None
        self._process.send_signal(how)
        code = self._process.wait(PATIENCE)
        self._process = None
        return code

    def kill(self) -> None:
        """End it at once, with no time for good-byes."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def get(self, path: str = "/") -> httpx.Response:
        return httpx.get(f"{self.url}{path}", trust_env=False, timeout=PATIENCE)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return httpx.post(f"{self.url}{path}", trust_env=False, **({"timeout": PATIENCE} | more))

    def press(self, action: str, project: int) -> None:
        """Press a button of the dashboard."""
        token = re.search(r'name="form_token" value="([^"]+)"', self.get().text)
        assert token is not None
        form = {"form_token": token[1], "project": str(project)}
        assert self.post(f"/{action}", data=form).status_code == 303

    @property
    def model_url(self) -> str:
        """The address that the dashboard tells to connect under Settings > Model."""
        found = re.search(r'<code class="address">([^<]+)</code>', self.get().text)
        assert found is not None
        return found[1]
