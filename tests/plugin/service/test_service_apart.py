"""Processes of the service: they come back when they die, and go when the service does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from goldspan.plugin.service.processes import (
    Apart,
    EndedError,
    FullError,
    OutOfMemoryError,
    Supervised,
    WorkError,
    settle_in,
)
from service_process import is_running, wait_until


def append(path: Path) -> None:
    """Say that we are here, and stay."""
    settle_in()
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(600)


def pids(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()] if path.exists() else []


pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="it looks into /proc")


def test_a_process_that_dies_is_started_again_until_stopped(tmp_path: Path) -> None:
    path = tmp_path / "pids"
    kept = Supervised(append, path)
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
        assert apart.submit(os.nice, 0).result(60) == min(os.nice(0) + 10, 19)
        with pytest.raises(EndedError):
            apart.submit(os._exit, 1).result(60)
        second = apart.submit(os.getpid).result(60)
        assert second != first
    assert not is_running(second)
    apart.shutdown()
    with pytest.raises(EndedError):
        apart.submit(os.getpid)


def test_a_fault_is_a_place_and_the_process_goes_on() -> None:
    with Apart() as apart:
        first = apart.submit(os.getpid).result(60)
        with pytest.raises(WorkError) as raised:
            apart.submit(int, "a token in a payload").result(60)
        assert raised.value.place.startswith("ValueError at ")
        assert "token" not in str(raised.value)
        with pytest.raises(WorkError, match="FileNotFoundError"):
            apart.submit(os.listdir, "/nowhere").result(60)
        assert apart.submit(os.getpid).result(60) == first


def test_slow_work_holds_up_no_other_until_there_is_no_room(tmp_path: Path) -> None:
    with Apart(most=3) as apart:
        path = tmp_path / "pids"
        slow = [apart.submit(append, path) for _ in range(2)]
        assert apart.submit(os.getpid).result(60) not in pids(path)
        slow.append(apart.submit(append, path))
        with pytest.raises(FullError):
            apart.submit(os.getpid)
        wait_until(lambda: len(pids(path)) == 3)
        assert slow.pop().cancel()
        assert wait_until(lambda: submitted(apart)).result(60) not in pids(path)
    for future in slow:
        with pytest.raises(EndedError):
            future.result(60)


def submitted(apart: Apart) -> Future[int] | None:
    """What is submitted when there is room."""
    try:
        return apart.submit(os.getpid)
    except FullError:
        return None


def test_work_that_is_cancelled_really_ends(tmp_path: Path) -> None:
    path = tmp_path / "pids"
    with Apart() as apart:
        future = apart.submit(begin_another, path)
        both = wait_until(lambda: len(pids(path)) == 2 and pids(path))
        assert future.cancel()
        wait_until(lambda: not any(map(is_running, both)))


def begin_another(path: Path) -> None:
    """Begin a process, as some solvers do, and stay."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as other:
        path.write_text(f"{os.getpid()}\n{other.pid}\n", encoding="utf-8")


def write_scratch() -> str:
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write("a payload")
    return file.name


def test_nothing_is_left_on_disk() -> None:
    with Apart() as apart:
        kept = Path(apart.submit(write_scratch).result(60))
        assert kept.exists()
    wait_until(lambda: not kept.parent.exists())


def hoard(size: int) -> int:
    return len(bytearray(size))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to the limit")
def test_a_process_has_so_much_memory_and_no_more() -> None:
    with Apart(memory=2**30) as apart:
        first = apart.submit(os.getpid).result(60)
        assert apart.submit(hoard, 2**28).result(60) == 2**28
        with pytest.raises(OutOfMemoryError):
            apart.submit(hoard, 2**30).result(60)
        assert apart.submit(os.getpid).result(60) != first


ORPHANS = """
import os, sys, time
from pathlib import Path
from goldspan.plugin.service.processes import Apart, Supervised
from test_service_apart import append

if __name__ == "__main__":
    kept = Supervised(append, Path(sys.argv[1]))
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
