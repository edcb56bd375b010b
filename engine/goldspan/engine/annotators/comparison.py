"""Comparison: an annotator's outcomes over tasks as skills, habits and changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from goldspan.engine.annotators.estimates import (
    Change,
    Rate,
    change_of_means,
    change_of_rates,
    mean,
    rate,
)
from goldspan.engine.annotators.matter import Basis, Matter
from goldspan.engine.annotators.outcome import Outcome, Span
from goldspan.engine.annotators.profile import Comparison, Confusion, Drift, Habit, Skill

Counting: TypeAlias = Callable[[Outcome], tuple[int, int]]
"""How many cases a task has, and of how many."""

SIDES = 2
"""Starts and ends: their intervals hold together at the level."""

DRIFTS = 5
"""What may drift: recall, precision, starts, ends and seconds."""

LEAST_HALF = 5
"""Each half has so many tasks, or no drift is measured."""


def together(level: float, figures: int) -> float:
    """The level of each of several intervals that hold together at the level (Bonferroni)."""
    return 1 - (1 - level) / figures


def summarise(
    basis: Basis, outcomes: Sequence[Outcome], when: Mapping[str, float], level: float
) -> Comparison:
    """The comparison of an annotator; `when` has the time of each task where it is known."""
    labels = sorted({one.label for outcome in outcomes for one in _concerned(outcome)})
    return Comparison(
        basis=basis,
        n_tasks=len(outcomes),
        n_spans=sum(len(one.found) + len(one.missed) for one in outcomes),
        n_units=sum(len(one.found) + len(one.spurious) + one.unsettled for one in outcomes),
        unsettled=sum(one.unsettled for one in outcomes),
        overall=_skill("", outcomes, level),
        labels=tuple(_skill(label, outcomes, level) for label in labels),
        exact=rate([_exact(one) for one in outcomes], level),
        start=_habit([one.starts for one in outcomes], level),
        end=_habit([one.ends for one in outcomes], level),
        joined=rate([(one.joined, len(one.found) + len(one.spurious)) for one in outcomes], level),
        split=rate([(one.split, len(one.found) + len(one.missed)) for one in outcomes], level),
        drifts=tuple(_drifts(outcomes, when, together(level, DRIFTS))),
    )


def _concerned(outcome: Outcome) -> Iterable[Span]:
    for pair in outcome.found:
        yield from pair
    yield from outcome.missed
    yield from outcome.spurious


def _is(label: str, span: Span) -> bool:
    return not label or span.label == label


def _recalled(label: str) -> Counting:
    def count(one: Outcome) -> tuple[int, int]:
        own = [(span, unit) for span, unit in one.found if _is(label, span)]
        missed = sum(_is(label, span) for span in one.missed)
        return sum(span.label == unit.label for span, unit in own), len(own) + missed

    return count


def _missed(label: str) -> Counting:
    def count(one: Outcome) -> tuple[int, int]:
        missed = sum(_is(label, span) for span in one.missed)
        return missed, missed + sum(_is(label, span) for span, _ in one.found)

    return count


def _precise(label: str) -> Counting:
    def count(one: Outcome) -> tuple[int, int]:
        own = [(span, unit) for span, unit in one.found if _is(label, unit)]
        spurious = sum(_is(label, unit) for unit in one.spurious)
        return sum(span.label == unit.label for span, unit in own), len(own) + spurious

    return count


def _spurious(label: str) -> Counting:
    def count(one: Outcome) -> tuple[int, int]:
        spurious = sum(_is(label, unit) for unit in one.spurious)
        return spurious, spurious + sum(_is(label, unit) for _, unit in one.found)

    return count


def _given(label: str, given: str) -> Counting:
    def count(one: Outcome) -> tuple[int, int]:
        own = [unit for span, unit in one.found if span.label == label]
        return sum(unit.label == given for unit in own), len(own)

    return count


def _exact(one: Outcome) -> tuple[int, int]:
    same = sum((span.start, span.end) == (unit.start, unit.end) for span, unit in one.found)
    return same, len(one.found)


def _skill(label: str, outcomes: Sequence[Outcome], level: float) -> Skill:
    def measured(counting: Counting) -> Rate:
        return rate([counting(one) for one in outcomes], level)

    given = Counter(
        unit.label
        for one in outcomes
        for span, unit in one.found
        if label and span.label == label != unit.label
    )
    confusions = [Confusion(other, measured(_given(label, other))) for other in sorted(given)]
    return Skill(
        label=label,
        recall=measured(_recalled(label)),
        missed=measured(_missed(label)),
        precision=measured(_precise(label)),
        spurious=measured(_spurious(label)),
        confusions=tuple(sorted(confusions, key=lambda one: -one.rate.count)),
    )


def _habit(by_task: Sequence[Sequence[float]], level: float) -> Habit | None:
    found = mean(by_task, together(level, SIDES))
    if found is None:
        return None
    values = [value for values in by_task for value in values]
    return Habit(found, sum(value < 0 for value in values), sum(value > 0 for value in values))


def halves(when: Mapping[str, float]) -> tuple[frozenset[str], frozenset[str], float] | None:
    """The earlier and the later half of the tasks, and when the later one begins; None where they
    are too few or were all done at one time.
    """
    order = sorted(when, key=lambda task: (when[task], task))
    cuts = [
        at
        for at, (one, other) in enumerate(pairwise(order), start=1)
        if when[one] < when[other] and LEAST_HALF <= at <= len(order) - LEAST_HALF
    ]
    if not cuts:
        return None
    cut = min(cuts, key=lambda at: (abs(2 * at - len(order)), at))
    return frozenset(order[:cut]), frozenset(order[cut:]), when[order[cut]]


def _drifts(
    outcomes: Sequence[Outcome], when: Mapping[str, float], level: float
) -> Iterable[Drift]:
    found = halves({one.task: when[one.task] for one in outcomes if one.task in when})
    if found is None:
        return
    sides = [[one for one in outcomes if one.task in half] for half in found[:2]]
    tasks, since = sum(map(len, sides)), found[2]
    for matter, counting in ((Matter.RECALL, _recalled("")), (Matter.PRECISION, _precise(""))):
        first, second = (rate([counting(one) for one in side], level) for side in sides)
        yield from _drift(matter, change_of_rates(first, second), tasks, since)
    for matter in (Matter.START, Matter.END):
        first_by, second_by = (
            [one.starts if matter is Matter.START else one.ends for one in side] for side in sides
        )
        yield from _drift(matter, change_of_means(first_by, second_by, level), tasks, since)


def _drift(matter: Matter, change: Change | None, tasks: int, since: float) -> Iterable[Drift]:
    if change is not None:
        yield Drift(matter, change, tasks, since)
