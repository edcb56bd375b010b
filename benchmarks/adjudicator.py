"""An adjudicator who is never wrong, and what the desk tells that person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

from goldspan.engine.adjudication.answer import Answer, answer, is_right
from goldspan.engine.adjudication.site import Site
from goldspan.engine.gold.boundaries import overlap
from goldspan.engine.model import Corpus, Unit
from goldspan.plugin.adjudicate.desk import Desk
from goldspan.plugin.adjudicate.journal.event import Event, Op, Via
from goldspan.plugin.adjudicate.views import QueueQuery, Recorded, SiteView

FIRST = QueueQuery(limit=1)


@dataclass(frozen=True, slots=True)
class Truth:
    """What a perfect adjudicator answers at each site, and which suggestions are wrong."""

    answers: dict[str, Answer]
    wrong: frozenset[str]
    spans: int


def truth_of(sites: Sequence[Site], reference: Corpus) -> Truth:
    """What belongs to each site: the closest pairs of a span of the reference and a site come
    first, each once; a span that is left over belongs to the site that it overlaps most.
    """
    by_task: dict[str, list[Site]] = {}
    for site in sites:
        by_task.setdefault(site.task, []).append(site)
    own: dict[str, list[Unit]] = {site.id: [] for site in sites}
    total = 0
    for task in reference:
        total += len(task.units)
        pairs = sorted(
            (-shared, u, s)
            for u, unit in enumerate(task.units)
            for s, site in enumerate(by_task.get(task.id, ()))
            if (shared := _shared(site, unit)) > 0
        )
        placed: set[int] = set()
        for once in (True, False):
            for _, u, s in pairs:
                site = by_task[task.id][s]
                if u not in placed and not (once and own[site.id]):
                    own[site.id].append(task.units[u])
                    placed.add(u)
    answers = {
        name: answer((unit.start, unit.end, unit.category) for unit in units)
        for name, units in own.items()
    }
    wrong = frozenset(s.id for s in sites if not is_right(s.suggestion, answers[s.id]))
    return Truth(answers, wrong, total)


def _shared(site: Site, unit: Unit) -> float:
    """How much the best unit of a site shares with a span; the same label counts as half."""
    return max(
        shared + 0.5 * (one.category == unit.category)
        if (shared := overlap((one.start, one.end), (unit.start, unit.end))) > 0
        else 0.0
        for one in site.units
    )


@dataclass(frozen=True, slots=True)
class Walk:
    """An adjudication: the sites in the order decided, and what the desk said at its first stop."""

    order: tuple[str, ...]
    stopped: int | None = None
    interval: tuple[float, float] = (0.0, 0.0)
    left: int = 0

    @property
    def holds(self) -> bool:
        return floor(self.interval[0]) <= self.left <= ceil(self.interval[1])

    @property
    def holds_exactly(self) -> bool:
        """Whether the errors left are inside the interval as it was before it was rounded; its
        lower end is above 0 although none may be left.
        """
        return floor(self.interval[0]) <= self.left <= self.interval[1]


def walk(desk: Desk, truth: Truth) -> Walk:
    """Decide everything that the queue gives, in its order, and note the first "enough"."""
    order: list[str] = []
    stop: Walk | None = None
    left = len(truth.wrong)
    site = _first(desk)
    while site is not None:
        event = Event(
            id=f"event-{len(order):08}", op=Op.SETTLE, site=site.id, spans=truth.answers[site.id],
            base=site.base, via=Via(site.via),
        )  # fmt: skip
        reply = desk.record(event, query=FIRST)
        if not isinstance(reply, Recorded):
            raise SystemExit(f"the desk refused an answer: {reply.say}")
        order.append(site.id)
        left -= site.id in truth.wrong
        if stop is None and reply.stop.state == "enough":
            low, high = reply.stop.low or 0.0, reply.stop.high or 0.0
            stop = Walk((), len(order), (low, high), left)
        site = next(iter(reply.next), None)
    return replace(stop or Walk(()), order=tuple(order))


def _first(desk: Desk) -> SiteView | None:
    queue = desk.queue(FIRST)
    items = getattr(queue, "items", ())
    shown = desk.site(items[0].id) if items else None
    return shown if isinstance(shown, SiteView) else None
