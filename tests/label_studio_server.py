"""A real Label Studio of one's own: where it is installed, and the process that serves it."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import httpx

from label_studio_api import LabelStudioApi

REQUIREMENTS = Path(__file__).parent / "e2e" / "label-studio.txt"
MISSING = "NO TEST WITH A REAL LABEL STUDIO RUNS: it is not installed (make label-studio)"

EMAIL, PASSWORD = "admin@example.com", "annotation-is-fun"

PATIENCE = 180.0
"""Seconds to wait for a server to come up; five are usual, a loaded machine takes longer."""

KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")
"""The only variables that a server gets to see of those around it."""


def installed() -> Path | None:
    """The environment that `make label-studio` made from the present requirements, or None."""
    named = os.environ.get("GOLDSPAN_LABEL_STUDIO")
    if named:
        return Path(named)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "goldspan"
    wanted = REQUIREMENTS.read_text(encoding="utf-8")
    for ready in sorted(cache.glob("label-studio-*/ready")):
        if ready.with_name("requirements.txt").read_text(encoding="utf-8") == wanted:
            return ready.parent
    return None


PORTS = range(20_000, 32_000)
"""Below those that systems give to outgoing connections, which could take one meanwhile."""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _bound_to_us() -> tuple[str, ...]:
    """Before a command: it ends with us, even when we are killed; nothing where that is unknown."""
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "KILL") if setpriv else ()


class LabelStudioServer:
    """Label Studio on loopback with its data in a folder: it stays there when the server stops.

    `api` does as the first user, who may do everything, what people do in a browser. Servers that
    annotate for real refuse webhooks and models on loopback and legacy tokens; a test wants the
    first and says when it wants the second. Further settings are environment variables.
    """

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        legacy_tokens: bool = False,
        ssrf_protection: bool = False,
        **settings: str,
    ) -> None:
        """Nothing runs before `start`; a folder that is not there begins with no project."""
        found = installed()
        if found is None:
            raise RuntimeError(MISSING)
        self.environment = found
        self.folder = folder
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self.legacy_tokens = legacy_tokens
        self.api = LabelStudioApi(self.url, EMAIL, PASSWORD)
        self._process: subprocess.Popen[bytes] | None = None
        self._settings = {
            "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
            "LABEL_STUDIO_USERNAME": EMAIL,
            "LABEL_STUDIO_PASSWORD": PASSWORD,
            "SSRF_PROTECTION_ENABLED": str(ssrf_protection).lower(),
            "ML_BLOCK_LOCAL_IP": str(ssrf_protection).lower(),
            "COLLECT_ANALYTICS": "false",
            "LATEST_VERSION_CHECK": "false",
            "SENTRY_DSN": "",
            "FRONTEND_SENTRY_DSN": "",
            "LOG_LEVEL": "WARNING",
            "ML_TIMEOUT_PREDICT": "600",
        } | settings

    def __enter__(self) -> LabelStudioServer:  # noqa: PYI034 - Self needs Python 3.11
        """The server, up."""
        return self.start()

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.stop()

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> LabelStudioServer:
        """Start on the same data and the same port as ever, and wait until it answers."""
        if self.running:
            return self
        if not self.folder.exists():
            shutil.copytree(self.environment / "data", self.folder)
        program = str(self.environment / "bin" / "label-studio")
        command = (*_bound_to_us(), program, "start", "--no-browser")
        # The default is to listen on every interface.
        where = ("--internal-host", "127.0.0.1", "--port", str(self.port))
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *where],
                cwd=self.folder,
                env={name: os.environ[name] for name in KEPT if name in os.environ}
                | self._settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # An interrupt at the terminal is the tests' to handle.
                start_new_session=True,
            )
        try:
            self._wait()
            self.api.allow_tokens(legacy=self.legacy_tokens)
        except BaseException:
            # Whoever waits for it may be interrupted, and nobody else would end it.
            self.kill()
            raise
        return self

    def stop(self) -> None:
        """Ask it to end, and wait."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop and start on the same data and the same port."""
        self.stop()
        self.start()

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.running:
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/health", trust_env=False).is_success:
                    return
            time.sleep(0.2)
        said = self.log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise RuntimeError(f"Label Studio did not come up at {self.url}; it said:\n{said}")
