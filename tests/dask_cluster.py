"""Real Dask clusters; tests that need one are skipped without the extra."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE_SECONDS = 180

ANY_PORT = "127.0.0.1:0"
"""A scheduler has an HTTP server even without a dashboard. Clusters of tests that run side by side
must not meet at its usual port.
"""


@contextmanager
def dask_cluster() -> Iterator[str]:
    """A cluster in this process: the address of its scheduler."""
    distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        dashboard_address=ANY_PORT,
        scheduler_kwargs={"dashboard": False},
    ) as cluster:
        yield cluster.scheduler_address


@dataclass(frozen=True, slots=True)
class Processes:
    """A scheduler, and workers that are processes of their own."""

    address: str
    workers: tuple[subprocess.Popen[bytes], ...]


@contextmanager
def dask_processes(folder: Path, workers: int = 2) -> Iterator[Processes]:
    """A scheduler and workers as they are started by hand: `dask scheduler`, `dask worker`."""
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    place = folder / "scheduler.json"
    with ExitStack() as stack:
        where = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(place))
        no_page = ("--no-dashboard", "--dashboard-address", ANY_PORT)
        stack.enter_context(_process(folder, "scheduler", *where, *no_page))
        address = _address(place)
        words = ("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        started = tuple(
            stack.enter_context(_process(folder, *words, "--local-directory", str(folder)))
            for _ in range(workers)
        )
        yield Processes(address, started)


@contextmanager
def _process(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "dask", *words]
    paths = os.pathsep.join(path for path in sys.path if path)
    with (folder / f"{words[0]}.log").open("ab") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": paths}
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(place: Path) -> str:
    """What the scheduler says in its file, once it is there."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        # It appears empty, and is filled a moment later.
        text = place.read_text(encoding="utf-8") if place.exists() else ""
        if text.rstrip().endswith("}"):
            found: str = json.loads(text)["address"]
            return found
        time.sleep(0.05)
    raise TimeoutError(f"no scheduler wrote {place}")
