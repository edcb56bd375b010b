"""The definition itself: every partition into unitary alignments, by trying them all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from goldspan.engine import Continuum, Dissimilarity, Unit


def alignments(units: tuple[Unit, ...]) -> Iterator[list[list[Unit]]]:
    """All partitions in which no two units of one annotator are together."""
    if not units:
        yield []
        return
    unit, rest = units[0], units[1:]
    for partition in alignments(rest):
        yield [[unit], *partition]
        for k, group in enumerate(partition):
            if all(other.annotator != unit.annotator for other in group):
                yield [*partition[:k], [unit, *group], *partition[k + 1 :]]


def disorder(partition: list[list[Unit]], continuum: Continuum, d: Dissimilarity) -> float:
    """Equations 6 and 7 of the paper, word for word."""
    n = len(continuum.annotators)
    pairs = n * (n - 1) / 2
    total = 0.0
    for group in partition:
        together = list(combinations(group, 2))
        cost = sum(d.between(one, other) for one, other in together) + pairs - len(together)
        total += cost / pairs
    return total / (len(continuum.units) / n)


def least_disorder(continuum: Continuum, d: Dissimilarity) -> float:
    return min(disorder(p, continuum, d) for p in alignments(continuum.units))
