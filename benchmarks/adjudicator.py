"""An adjudicator who is never wrong, and what the desk tells that person."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

from goldspan.engine.adjudication.answer import Answer, answer, is_right
from goldspan.engine.adjudication.site import Site
from goldspan.engine.adjudication.stop import Advice
from goldspan.engine.gold.boundaries import SAME_PLACE, overlap
from goldspan.engine.model import Corpus, Unit
from goldspan.plugin.adjudicate.advice import advise
from goldspan.plugin.adjudicate.docket import Docket
from goldspan.plugin.adjudicate.journal.event import Event, Op, Via
from goldspan.plugin.adjudicate.queueing import Queueing
from goldspan.plugin.adjudicate.recording import complete
from goldspan.plugin.adjudicate.views import QueueQuery

NAME = "ana"
FIRST = QueueQuery(limit=1)


@dataclass(frozen=True, slots=True)
class Truth:
    """What a perfect adjudicator answers at each site, and which suggestions are wrong."""

    answers: dict[str, Answer]
    wrong: frozenset[str]
    spans: int


def truth_of(sites: Sequence[Site], reference: Corpus) -> Truth:
    """What belongs to each site. A span of the reference that is suggested belongs where it is
    suggested: to accept it there and to answer "nothing" at a stray mark beside it changes no gold.
    So a site is wrong where the gold is, and nowhere else. Of the other spans, the closest pairs of
    a span and a site come first, each once; a span that is left over belongs to the site that it
    overlaps most.
    """
    by_task: dict[str, list[Site]] = {}
    for site in sites:
        by_task.setdefault(site.task, []).append(site)
    own: dict[str, list[Unit]] = {site.id: [] for site in sites}
    total = 0
    for task in reference:
        total += len(task.units)
        near = by_task.get(task.id, ())
        placed: set[int] = set()
        for u, site in _suggested(task.units, near):
            own[site.id].append(task.units[u])
            placed.add(u)
        pairs = sorted(
            (-shared, u, s)
            for u, unit in enumerate(task.units)
            for s, site in enumerate(near)
            if (shared := _shared(site, unit)) > 0
        )
        for once in (True, False):
            for _, u, s in pairs:
                site = near[s]
                if u not in placed and not (once and own[site.id]):
                    own[site.id].append(task.units[u])
                    placed.add(u)
    answers = {
        name: answer((unit.start, unit.end, unit.category) for unit in units)
        for name, units in own.items()
    }
    wrong = frozenset(s.id for s in sites if not is_right(s.suggestion, answers[s.id]))
    return Truth(answers, wrong, total)


def _suggested(units: Sequence[Unit], sites: Sequence[Site]) -> Iterator[tuple[int, Site]]:
    """The spans of the reference that are suggested, each with its site; the closest pairs of a
    span and a suggestion come first, as where a gold is judged.
    """
    spans = [(site, span) for site in sites for span in site.suggestion]
    pairs = sorted(
        (-shared, n, u)
        for n, (_, span) in enumerate(spans)
        for u, unit in enumerate(units)
        if unit.category == span.label
        if (shared := overlap(span[:2], (unit.start, unit.end))) >= SAME_PLACE
    )
    free, left = set(range(len(spans))), set(range(len(units)))
    for _, n, u in pairs:
        if n in free and u in left:
            free.remove(n)
            left.remove(u)
            yield u, spans[n][0]


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


def walk(docket: Docket, truth: Truth, seed: int, threshold: float) -> Walk:
    """Decide everything that the queue gives, in its order, and note the first "enough". It is the
    desk's work without its views, and without the journal's files.
    """
    queueing = Queueing(docket, seed, time.monotonic)
    order: list[str] = []
    stop: Walk | None = None
    left = len(truth.wrong)
    advice = Advice(advise(docket, threshold, queueing.confirmed).state)
    while True:
        drawn = queueing.audit(NAME, advice)
        site = drawn or next((one.id for one in queueing.sites(FIRST, NAME)), "")
        if not site:
            break
        posted = Event(
            id=f"event-{len(order):08}", op=Op.SETTLE, site=site, spans=truth.answers[site],
            base=docket.mark(site).n, via=Via.AUDIT if drawn else Via.QUEUE,
        )  # fmt: skip
        event = complete(posted, docket, NAME, "", pi=queueing.chance(), new_labels=False)
        docket.learn(docket.ledger.add(event))
        said = advise(docket, threshold, queueing.confirmed)
        advice = Advice(said.state)
        order.append(site)
        left -= site in truth.wrong
        if stop is None and advice is Advice.ENOUGH:
            stop = Walk((), len(order), (said.low or 0.0, said.high or 0.0), left)
    return replace(stop or Walk(()), order=tuple(order))
