"""Site: one decision of a person, whatever is in question there.

Places to decide and suggestions that share a unit are one site: its answer is the full list of
spans that belong there. Places on which all agree are sites too, with no question.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.adjudication.answer import Answer, Span, answer
from goldspan.engine.gold.gold import Decision, Gold, GoldSpan, Question
from goldspan.engine.gold.sites import place_of

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Position, Unit

ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Version:
    """What some annotators have at a site, all of it, and who they are (sorted)."""

    spans: Answer
    annotators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """A place of one task that a person can settle.

    `id` is made of the task and the units drawn there: it is the same after a restart and under any
    settings, and another one when somebody changes an annotation there. `seen` are those who saw
    the task; `suggested` are the spans that the merge proposes, `candidates` the likeliest of what
    it does not propose.
    """

    id: str
    task: str
    start: Position
    end: Position
    units: tuple[Unit, ...] = ()
    seen: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    suggested: tuple[GoldSpan, ...] = ()
    candidates: tuple[GoldSpan, ...] = ()

    @property
    def suggestion(self) -> Answer:
        return answer((one.start, one.end, one.category) for one in self.suggested)

    @property
    def kind(self) -> Question:
        """The first question; `check` where there is none."""
        return self.questions[0] if self.questions else Question.CHECK

    @property
    def versions(self) -> tuple[Version, ...]:
        """What there is to choose from: what most have comes first."""
        drawn: dict[str, list[Span]] = defaultdict(list)
        for unit in self.units:
            drawn[unit.annotator].append(Span(unit.start, unit.end, unit.category))
        authors: dict[Answer, list[str]] = defaultdict(list)
        for name, spans in drawn.items():
            authors[answer(spans)].append(name)
        ranked = sorted(authors.items(), key=lambda one: (-len(one[1]), one[0]))
        return tuple(Version(spans, tuple(sorted(names))) for spans, names in ranked)

    @property
    def absent(self) -> tuple[str, ...]:
        """Those who saw the task and marked nothing here."""
        marked = {unit.annotator for unit in self.units}
        return tuple(name for name in self.seen if name not in marked)

    @property
    def dissent(self) -> float:
        """The share of those who saw the task whose labels here are not those suggested."""
        drawn: dict[str, list[str]] = defaultdict(list)
        for _, _, label, name in {(u.start, u.end, u.category, u.annotator) for u in self.units}:
            drawn[name].append(label)
        suggested = sorted(span.label for span in self.suggestion)
        agreeing = sum(sorted(labels) == suggested for labels in drawn.values())
        agreeing += 0 if suggested else len(self.absent)
        return 1 - agreeing / len(self.seen) if self.seen else 0.0

    @property
    def labels(self) -> tuple[str, ...]:
        """The different labels that were given here, sorted."""
        return tuple(sorted({unit.category for unit in self.units}))


def find_sites(gold: Gold) -> tuple[Site, ...]:
    """All sites of a gold, task by task, in the order of the text."""
    found: list[Site] = []
    for continuum in gold.corpus.continua:
        digest = task_digest(continuum)
        parts = [*_parts(gold.spans.get(continuum.id, ()), gold.decisions.get(continuum.id, ()))]
        own = [_site(continuum, digest, part) for part in _joined(parts)]
        found += sorted(own, key=lambda site: (site.start, site.end, site.id))
    return tuple(found)


def task_digest(continuum: Continuum) -> str:
    """What tells a task from another one of the same name: its text, or else its recording."""
    of = continuum.text if continuum.text is not None else f"{continuum.media}|{continuum.length}"
    return hashlib.sha256(of.encode("utf-8", "surrogatepass")).hexdigest()[:ID_DIGITS]


def site_id(task: str, digest: str, units: Iterable[Unit], salt: str = "") -> str:
    """The name of a site; `salt` names one that nobody marked."""
    places = [list(place_of(unit)) for unit in sorted(units, key=place_of)]
    said = json.dumps([task, digest, places, salt] if salt else [task, digest, places])
    return hashlib.sha256(said.encode()).hexdigest()[:ID_DIGITS]


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known of some units: a suggestion, or a place to decide."""

    units: tuple[Unit, ...]
    span: GoldSpan | None = None
    decision: Decision | None = None


def _parts(spans: Iterable[GoldSpan], decisions: Iterable[Decision]) -> Iterator[_Part]:
    for span in spans:
        yield _Part(span.votes, span=span)
    for decision in decisions:
        yield _Part(decision.units, decision=decision)


def _joined(parts: list[_Part]) -> Iterator[list[_Part]]:
    """The parts that hang together by units."""
    root = list(range(len(parts)))

    def find(at: int) -> int:
        while root[at] != at:
            root[at] = root[root[at]]
            at = root[at]
        return at

    owner: dict[Unit, int] = {}
    for at, part in enumerate(parts):
        for unit in part.units:
            root[find(at)] = find(owner.setdefault(unit, at))
    groups: dict[int, list[_Part]] = defaultdict(list)
    for at, part in enumerate(parts):
        groups[find(at)].append(part)
    yield from groups.values()


_RANK: Mapping[Question, int] = {question: at for at, question in enumerate(Question)}


def _site(continuum: Continuum, digest: str, parts: list[_Part]) -> Site:
    units = tuple(sorted({unit for part in parts for unit in part.units}, key=place_of))
    spans = sorted({part.span for part in parts if part.span is not None})
    decisions = [part.decision for part in parts if part.decision is not None]
    candidates = {d.candidate for d in decisions if d.candidate is not None}
    places = [(u.start, u.end) for u in units] + [(s.start, s.end) for s in spans]
    return Site(
        id=site_id(continuum.id, digest, units),
        task=continuum.id,
        start=min(start for start, _ in places),
        end=max(end for _, end in places),
        units=units,
        seen=continuum.annotators,
        questions=tuple(sorted({d.question for d in decisions}, key=_RANK.__getitem__)),
        suggested=tuple(spans),
        candidates=tuple(sorted(candidates)),
    )
