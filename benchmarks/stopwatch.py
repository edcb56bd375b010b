"""The clock inside a worker: CPU seconds of the process and of the children it waited for."""

from __future__ import annotations

import gc
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

LEAST_RUNS, MOST_RUNS = 15, 300
LEAST_SECONDS, MOST_SECONDS = 1.0, 10.0
"""Short jobs run more often, so that what else the machine does evens out; long ones less often."""

BEGUN = "begun at"

Material = TypeVar("Material")
Answer = dict[str, Any]


def cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure(prepare: Callable[[], Material], job: Callable[[Material], Answer]) -> Answer:
    """The median CPU seconds of 15 runs, or of as many as take between 1 and 10 seconds together
    (300 at most), and the last answer.

    Each run gets its own freshly prepared material. The process that started this one is told when
    a run begins and ends it at the limit: a CPU timer in here (ITIMER_PROF, RLIMIT_CPU) would make
    Linux count CPU time in whole ticks, and short jobs would seem to cost nothing.
    Three quarters of the machine's memory are the most that may be taken.
    """
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    seconds: list[float] = []
    while len(seconds) < MOST_RUNS and sum(seconds) < (
        MOST_SECONDS if len(seconds) < LEAST_RUNS else LEAST_SECONDS
    ):
        material = prepare()
        gc.collect()  # what was left behind before is no part of the job
        sys.stdout.write(f"\n{BEGUN} {cpu_seconds()}\n")
        sys.stdout.flush()
        begun = cpu_seconds()
        answer = job(material)
        seconds.append(cpu_seconds() - begun)
    return {"cpu": statistics.median(seconds), "runs": len(seconds), **answer}


def hand_over(result: Answer) -> None:
    """Print the result for the process that started this one."""
    sys.stdout.write(f"\n{json.dumps(result)}\n")
