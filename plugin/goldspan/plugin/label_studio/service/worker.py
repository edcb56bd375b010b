"""Worker: takes due projects, one after another, and looks for changes that nobody told of."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from goldspan.engine.errors import GoldspanError
from goldspan.plugin.label_studio.server import ServerError
from goldspan.plugin.label_studio.service.faults import SENTENCE, place, told
from goldspan.plugin.label_studio.service.job import Job
from goldspan.plugin.label_studio.service.queue import Claim, Queue

LOG = logging.getLogger("goldspan.service")
NAP = 0.5
"""Seconds at most until an event is noticed; its debounce is longer."""


class Worker:
    """Works on one project at a time, for Label Studio is one server."""

    def __init__(
        self,
        queue: Queue,
        job: Job,
        reconcile: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = queue
        self._job = job
        self._reconcile = reconcile
        self._clock = clock
        self._stopping = threading.Event()

    def run(self) -> None:
        """Work until stopped, beginning with what an earlier process had left undone."""
        left = self._queue.recover()
        if left:
            LOG.warning("taking up again what was interrupted: %d projects", left)
        due = self._clock()
        while not self._stopping.is_set():
            try:
                if self._clock() >= due:
                    due = self._clock() + self._reconcile
                    self.reconcile()
                if self.step():
                    continue
                wait = min(NAP, self._queue.wait(), max(0.0, due - self._clock()))
            except Exception as error:  # noqa: BLE001 - a full disk today is free tomorrow
                LOG.error("the worker: %s", place(error))  # noqa: TRY400 - no payload
                wait = NAP
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
        except ServerError as error:
            self._fail(claim, told(error))
        except GoldspanError as error:
            # Trying again comes to the same, until the project changes.
            LOG.warning("project %d: %s", claim.project, told(error))
            self._queue.give_up(claim, told(error))
        except Exception as error:  # noqa: BLE001 - the worker outlives any fault
            LOG.error("project %d: %s", claim.project, place(error))  # noqa: TRY400 - no payload
            self._fail(claim, f"{SENTENCE} ({type(error).__name__})")
        else:
            self._job.history.note_trouble("")
            self._queue.done(claim)
            LOG.info("project %d: %s", claim.project, said)
        return True

    def reconcile(self) -> None:
        """Make due every known project that is not as it was: an event may have been lost."""
        for project in self._job.history.projects():
            if self._stopping.is_set():
                return
            if project.waiting:
                continue
            try:
                changed = self._job.changed(project.id)
            except GoldspanError as error:
                self._job.history.note_trouble(told(error))
                LOG.warning("looking for changes in project %d: %s", project.id, told(error))
                continue
            except Exception as error:  # noqa: BLE001 - the other projects are looked at all the same
                self._job.history.note_trouble(f"{SENTENCE} ({type(error).__name__})")
                LOG.error("looking for changes in project %d: %s", project.id, place(error))  # noqa: TRY400
                continue
            self._job.history.note_trouble("")
            if changed:
                LOG.info("project %d has changed, and no event had told", project.id)
                self._queue.add(project.id, "RECONCILE")

    def _fail(self, claim: Claim, sentence: str) -> None:
        self._job.history.note_trouble(sentence)
        wait = self._queue.fail(claim, sentence)
        LOG.warning("project %d: %s; trying again in %.0f s", claim.project, sentence, wait)
