"""Recording: an event that the page sent, checked and completed before it is stored."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from goldspan.engine.adjudication.answer import Span, answer
from goldspan.engine.adjudication.site import Site, site_id
from goldspan.plugin.adjudicate import wording
from goldspan.plugin.adjudicate.journal.event import Drawn, Event, How, Item, Op, Saw, Via
from goldspan.plugin.adjudicate.journal.ledger import items_of
from goldspan.plugin.adjudicate.views import Refusal

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum
    from goldspan.plugin.adjudicate.docket import Docket

LONGEST_NOTE = 4096
MOST_TAGS = 20
_ID = re.compile(r"[A-Za-z0-9_-]{8,64}\Z")


class Refused(Exception):  # noqa: N818 - it carries an answer
    """The event cannot be taken; `refusal` says why."""

    def __init__(self, error: str, *, site: str = "", **words: object) -> None:
        say, do = wording.REFUSALS[error]
        self.refusal = Refusal(error, say.format(**words), do)
        self.site = site
        super().__init__(self.refusal.say)


def complete(
    posted: Event, docket: Docket, by: str, now: str, *, pi: float, new_labels: bool
) -> Event:
    """The event as it is stored; Refused if it cannot be."""
    if not _ID.match(posted.id):
        raise Refused("invalid", reason=wording.BAD_ID)
    if len(posted.note.encode("utf-8", "replace")) > LONGEST_NOTE or len(posted.tags) > MOST_TAGS:
        raise Refused("note-too-long", most=LONGEST_NOTE)
    checking = _Checking(docket, by, new_labels, pi)
    stamped = msgspec.structs.replace(posted, n=docket.ledger.last + 1, at=now, by=by)
    if posted.op is Op.UNDO:
        return checking.undo(stamped)
    if posted.op is Op.BATCH:
        return checking.batch(stamped)
    if posted.op is Op.SETTLE and not posted.site:
        return checking.added(stamped)
    return checking.one(stamped)


class _Checking:
    def __init__(self, docket: Docket, by: str, new_labels: bool, pi: float) -> None:
        self._docket = docket
        self._by = by
        self._labels = None if new_labels else set(docket.labels)
        self._pi = pi

    def undo(self, event: Event) -> Event:
        ledger = self._docket.ledger
        target = ledger.get(event.target or ledger.undoable(self._by))
        if target is None or target.by != self._by or not ledger.is_active(target.id):
            raise Refused("no-such-event")
        last = target
        while last.op is Op.UNDO:
            under = ledger.get(last.target)
            if under is None:
                raise Refused("no-such-event")
            last = under
        for item in items_of(last):
            for other, _ in ledger.active(item.site):
                if other.by != self._by and other.n > last.n and other.op is not Op.NOTE:
                    raise Refused("settled-since", site=item.site, by=other.by)
        return _bare(event, target=target.id)

    def batch(self, event: Event) -> Event:
        if not event.items:
            raise Refused("invalid", reason=wording.NO_SPANS)
        items = tuple(self._item(item, Via.BATCH) for item in event.items)
        return _bare(event, items=items, how=How.BATCH, via=Via.BATCH)

    def one(self, event: Event) -> Event:
        item = Item(site=event.site, spans=event.spans, base=event.base)
        if event.op is Op.SETTLE and event.spans is None:
            raise Refused("invalid", reason=wording.NO_SPANS)
        done = self._item(item, event.via, decides=event.op is Op.SETTLE)
        return _with(event, done)

    def added(self, event: Event) -> Event:
        """A site that no annotator marked; the event names it."""
        if event.task not in self._docket.digests:
            raise Refused("invalid", reason=wording.TASK_NEEDED)
        spans = answer(event.spans or ())
        if not spans:
            raise Refused("invalid", reason=wording.NO_SPANS)
        self._check(spans, self._docket.gold.corpus[event.task])
        of = self._docket.digests[event.task]
        item = Item(
            site=site_id(event.task, of, (), event.id),
            spans=spans,
            task=event.task,
            of=of,
            place=(spans[0].start, max(one.end for one in spans)),
            saw=Saw((), 0.0),
        )
        changed = msgspec.structs.replace(event, how=How.ADD, via=Via.BROWSE)
        return _with(changed, item)

    def _item(self, item: Item, via: Via, *, decides: bool = True) -> Item:
        docket = self._docket
        site = docket.sites.get(item.site)
        if site is None:
            raise Refused("no-such-site")
        mark = docket.mark(site.id)
        if item.base is not None and mark.n > item.base:
            raise Refused("changed", site=site.id, by=self._who(site.id))
        spans = None
        if decides:
            spans = site.suggestion if item.spans is None else answer(item.spans)
            self._check(spans, docket.gold.corpus[site.task])
        return Item(
            site=site.id,
            spans=spans,
            base=item.base,
            task=site.task,
            of=docket.digests[site.task],
            place=(site.start, site.end),
            drawn=_drawn(site),
            saw=Saw(site.suggestion, docket.p(site.id), self._pi if via is Via.AUDIT else 1.0),
        )

    def _who(self, site: str) -> str:
        names = [event.by for event, _ in self._docket.ledger.active(site)]
        return names[-1] if names and names[-1] != self._by else "Another tab"

    def _check(self, spans: Iterable[Span], task: Continuum) -> None:
        for span in spans:
            if not span.label:
                raise Refused("invalid", reason=wording.NO_LABEL)
            if self._labels is not None and span.label not in self._labels:
                raise Refused("invalid", reason=wording.UNKNOWN_LABEL.format(label=span.label))
            place = {"start": span.start, "end": span.end}
            if not span.start < span.end:
                raise Refused("invalid", reason=wording.EMPTY_SPAN.format(**place))
            if task.length is not None and not 0 <= span.start < span.end <= task.length:
                raise Refused("invalid", reason=wording.OUTSIDE.format(**place, length=task.length))


def _drawn(site: Site) -> tuple[Drawn, ...]:
    return tuple(Drawn(u.start, u.end, u.category, u.annotator) for u in site.units)


def _bare(
    event: Event, *, target: str = "", items: tuple[Item, ...] = (), how: How | None = None,
    via: Via = Via.BROWSE,
) -> Event:  # fmt: skip
    """An event without what only a single site has."""
    return Event(
        n=event.n, id=event.id, at=event.at, by=event.by, op=event.op, how=how, via=via,
        ms=event.ms, note=event.note, tags=event.tags, target=target, items=items,
    )  # fmt: skip


def _with(event: Event, item: Item) -> Event:
    settles = event.op is Op.SETTLE
    return Event(
        n=event.n, id=event.id, at=event.at, by=event.by, op=event.op, site=item.site,
        task=item.task, spans=item.spans, how=(event.how or How.ACCEPT) if settles else None,
        via=event.via, reading=event.reading, saw=item.saw if settles else None, ms=event.ms,
        note=event.note, tags=event.tags, base=item.base, of=item.of, place=item.place,
        drawn=item.drawn,
    )  # fmt: skip
