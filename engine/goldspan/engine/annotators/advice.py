"""Advice: who should train what, from what each annotator does more often than the others.

A rate is worth a word if it is above that of all the others together, by an interval of the
difference at a level that holds for all rates of the annotator at once. A habit or a change is
worth one if it is clear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from goldspan.engine.annotators.comparison import together
from goldspan.engine.annotators.estimates import Rate, change_of_rates, rate
from goldspan.engine.annotators.matter import Basis, Matter
from goldspan.engine.annotators.profile import Advice, Comparison, Person

LEAST_CASES = 3
"""Fewer mistakes of a kind say nothing."""

SHARED = 0.15
"""What annotators get wrong together at this rate or more is for the guidelines."""

LEAST_SHARED = 20
"""So many spans show it."""

Key = tuple[Matter, str, str]


def advise(people: Sequence[Person], level: float) -> tuple[Person, ...]:
    """The same with advice: from what a person settled where that shows it, else from the gold."""
    found = []
    for person in people:
        known: dict[Key, Advice] = {}
        for basis in (Basis.ADJUDICATED, Basis.GOLD):
            own = _of(person, basis)
            others = [one for other in people if other is not person and (one := _of(other, basis))]
            for advice in _advice(own, others, level) if own else ():
                known.setdefault((advice.matter, advice.label, advice.given), advice)
        ranked = sorted(known.values(), key=_rank)
        found.append(replace(person, advice=tuple(ranked)))
    return tuple(found)


def _of(person: Person, basis: Basis) -> Comparison | None:
    return person.gold if basis is Basis.GOLD else person.adjudicated


def _rank(one: Advice) -> tuple[float, str, str, str]:
    return -one.cases, one.matter.value, one.label, one.given


def _advice(own: Comparison, others: Sequence[Comparison], level: float) -> Iterator[Advice]:
    usual: dict[Key, Rate] = {}
    for other in others:
        for key, one in _rates(other):
            usual[key] = usual[key].with_more(one) if key in usual else one
    rates = [(key, one) for key, one in _rates(own) if one.n >= LEAST_CASES]
    strict = together(level, max(len(rates), 1))
    for key, one in rates:
        theirs = usual.get(key)
        if theirs is None or not theirs.n or one.count < LEAST_CASES:
            continue
        more = change_of_rates(theirs.at(strict), one.at(strict))
        if more is not None and more.low > 0:
            cases = one.n * more.value
            yield Advice(key[0], own.basis, *key[1:], one, more.first, cases=cases)
    for matter, habit in ((Matter.START, own.start), (Matter.END, own.end)):
        if habit is not None and habit.is_clear:
            cases = float(abs(habit.early - habit.late))
            yield Advice(matter, own.basis, offset=habit.offset, cases=cases)
    for drift in own.drifts:
        if (
            drift.matter in (Matter.RECALL, Matter.PRECISION)
            and drift.is_clear
            and drift.change.value < 0
        ):
            size = own.n_spans if drift.matter is Matter.RECALL else own.n_units
            cases = -drift.change.value * size / 2
            yield Advice(drift.matter, own.basis, change=drift.change, cases=cases)


def _rates(one: Comparison) -> Iterator[tuple[Key, Rate]]:
    """Every kind of mistake; confusions that an annotator never made count in the others' rate by
    their spans of the label.
    """
    for skill in one.labels:
        yield (Matter.MISSES, skill.label, ""), skill.missed
        yield (Matter.INVENTS, skill.label, ""), skill.spurious
        made = {confusion.given: confusion.rate for confusion in skill.confusions}
        found = skill.missed.n - skill.missed.count
        for other in one.labels:
            if other.label != skill.label:
                key = Matter.CONFUSES, skill.label, other.label
                yield key, made.get(other.label, Rate(0, found, 0.0, 1.0, float(found)))
    yield (Matter.JOINS, "", ""), one.joined
    yield (Matter.SPLITS, "", ""), one.split


def everybody(people: Iterable[Person], level: float) -> tuple[Advice, ...]:
    """What annotators get wrong together: each annotator is a group of cases."""
    groups: dict[tuple[Basis, Key], list[tuple[int, int]]] = {}
    for person in people:
        comparison = person.best
        for key, one in _rates(comparison) if comparison else ():
            if key[0] in (Matter.MISSES, Matter.CONFUSES) and comparison:
                groups.setdefault((comparison.basis, key), []).append((one.count, one.n))
    strict = together(level, max(len(groups), 1))
    found = []
    for (basis, (matter, label, given)), counts in groups.items():
        pooled = rate(counts, strict)
        shared = sum(count > 0 for count, _ in counts) * 2 > len(counts) > 1
        if shared and pooled.n >= LEAST_SHARED and pooled.low >= SHARED:
            found.append(Advice(matter, basis, label, given, pooled, cases=float(pooled.count)))
    return tuple(sorted(found, key=_rank))
