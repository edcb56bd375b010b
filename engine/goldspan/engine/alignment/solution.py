"""Solution: the clusters of an alignment, and how they are written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Ints
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Space


@dataclass(frozen=True, slots=True)
class Solution:
    """The chosen clusters, a lower bound of the cost, and whether the choice is proved best.

    `candidates` holds every cluster of every best alignment when it is; else just the chosen.
    """

    chosen: Members
    candidates: Members
    bound: float
    optimal: bool


def distinct(members: Members) -> Members:
    """Each cluster once, its units in order."""
    last = np.iinfo(np.int64).max
    ordered = np.unique(np.sort(np.where(members < 0, last, members), axis=1), axis=0)
    return np.where(ordered == last, -1, ordered)


def number(members: Members, size: int) -> Ints:
    """For each unit its cluster's number, in the order of their first units."""
    row, column = np.nonzero(members >= 0)
    raw = np.empty(size, dtype=np.int64)
    raw[members[row, column]] = row
    return in_order(raw)


def in_order(cluster: Ints) -> Ints:
    """The same clusters, numbered in the order of their first units."""
    _, first, back = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[back]


def members(space: Space, cluster: Ints) -> Members:
    """A row a cluster, in the order of their first units."""
    row = in_order(cluster)
    order = np.argsort(row, kind="stable")
    begin = np.searchsorted(row[order], np.arange(row.max() + 1))
    made = np.full((row.max() + 1, space.layout.n), -1, dtype=np.int64)
    made[row[order], np.arange(len(row)) - begin[row[order]]] = order
    return made
