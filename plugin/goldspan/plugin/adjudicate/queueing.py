"""Queueing: which site comes next for an adjudicator, and which are drawn at random."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from goldspan.engine.adjudication.order import arrange
from goldspan.engine.adjudication.stop import AUDIT_EVERY, CONFIRMATION, Advice
from goldspan.plugin.adjudicate.journal.event import Op, Via
from goldspan.plugin.adjudicate.journal.ledger import State
from goldspan.plugin.adjudicate.texts import quote

if TYPE_CHECKING:
    from goldspan.engine.adjudication.site import Site
    from goldspan.plugin.adjudicate.docket import Docket
    from goldspan.plugin.adjudicate.views import QueueQuery

WAITING = (State.OPEN, State.REOPENED, State.CONTESTED)
LEASE_SECONDS = 120.0
SHARED_EVERY = 10
"""Of the audit sites every so many goes to a second adjudicator."""


class Queueing:
    """The queue of every adjudicator, over one docket."""

    def __init__(self, docket: Docket, seed: int, clock: Callable[[], float]) -> None:
        self._docket = docket
        self._seed = seed
        self._clock = clock
        self._leases: dict[str, tuple[str, float]] = {}
        self._reserved: dict[str, tuple[str, float]] = {}
        self._drawn: dict[str, tuple[int, str]] = {}

    # Leases.

    def lease(self, site: str, by: str) -> str:
        """Take a site for two minutes; the name of somebody else who has it, if so."""
        other = self.holder(site, by)
        if not other:
            self._leases[site] = (by, self._clock() + LEASE_SECONDS)
        return other

    def release(self, site: str) -> None:
        self._leases.pop(site, None)

    def holder(self, site: str, by: str) -> str:
        """Somebody else who has the site on the screen."""
        name, until = self._leases.get(site, ("", 0.0))
        return name if name != by and until > self._clock() else ""

    def reserve(self, site: str, by: str) -> None:
        """Keep a site for two minutes for the adjudicator who will get it next; one each."""
        self._reserved[by] = (site, self._clock() + LEASE_SECONDS)

    def is_taken(self, site: str, by: str) -> bool:
        """Whether somebody else has the site on the screen, or will get it next."""
        now = self._clock()
        return bool(self.holder(site, by)) or any(
            name != by and kept == site and until > now
            for name, (kept, until) in self._reserved.items()
        )

    # Audits.

    def audit(self, by: str, advice: Advice) -> str:
        """The site that is to be drawn at random now; empty when it is not the time."""
        done, audits = self._counts(by)
        confirming = advice is Advice.CONFIRM
        if not confirming and (done + 1) % AUDIT_EVERY:
            return ""
        kept = self._drawn.get(by)
        if kept is not None and kept[0] == done and self._is_drawable(kept[1], by):
            return kept[1]
        site = self._shared(by) or self._draw(by, audits)
        self._drawn[by] = (done, site)
        return site

    def audit_after(self, site: str, by: str, advice: Advice) -> str:
        """The site that will be drawn when this adjudicator has settled a site of the queue; empty
        when none will be.
        """
        done, audits = self._counts(by)
        if advice is not Advice.CONFIRM and (done + 2) % AUDIT_EVERY:
            return ""
        number = audits + self.is_audit(site, by)
        return self._shared(by, but=site) or self._draw(by, number, but=site)

    def is_audit(self, site: str, by: str) -> bool:
        """Whether the site was drawn for this adjudicator, and is not answered yet."""
        return self._drawn.get(by, (0, ""))[1] == site and self._is_drawable(site, by)

    def is_answered_by_others(self, site: str, by: str) -> bool:
        """Whether somebody else has answered the site."""
        return bool(set(self._docket.mark(site).answers) - {by})

    def chance(self) -> float:
        """With which chance an audit draws a site."""
        return 1 / max(len(self._docket.undecided()), 1)

    def confirmed(self) -> int:
        """How many random sites were answered since the queue was last used, by anybody."""
        given = sorted(
            (
                (one.n, one.by, one.via)
                for name in self._docket.ledger.sites
                for one in self._docket.mark(name).answers.values()
                if one.via in (Via.QUEUE, Via.AUDIT)
            ),
            reverse=True,
        )
        count = 0
        for _, _, via in given:
            if via is not Via.AUDIT:
                break
            count += 1
        return min(count, CONFIRMATION)

    def _counts(self, by: str) -> tuple[int, int]:
        """Decisions in the queue, and audits, of an adjudicator."""
        ledger = self._docket.ledger
        done = [
            one.via
            for one in ledger.events_of(by)
            if one.op is Op.SETTLE
            and one.via in (Via.QUEUE, Via.AUDIT)
            and ledger.is_active(one.id)
        ]
        return len(done), done.count(Via.AUDIT)

    def _is_drawable(self, site: str, by: str) -> bool:
        return site in self._docket.sites and by not in self._docket.mark(site).answers

    def _shared(self, by: str, but: str = "") -> str:
        """A site that another one answered as an audit, and that is to be answered twice."""
        for name in self._docket.ledger.sites:
            if int(name[:8], 16) % SHARED_EVERY or name not in self._docket.sites:
                continue
            first = self._docket.mark(name).answers
            if (
                name != but
                and by not in first
                and any(one.via is Via.AUDIT for one in first.values())
            ):
                return name
        return ""

    def _draw(self, by: str, number: int, but: str = "") -> str:
        """One of the undecided sites, each with the same chance; the same after a restart."""
        left = [
            name for name in self._docket.undecided() if name != but and not self.is_taken(name, by)
        ]
        if not left:
            return ""
        word = hashlib.sha256(f"{self._seed}\0{by}\0{number}".encode()).digest()
        return left[int.from_bytes(word[:8], "big") % len(left)]

    # Order.

    def sites(self, query: QueueQuery, by: str) -> Iterator[Site]:
        """What the query asks for, in its order."""
        yield from self._ordered(self._chosen(query, by), query.order)
        if not query.state:
            docket = self._docket
            put_off = [
                site
                for site in docket.sites.values()
                if docket.state(site.id) is State.SKIPPED
                and self._fits(site, query)
                and not self.is_taken(site.id, by)
            ]
            yield from sorted(put_off, key=lambda site: (docket.mark(site.id).n, site.id))

    def _chosen(self, query: QueueQuery, by: str) -> list[Site]:
        """What the query asks for but skipped sites, most valuable first."""
        state = self._docket.state
        if query.state:
            found = [s for s in self._docket.ranked if query.state in ("all", state(s.id).value)]
        else:
            waiting = (s for s in self._docket.ranked if state(s.id) in WAITING)
            found = [s for s in waiting if not self.is_taken(s.id, by)]
        return [site for site in found if self._fits(site, query)]

    def _fits(self, site: Site, query: QueueQuery) -> bool:
        fits = (
            query.task in ("", site.task)
            and (not query.kind or query.kind in [one.value for one in site.questions])
            and (not query.label or query.label in site.labels)
            and (not query.annotator or query.annotator in {u.annotator for u in site.units})
            and (not query.noted or bool(self._docket.mark(site.id).remarks))
        )
        if fits and query.find:
            text = quote(self._docket.gold.corpus[site.task], site.start, site.end)
            return query.find.casefold() in text.casefold()
        return fits

    def _ordered(self, sites: list[Site], order: str) -> Iterable[Site]:
        values = self._docket.values
        if order == "value":
            return arrange(sites, values)
        tasks = {one.id: n for n, one in enumerate(self._docket.gold.corpus)}

        def place(site: Site) -> tuple[object, ...]:
            return tasks[site.task], site.start, site.end, site.id

        if order == "kind":
            return sorted(sites, key=lambda site: (site.kind.value, -values[site.id], place(site)))
        if order == "pair":
            return sorted(sites, key=lambda site: (site.labels, -values[site.id], place(site)))
        if order == "task":
            totals: dict[str, float] = {}
            for site in sites:
                totals[site.task] = totals.get(site.task, 0.0) + values[site.id]
            return sorted(sites, key=lambda site: (-totals[site.task], place(site)))
        return sorted(sites, key=place)
