"""Desk: the adjudication of a corpus, as the page's server calls it.

An event is on the disk before `record` returns. Everything else is derived from the corpus, its
gold and the journals.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from goldspan.engine.errors import GoldspanError
from goldspan.plugin.adjudicate import wording
from goldspan.plugin.adjudicate.docket import Docket, Weights
from goldspan.plugin.adjudicate.groups import plan_batch
from goldspan.plugin.adjudicate.journal.event import Event, Op, Via, decode_posted
from goldspan.plugin.adjudicate.journal.file import fault
from goldspan.plugin.adjudicate.journal.ledger import items_of
from goldspan.plugin.adjudicate.journal.opening import Journals, open_journals
from goldspan.plugin.adjudicate.offers import Offers
from goldspan.plugin.adjudicate.overview import open_kinds, progress, project_view
from goldspan.plugin.adjudicate.recording import Refused, complete
from goldspan.plugin.adjudicate.settings import DeskSettings
from goldspan.plugin.adjudicate.views import (
    Ahead,
    BatchPlan,
    Changes,
    Groups,
    GroupView,
    Project,
    Queue,
    QueueQuery,
    Recorded,
    Refusal,
    SiteView,
    Stop,
    TaskSites,
    TaskText,
    TaskUnits,
    Written,
)
from goldspan.plugin.adjudicate.windows import site_strip, text_window, unit_window

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Continuum, Position

__all__ = ["Desk", "DeskSettings", "open_desk"]

POLL_SECONDS = 2.0
MOST_BESIDE = 10
ANYTHING = QueueQuery()


def open_desk(
    gold: Gold, folder: Path, settings: DeskSettings, *,
    write: Callable[[Docket], Written] | None = None, say: Callable[[str], None] | None = None,
) -> Desk:  # fmt: skip
    """The desk of a gold whose journals are in the folder, which is made if it is not there."""
    journals = open_journals(gold, folder, settings, _now(), say or (lambda _: None))
    return Desk(gold, journals, settings, write)


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Desk:
    """Answers the page; safe to call from several threads."""

    def __init__(
        self, gold: Gold, journals: Journals, settings: DeskSettings,
        write: Callable[[Docket], Written] | None,
    ) -> None:  # fmt: skip
        self.settings = settings
        self._journals = journals
        self._write = write
        weights = Weights(settings.by_length, settings.label_weights)
        self.docket = Docket(gold, journals.ledger, weights=weights, new_labels=settings.new_labels)
        self._offers = Offers(self.docket, settings)
        self._tasks = tuple(gold.corpus)
        self._lock = threading.Condition(threading.RLock())
        self._log: list[tuple[str, frozenset[str]]] = []
        self._first = len(journals.ledger)
        self._polled = time.monotonic()
        self._saved = ""
        self._replies = 0

    # What the page asks.

    def project(self, *, by: str = "") -> Project:
        """All that the page needs once."""
        with self._lock:
            by = self._name(by)
            return project_view(
                self.docket,
                self.settings,
                by,
                stop=self._offers.stop(),
                saved=self._saved,
                digest=self._journals.digest,
                revision=self.revision,
            )

    def queue(self, query: QueueQuery = ANYTHING, *, by: str = "") -> Queue | Refusal:
        """A window of the queue."""
        with self._lock:
            self._poll()
            by = self._name(by)
            if query.annotator and self.settings.blind:
                return Refused("invalid", reason=wording.BLIND).refusal
            return self._offers.queue(query, by, self.revision)

    def site(self, site: str, *, by: str = "") -> SiteView | Refusal:
        """One site; it is then on this adjudicator's screen for two minutes."""
        with self._lock:
            self._poll()
            by = self._name(by)
            if site not in self.docket.sites:
                return Refused("no-such-site").refusal
            return self._offers.show(site, by)

    def ahead(
        self, site: str, query: QueueQuery = ANYTHING, beside: Sequence[str] = (), *, by: str = ""
    ) -> Ahead | Refusal:
        """A site on this adjudicator's screen, and where the next key may lead."""
        with self._lock:
            self._poll()
            by = self._name(by)
            if site not in self.docket.sites:
                return Refused("no-such-site").refusal
            known = [name for name in beside[:MOST_BESIDE] if name in self.docket.sites]
            return Ahead(
                site=self._offers.show(site, by),
                then=self._offers.then(site, by, query),
                beside=tuple(self._offers.show(name, by, lease=False) for name in known),
            )

    def task_text(
        self, n: int, start: int | None = None, end: int | None = None
    ) -> TaskText | Refusal:
        """A window of a text in blocks; all of it if it is not too long and no window is given."""
        if not 0 <= n < len(self._tasks):
            return Refused("no-such-task", n=n).refusal
        return text_window(n, self._tasks[n], start, end)

    def task_units(
        self, n: int, start: Position | None = None, end: Position | None = None, *, by: str = ""
    ) -> TaskUnits | Refusal:
        """What was drawn in a window of a task, and its sites."""
        if not 0 <= n < len(self._tasks):
            return Refused("no-such-task", n=n).refusal
        with self._lock:
            self._name(by)
            return unit_window(n, self._tasks[n], start, end, self.docket, self._offers.showing)

    def task_sites(self, n: int, *, by: str = "") -> TaskSites | Refusal:
        """Where the sites of a task are."""
        if not 0 <= n < len(self._tasks):
            return Refused("no-such-task", n=n).refusal
        with self._lock:
            self._name(by)
            return site_strip(n, self._tasks[n], self.docket)

    def continuum(self, n: int) -> Continuum:
        """The task of this number."""
        return self._tasks[n]

    def groups(self, *, by: str = "") -> Groups:
        """Sites that are alike."""
        with self._lock:
            self._name(by)
            return Groups(
                tuple(
                    GroupView(g.key, g.kind, g.labels, g.surface, len(g.sites), g.say)
                    for g in self._offers.grouping.all()
                )
            )

    def batch(self, group: str, *, by: str = "") -> BatchPlan | Refusal:
        """What accepting a group would do; nothing is done."""
        with self._lock:
            self._name(by)
            found = self._offers.grouping.get(group)
            if found is None:
                return Refused("invalid", reason=wording.NO_GROUP).refusal
            return plan_batch(found, self.docket)

    def stop(self, *, by: str = "") -> Stop:
        """How many errors are left, and the advice that follows."""
        with self._lock:
            self._name(by)
            return self._offers.stop()

    def changes(self, since: int, wait: float = 0.0, *, by: str = "") -> Changes:
        """What happened since a revision; waits so many seconds for something to happen."""
        until = time.monotonic() + wait
        with self._lock:
            by = self._name(by)
            self._poll()
            while since == self.revision and time.monotonic() < until:
                self._lock.wait(min(POLL_SECONDS, max(until - time.monotonic(), 0)))
                self._poll()
            known = self._first <= since <= self.revision
            news = self._log[since - self._first :] if known else []
            return Changes(
                revision=self.revision,
                sites=tuple(sorted({site for _, sites in news for site in sites})),
                by=tuple(sorted({name for name, _ in news})),
                progress=progress(self.docket, by, self._saved),
                stop=self._offers.stop(),
                all=not known,
            )

    def write(self) -> Written | Refusal:
        """Write the output as it is now."""
        with self._lock:
            self._poll()
            if self._write is None:
                return Refused("invalid", reason=wording.NO_OUTPUT).refusal
            try:
                return self._write(self.docket)
            except GoldspanError as error:
                return Refused("invalid", reason=str(error)).refusal
            except OSError as error:
                return Refused("disk", reason=error.strerror or error).refusal

    # What the page does.

    def record(
        self, posted: bytes | Event, *, by: str = "", query: QueueQuery = ANYTHING
    ) -> Recorded | Refusal:
        """Store an event; the next sites of the query come along."""
        with self._lock:
            self._poll()
            by = self._name(by)
            try:
                event = decode_posted(posted) if isinstance(posted, bytes) else posted
            except (ValueError, RecursionError) as error:
                reason = wording.BAD_EVENT.format(reason=error)
                return Refused("invalid", reason=reason).refusal
            known = self._journals.ledger.get(event.id)
            if known is not None:
                return self._reply(known, by, query, known=True)
            try:
                self._journals.open(by, _now())
            except GoldspanError as error:
                return Refused("other-writer", reason=str(error)).refusal
            try:
                done = self._complete(event, by)
            except Refused as refused:
                shown = self._offers.show(refused.site, by) if refused.site else None
                return msgspec.structs.replace(refused.refusal, site=shown)
            try:
                self._journals.append(by, done)
            except OSError as error:
                return Refused("disk", reason=error.strerror or error).refusal
            self._saved = done.at
            self._take(done)
            reply = self._reply(done, by, query)
            self._replies += 1
            fault("before-reply", self._replies)
            return reply

    def close(self) -> None:
        """Let others write the journals."""
        with self._lock:
            self._journals.close()

    # How it is done.

    def _complete(self, event: Event, by: str) -> Event:
        queueing = self._offers.queueing
        via = event.via
        if via in (Via.QUEUE, Via.AUDIT) and event.site:
            queueing.audit(by, self._offers.advice())
            via = Via.AUDIT if queueing.is_audit(event.site, by) else Via.QUEUE
        event = msgspec.structs.replace(event, via=via)
        return complete(
            event, self.docket, by, _now(),
            pi=queueing.chance(), new_labels=self.settings.new_labels,
        )  # fmt: skip

    def _take(self, event: Event) -> None:
        touched = self._journals.ledger.add(event)
        self._log.append((event.by, touched))
        for site in touched:
            self._offers.queueing.release(site)
        if any(site not in self.docket.sites or not self.docket.sites[site].units
               for site in touched):  # fmt: skip
            self.docket.renew()
        self.docket.learn(touched)
        self._offers.renew()
        self._lock.notify_all()

    def _poll(self) -> None:
        """Read what other processes wrote."""
        now = time.monotonic()
        if now - self._polled < POLL_SECONDS:
            return
        self._polled = now
        for event in self._journals.read():
            if event.id not in self._journals.ledger:
                self._take(event)

    def _reply(self, event: Event, by: str, query: QueueQuery, known: bool = False) -> Recorded:
        ledger = self._journals.ledger
        last = event
        while last.target and (under := ledger.get(last.target)) is not None:
            last = under
        sites = [item.site for item in items_of(last)]
        site = sites[0] if len(sites) == 1 else ""
        state = self.docket.state(site).value if site in self.docket.sites else ""
        changes_back = state and event.op in (Op.UNDO, Op.REOPEN)
        return Recorded(
            n=event.n,
            id=event.id,
            site=site,
            state=state,
            known=known,
            undo=ledger.undoable(by),
            redo=ledger.redoable(by),
            next=self._offers.next(by, query),
            progress=progress(self.docket, by, self._saved),
            stop=self._offers.stop(),
            kinds=open_kinds(self.docket),
            revision=self.revision,
            shown=self._offers.show(site, by) if changes_back else None,
        )

    def _name(self, by: str) -> str:
        return by or self.settings.adjudicator

    @property
    def revision(self) -> int:
        """Grows with every event."""
        return self._first + len(self._log)
