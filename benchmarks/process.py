"""A worker as a process: what it answered, what it cost, or why it gave no answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ONE_THREAD = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "NUMEXPR")
LIMIT = 180
"""CPU seconds after which a run counts as giving no answer."""
NO_ANSWER = f"no answer in {LIMIT} s"


@dataclass(frozen=True, slots=True)
class Outcome:
    """CPU seconds of the job (of the whole process for a command), peak memory in MB, answer."""

    cpu: float | None
    peak_mb: float
    answer: dict[str, Any]
    failure: str = ""

    @property
    def least_cpu(self) -> float | None:
        """What the job costs at least; known also when it was stopped at the limit."""
        return LIMIT if self.failure == NO_ANSWER else self.cpu


def run(command: Sequence[str], *, reports: bool = True) -> Outcome:
    """Run it with one thread.

    A worker reports on its last line; the cost of any other command is that of its process.
    """
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
        process = subprocess.Popen(
            command, cwd=ROOT, env=_environment(), stdout=said, stderr=complained
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        complained.seek(0)
        out, err = said.read(), complained.read()
    peak = usage.ru_maxrss / 1024
    if process.returncode:
        return Outcome(None, peak, {}, _failure(process.returncode, err))
    if reports:
        answer = json.loads(out.strip().splitlines()[-1])
        return Outcome(answer["cpu"], peak, answer)
    return Outcome(usage.ru_utime + usage.ru_stime, peak, {"said": out.strip()})


def _environment() -> dict[str, str]:
    return dict(os.environ) | {f"{name}_NUM_THREADS": "1" for name in ONE_THREAD}


def _failure(code: int, err: str) -> str:
    if code == -signal.SIGPROF:
        return NO_ANSWER
    if code == -signal.SIGALRM:
        return "stopped: it only waited"
    if "MemoryError" in err or "Unable to allocate" in err or code == -signal.SIGKILL:
        return "out of memory"
    last = err.strip().splitlines()[-1:] or [f"exit code {code}"]
    return f"failed: {last[0]}"
