"""Processes of the service: they come back when they die, and go when the service does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from goldspan.plugin.label_studio.service.apart import Apart, Kept, settle_in
from service_process import wait_until


def append(path: Path) -> None:
    """Say that we are here, and stay."""
    settle_in()
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(600)


def pids(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_running(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="it looks into /proc")


def test_a_process_that_dies_is_started_again_until_stopped(tmp_path: Path) -> None:
    path = tmp_path / "pids"
    kept = Kept(append, path)
    kept.start()
    first = wait_until(lambda: pids(path))[0]
    os.kill(first, signal.SIGKILL)
    second = wait_until(lambda: pids(path)[1:])[0]
    kept.stop()

    assert not is_running(first)
    assert not is_running(second)
    time.sleep(0.5)
    assert len(pids(path)) == 2


def test_work_apart_is_done_and_comes_back_after_a_death() -> None:
    with Apart() as apart:
        first = apart.submit(os.getpid).result(60)
        assert first != os.getpid()
        assert apart.submit(os.getpid).result(60) == first
        assert apart.submit(os.nice, 0).result(60) == 10
        with pytest.raises(BrokenProcessPool):
            apart.submit(os._exit, 1).result(60)
        second = apart.submit(os.getpid).result(60)
        assert second != first
    assert not is_running(second)
    apart.shutdown()


ORPHANS = """
import os, sys, time
from pathlib import Path
from goldspan.plugin.label_studio.service.apart import Apart, Kept
from test_service_apart import append

if __name__ == "__main__":
    kept = Kept(append, Path(sys.argv[1]))
    kept.start()
    # Held by a name: one that is let go ends its process by itself.
    apart = Apart()
    print(apart.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def test_nothing_outlives_a_service_that_is_killed(tmp_path: Path) -> None:
    script, path = tmp_path / "service.py", tmp_path / "pids"
    script.write_text(ORPHANS, encoding="utf-8")
    roots = [str(Path(__file__).parent), *sys.path]
    with subprocess.Popen(
        [sys.executable, script, path],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(roots)},
    ) as process:
        assert process.stdout is not None
        try:
            helper = int(process.stdout.readline())
            worker = wait_until(lambda: pids(path))[0]
            assert is_running(helper)
            assert is_running(worker)
        finally:
            process.kill()
    wait_until(lambda: not is_running(helper) and not is_running(worker))
