"""Worker: takes due projects, one after another, and looks for changes without an event."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from goldspan.engine.errors import GoldspanError
from goldspan.plugin.cluster import ClusterError
from goldspan.plugin.platform import MissingProjectError, PlatformError
from goldspan.plugin.service.database import Busy
from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.redaction import SENTENCE, place, redact

if TYPE_CHECKING:
    from goldspan.plugin.service.job import Job
    from goldspan.plugin.service.queue import Claim, Queue

POLL_SECONDS = 0.5
"""Seconds at most until an event is noticed; its debounce is longer."""

LONGEST_PAUSE = 60.0
"""Seconds at most between attempts while nothing works."""


class Worker:
    """Works on one project at a time, because a platform is one server.

    `remedy` says what is to be done with a new token when the old one is refused.
    """

    def __init__(
        self,
        queue: Queue,
        job: Job,
        reconcile: float = 600.0,
        remedy: str = "restart the service with it",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = queue
        self._job = job
        self._reconcile = reconcile
        self._remedy = remedy
        self._clock = clock
        self._stopping = threading.Event()

    def run(self) -> None:
        """Work until stopped, beginning with what the end of an earlier process interrupted, or a
        memory that failed.
        """
        due, pause, interrupted = self._clock(), POLL_SECONDS, True
        while not self._stopping.is_set():
            try:
                if interrupted:
                    self._recover()
                    interrupted = False
                if self._clock() >= due:
                    due = self._clock() + self._reconcile
                    self.list_projects()
                    self.reconcile()
                if self.step():
                    continue
                wait = min(POLL_SECONDS, self._queue.wait(), max(0.0, due - self._clock()))
                pause = POLL_SECONDS
            except Exception as error:  # noqa: BLE001 - a full disk today is free tomorrow
                interrupted = True
                wait = pause = min(2 * pause, LONGEST_PAUSE)
                LOG.error("the worker: %s; trying again in %.0f s", self._where(error), wait)
            self._stopping.wait(wait)

    def stop(self) -> None:
        """End after the project in hand."""
        self._stopping.set()

    def step(self) -> bool:
        """Work on one project that is due; whether there was one."""
        claim = self._queue.claim()
        if claim is None:
            return False
        try:
            said = self._job.work(claim)
        except PlatformError as error:
            if concerns_all(error):
                self._job.history.note_trouble(self._told(error))
            self._fail(claim, self._told(error), concerns_all=concerns_all(error))
        except ClusterError as error:
            self._job.history.note_trouble(redact(error))
            self._fail(claim, redact(error), concerns_all=True)
        except GoldspanError as error:
            # Trying again comes to the same, until the project changes.
            LOG.warning("project %d: %s", claim.project, redact(error))
            self._queue.give_up(claim, redact(error))
            self._notify(claim)
        except Exception as error:  # noqa: BLE001 - the worker outlives any fault
            LOG.error("project %d: %s", claim.project, place(error))
            self._fail(claim, f"{SENTENCE} ({type(error).__name__})")
        else:
            self._job.history.note_trouble("")
            self._queue.done(claim)
            self._job.notifier.is_well(claim.project)
            LOG.info("project %d: %s", claim.project, said)
        return True

    def list_projects(self) -> None:
        """Note which projects there are, so that a person can choose. If it fails, those that were
        noted before stay; what is wrong with the server shows when a project is looked at.
        """
        try:
            self._job.history.list_projects(self._job.source.projects())
        except GoldspanError as error:
            LOG.warning("listing the projects: %s", redact(error))

    def reconcile(self) -> None:
        """Make due every known project that is not as it was: an event may have been lost."""
        projects = self._job.history.projects()
        if not projects:
            # Nobody asks the server for anything, so nobody would see that it is well again.
            self._job.history.note_trouble("")
        for project in projects:
            if self._stopping.is_set():
                return
            if project.waiting:
                continue
            try:
                changed = self._job.changed(project.id)
            except PlatformError as error:
                LOG.warning("looking for changes in project %d: %s", project.id, self._told(error))
                if concerns_all(error):
                    self._job.history.note_trouble(self._told(error))
                else:
                    # The next look at it says what is wrong with it.
                    self._queue.add(project.id, "RECONCILE")
                continue
            except GoldspanError as error:
                self._job.history.note_trouble(redact(error))
                LOG.warning("looking for changes in project %d: %s", project.id, redact(error))
                continue
            except Exception as error:  # noqa: BLE001 - the other projects are looked at all the same
                self._job.history.note_trouble(f"{SENTENCE} ({type(error).__name__})")
                LOG.error("looking for changes in project %d: %s", project.id, place(error))
                continue
            self._job.history.note_trouble("")
            if changed:
                LOG.info("project %d has changed, and no event had arrived", project.id)
                self._queue.add(project.id, "RECONCILE")

    def _recover(self) -> None:
        left = self._queue.recover()
        if left:
            LOG.warning("repeating interrupted work: %d projects", left)

    def _where(self, error: Exception) -> str:
        if isinstance(error, Busy):
            return f"{self._queue.path} was in use by another program for too long"
        if isinstance(error, sqlite3.Error):
            # SQLite's words quote no payload.
            return (
                f"{self._queue.path} fails ({error}); if this goes on, end the service and put a "
                "copy that is sound in its place"
            )
        return place(error)

    def _fail(self, claim: Claim, sentence: str, *, concerns_all: bool = False) -> None:
        wait = self._queue.fail(claim, sentence)
        LOG.warning("project %d: %s; trying again in %.0f s", claim.project, sentence, wait)
        self._notify(claim, concerns_all=concerns_all)

    def _notify(self, claim: Claim, *, concerns_all: bool = False) -> None:
        known = self._job.history.project(claim.project)
        if known is not None:
            self._job.notifier.failed(known, concerns_all=concerns_all)

    def _told(self, error: PlatformError) -> str:
        """An error's sentence, with what can be done about it here."""
        if isinstance(error, MissingProjectError):
            return f"{redact(error)}; if it was deleted, press “Forget”"
        if error.status == 401:
            return f"{redact(error)}, and {self._remedy}"
        return redact(error)


def concerns_all(error: PlatformError) -> bool:
    """Whether the server or the token is at fault, whichever project was asked for."""
    status = error.status or 0
    return error.passing or status in (401, 403) or not 400 <= status < 500
