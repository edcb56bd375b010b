"""The definitions of γ's papers in fractions, by trying every alignment: slow, and exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from conformance_cases import Row

Groups = tuple[tuple[int, ...], ...]
"""Unitary alignments, as numbers of units."""


def fraction(number: float) -> Fraction:
    """A number as people wrote it: 0.1 is one tenth."""
    return Fraction(str(number))


def positional(one: Row, other: Row) -> Fraction:
    """Equation 3 of 2015."""
    (_, s, e, _), (_, t, f, _) = one, other
    apart = abs(fraction(s) - fraction(t)) + abs(fraction(e) - fraction(f))
    both = fraction(e) - fraction(s) + fraction(f) - fraction(t)
    return (apart / both) ** 2


def categorial(one: Row, other: Row, distances: Mapping[str, float] | None) -> Fraction:
    """1 for different categories, or what the table says."""
    if one[3] == other[3]:
        return Fraction(0)
    if distances is None:
        return Fraction(1)
    return fraction(distances.get(one[3] + other[3], distances.get(other[3] + one[3], 1.0)))


class Exact:
    """One continuum, with the dissimilarity of each pair of its units."""

    def __init__(
        self,
        rows: Sequence[Row],
        annotators: int,
        alpha: float,
        distances: Mapping[str, float] | None,
    ) -> None:
        self.rows = rows
        self.annotators = annotators
        self.known: dict[tuple[int, ...], Fraction] = {}
        self.pairs = annotators * (annotators - 1) // 2
        self.positional = {
            (i, j): positional(rows[i], rows[j]) for i, j in combinations(range(len(rows)), 2)
        }
        self.categorial = {
            (i, j): categorial(rows[i], rows[j], distances) for i, j in self.positional
        }
        self.cost = {
            pair: fraction(alpha) * self.positional[pair] + self.categorial[pair]
            for pair in self.positional
        }

    def disorder(self, groups: Groups) -> Fraction:
        """Equations 6 and 7 of 2015."""
        total = sum((self._unitary(group) for group in groups), Fraction(0))
        return total * self.annotators / len(self.rows)

    def best(self) -> tuple[Fraction, list[Groups]]:
        """The least disorder, and all alignments that have it."""
        costs: dict[Groups, Fraction] = {}
        for groups in self._partitions(0):
            costs[tuple(sorted(groups))] = self.disorder(groups)
        least = min(costs.values())
        return least, sorted(groups for groups, cost in costs.items() if cost == least)

    def ties(self, best: Groups) -> list[Groups]:
        """Alignments of the same disorder that moving one unit after the other leads to."""
        least = self.disorder(best)
        found, new = {best}, [best]
        while new:
            groups = new.pop()
            for moved in self._moves(groups):
                if moved not in found and self.disorder(moved) == least:
                    found.add(moved)
                    new.append(moved)
        return sorted(found)

    def labels(self, groups: Groups, label: str | None = None) -> tuple[Fraction, Fraction]:
        """Algorithm 1 of 2017: disagreement and weight of all pairs, or those with a label."""
        disagreement, weight = Fraction(0), Fraction(0)
        for group in groups:
            for pair in combinations(group, 2):
                if label is not None and label not in (self.rows[i][3] for i in pair):
                    continue
                share = max(Fraction(0), 1 - self.positional[pair]) / (len(group) - 1)
                weight += share
                disagreement += share * self.categorial[pair]
        return disagreement, weight

    def _unitary(self, group: tuple[int, ...]) -> Fraction:
        if group not in self.known:
            together = list(combinations(group, 2))
            inside = sum((self.cost[pair] for pair in together), Fraction(0))
            self.known[group] = (inside + self.pairs - len(together)) / self.pairs
        return self.known[group]

    def _moves(self, groups: Groups) -> Iterator[Groups]:
        """All alignments in which one unit is elsewhere."""
        for unit, (own, *_) in enumerate(self.rows):
            left = [tuple(u for u in group if u != unit) for group in groups]
            left = [group for group in left if group]
            yield tuple(sorted([*left, (unit,)]))
            for k, group in enumerate(left):
                if all(self.rows[other][0] != own for other in group):
                    joined = tuple(sorted((*group, unit)))
                    yield tuple(sorted([*left[:k], joined, *left[k + 1 :]]))

    def _partitions(self, first: int) -> Iterator[Groups]:
        """No two units of one annotator are together; groups are ascending."""
        if first == len(self.rows):
            yield ()
            return
        own = self.rows[first][0]
        for groups in self._partitions(first + 1):
            yield ((first,), *groups)
            for k, group in enumerate(groups):
                if all(self.rows[unit][0] != own for unit in group):
                    yield (*groups[:k], (first, *group), *groups[k + 1 :])
