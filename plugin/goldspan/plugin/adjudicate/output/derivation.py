"""Derivation: the gold that the journals lead to, and where each of its spans comes from.

Settled sites give their answers, the others their suggestions. The same corpus and journals give
the same gold, in whatever order the files are read.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from goldspan.engine.gold.gold import Decision, Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Presence, Unit
from goldspan.plugin.adjudicate.journal.ledger import State

if TYPE_CHECKING:
    from goldspan.engine.adjudication.site import Site
    from goldspan.engine.model import Position
    from goldspan.plugin.adjudicate.docket import Docket
    from goldspan.plugin.adjudicate.journal.ledger import Given


class Origin(str, Enum):
    """Where a span comes from: a person, the merge, or the merge where two persons differ."""

    SETTLED = "settled"
    SUGGESTED = "suggested"
    CONTESTED = "contested"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True, order=True)
class OriginRow:
    """Of one span of the gold; or, with an empty label, of a site where nothing belongs."""

    task: str
    start: Position
    end: Position
    label: str
    origin: Origin
    by: str
    when: str
    confidence: float
    site: str


@dataclass(frozen=True, slots=True)
class Derived:
    """The gold, and a row for each of its spans and each settled site without any."""

    gold: Gold
    rows: tuple[OriginRow, ...]


def derive(docket: Docket, *, only_settled: bool = False) -> Derived:
    """The gold as it is now; `only_settled` leaves out what nobody settled."""
    spans: dict[str, dict[tuple[Position, Position, str], GoldSpan]] = defaultdict(dict)
    rows: set[OriginRow] = set()
    done: set[Unit] = set()
    for site in sorted(docket.sites.values(), key=lambda one: (one.task, one.start, one.id)):
        given = docket.settled(site.id)
        if given is not None:
            done.update(site.units)
            found = _answered(site, given)
            rows.update(
                _rows(site, found, Origin.SETTLED, ", ".join(_authors(docket, site)), given)
            )
        elif only_settled:
            continue
        else:
            found = _suggested(site, docket)
            contested = docket.state(site.id) is State.CONTESTED
            origin = Origin.CONTESTED if contested else Origin.SUGGESTED
            rows.update(_rows(site, found, origin, "", None))
        for span in found:
            key = (span.start, span.end, span.category)
            own = spans[site.task]
            own[key] = max(own[key], span) if key in own else span
    gold = replace(
        docket.gold,
        spans={
            task.id: tuple(own[key] for key in sorted(own))
            for task in docket.gold.corpus
            for own in [spans.get(task.id, {})]
        },
        decisions=_left(docket.gold, done),
        calibrated=docket.model.judged > 0,
        provenance=replace(docket.gold.provenance, adjudicated=docket.model.judged),
    )
    return Derived(gold, tuple(sorted(rows)))


def finished_tasks(docket: Docket) -> frozenset[str]:
    """The tasks in which a person settled something, and no site waits for one."""
    found = set()
    for task in docket.gold.corpus:
        states = {docket.state(site.id) for site in docket.by_task.get(task.id, ())}
        if State.SETTLED in states and states <= {State.SETTLED, State.SUGGESTED}:
            found.add(task.id)
    return frozenset(found)


def settled_version(docket: Docket, name: str) -> Corpus:
    """The finished tasks as one version under this name. What is only suggested in them everybody
    agreed on.
    """
    gold = derive(docket).gold
    finished = finished_tasks(docket)
    kept = []
    for task in docket.gold.corpus:
        if task.id not in finished:
            continue
        units = tuple(
            Unit(name, one.start, one.end, one.category) for one in gold.spans.get(task.id, ())
        )
        kept.append(
            Continuum(
                id=task.id,
                units=units,
                presence={name: Presence.DONE},
                length=task.length,
                measure=task.measure,
                text=task.text,
                media=task.media,
            )
        )
    return Corpus(tuple(kept), docket.gold.corpus.scale)


def _answered(site: Site, given: Given) -> list[GoldSpan]:
    return [GoldSpan(s.start, s.end, s.label, 1.0, site.units, len(site.seen)) for s in given.spans]


def _suggested(site: Site, docket: Docket) -> list[GoldSpan]:
    """With the confidence that decisions taught, where there are some."""
    if not docket.model.judged:
        return list(site.suggested)
    confidence = 1 - docket.p(site.id)
    return [replace(span, confidence=confidence) for span in site.suggested]


def _authors(docket: Docket, site: Site) -> list[str]:
    return sorted(docket.mark(site.id).answers)


def _rows(
    site: Site, spans: list[GoldSpan], origin: Origin, by: str, given: Given | None
) -> list[OriginRow]:
    when = given.at if given else ""
    if not spans and given is not None:
        return [OriginRow(site.task, site.start, site.end, "", origin, by, when, 1.0, site.id)]
    return [
        OriginRow(site.task, s.start, s.end, s.category, origin, by, when, s.confidence, site.id)
        for s in spans
    ]


def _left(gold: Gold, done: set[Unit]) -> dict[str, tuple[Decision, ...]]:
    """The places that nobody settled."""
    left = {
        task: tuple(one for one in found if not set(one.units) <= done)
        for task, found in gold.decisions.items()
    }
    return {task: found for task, found in left.items() if found}
