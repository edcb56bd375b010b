"""`goldspan adjudicate` as a process of its own, as a person starts it; it can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from adjudication_projects import NEWSROOM
from goldspan.plugin.adjudicate.journal.file import FAULT

COMMAND = [sys.executable, "-m", "goldspan.plugin", "adjudicate"]
NEWSROOM_PATHS = (
    str(NEWSROOM / "spans.csv"), "--assignments", str(NEWSROOM / "spans.assignments.csv"),
)  # fmt: skip
PATIENCE_SECONDS = 180.0


class AdjudicateServer:
    """The command on an output; every start is a new process with the same options."""

    def __init__(self, output: Path, *options: str, name: str = "ana") -> None:
        self.output = output
        self.journal = output.with_name(f"{output.name}.journal")
        self.name = name
        self._options = (*(options or NEWSROOM_PATHS), "--output", str(output))
        self._process: subprocess.Popen[bytes] | None = None
        self.url = self.key = ""

    def __enter__(self) -> AdjudicateServer:  # noqa: PYI034 - Self needs Python 3.11
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self, fault: str = "") -> AdjudicateServer:
        """Start it, perhaps with a point at which it ends by itself; waits for the address."""
        environment = os.environ | ({FAULT: fault} if fault else {})
        words = [*COMMAND, *self._options, "--adjudicator", self.name, "--no-browser"]
        printed = self.output.with_name(f"{self.output.name}.{self.name}.out")
        errors = printed.with_suffix(".err")
        with printed.open("wb") as out, errors.open("wb") as err:
            self._process = subprocess.Popen(words, stdout=out, stderr=err, env=environment)
        until = time.monotonic() + PATIENCE_SECONDS
        while not (line := printed.read_text()).endswith("\n"):
            if self._process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise AssertionError(f"it did not start: {errors.read_text()}")
            time.sleep(0.02)
        self.url, _, self.key = line.strip().partition("/#")
        self.errors = errors
        return self

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """As kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def end(self) -> int:
        """As Ctrl-C; the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(PATIENCE_SECONDS)
        self._process = None
        return code

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    def wait(self) -> int:
        """Until it has ended by itself; its exit code."""
        assert self._process is not None
        code = self._process.wait(PATIENCE_SECONDS)
        self._process = None
        return code

    def get(self, path: str, **params: Any) -> Any:
        answer = httpx.get(
            self.url + path, params=params, headers=self._headers, timeout=PATIENCE_SECONDS
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, **params: Any) -> httpx.Response:
        return httpx.post(
            self.url + path,
            json=body,
            params=params,
            headers=self._headers,
            timeout=PATIENCE_SECONDS,
        )

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def next_site(self, by: str = "") -> dict[str, Any] | None:
        """The first site of the queue; None when it is empty."""
        items = self.get("/api/queue", limit=1, by=by)["items"]
        return self.get(f"/api/sites/{items[0]['id']}", by=by) if items else None

    def settle(self, site: dict[str, Any], id_: str, by: str = "") -> httpx.Response:
        """Take the first reading."""
        return self.post("/api/events", first_reading(site, id_), by=by)


def first_reading(site: dict[str, Any], id_: str) -> dict[str, Any]:
    """The event that takes the first reading of a site."""
    return {
        "id": id_, "op": "settle", "site": site["id"], "spans": site["readings"][0]["spans"],
        "how": "take", "reading": 1, "base": site["base"], "via": site["via"], "ms": 900,
    }  # fmt: skip
