"""The clock inside a worker: CPU seconds of the process and of the children it waited for."""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

MOST_RUNS = 15
ENOUGH_SECONDS = 10.0
PATIENCE = 5
"""Seconds on a busy machine for each CPU second."""

Material = TypeVar("Material")
Answer = dict[str, Any]


def cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure(
    prepare: Callable[[], Material], job: Callable[[Material], Answer], limit: int
) -> Answer:
    """The median CPU seconds of up to 15 runs, ten seconds being enough, and the last answer.

    Each run gets its own freshly prepared material. After `limit` CPU seconds of one run a signal
    ends the process, wherever it is: a Python handler would wait for compiled code to return.
    The alarm is for a process that only waits.
    Three quarters of the machine's memory are the most that may be taken.
    """
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    seconds: list[float] = []
    while len(seconds) < MOST_RUNS and sum(seconds) < ENOUGH_SECONDS:
        material = prepare()
        gc.collect()  # what was left behind before is no part of the job
        signal.setitimer(signal.ITIMER_PROF, limit)
        signal.alarm(limit * PATIENCE)
        begun = cpu_seconds()
        answer = job(material)
        seconds.append(cpu_seconds() - begun)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
    return {"cpu": statistics.median(seconds), "runs": len(seconds), **answer}


def hand_over(result: Answer) -> None:
    """Print the result for the process that started this one."""
    sys.stdout.write(f"\n{json.dumps(result)}\n")
