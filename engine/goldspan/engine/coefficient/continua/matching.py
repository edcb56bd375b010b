"""Matching: the pairs of two annotators' units that together weigh most, each unit once at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints


def best_matching(one: Ints, other: Ints, weight: Floats) -> Ints:
    """The numbers of the chosen pairs; `one` and `other` number the units of each pair."""
    alone = (np.bincount(one)[one] == 1) & (np.bincount(other)[other] == 1)
    if alone.all():
        return np.arange(len(one))
    groups = _connected(one, other, np.flatnonzero(~alone))
    chosen = [pairs[_assigned(one[pairs], other[pairs], weight[pairs])] for pairs in groups]
    return np.sort(np.concatenate((np.flatnonzero(alone), *chosen)))


def _connected(one: Ints, other: Ints, pairs: Ints) -> list[Ints]:
    """The pairs in groups that share no unit."""
    if not len(pairs):
        return []
    from scipy.sparse import coo_array  # noqa: PLC0415 - slow to import
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - slow to import

    first, second = one[pairs], other[pairs] + one.max() + 1
    size = int(second.max()) + 1
    graph = coo_array((np.ones(len(pairs)), (first, second)), shape=(size, size))
    _, groups = connected_components(graph, directed=False)
    order = np.argsort(groups[first], kind="stable")
    edges = np.flatnonzero(np.diff(groups[first][order])) + 1
    return [pairs[group] for group in np.split(order, edges)]


def _assigned(one: Ints, other: Ints, weight: Floats) -> Ints:
    """The best pairs of a group, by the assignment problem; one that weighs nothing is left out."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - slow to import

    rows, row = np.unique(one, return_inverse=True)
    columns, column = np.unique(other, return_inverse=True)
    table = np.zeros((len(rows), len(columns)))
    table[row, column] = weight
    taken = np.zeros(table.shape, dtype=bool)
    taken[linear_sum_assignment(table, maximize=True)] = True
    return np.flatnonzero(taken[row, column])
