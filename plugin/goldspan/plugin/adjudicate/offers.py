"""Offers: the sites that an adjudicator gets to see, and in which order."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING

from goldspan.engine.adjudication.stop import Advice
from goldspan.plugin.adjudicate.advice import advise
from goldspan.plugin.adjudicate.groups import Grouping
from goldspan.plugin.adjudicate.journal.event import Via
from goldspan.plugin.adjudicate.queueing import Queueing
from goldspan.plugin.adjudicate.showing import Showing
from goldspan.plugin.adjudicate.views import Queue, QueueQuery, SiteView, Stop

if TYPE_CHECKING:
    from goldspan.plugin.adjudicate.docket import Docket
    from goldspan.plugin.adjudicate.settings import DeskSettings

NEXT = 3
MOST_ITEMS = 500


class Offers:
    """What comes next for whom, over one docket; audits are put between by the stop advice."""

    def __init__(self, docket: Docket, settings: DeskSettings) -> None:
        self.queueing = Queueing(docket, settings.seed, time.monotonic)
        self.grouping = Grouping(docket)
        self.showing = Showing(docket, settings)
        self._docket = docket
        self._threshold = settings.threshold
        self._stop: Stop | None = None

    def renew(self) -> None:
        """Call it when the docket has changed."""
        self.grouping.renew()
        self._stop = None

    def stop(self) -> Stop:
        """How many errors are left, and the advice that follows."""
        if self._stop is None:
            self._stop = advise(self._docket, self._threshold, self.queueing.confirmed)
        return self._stop

    def advice(self) -> Advice:
        """What the adjudicator is advised to do now."""
        return Advice(self.stop().state)

    def queue(self, query: QueueQuery, by: str, revision: int) -> Queue:
        """A window of the queue."""
        found = [(site, Via.BROWSE if query.state else Via.QUEUE)
                 for site in self.queueing.sites(query, by)]  # fmt: skip
        drawn = self._drawn(query, by)
        if drawn:
            found = [one for one in found if one[0].id != drawn]
            found.insert(0, (self._docket.sites[drawn], Via.AUDIT))
        names = [site.id for site, _ in found]
        first = names.index(query.after) + 1 if query.after in names else 0
        window = found[first : first + min(max(query.limit, 0), MOST_ITEMS)]
        items = tuple(
            self.showing.item(site, via, self.grouping.of(site)[0]) for site, via in window
        )
        return Queue(revision, len(found), items)

    def next(self, by: str, query: QueueQuery) -> tuple[SiteView, ...]:
        """The first sites of the queue; the first of them is then on this adjudicator's screen."""
        drawn = self._drawn(query, by)
        waiting = (site.id for site in self.queueing.sites(query, by) if site.id != drawn)
        names = [drawn] if drawn else []
        names += islice(waiting, NEXT - len(names))
        return tuple(self.show(name, by, lease=not at) for at, name in enumerate(names))

    def then(self, site: str, by: str, query: QueueQuery) -> SiteView | None:
        """What goldspan's own queue gives next if this site is settled; others do not get it
        meanwhile.
        """
        if not _is_plain(query):
            return None
        drawn = self.queueing.audit_after(site, by, self.advice())
        waiting = (one.id for one in self.queueing.sites(query, by) if one.id != site)
        name = drawn or next(waiting, "")
        if not name:
            return None
        self.queueing.reserve(name, by)
        return self.show(name, by, lease=False, audit=bool(drawn))

    def show(self, name: str, by: str, *, lease: bool = True, audit: bool = False) -> SiteView:
        """A site as this adjudicator sees it; with `lease` it is on the screen for two minutes."""
        queueing = self.queueing
        other = queueing.lease(name, by) if lease else queueing.holder(name, by)
        audit = audit or queueing.is_audit(name, by)
        return self.showing.site(
            self._docket.sites[name],
            Via.AUDIT if audit else Via.QUEUE,
            by=by,
            pi=queueing.chance() if audit else 1.0,
            blind_to_others=audit and queueing.is_answered_by_others(name, by),
            group=self.grouping.of(self._docket.sites[name]),
            lease=other,
        )

    def _drawn(self, query: QueueQuery, by: str) -> str:
        """The site that an audit puts first; filters and other orders are left alone."""
        return self.queueing.audit(by, self.advice()) if _is_plain(query) else ""


def _is_plain(query: QueueQuery) -> bool:
    """Whether it is the queue that goldspan proposes."""
    return query == QueueQuery(after=query.after, limit=query.limit)
