"""A worker as a process: what it answered, what it cost, or why it gave no answer."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import struct_rusage
from typing import Any

from benchmarks.stopwatch import BEGUN

ROOT = Path(__file__).parents[1]
ONE_THREAD = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "NUMEXPR")
LIMIT = 180
"""CPU seconds after which a run counts as giving no answer."""
PATIENCE = 5
"""Seconds on a busy machine for each CPU second; a process that needs more only waits."""
PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Outcome:
    """CPU seconds of the job (of the whole process for a command), peak memory in MB, answer.

    `least_cpu` is what the job costs at least; it is known also when the job was stopped.
    """

    cpu: float | None
    peak_mb: float
    answer: dict[str, Any]
    failure: str = ""
    least_cpu: float | None = None


def run(command: Sequence[str], *, reports: bool = True, limit: float = LIMIT) -> Outcome:
    """Run it with one thread, each run of its job for `limit` CPU seconds at most.

    A worker reports on its last line; the cost of any other command is that of its process.
    """
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
        process = subprocess.Popen(
            command, cwd=ROOT, env=_environment(), stdout=said, stderr=complained
        )
        status, usage, stopped = _wait(process.pid, said.fileno(), limit)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        complained.seek(0)
        out, err = said.read(), complained.read()
    peak = usage.ru_maxrss / 1024
    if stopped:
        return Outcome(None, peak, {}, stopped, limit if stopped.startswith("no answer") else None)
    if process.returncode:
        return Outcome(None, peak, {}, _failure(process.returncode, err))
    if reports:
        answer = json.loads(out.strip().splitlines()[-1])
        return Outcome(answer["cpu"], peak, answer, least_cpu=answer["cpu"])
    cpu = usage.ru_utime + usage.ru_stime
    return Outcome(cpu, peak, {"said": out.strip()}, least_cpu=cpu)


def _wait(pid: int, said: int, limit: float) -> tuple[int, struct_rusage, str]:
    """Exit status, cost, and why the process was stopped, if it was."""
    stopped = ""
    started = time.monotonic()
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return status, usage, stopped
        if not stopped:
            if _spent(pid, said) > limit:
                stopped = f"no answer in {limit:g} s"
            elif time.monotonic() - started > limit * PATIENCE * 2:
                stopped = "stopped: it only waited"
            if stopped:
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE)


def _spent(pid: int, said: int) -> float:
    """CPU seconds since the last run began; of the whole process before the first one."""
    # The child writes through the same open file: seeking would move the place where it writes.
    words = os.pread(said, os.fstat(said).st_size, 0).decode(errors="replace")
    begun = re.findall(rf"^{BEGUN} ([\d.]+)$", words, re.MULTILINE)
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK") - float(begun[-1] if begun else 0)


def _environment() -> dict[str, str]:
    return dict(os.environ) | {f"{name}_NUM_THREADS": "1" for name in ONE_THREAD}


def _failure(code: int, err: str) -> str:
    if "MemoryError" in err or "Unable to allocate" in err or code == -signal.SIGKILL:
        return "out of memory"
    last = err.strip().splitlines()[-1:] or [f"exit code {code}"]
    return f"failed: {last[0]}"
