"""Matching: the cheapest choice of clusters where there are two annotators.

Every cluster is a pair or a unit alone then, and the choice is an assignment: each unit of the
first annotator goes to a unit of the second, or to a place of its own, which stands for being
alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.pricing import Members


def cheapest_matching(members: Members, costs: Floats, annotator: Ints) -> Ints:
    """The numbers of the chosen clusters, which cover each unit just once.

    Each unit alone must be among the clusters; `annotator` has an item for each unit.
    """
    is_pair = members[:, 1] >= 0
    alone = np.full(len(annotator), -1)
    alone[members[~is_pair, 0]] = np.flatnonzero(~is_pair)
    pairs = np.flatnonzero(is_pair)
    ends = members[pairs, :2]
    swapped = annotator[ends[:, 0]] > annotator[ends[:, 1]]
    ends[swapped] = ends[swapped][:, ::-1]
    rows, row = np.unique(ends[:, 0], return_inverse=True)
    columns, column = np.unique(ends[:, 1], return_inverse=True)
    # A pair saves its second unit from being alone. Weights are positive: 0 would mean no edge.
    weight = np.concatenate((costs[pairs] - costs[alone[ends[:, 1]]], costs[alone[rows]]))
    weight += 1.0 - weight.min(initial=0.0)
    own = np.arange(len(rows))
    edges = coo_array(
        (weight, (np.concatenate((row, own)), np.concatenate((column, len(columns) + own)))),
        shape=(len(rows), len(columns) + len(rows)),
    )
    matched = min_weight_full_bipartite_matching(edges.tocsr())[1] if len(rows) else own
    taken = pairs[matched[row] == column]
    single = alone.copy()
    single[members[taken, :2]] = -1
    return np.concatenate((taken, single[single >= 0]))
