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

    def __init__(self, folder: Path, *words: Path | str) -> None:
        self.folder = folder
        self._words = words
        self._process: subprocess.Popen[bytes] | None = None
        self.url = self.key = ""

    def __enter__(self) -> OpenServer:  # noqa: PYI034 - Self needs Python 3.11
        printed, errors = self.folder / "open.out", self.folder / "open.err"
        with printed.open("wb") as out, errors.open("wb") as err:
            words = [*COMMAND, *map(str, self._words)]
            self._process = subprocess.Popen(words, stdout=out, stderr=err)
        until = time.monotonic() + START_SECONDS
        while not (line := printed.read_text()).endswith("\n"):
            if self._process.poll() is not None or time.monotonic() > until:
                self._process.kill()
                raise AssertionError(f"it did not start: {errors.read_text()}")
            time.sleep(0.02)
        self.url, _, self.key = line.strip().partition("/#")
        self.url = self.url.rstrip("/")
        return self

    @property
    def pid(self) -> int:
        """The process of the command."""
        assert self._process is not None
        return self._process.pid

    @property
    def errors(self) -> str:
        """What the command says to its terminal."""
        return (self.folder / "open.err").read_text()

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


PASSWORD = "an owl in the attic"  # noqa: S105 - of this test's server


class TeamServer(OpenServer):
    """The command for a team, which listens on this machine only."""

    def __init__(self, folder: Path, *words: Path | str) -> None:
        secret = folder / "password"
        secret.write_text(PASSWORD, encoding="utf-8")
        super().__init__(folder, "--host", "127.0.0.1", "--password-file", secret, *words)
        self._clients: list[httpx.Client] = []

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.close()
        super().__exit__(*_)

    def person(self) -> Person:
        """Somebody who has logged in."""
        client = httpx.Client(base_url=self.url, timeout=300)
        self._clients.append(client)
        answer = client.post("/login", data={"password": PASSWORD})
        assert answer.status_code == 303, answer.text
        return Person(client)


class Person:
    """A session, as a browser holds it."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.client.post(path, json=body)

    def send(self, name: str, content: bytes) -> str:
        """A set with a file; its name."""
        data = str(self.post("/api/data").json()["data"])
        answer = self.client.put(f"/api/data/{data}", params={"name": name}, content=content)
        assert answer.status_code == 201, answer.text
        return data

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get("/api/team").json()
        return found
