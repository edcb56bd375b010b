"""Showing: sites and tasks as the page gets them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from goldspan.engine.adjudication.answer import Span
from goldspan.plugin.adjudicate.aliases import aliases
from goldspan.plugin.adjudicate.journal.event import Via
from goldspan.plugin.adjudicate.journal.ledger import State
from goldspan.plugin.adjudicate.texts import around, quote
from goldspan.plugin.adjudicate.views import (
    AnswerView,
    EvidenceView,
    NeighbourView,
    NoteView,
    QueueItem,
    ReadingView,
    SiteView,
)

if TYPE_CHECKING:
    from goldspan.engine.adjudication.site import Site
    from goldspan.engine.gold.gold import GoldSpan
    from goldspan.engine.model import Continuum, Position
    from goldspan.plugin.adjudicate.docket import Docket
    from goldspan.plugin.adjudicate.settings import DeskSettings

NEAR = 40
"""How far away a neighbour may be, in steps of the continuum."""


class Showing:
    """Makes views of the docket's sites, for one adjudicator at a time."""

    def __init__(self, docket: Docket, settings: DeskSettings) -> None:
        self._docket = docket
        self._settings = settings
        self._tasks = {one.id: (n, one) for n, one in enumerate(docket.gold.corpus)}

    def names(self, task: Continuum) -> Mapping[str, str]:
        """What each annotator of a task is called on the page."""
        if self._settings.blind:
            return aliases(tuple(task.presence), task.id, self._settings.seed)
        return {name: name for name in task.presence}

    def hides(self, via: Via, site: str) -> bool:
        """Whether the suggestion is hidden until the first answer."""
        open_ = self._docket.settled(site) is None
        return via is Via.AUDIT and open_ and not self._settings.show_suggestions

    def item(self, site: Site, via: Via, group: str) -> QueueItem:
        docket = self._docket
        n, task = self._tasks[site.task]
        hidden = self.hides(via, site.id)
        return QueueItem(
            id=site.id,
            n=n,
            task=site.task,
            start=site.start,
            end=site.end,
            kind=site.kind.value,
            kinds=tuple(one.value for one in site.questions),
            quote=quote(task, site.start, site.end),
            labels=() if hidden else site.labels,
            state=docket.state(site.id).value,
            p=None if hidden else docket.p(site.id),
            via=via.value,
            group=group,
            noted=bool(docket.mark(site.id).remarks),
        )

    def site(
        self, site: Site, via: Via, *, by: str, pi: float = 1.0, blind_to_others: bool = False,
        group: tuple[str, int] = ("", 0), lease: str = "",
    ) -> SiteView:  # fmt: skip
        """A site, complete. `blind_to_others` hides answers of other adjudicators."""
        docket = self._docket
        n, task = self._tasks[site.task]
        mark = docket.mark(site.id)
        hidden = self.hides(via, site.id) or blind_to_others
        answers = [one for one in mark.answers.values() if not blind_to_others or one.by == by]
        before, after = around(task, site.start, site.end)
        own = {one.by: one for one in answers}.get(by)
        answer = docket.settled(site.id) if not blind_to_others else own
        return SiteView(
            id=site.id,
            n=n,
            task=site.task,
            start=site.start,
            end=site.end,
            kinds=tuple(one.value for one in site.questions),
            state=(State.OPEN if blind_to_others and not own else docket.state(site.id)).value,
            base=mark.n,
            via=via.value,
            pi=pi,
            quote=quote(task, site.start, site.end),
            before=before,
            after=after,
            measure=task.measure.value,
            readings=self._readings(site, task, by),
            absent=tuple(self.names(task)[name] for name in site.absent),
            suggestion=None if hidden else site.suggestion,
            candidates=() if hidden else tuple(_span(one) for one in site.candidates),
            evidence=() if hidden else _evidence(site),
            p=None if hidden else docket.p(site.id),
            value=None if hidden else docket.values.get(site.id, 0.0),
            answer=answer.spans if answer else None,
            answers=tuple(AnswerView(o.by, o.spans, o.at, o.how.value) for o in answers),
            neighbours=self.near(site.task, site.start - NEAR, site.end + NEAR, but=site.id),
            notes=tuple(NoteView(o.by, o.at, o.note, o.tags) for o in mark.remarks),
            group=group[0],
            group_size=group[1],
            lease=lease,
        )

    def _readings(self, site: Site, task: Continuum, by: str) -> tuple[ReadingView, ...]:
        names = self.names(task)
        found = [
            ReadingView(
                number=at,
                spans=one.spans,
                quotes=tuple(quote(task, s.start, s.end) for s in one.spans),
                who=tuple(sorted(names[name] for name in one.annotators)),
                yours=by in one.annotators and not self._settings.blind,
            )
            for at, one in enumerate(site.versions, start=1)
        ]
        for given in self._docket.earlier.get(site.id, ()):
            found.append(
                ReadingView(
                    number=len(found) + 1,
                    spans=given.spans,
                    quotes=tuple(quote(task, s.start, s.end) for s in given.spans),
                    who=(given.by,),
                    yours=given.by == by,
                    when=given.at,
                )
            )
        return tuple(found)

    def near(
        self, task: str, start: Position, end: Position, *, but: str = ""
    ) -> tuple[NeighbourView, ...]:
        """The sites of a window, with their answers or suggestions."""
        docket = self._docket
        found = []
        for site in docket.by_task.get(task, ()):
            if site.start >= end:
                break
            if site.end > start and site.id != but:
                given = docket.settled(site.id)
                spans = site.suggestion if given is None else given.spans
                state = docket.state(site.id).value
                found.append(NeighbourView(site.id, site.start, site.end, spans, state))
        return tuple(found)


def _span(one: GoldSpan) -> Span:
    return Span(one.start, one.end, one.category)


def _evidence(site: Site) -> tuple[EvidenceView, ...]:
    found = []
    for suggested, spans in ((True, site.suggested), (False, site.candidates)):
        for one in spans:
            known = one.evidence
            found.append(
                EvidenceView(
                    span=_span(one),
                    suggested=suggested,
                    confidence=one.confidence,
                    exists=known.exists if known else None,
                    labelled=known.labelled if known else None,
                    placed=known.placed if known else None,
                    grade=one.grade.value if one.grade else "",
                )
            )
    return tuple(found)
