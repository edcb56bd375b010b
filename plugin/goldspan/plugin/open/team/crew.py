"""Crew: processes that compute, and who is next. Each person has one computation at a time, and all
who wait take turns, so that nobody waits for more than one computation of each of the others.

Everything here runs on the loop of the server; a computation that is killed takes nothing with it
but its own process.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.processes import (
    Apart,
    EndedError,
    FullError,
    OutOfMemoryError,
    WorkError,
)

MOST_WAITING = 400
"""Calls of everybody."""

MOST_OF_PERSON = 8
"""Calls of a person that wait, of which only the last few are of use."""

GRACE_SECONDS = 2.0
"""A computation that is to end has this long to do so by itself."""

RETRY_SECONDS = 0.02

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Job(Generic[T]):
    """Something that a person waits for. `flag` is a file that appears when it is to end."""

    person: str
    work: Callable[[Path], tuple[Callable[..., T], tuple[Any, ...]]]
    flag: Path
    done: asyncio.Future[T]
    is_running: bool = False
    why: str = ""
    """Why it ends early: the name of a refusal."""


@dataclass(slots=True, eq=False)
class _Seat:
    """A process, and whom it worked for last."""

    apart: Apart
    is_busy: bool = False
    is_stale: bool = False
    people: list[str] = field(default_factory=list)


class Crew:
    """`workers` processes; a computation may take `seconds`, and `memory` bytes. `tidy` is what a
    process does when something was deleted; flags appear in the folder.
    """

    def __init__(
        self, folder: Path, workers: int, seconds: float, tidy: Callable[[], None],
        memory: int | None = None,
    ) -> None:  # fmt: skip
        self._seats = [_Seat(Apart(1, memory)) for _ in range(workers)]
        self._seconds = seconds
        self._tidy = tidy
        self._flags = folder
        self._waiting: OrderedDict[str, deque[Job[Any]]] = OrderedDict()
        self._running: dict[str, Job[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(
        self, person: str, work: Callable[[Path], tuple[Callable[..., T], tuple[Any, ...]]]
    ) -> Job[T]:
        """Put something into the queue. `work` gets the flag and says which function to call with
        what; a Refused if too much waits.
        """
        own = self._waiting.get(person, ())
        if len(own) >= MOST_OF_PERSON:
            raise Refused("too-many-calls")
        if sum(map(len, self._waiting.values())) >= MOST_WAITING:
            raise Refused("crowded")
        flag = self._flags / secrets.token_hex(8)
        job = Job[T](person, work, flag, asyncio.get_running_loop().create_future())
        # A page that went away does not ask for the reason.
        job.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._waiting.setdefault(person, deque()).append(job)
        self._next()
        return job

    def position(self, person: str) -> int:
        """How many people are served before; 0 for one who is being served or waits for nothing."""
        if person in self._running or person not in self._waiting:
            return 0
        ahead = [other for other in self._waiting if other not in self._running]
        return ahead.index(person) + 1

    def is_running(self, person: str) -> bool:
        """Whether something of theirs is being computed."""
        return person in self._running

    def cancel(self, job: Job[Any], why: str = "cancelled") -> None:
        """Nobody waits for it any more."""
        if job.done.done() or job.why:
            return
        job.why = why
        if job.is_running:
            job.flag.touch()
            return
        own = self._waiting.get(job.person)
        if own is not None and job in own:
            own.remove(job)
            if not own:
                del self._waiting[job.person]
        _refuse(job)

    def cancel_all(self, person: str) -> None:
        """End everything of a person."""
        running = self._running.get(person)
        for job in (*self._waiting.get(person, ()), *([running] if running else [])):
            self.cancel(job)

    def forget(self) -> None:
        """Something was deleted: processes that have it in memory forget it."""
        for seat in self._seats:
            seat.is_stale = bool(seat.people)
        self._next()

    def close(self) -> None:
        """End all processes."""
        for seat in self._seats:
            seat.apart.shutdown()

    def _next(self) -> None:
        for seat in self._seats:
            if seat.is_stale and not seat.is_busy:
                self._start(self._do_tidy(seat), seat)
        for person in [one for one in self._waiting if one not in self._running]:
            free = [seat for seat in self._seats if not seat.is_busy]
            if not free:
                return
            own = self._waiting.pop(person)
            job = own.popleft()
            if own:
                self._waiting[person] = own
            # One that knows this person's files; else the one that knows fewest people.
            seat = min(free, key=lambda one: (person not in one.people, len(one.people)))
            seat.people = [*(one for one in seat.people if one != person), person]
            job.is_running = True
            self._running[person] = job
            self._start(self._do(seat, job), seat)

    def _start(self, work: Any, seat: _Seat) -> None:
        seat.is_busy = True
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, seat: _Seat, job: Job[Any]) -> None:
        try:
            function, arguments = job.work(job.flag)
            value = await self._compute(seat, job, function, arguments)
            if not job.done.done():
                job.done.set_result(value)
        except asyncio.CancelledError:
            _refuse(job)
            if not job.why:
                raise
        except OutOfMemoryError:
            self._failed(seat, job, "memory")
        except EndedError:
            self._failed(seat, job, job.why or "ended")
        except WorkError as error:
            LOG.error("a call of a page failed: %s", error.place)
            self._failed(seat, job, job.why or "bug")
        finally:
            job.flag.unlink(missing_ok=True)
            self._running.pop(job.person, None)
            if job.person in self._waiting:  # behind everybody who waits
                self._waiting.move_to_end(job.person)
            self._free(seat)

    async def _compute(
        self, seat: _Seat, job: Job[Any], function: Callable[..., T], arguments: tuple[Any, ...]
    ) -> T:
        future: asyncio.Future[T] = asyncio.wrap_future(
            await _submitted(seat.apart, function, arguments)
        )
        loop = asyncio.get_running_loop()
        until = loop.time() + self._seconds
        ending = 0.0
        while not future.done():
            await asyncio.wait({future}, timeout=0.1 if job.why else min(0.5, self._seconds))
            now = loop.time()
            if not job.why and now >= until:
                LOG.warning("a computation that took too long was ended")
                self.cancel(job, "too-long")
            if job.why and not ending:
                ending = now + GRACE_SECONDS
            elif ending and now >= ending and not future.done():
                seat.people.clear()
                future.cancel()
        if job.why:
            future.exception() if not future.cancelled() else None
            raise asyncio.CancelledError
        return future.result()

    async def _do_tidy(self, seat: _Seat) -> None:
        seat.is_stale = False
        try:
            await asyncio.wrap_future(await _submitted(seat.apart, self._tidy, ()))
        except (EndedError, OutOfMemoryError, WorkError):
            seat.people.clear()
        finally:
            self._free(seat)

    def _free(self, seat: _Seat) -> None:
        seat.is_busy = False
        self._next()

    def _failed(self, seat: _Seat, job: Job[Any], why: str) -> None:
        if why in ("memory", "ended"):
            LOG.warning("a process that computes ended (%s) and is started again", why)
            seat.people.clear()
        job.why = why
        _refuse(job)


async def _submitted(apart: Apart, function: Callable[..., T], arguments: tuple[Any, ...]) -> Any:
    """The work, begun as soon as the process before has ended."""
    while True:
        try:
            return apart.submit(function, *arguments)
        except FullError:  # noqa: PERF203 - it is rare
            await asyncio.sleep(RETRY_SECONDS)


def _refuse(job: Job[Any]) -> None:
    if not job.done.done():
        job.done.set_exception(Refused(job.why or "ending"))
