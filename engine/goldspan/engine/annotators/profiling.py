"""Profiling: every annotator of a scored corpus beside the others' gold and adjudicated work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldspan.engine.annotators.advice import advise, everybody
from goldspan.engine.annotators.comparison import summarise
from goldspan.engine.annotators.matter import Basis, Matter
from goldspan.engine.annotators.others import LEAST_OTHERS, versions_without
from goldspan.engine.annotators.outcome import Outcome, Span, Version, compare
from goldspan.engine.annotators.profile import AnnotatorProfiles, Comparison, Person
from goldspan.engine.annotators.speed import speeds
from goldspan.engine.annotators.usual import with_usual

if TYPE_CHECKING:
    from goldspan.engine.annotators.worktime import Times
    from goldspan.engine.model import Continuum, Corpus
    from goldspan.engine.result import Result


def profile(
    corpus: Corpus,
    result: Result,
    *,
    times: Times | None = None,
    adjudicated: Corpus | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> AnnotatorProfiles:
    """What each annotator of a corpus does well and badly.

    Each is compared with the gold that the others' work leads to, in tasks of three annotators or
    more, and with the `adjudicated` version of tasks where there is one. Nobody is compared with
    an adjudicated version of their own: one under the name of an annotator who did the task.
    `times` are those that an adapter reads.
    """
    known = dict(times or {})
    level = result.settings.level
    versions = versions_without(corpus, result, progress or _silent)
    truth, other_text = _settled(corpus, adjudicated)
    work = _work(corpus, versions, truth)
    when: dict[str, dict[str, float]] = defaultdict(dict)
    for (task, name), one in known.items():
        if one.when is not None:
            when[name][task] = one.when
    took = speeds(_of_corpus(known, corpus), level)
    found = [
        Person(
            name=name,
            n_tasks=own.n_tasks,
            n_units=own.n_units,
            gold=_summary(Basis.GOLD, own.beside_gold, when[name], level),
            adjudicated=_summary(Basis.ADJUDICATED, own.beside_truth, when[name], level),
            speed=took.get(name),
        )
        for name, own in sorted(work.items())
    ]
    measures = {task.measure for task in corpus}
    if len(measures) > 1:
        found = [_without_offsets(one) for one in found]
    people = with_usual(found)
    return AnnotatorProfiles(
        people=advise(people, level),
        everybody=everybody(people, level),
        n_tasks=len(corpus),
        two_or_fewer=sum(0 < len(task.annotators) <= LEAST_OTHERS for task in corpus),
        adjudicated_tasks=len(truth),
        other_text=other_text,
        measure=measures.pop().value if len(measures) == 1 else "",
        level=level,
    )


@dataclass(slots=True)
class _Work:
    """What one annotator did, and what became of it."""

    n_tasks: int = 0
    n_units: int = 0
    beside_gold: list[Outcome] = field(default_factory=list)
    beside_truth: list[Outcome] = field(default_factory=list)


def _work(
    corpus: Corpus,
    versions: Mapping[tuple[str, str], Version],
    truth: Mapping[str, tuple[str, Version]],
) -> dict[str, _Work]:
    found: dict[str, _Work] = defaultdict(_Work)
    for task in corpus:
        author, settled = truth.get(task.id, ("", None))
        for name in task.annotators:
            units, own = task.of(name), found[name]
            own.n_tasks += 1
            own.n_units += len(units)
            version = versions.get((task.id, name))
            if version is not None:
                own.beside_gold.append(compare(task.id, units, version))
            if settled is not None and author != name:
                own.beside_truth.append(compare(task.id, units, settled))
    return found


def _without_offsets(person: Person) -> Person:
    """Characters and milliseconds have no mean."""

    def plain(one: Comparison | None) -> Comparison | None:
        if one is None:
            return None
        sides = (Matter.START, Matter.END)
        kept = tuple(drift for drift in one.drifts if drift.matter not in sides)
        return replace(one, start=None, end=None, drifts=kept)

    return replace(person, gold=plain(person.gold), adjudicated=plain(person.adjudicated))


def _summary(
    basis: Basis, outcomes: Sequence[Outcome], when: Mapping[str, float], level: float
) -> Comparison | None:
    return summarise(basis, outcomes, when, level) if outcomes else None


def _settled(
    corpus: Corpus, adjudicated: Corpus | None
) -> tuple[dict[str, tuple[str, Version]], int]:
    """The author and the version of each adjudicated task, and how many have another text."""
    theirs = {task.id: task for task in adjudicated or ()}
    found, other_text = {}, 0
    for task in corpus:
        settled = theirs.get(task.id)
        if settled is None or len(settled.annotators) != 1:
            continue
        if _differ(task, settled):
            other_text += 1
            continue
        spans = tuple(Span(unit.start, unit.end, unit.category) for unit in settled.units)
        found[task.id] = settled.annotators[0], Version(spans)
    return found, other_text


def _differ(task: Continuum, settled: Continuum) -> bool:
    texts = task.text, settled.text
    return None not in texts and texts[0] != texts[1]


def _of_corpus(times: Times, corpus: Corpus) -> Times:
    """The times of those who count in each task."""
    counted = {(task.id, name) for task in corpus for name in task.annotators}
    return {key: one for key, one in times.items() if key in counted}


def _silent(_what: str, _done: int, _total: int) -> None:
    """Tell nobody."""
