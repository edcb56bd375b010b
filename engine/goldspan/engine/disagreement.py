"""Disagreement: what an alignment's disorder consists of, for a person to act on.

missed    an annotator has no unit where others have one
split     an annotator has one unit where another has several, and this one was left over
boundary  aligned units begin or end at different places
label     aligned units have different categories

The four add up to the whole disorder. What an annotator's absence costs is shared by the units
that were there; what a pair costs, by its two units.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment, UnitaryAlignment
    from goldspan.engine.dissimilarity import Dissimilarity
    from goldspan.engine.model import Unit

DISAGREEMENT_KINDS = ("missed", "boundary", "label", "split")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement between two annotators, and its part of the disorder.

    `other` is None where an annotator, `absent`, has no unit.
    """

    kind: str
    unit: Unit
    other: Unit | None
    absent: str | None
    disorder: float

    @property
    def annotators(self) -> tuple[str, str]:
        against = self.absent if self.other is None else self.other.annotator
        one, two = sorted((self.unit.annotator, against or ""))
        return one, two

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories concerned, once each."""
        other = self.unit if self.other is None else self.other
        return tuple(dict.fromkeys((self.unit.category, other.category)))


@dataclass(frozen=True, slots=True)
class Part:
    """How often one kind occurred, its disorder, and its share of the whole."""

    count: int
    disorder: float
    share: float


Disagreements = Mapping[str, Part]
"""A part for each of the four kinds."""


def differences(alignment: Alignment, dissimilarity: Dissimilarity) -> Iterator[Difference]:
    """Everything that adds to an alignment's disorder, in the order of the continuum.

    Two categories at distance 0 do not disagree.
    """
    pairs = len(alignment.annotators) * (len(alignment.annotators) - 1) / 2
    splits = _Splits(alignment)
    used = sorted({unit.category for one in alignment.unitary for unit in one.units})
    matrix = dissimilarity.categorial(used).tolist()
    row = {category: at for at, category in enumerate(used)}
    for unitary in alignment.unitary:
        for one, other in combinations(unitary.units, 2):
            place = dissimilarity.alpha * dissimilarity.positional.between(one, other)
            label = dissimilarity.beta * matrix[row[one.category]][row[other.category]]
            if place > 0:
                yield Difference("boundary", one, other, None, place / pairs)
            if label > 0:
                yield Difference("label", one, other, None, label / pairs)
        yield from _absences(unitary, alignment.annotators, splits)


def _absences(
    unitary: UnitaryAlignment, annotators: Iterable[str], splits: _Splits
) -> Iterator[Difference]:
    present = {unit.annotator for unit in unitary.units}
    absent = [name for name in annotators if name not in present]
    for name in absent:
        for unit in unitary.units:
            kind = "split" if splits.is_left_over(unit, name) else "missed"
            cost = unitary.missing / len(absent) / len(unitary.units)
            yield Difference(kind, unit, None, name, cost)


class _Splits:
    """Finds units that are left over because another annotator has one for several."""

    def __init__(self, alignment: Alignment) -> None:
        self._partner: dict[tuple[Unit, str], Unit] = {}
        by_annotator: dict[str, list[Unit]] = defaultdict(list)
        for unitary in alignment.unitary:
            for unit in unitary.units:
                by_annotator[unit.annotator].append(unit)
                for other in unitary.units:
                    self._partner[unit, other.annotator] = other
        self._units = {name: sorted(units) for name, units in by_annotator.items()}
        self._starts = {name: [u.start for u in units] for name, units in self._units.items()}
        self._longest = {name: max(u.length for u in us) for name, us in self._units.items()}

    def is_left_over(self, unit: Unit, annotator: str) -> bool:
        """Whether a unit of `annotator` covers this one and is aligned with a piece beside it."""
        for cover in self._around(unit, annotator):
            sibling = self._partner.get((cover, unit.annotator))
            if (
                sibling is not None
                and _within(unit, cover)
                and _within(sibling, cover)
                and not _within(unit, sibling)  # else it is nested, not a piece beside it
                and not _within(sibling, unit)
            ):
                return True
        return False

    def _around(self, unit: Unit, annotator: str) -> Iterator[Unit]:
        units = self._units.get(annotator, [])
        if not units:
            return
        starts = self._starts[annotator]
        at = bisect_left(starts, unit.start - self._longest[annotator])
        while at < len(units) and starts[at] < unit.end:
            if units[at].end > unit.start:
                yield units[at]
            at += 1


def _within(unit: Unit, cover: Unit) -> bool:
    """Whether at least half of the unit is in the other."""
    shared = min(unit.end, cover.end) - max(unit.start, cover.start)
    return 2 * shared >= unit.length


def summarise(found: Iterable[Difference]) -> Disagreements:
    """The four kinds added up. An absence counts once for each unit that was there."""
    return summarise_by(found, lambda _: ("",)).get("", _parts({}, {}))


def summarise_by(
    found: Iterable[Difference], keys: Callable[[Difference], tuple[Key, ...]]
) -> dict[Key, Disagreements]:
    """The four kinds added up for each key; a difference with several is shared equally."""
    counts: dict[Key, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    costs: dict[Key, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for difference in found:
        names = keys(difference)
        for name in names:
            counts[name][difference.kind] += 1
            costs[name][difference.kind].append(difference.disorder / len(names))
    return {name: _parts(counts[name], costs[name]) for name in counts}


def _parts(counts: Mapping[str, int], costs: Mapping[str, Sequence[float]]) -> Disagreements:
    # Exact sums: they do not depend on the order of tasks and names.
    sums = {kind: math.fsum(costs.get(kind, ())) for kind in DISAGREEMENT_KINDS}
    total = math.fsum(cost for some in costs.values() for cost in some)
    return {
        kind: Part(counts.get(kind, 0), sums[kind], sums[kind] / total if total > 0 else 0.0)
        for kind in DISAGREEMENT_KINDS
    }
