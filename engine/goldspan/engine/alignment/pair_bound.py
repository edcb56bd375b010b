"""Pair bound: what an alignment costs at the least, from the best alignments of two annotators.

A unitary alignment costs, for each pair of annotators, the dissimilarity of their units, or 1 where
one or both have none. Summed over an alignment, a pair of annotators pays for the alignment of
their own units that is left when all others are taken away, and 1 for each unitary alignment that
has neither. So it pays no less than the best alignment of these two alone, and no alignment costs
less than the sum of those, over all pairs of annotators.

The best alignment of two annotators is an assignment: of a units and b units m are joined, at
Σ d, and a + b - 2m stay alone, at 1 each.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.space import Space

MOST_PAIRS = 1_000_000
"""Two annotators with more neighbouring units than this are not aligned."""

ASSIGNMENT, UNIT, PAIR = 500_000, 1_000, 500
"""Steps of an assignment, more or less: in any case, for each unit, for each pair of neighbours."""

ROOM = 600_000_000
"""Steps for all assignments, not counting neighbours; where they take more, none is solved."""


def pair_bound(space: Space, budget: Budget) -> float:
    """A lower bound of the cost of every partition; how close it is depends on the budget.

    Two annotators who are not aligned pay for the units that one has more than the other.
    """
    n = space.layout.n
    units = [np.flatnonzero(space.layout.annotator == a) for a in range(n)]
    pairs = list(combinations(units, 2))
    if ASSIGNMENT * len(pairs) + UNIT * (n - 1) * space.layout.size > ROOM:
        return float(sum(abs(len(one) - len(other)) for one, other in pairs))
    return sum(_least(space, one, other, budget) for one, other in pairs)


def _least(space: Space, one: Ints, other: Ints, budget: Budget) -> float:
    """What these units of two annotators cost at the least."""
    more = float(abs(len(one) - len(other)))
    if budget.spent or not (len(one) and len(other)):
        return more
    both = np.sort(np.concatenate((one, other)))
    layout = space.layout
    near = space.only(both, 2).later(MOST_PAIRS)
    if near is None:
        return more
    first = both[np.repeat(np.arange(len(both)), np.diff(near[0]))]
    second = both[near[1]]
    budget.charge(ASSIGNMENT + UNIT * len(both) + PAIR * len(first))
    if budget.spent:
        return more
    swap = layout.annotator[first] != layout.annotator[one[0]]
    row = np.searchsorted(one, np.where(swap, second, first))
    column = np.searchsorted(other, np.where(swap, first, second))
    return len(both) + _saved(space.weights(first, second) - 1.0, row, column, len(one), len(other))


def _saved(gain: Floats, row: Ints, column: Ints, rows: int, columns: int) -> float:
    """The least Σ (d - 2) of an assignment: what joining units saves, below 0."""
    # Every row has a column in which its unit stays alone. No cost in the table may be 0.
    own = np.arange(rows)
    table = csr_array(
        (
            np.concatenate((gain + 3.0, np.full(rows, 3.0))),
            (np.concatenate((row, own)), np.concatenate((column, columns + own))),
        ),
        shape=(rows, columns + rows),
    )
    chosen = min_weight_full_bipartite_matching(table)
    return float(table[chosen].sum()) - 3.0 * rows
