"""Apart: processes for the work that takes long, so that a webhook never waits for it.

They give way to the service and to Label Studio on a busy machine, and do not outlive the service
however it ends: what they had in hand is taken up at its next start.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, TypeVar

from goldspan.plugin.label_studio.service.log import LOG

SPAWN = multiprocessing.get_context("spawn")
NICE = 10
PATIENCE = 10.0
LONGEST_PAUSE = 60.0

T = TypeVar("T")


def settle_in() -> None:
    """Begin a process: give way to others, leave interrupts to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICE)
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    threading.Thread(target=_end_with_parent, name="goldspan-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    if hasattr(os, "killpg"):
        # Those that score with several processes leave none behind.
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


class Kept:
    """A process that is started again if it ends by itself; `work` must be a module's function."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        self._work = work
        self._arguments = arguments
        self._stopping = threading.Event()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._keeper = threading.Thread(target=self._keep, name="goldspan-keeper", daemon=True)

    def start(self) -> None:
        """Start, and keep it running from now on."""
        self._keeper.start()

    def stop(self) -> None:
        """Ask it to end after what it has in hand; one that takes too long is ended."""
        self._stopping.set()
        process = self._process
        if process is not None and process.is_alive():
            process.terminate()
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
        if self._keeper.is_alive():
            self._keeper.join(PATIENCE)

    def _keep(self) -> None:
        pause = 1.0
        while not self._stopping.is_set():
            begun = time.monotonic()
            process = SPAWN.Process(target=self._work, args=self._arguments)
            process.start()
            self._process = process
            if self._stopping.is_set():
                process.terminate()
            process.join()
            if self._stopping.is_set():
                return
            LOG.error("the worker ended by itself (%s); it is started again", process.exitcode)
            long = time.monotonic() - begun > LONGEST_PAUSE
            pause = 1.0 if long else min(2 * pause, LONGEST_PAUSE)
            self._stopping.wait(pause)


class Apart(Executor):
    """One process, started when it is first needed, and anew if it dies."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Do it after what was submitted before."""
        with self._lock:
            if self._pool is None:
                self._pool = self._new()
            try:
                return self._pool.submit(work, *args, **kwargs)
            except BrokenProcessPool:
                LOG.error("the process that merges annotations died; there is a new one")
                self._pool = self._new()
                return self._pool.submit(work, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the process."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is None:
            return
        for process in list(pool._processes.values()):
            process.kill()
        pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    @staticmethod
    def _new() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=SPAWN, initializer=settle_in)
