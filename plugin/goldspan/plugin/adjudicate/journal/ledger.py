"""Ledger: what the events of all journals say of each site.

Nothing here is stored. The order of events is their number, then the adjudicator's name; so the
same journals give the same ledger, in whatever order their files are read.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from goldspan.engine.adjudication.answer import Answer, answer
from goldspan.plugin.adjudicate.journal.event import Drawn, Event, How, Item, Op, Via


class State(str, Enum):
    """Where a site stands.

    suggested  all agree enough; it is not in the queue
    open       it waits for a person
    settled    it has an answer, and nobody gave another one
    skipped    somebody put it off
    reopened   somebody took the answer back, or an annotation changed after it was settled
    contested  two adjudicators settled it differently
    """

    SUGGESTED = "suggested"
    OPEN = "open"
    SETTLED = "settled"
    SKIPPED = "skipped"
    REOPENED = "reopened"
    CONTESTED = "contested"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that an adjudicator gave."""

    by: str
    at: str
    spans: Answer
    how: How
    via: Via
    event: str
    n: int
    ms: int | None = None
    p: float | None = None
    pi: float = 1.0
    task: str = ""
    of: str = ""
    place: tuple[int | float, int | float] | None = None
    drawn: tuple[Drawn, ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """A note on a site."""

    by: str
    at: str
    note: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """What the events say of one site: its state, if they decide it; the answers that stand, the
    first answer of each adjudicator, and notes. `n` is the number of the last event.
    """

    state: State | None = None
    answers: Mapping[str, Given] = field(default_factory=dict)
    first: Mapping[str, Given] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    n: int = 0

    @property
    def settled(self) -> Given | None:
        """The answer, if there is one that stands alone."""
        if self.state is not State.SETTLED:
            return None
        return min(self.answers.values(), key=lambda one: (one.n, one.by))


BLANK = Mark()


class Ledger:
    """The events of all adjudicators; `lead` names the one whose answers decide."""

    def __init__(self, lead: str = "") -> None:
        self._lead = lead
        self._events: dict[str, Event] = {}
        self._by_site: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
        self._by_name: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._undos: dict[str, list[str]] = defaultdict(list)
        self._inactive: set[str] = set()
        self._marks: dict[str, Mark] = {}
        self._sites: tuple[str, ...] | None = None
        self.last = 0

    def add(self, event: Event) -> frozenset[str]:
        """Take an event in; gives the sites that it concerns. One that is known changes nothing."""
        if event.id in self._events:
            return frozenset()
        self._events[event.id] = event
        self.last = max(self.last, event.n)
        insort(self._by_name[event.by], (event.n, event.id))
        if event.op is Op.UNDO:
            self._undos[event.target].append(event.id)
            touched = self._toggle(event.target)
        else:
            touched = frozenset(item.site for item in items_of(event))
            if not touched <= self._by_site.keys():
                self._sites = None
            for site in touched:
                insort(self._by_site[site], (event.n, event.by, event.id))
        for site in touched:
            self._marks.pop(site, None)
        return touched

    def _toggle(self, target: str) -> frozenset[str]:
        """See again whether an event stands, and what it undoes; the sites at its end."""
        at: str | None = target
        while at is not None:
            stands = all(undo in self._inactive for undo in self._undos[at])
            (self._inactive.discard if stands else self._inactive.add)(at)
            event = self._events.get(at)
            if event is None:
                return frozenset()
            if event.op is not Op.UNDO:
                return frozenset(item.site for item in items_of(event))
            at = event.target
        return frozenset()

    def __contains__(self, event: str) -> bool:
        return event in self._events

    def __len__(self) -> int:
        return len(self._events)

    def get(self, event: str) -> Event | None:
        return self._events.get(event)

    def is_active(self, event: str) -> bool:
        """Whether nobody undid it."""
        return event in self._events and event not in self._inactive

    @property
    def sites(self) -> tuple[str, ...]:
        """Every site that an event names, sorted."""
        if self._sites is None:
            self._sites = tuple(sorted(self._by_site))
        return self._sites

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who did something, sorted."""
        return tuple(sorted(self._by_name))

    def events_of(self, name: str) -> Sequence[Event]:
        """What one adjudicator did, in order."""
        return [self._events[id_] for _, id_ in self._by_name.get(name, ())]

    def active(self, site: str) -> Iterator[tuple[Event, Item]]:
        """The events that stand, in order, each with what it says of the site."""
        for _, _, id_ in self._by_site.get(site, ()):
            if id_ not in self._inactive:
                event = self._events[id_]
                yield from ((event, item) for item in items_of(event) if item.site == site)

    def mark(self, site: str) -> Mark:
        """What the events say of a site."""
        found = self._marks.get(site)
        if found is None:
            found = BLANK if site not in self._by_site else self._derive(site)
            self._marks[site] = found
        return found

    def _derive(self, site: str) -> Mark:
        answers: dict[str, Given] = {}
        first: dict[str, Given] = {}
        remarks: list[Remark] = []
        skipped = reopened = False
        for event, item in self.active(site):
            if event.note:
                remarks.append(Remark(event.by, event.at, event.note, event.tags))
            if event.op in (Op.SETTLE, Op.BATCH):
                answers[event.by] = given = _given(event, item)
                first.setdefault(event.by, given)
                skipped = False
            elif event.op is Op.REOPEN:
                answers.clear()
                skipped, reopened = False, True
            elif event.op is Op.SKIP:
                skipped = True
        if self._lead in answers:
            answers = {self._lead: answers[self._lead]}
        state = None
        if answers:
            same = len({one.spans for one in answers.values()}) == 1
            state = State.SETTLED if same else State.CONTESTED
        elif skipped or reopened:
            state = State.SKIPPED if skipped else State.REOPENED
        # An undone event counts here: whoever saw the site before it must look again.
        last = self._last(site)
        return Mark(state, answers, first, tuple(remarks), last)

    def _last(self, site: str) -> int:
        """The number of the last event that concerns the site, undos included."""
        last = 0
        waiting = [id_ for _, _, id_ in self._by_site[site]]
        while waiting:
            id_ = waiting.pop()
            last = max(last, self._events[id_].n)
            waiting += self._undos.get(id_, ())
        return last

    def undoable(self, name: str) -> str:
        """The last event of an adjudicator that can be undone; empty if there is none."""
        for event in reversed(self.events_of(name)):
            if event.op is not Op.UNDO and event.id not in self._inactive:
                return event.id
        return ""

    def redoable(self, name: str) -> str:
        """The last undo of an adjudicator that can be undone itself; empty if there is none."""
        for event in reversed(self.events_of(name)):
            if event.id in self._inactive:
                continue
            if event.op is not Op.UNDO:
                return ""
            undone = self._events.get(event.target)
            if undone is not None and undone.op is not Op.UNDO:
                return event.id
        return ""


def items_of(event: Event) -> tuple[Item, ...]:
    """What an event says of each site."""
    if event.op is Op.BATCH:
        return event.items
    if not event.site:
        return ()
    item = Item(
        site=event.site, spans=event.spans, base=event.base, task=event.task, of=event.of,
        place=event.place, drawn=event.drawn, saw=event.saw,
    )  # fmt: skip
    return (item,)


def _given(event: Event, item: Item) -> Given:
    saw = item.saw
    return Given(
        by=event.by,
        at=event.at,
        spans=answer(item.spans or ()),
        how=event.how or How.ACCEPT,
        via=event.via,
        event=event.id,
        n=event.n,
        ms=event.ms,
        p=saw.p if saw else None,
        pi=saw.pi if saw else 1.0,
        task=item.task,
        of=item.of,
        place=item.place,
        drawn=item.drawn,
    )
