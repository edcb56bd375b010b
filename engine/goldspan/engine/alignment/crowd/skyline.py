"""Skyline: a symmetric matrix whose rows begin at their first entry, and its Cholesky factor.

Clusters join near units only. So the matrix of a program over clusters has few entries a row, all
of them near the diagonal, and its factor has no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import kernel

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints

TINY = 1e-13
"""A pivot below this part of its entry is rounding: its row depends on the rows before."""

HUGE = 1e100
"""Stands for such a pivot: the row's part of a solution becomes 0."""


@kernel
def skyline(pointers: Ints, units: Ints, size: int) -> tuple[Ints, Ints]:
    """Where the rows of A·Aᵀ begin: (the first column of each, the place of its column 0).

    Entry (i, j) is at `row[i] + j`; A has a column for each cluster, its units in order.
    """
    first = np.arange(size)
    for k in range(len(pointers) - 1):
        low = units[pointers[k]]
        for a in range(pointers[k], pointers[k + 1]):
            first[units[a]] = min(first[units[a]], low)
    row = np.empty(size + 1, np.int64)
    at = 0
    for i in range(size):
        row[i] = at - first[i]
        at += i + 1 - first[i]
    row[size] = at
    return first, row


@kernel
def gram(pointers: Ints, units: Ints, weight: Floats, row: Ints, entries: Floats) -> None:
    """Fill in A·D·Aᵀ, D being the diagonal of the weights."""
    entries[:] = 0.0
    for k in range(len(weight)):
        for a in range(pointers[k], pointers[k + 1]):
            at = row[units[a]]
            for b in range(pointers[k], a + 1):
                entries[at + units[b]] += weight[k]


@kernel
def _product(entries: Floats, one: int, other: int, count: int) -> float:
    """The scalar product of two stretches; four sums, so that a processor can add at once."""
    a = b = c = d = 0.0
    k = 0
    while k + 4 <= count:
        a += entries[one + k] * entries[other + k]
        b += entries[one + k + 1] * entries[other + k + 1]
        c += entries[one + k + 2] * entries[other + k + 2]
        d += entries[one + k + 3] * entries[other + k + 3]
        k += 4
    while k < count:
        a += entries[one + k] * entries[other + k]
        k += 1
    return (a + b) + (c + d)


@kernel
def factorise(first: Ints, row: Ints, entries: Floats) -> None:
    """Put L with L·Lᵀ = M in the place of M; on its diagonal the reciprocals."""
    for i in range(len(first)):
        at = row[i]
        for j in range(first[i], i):
            low = max(first[i], first[j])
            apart = _product(entries, at + low, row[j] + low, j - low)
            entries[at + j] = (entries[at + j] - apart) * entries[row[j] + j]
        whole = entries[at + i]
        pivot = whole - _product(entries, at + first[i], at + first[i], i - first[i])
        entries[at + i] = 1.0 / np.sqrt(pivot if pivot > TINY * whole else HUGE)


@kernel
def solve(first: Ints, row: Ints, entries: Floats, right: Floats) -> None:
    """Put the solution of L·Lᵀ·y = right in the place of the right side."""
    for i in range(len(first)):
        total = right[i]
        for j in range(first[i], i):
            total -= entries[row[i] + j] * right[j]
        right[i] = total * entries[row[i] + i]
    for i in range(len(first) - 1, -1, -1):
        right[i] *= entries[row[i] + i]
        for j in range(first[i], i):
            right[j] -= entries[row[i] + j] * right[i]
