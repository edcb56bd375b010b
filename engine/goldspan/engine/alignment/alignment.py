"""Alignment: which units the annotators meant to be the same, and what their differences cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter
from typing import TYPE_CHECKING

from goldspan.engine.alignment.layout import lay_out
from goldspan.engine.alignment.partition import Partition, best_partition
from goldspan.engine.dissimilarity import Dissimilarity
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Unit


_CONTENT = attrgetter("annotator", "start", "end", "category")
"""What units are compared by, faster than by their own comparison."""


@dataclass(frozen=True, slots=True)
class UnitaryAlignment:
    """One unit an annotator at most, and its disorder (2015, equation 6) in three parts.

    `positional` and `categorial` come from the pairs of units, `missing` from the pairs in which
    one or both annotators have none.
    """

    units: tuple[Unit, ...]
    positional: float
    categorial: float
    missing: float

    @property
    def disorder(self) -> float:
        return self.positional + self.categorial + self.missing


@dataclass(frozen=True, slots=True)
class Alignment:
    """A partition of all units into unitary alignments, in the order of the continuum.

    `disorder` is the sum of theirs, divided by the mean number of units per annotator. No
    alignment has less than `lower_bound`; `optimal` says that none has less than this one.
    """

    annotators: tuple[str, ...]
    unitary: tuple[UnitaryAlignment, ...]
    disorder: float
    lower_bound: float
    optimal: bool


def best_alignment(
    continuum: Continuum,
    dissimilarity: Dissimilarity | None = None,
    *,
    solver: str | None = None,
    seconds: float | None = None,
) -> Alignment:
    """The alignment of least disorder of those who take part in a continuum.

    It is exact unless `seconds` ran out, and then says so. `solver` names a PuLP solver to use
    instead of the default way.
    """
    annotators = continuum.annotators
    if len(annotators) < 2:
        raise InputError(
            f"an alignment needs two annotators, there are {len(annotators)}",
            where=f"task '{continuum.id}'",
        )
    if not any(unit.annotator in annotators for unit in continuum.units):
        raise InputError("there is no unit to align", where=f"task '{continuum.id}'")
    dissimilarity = dissimilarity or Dissimilarity()
    categories = continuum.categories
    layout, units = lay_out(continuum, annotators, {c: i for i, c in enumerate(categories)})
    categorial = dissimilarity.categorial(categories)
    partition = best_partition(
        layout, dissimilarity.alpha, dissimilarity.beta * categorial,
        positional=dissimilarity.positional, solver=solver, seconds=seconds,
    )  # fmt: skip
    return describe(partition, units, annotators, dissimilarity)


class Apart(dict[tuple[str, ...], Mapping[tuple[str, str], float]]):
    """d_cat of each two of some categories; the same categories come in many tasks."""

    def __init__(self, dissimilarity: Dissimilarity) -> None:
        super().__init__()
        self.dissimilarity = dissimilarity

    def __missing__(self, categories: tuple[str, ...]) -> Mapping[tuple[str, str], float]:
        matrix = self.dissimilarity.categorial(categories).tolist()
        found = {
            (one, other): matrix[a][b]
            for a, one in enumerate(categories)
            for b, other in enumerate(categories)
        }
        self[categories] = found
        return found


def describe(
    partition: Partition,
    units: Sequence[Unit],
    annotators: tuple[str, ...],
    dissimilarity: Dissimilarity,
    units_share: float = 1.0,
    known: Apart | None = None,
) -> Alignment:
    """A partition of units in words that a person can follow; `units_share` is the part of the mean
    number of units per annotator by which the disorder is divided. `known` keeps distances from one
    task to the next.
    """
    members: list[list[Unit]] = [[] for _ in range(int(partition.cluster.max()) + 1)]
    for unit, cluster in zip(units, partition.cluster.tolist(), strict=True):
        members[cluster].append(unit)
    categories = tuple(sorted({unit.category for unit in units}))
    apart = known[categories] if known is not None else Apart(dissimilarity)[categories]
    pairs = len(annotators) * (len(annotators) - 1) / 2
    scale = pairs * len(units) / len(annotators) * units_share
    unitary = [
        _unitary(sorted(group, key=_CONTENT), pairs, dissimilarity, apart) for group in members
    ]
    unitary.sort(key=lambda one: min((u.start, u.end, u.category) for u in one.units))
    return Alignment(
        annotators=annotators,
        unitary=tuple(unitary),
        disorder=partition.cost / scale,
        lower_bound=partition.lower_bound / scale,
        optimal=partition.optimal,
    )


def _unitary(
    units: list[Unit],
    pairs: float,
    dissimilarity: Dissimilarity,
    apart: Mapping[tuple[str, str], float],
) -> UnitaryAlignment:
    together = list(combinations(units, 2))
    # Exact sums: the order in which names put the units does not change the last digit.
    place = math.fsum(dissimilarity.positional.between(one, other) for one, other in together)
    label = math.fsum(apart[one.category, other.category] for one, other in together)
    return UnitaryAlignment(
        units=tuple(units),
        positional=dissimilarity.alpha * place / pairs,
        categorial=dissimilarity.beta * label / pairs,
        missing=(pairs - len(together)) / pairs,
    )
