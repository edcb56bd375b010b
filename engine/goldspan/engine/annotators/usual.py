"""Usual: what most annotators share says nothing about one of them.

The others' gold has their habits: beside one who starts early, everybody else starts late. And
later tasks may be harder than earlier ones for everybody. So a habit, or a change over time, is one
annotator's own as far as it is beyond the median of all annotators.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from goldspan.engine.annotators.matter import Basis

if TYPE_CHECKING:
    from goldspan.engine.annotators.profile import Comparison, Drift, Habit, Person

LEAST_PEOPLE = 3
"""With fewer annotators there is no median to speak of."""


def with_usual(people: Sequence[Person]) -> list[Person]:
    """The same annotators with the usual habits and changes filled in. What a person settled has no
    annotator's habits, so only changes are compared there.
    """
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for person in people:
        for comparison in (person.gold, person.adjudicated):
            for key, value in _values(comparison) if comparison else ():
                values[key].append(value)
    usual = {key: median(own) for key, own in values.items() if len(own) >= LEAST_PEOPLE}
    return [
        replace(
            person,
            gold=_filled(person.gold, usual),
            adjudicated=_filled(person.adjudicated, usual),
        )
        for person in people
    ]


def _values(one: Comparison) -> Iterator[tuple[tuple[str, str], float]]:
    for side, habit in (("start", one.start), ("end", one.end)):
        if habit is not None and one.basis is Basis.GOLD:
            yield (one.basis.value, side), habit.offset.value
    for drift in one.drifts:
        yield (one.basis.value, f"change of {drift.matter}"), drift.change.value


def _filled(one: Comparison | None, usual: dict[tuple[str, str], float]) -> Comparison | None:
    if one is None:
        return None
    basis = one.basis.value

    def habit(own: Habit | None, side: str) -> Habit | None:
        return own and replace(own, usual=usual.get((basis, side), 0.0))

    def drift(own: Drift) -> Drift:
        return replace(own, usual=usual.get((basis, f"change of {own.matter}"), 0.0))

    return replace(
        one,
        start=habit(one.start, "start"),
        end=habit(one.end, "end"),
        drifts=tuple(map(drift, one.drifts)),
    )
