"""Usual: what most annotators share says nothing about one of them.

The others' gold has their habits: beside one who starts early, everybody else starts late. And
later tasks may be harder than earlier ones for everybody. So a habit, or a change over time, is one
annotator's own as far as it is beyond the median of all annotators.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from goldspan.engine.annotators.estimates import Usual
from goldspan.engine.annotators.matter import Basis

if TYPE_CHECKING:
    from goldspan.engine.annotators.estimates import Change, Mean
    from goldspan.engine.annotators.profile import Comparison, Drift, Habit, Person

LEAST_PEOPLE = 3
"""With fewer annotators there is no median to speak of."""

OF_MEDIAN = math.sqrt(math.pi / 2)


def with_usual(people: Sequence[Person]) -> list[Person]:
    """The same annotators with the usual habits and changes filled in. What a person settled has no
    annotator's habits, so only changes are compared there.
    """
    values: dict[tuple[str, str], list[Mean | Change]] = defaultdict(list)
    for person in people:
        for comparison in (person.gold, person.adjudicated):
            for key, value in _values(comparison) if comparison else ():
                values[key].append(value)
    usual = {key: _middle(own) for key, own in values.items() if len(own) >= LEAST_PEOPLE}
    return [
        replace(
            person,
            gold=_filled(person.gold, usual),
            adjudicated=_filled(person.adjudicated, usual),
        )
        for person in people
    ]


def _middle(found: Sequence[Mean | Change]) -> Usual:
    """The median. That of n normal values has 1.25 times the standard error of their mean."""
    widths = [
        (one.high - one.low) / 2 for one in found if one.low is not None and one.high is not None
    ]
    half = OF_MEDIAN * median(widths) / math.sqrt(len(found)) if widths else 0.0
    return Usual(median(one.value for one in found), half)


def _values(one: Comparison) -> Iterator[tuple[tuple[str, str], Mean | Change]]:
    for side, habit in (("start", one.start), ("end", one.end)):
        if habit is not None and one.basis is Basis.GOLD:
            yield (one.basis.value, side), habit.offset
    for drift in one.drifts:
        yield (one.basis.value, f"change of {drift.matter}"), drift.change


def _filled(one: Comparison | None, usual: dict[tuple[str, str], Usual]) -> Comparison | None:
    if one is None:
        return None
    basis = one.basis.value

    def habit(own: Habit | None, side: str) -> Habit | None:
        return own and replace(own, usual=usual.get((basis, side), Usual()))

    def drift(own: Drift) -> Drift:
        return replace(own, usual=usual.get((basis, f"change of {own.matter}"), Usual()))

    return replace(
        one,
        start=habit(one.start, "start"),
        end=habit(one.end, "end"),
        drifts=tuple(map(drift, one.drifts)),
    )
