"""`goldspan open` as a process of its own, as a person starts it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

COMMAND = [sys.executable, "-m", "goldspan.plugin", "open", "--no-browser"]
START_SECONDS = 180.0


class OpenServer:
    """The command, with a folder for what it prints."""

    def __init__(self, folder: Path, *paths: Path) -> None:
        self._folder = folder
        self._paths = paths
        self._process: subprocess.Popen[bytes] | None = None
        self.url = self.key = ""

    def __enter__(self) -> OpenServer:  # noqa: PYI034 - Self needs Python 3.11
        printed, errors = self._folder / "open.out", self._folder / "open.err"
        with printed.open("wb") as out, errors.open("wb") as err:
            words = [*COMMAND, *map(str, self._paths)]
            self._process = subprocess.Popen(words, stdout=out, stderr=err)
        until = time.monotonic() + START_SECONDS
        while not (line := printed.read_text()).endswith("\n"):
            if self._process.poll() is not None or time.monotonic() > until:
                self._process.kill()
                raise AssertionError(f"it did not start: {errors.read_text()}")
            time.sleep(0.02)
        self.url, _, self.key = line.strip().partition("/#")
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def end(self) -> int:
        """As Ctrl-C; the exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(60)
        self._process = None
        return code

    def get(self, path: str) -> Any:
        answer = httpx.get(self.url + path, headers=self.headers, timeout=120)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> httpx.Response:
        return httpx.post(self.url + path, json=body, headers=self.headers, timeout=300)

    def put(self, data: str, name: str, content: bytes) -> httpx.Response:
        return httpx.put(
            f"{self.url}/api/data/{data}", params={"name": name}, content=content,
            headers=self.headers, timeout=120,
        )  # fmt: skip

    def send(self, files: dict[str, bytes]) -> str:
        """A new set of files; its name."""
        data = str(self.post("/api/data").json()["data"])
        for name, content in files.items():
            answer = self.put(data, name, content)
            assert answer.status_code == 201, answer.text
        return data

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}
