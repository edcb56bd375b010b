"""Joining: the same tasks from two sources, as one corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from goldspan.engine.errors import InputError
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.engine.result import Excluded

SHOWN = 5
"""How many names an error lists."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The tasks of both sides, those whose two sides do not fit, and how many only one side has."""

    corpus: Corpus
    excluded: tuple[Excluded, ...] = ()
    only_first: int = 0
    only_second: int = 0


def join(corpus: Corpus, other: Corpus, names: Mapping[str, str]) -> Joined:
    """The tasks that are in both corpora, by their ids. Of the other corpus only the annotators in
    `names` are taken, under the new names there.
    """
    theirs = {one.id: one for one in other}
    shared = [one for one in corpus if one.id in theirs]
    if not shared:
        raise InputError(
            f"no task is on both sides: one has {listed(one.id for one in corpus)}, the other "
            f"{listed(theirs)}; give a task one id in both (where a file is one task, its name)"
        )
    excluded, joined = [], []
    for one in shared:
        fault = _misfit(one, theirs[one.id], names)
        if fault is None:
            joined.append(_joined(one, theirs[one.id], names))
        else:
            excluded.append(Excluded(one.id, fault))
    if not joined:
        first = excluded[0]
        raise InputError(
            f"{first.reason}; this holds for all {len(excluded)} common tasks; compare exports of "
            "the same texts or recordings",
            where=f"task '{first.task}'",
        )
    return Joined(
        replace(corpus, continua=tuple(joined), scale=corpus.scale or other.scale),
        tuple(excluded),
        len(corpus) - len(shared),
        len(other) - len(shared),
    )


def listed(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    ordered = sorted(names)
    shown = ", ".join(f"'{name}'" for name in ordered[:SHOWN])
    return f"{shown} and {len(ordered) - SHOWN} more" if len(ordered) > SHOWN else shown or "none"


def free_name(name: str, addition: str, taken: Sequence[str]) -> str:
    """The name, with as many additions as it takes to be nobody else's."""
    while name in taken:
        name = f"{name} ({addition})"
    return name


def _joined(one: Continuum, other: Continuum, names: Mapping[str, str]) -> Continuum:
    added = [
        Unit(names[unit.annotator], unit.start, unit.end, unit.category, unit.source)
        for unit in other.units
        if unit.annotator in names
    ]
    presence = {names[name]: state for name, state in other.presence.items() if name in names}
    return replace(
        one,
        units=(*one.units, *added),
        presence={**one.presence, **presence},
        length=other.length if one.length is None else one.length,
        text=other.text if one.text is None else one.text,
    )


def _misfit(one: Continuum, other: Continuum, names: Mapping[str, str]) -> Reason | None:
    """Why positions mean different things on the two sides, if so."""
    if one.measure is not other.measure:
        return Reason.of(
            ReasonKind.OTHER_MEASURE, first=one.measure.value, second=other.measure.value
        )
    if one.text is not None and other.text is not None and one.text != other.text:
        return Reason.of(ReasonKind.OTHER_TEXT)
    mine, its = (_reach(side, of) for side, of in ((one, one.presence), (other, names)))
    lengths = (one.length, other.length)
    if None not in lengths and one.length != other.length:
        return Reason.of(ReasonKind.OTHER_LENGTH, length=one.length or 0, other=other.length or 0)
    if one.length is not None and its > one.length:
        return Reason.of(ReasonKind.OTHER_LENGTH, length=one.length, other=its)
    if other.length is not None and mine > other.length:
        return Reason.of(ReasonKind.OTHER_LENGTH, length=mine, other=other.length)
    return None


def _reach(one: Continuum, names: Iterable[str]) -> float:
    """How far the units of these annotators go."""
    kept = frozenset(names)
    return max((unit.end for unit in one.units if unit.annotator in kept), default=0)
