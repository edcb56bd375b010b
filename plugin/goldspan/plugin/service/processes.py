"""Apart: processes for the work that takes long, so that a webhook never waits for it.

They give way to the service and to the platform on a busy machine, and do not outlive the service
however it ends: what they had in hand is taken up at its next start.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from enum import Enum
from multiprocessing.connection import Connection
from typing import Any, TypeAlias, TypeVar

from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.redaction import place

SPAWN = multiprocessing.get_context("spawn")
NICE = 10
JOIN_SECONDS = 10.0
LONGEST_PAUSE = 60.0

AT_ONCE = 4
"""Calls that are worked on at a time."""

LEAST_MEMORY, MOST_MEMORY = 2**30, 2 * 2**30
"""Bytes for one process. The engine takes 0.6 GB, 2,000 tasks of a retrieval 0.1 GB more."""

T = TypeVar("T")
_Task: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


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


class Supervised:
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
            process.join(JOIN_SECONDS)
            if process.is_alive():
                process.kill()
        if self._keeper.is_alive():
            self._keeper.join(JOIN_SECONDS)

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
            LOG.error("the worker ended unexpectedly (%s) and is started again", process.exitcode)
            long = time.monotonic() - begun > LONGEST_PAUSE
            pause = 1.0 if long else min(2 * pause, LONGEST_PAUSE)
            self._stopping.wait(pause)


class FullError(Exception):
    """As many calls are being worked on as may be."""


class EndedError(Exception):
    """A process ended before its work was done: killed, out of memory, or with its service."""


class OutOfMemoryError(Exception):
    """The work takes more memory than a process may have."""


class WorkError(Exception):
    """The work has a fault; `place` says where, and quotes nothing."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


class Apart(Executor):
    """Processes that do one thing at a time each, `most` of them at once, with `memory` bytes each.

    A slow one holds up no other; FullError says that there is no room for another. Cancelling a
    future ends its process, and with it the work. One process is kept for what comes next.
    """

    def __init__(self, most: int = AT_ONCE, memory: int | None = None) -> None:
        self._most = most
        self._memory = memory or share_of_memory()
        self._lock = threading.Lock()
        self._busy: set[_Helper] = set()
        self._idle: list[_Helper] = []
        self._is_open = True

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Do it now, in a process of its own; all of it must be picklable."""
        with self._lock:
            if not self._is_open:
                raise EndedError
            if len(self._busy) >= self._most:
                raise FullError
            helper = self._idle.pop() if self._idle else _Helper(self._memory)
            self._busy.add(helper)
        future: Future[T] = Future()
        future.add_done_callback(lambda done: helper.kill() if done.cancelled() else None)
        threading.Thread(
            target=self._do, args=(helper, future, (work, args, kwargs)), name="goldspan-apart",
            daemon=True,
        ).start()  # fmt: skip
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: ARG002 - the executor's signature; the work never outlives us
        """End every process, and the work with them."""
        with self._lock:
            self._is_open = False
            idle, self._idle = self._idle, []
            busy = list(self._busy)
        for helper in (*idle, *busy):
            helper.kill()
        for helper in idle:
            helper.close()

    def _do(self, helper: _Helper, future: Future[Any], task: _Task) -> None:
        value: Any = None
        error: Exception | None = None
        try:
            value = helper.do(task)
        except Exception as raised:  # noqa: BLE001 - it is the future's
            error = raised
        self._release(helper, is_good=error is None or isinstance(error, WorkError))
        # Not before: whoever waits for it may have the next call ready.
        if not future.set_running_or_notify_cancel():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)

    def _release(self, helper: _Helper, *, is_good: bool) -> None:
        with self._lock:
            keep = is_good and self._is_open and not self._idle and not helper.is_killed
            if keep:
                self._idle.append(helper)
                self._busy.discard(helper)
        if not keep:
            helper.close()
            with self._lock:
                self._busy.discard(helper)


class _Helper:
    """A process, started with the first thing to do."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._lock = threading.Lock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._line: Connection | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self.is_killed = False

    def do(self, task: _Task) -> Any:
        """What the work comes to, however long it takes."""
        line = self._line or self._start()
        try:
            line.send(task)
            kind, value = line.recv()
        except (EOFError, OSError) as error:
            raise EndedError from error
        if kind is _Kind.OUT_OF_MEMORY:
            raise OutOfMemoryError
        if kind is _Kind.FAULT:
            raise WorkError(value)
        return value

    def kill(self) -> None:
        """End the process at once, and those that it has begun."""
        with self._lock:
            self.is_killed = True
            process = self._process
            if process is None or process.pid is None:
                return
            if hasattr(os, "killpg"):
                # It has no group of its own in its first moments, and none of its own begun.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()

    def close(self) -> None:
        """End the process, and clear away what it had on disk."""
        self.kill()
        with self._lock:
            process, self._process = self._process, None
            line, scratch = self._line, self._scratch
        if line is not None:
            line.close()
        if process is not None:
            process.join()
        if scratch is not None:
            scratch.cleanup()

    def _start(self) -> Connection:
        with self._lock:
            if self.is_killed:
                raise EndedError
            self._scratch = tempfile.TemporaryDirectory(
                prefix="goldspan-", ignore_cleanup_errors=True
            )
            self._line, theirs = SPAWN.Pipe()
            self._process = SPAWN.Process(
                target=_do_all, args=(theirs, self._memory, self._scratch.name), daemon=True
            )
            self._process.start()
            # The end of the process is seen only if nobody else has its end of the line.
            theirs.close()
            return self._line


class _Kind(Enum):
    """What comes back from a process."""

    DONE = 1
    FAULT = 2
    OUT_OF_MEMORY = 3


def _do_all(line: Connection, memory: int, scratch: str) -> None:
    """Do what is asked for, one thing after another, until the line is closed."""
    settle_in()
    # Libraries that run out of memory write to this stream what no log has a time for.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    tempfile.tempdir = scratch
    limit_memory(memory)
    with suppress(EOFError, OSError):
        while True:
            line.send(_done(line))


def _done(line: Connection) -> tuple[_Kind, Any]:
    try:
        work, args, kwargs = line.recv()
    except MemoryError:
        return _Kind.OUT_OF_MEMORY, None
    try:
        return _Kind.DONE, work(*args, **kwargs)
    except MemoryError:
        return _Kind.OUT_OF_MEMORY, None
    except Exception as error:  # noqa: BLE001 - the caller hears of it
        return _Kind.FAULT, place(error)


def share_of_memory() -> int:
    """Bytes for one of the processes that work at once: half of the machine is for all of them."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return MOST_MEMORY
    return max(LEAST_MEMORY, min(MOST_MEMORY, whole // 2 // AT_ONCE))


def limit_memory(size: int) -> None:
    """Let this process and those that it begins have this many bytes each, where a system can."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return
    with suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
