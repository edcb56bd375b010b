"""Others: the gold of each task without one of its annotators, to compare that one with.

In each round every task loses one annotator, and what is left is merged as a whole project. So
there are as many rounds as annotators saw a task, however large a crowd is, and everybody's
reliability is learned from nearly all of their work. Where everybody saw every task, a round is the
gold of the project without one annotator.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from goldspan.engine.annotators.outcome import Span, Version
from goldspan.engine.gold.merging import merge_sites
from goldspan.engine.gold.sites import Site, connected

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Decision, Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

LEAST_OTHERS = 2
"""One other annotator's work alone is nobody's gold."""

UNSETTLED = 0.1
"""A place that the others do not suggest is unsettled if it is real with this probability."""


def versions_without(
    corpus: Corpus, result: Result, progress: Callable[[str, int, int], None]
) -> dict[tuple[str, str], Version]:
    """By task and annotator: what the others' work says is right."""
    turns = _turns(corpus, result)
    rounds = max(map(len, turns.values()), default=0)
    found: dict[tuple[str, str], Version] = {}
    for number in range(rounds):
        progress("merging without each annotator", number, rounds)
        left_out = {task: names[number] for task, names in turns.items() if number < len(names)}
        gold = merge_sites(corpus, result, _without(result, left_out))
        for task, name in left_out.items():
            found[task, name] = _version(gold, task)
    return found


def _turns(corpus: Corpus, result: Result) -> dict[str, Sequence[str]]:
    """The annotators of each task in the order in which they are left out. What they marked gives
    the order, not their names, so that new names change nothing.
    """
    work: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for task in sorted(result.tasks):
        for name in result.tasks[task].alignment.annotators:
            work[name].append((task,))
    for continuum in corpus:
        for unit in continuum.units:
            if unit.annotator in work:
                work[unit.annotator].append((continuum.id, unit.start, unit.end, unit.category))
    order = {name: at for at, name in enumerate(sorted(work, key=lambda one: sorted(work[one])))}
    return {
        task: sorted(found.alignment.annotators, key=order.__getitem__)
        for task, found in result.tasks.items()
        if len(found.alignment.annotators) > LEAST_OTHERS
    }


def _without(result: Result, left_out: Mapping[str, str]) -> list[Site]:
    """The sites of the same alignments without the units of those who are left out."""
    found = []
    for task, one in result.tasks.items():
        name = left_out.get(task)
        seen = tuple(other for other in one.alignment.annotators if other != name)
        for unitary in one.alignment.unitary:
            rest = tuple(unit for unit in unitary.units if unit.annotator != name)
            if rest:
                found += [Site(task, part, seen) for part in connected(rest)]
    return found


def _version(gold: Gold, task: str) -> Version:
    spans = tuple(Span(one.start, one.end, one.category) for one in gold.spans.get(task, ()))
    places = [(one.start, one.end) for one in gold.decisions.get(task, ()) if _is_unsettled(one)]
    return Version(spans, tuple(places))


def _is_unsettled(decision: Decision) -> bool:
    if decision.span is not None:
        return False
    candidate = decision.candidate
    if candidate is None or candidate.evidence is None:
        return True
    return candidate.evidence.exists >= UNSETTLED
