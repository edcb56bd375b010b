"""Interior: the linear program over given clusters, solved from the inside.

    min Σ c·x,  A·x = 1,  x ≥ 0        each unit in one cluster
    max Σ π,    Aᵀ·π + z = c,  z ≥ 0    no cluster costs less than its units are worth

Mehrotra's predictor and corrector. With D = x/z and the residuals r of the three equations
A·x = 1, Aᵀ·π + z = c and x·z = σμ, a step solves

    (A·D·Aᵀ)·Δπ = r_p - A·(r_c/z - D·r_d)
    Δz = r_d - Aᵀ·Δπ
    Δx = (r_c - x·Δz) / z

A·D·Aᵀ is a skyline: clusters join near units only, so its rows begin near the diagonal, and so do
those of its Cholesky factor.

The duals π are central, not at a corner: column generation needs fewer rounds with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import kernel

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints

INSIDE = 0.995
"""How far a step goes towards the border."""


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


@kernel
def _sums(pointers: Ints, units: Ints, values: Floats, total: Floats) -> None:
    """A·values: for each unit the sum over its clusters."""
    total[:] = 0.0
    for k in range(len(values)):
        for a in range(pointers[k], pointers[k + 1]):
            total[units[a]] += values[k]


@kernel
def _worth(pointers: Ints, units: Ints, dual: Floats, k: int) -> float:
    """Aᵀ·π: what the units of a cluster are worth together."""
    total = 0.0
    for a in range(pointers[k], pointers[k + 1]):
        total += dual[units[a]]
    return total


@kernel
def _stride(values: Floats, change: Floats) -> float:
    """The longest step that keeps all values above 0, up to 1 / INSIDE."""
    longest = 1.0 / INSIDE
    for k in range(len(values)):
        if values[k] + longest * change[k] < 0.0:
            longest = -values[k] / change[k]
    return longest


@kernel
def _direction(
    pointers: Ints, units: Ints, first: Ints, row: Ints, factor: Floats,
    x: Floats, per_z: Floats, r_p: Floats, r_d: Floats, r_c: Floats,
    d_dual: Floats, d_x: Floats, d_z: Floats,
) -> None:  # fmt: skip
    """The step (Δπ, Δx, Δz) for these residuals."""
    for k in range(len(x)):
        d_x[k] = (r_c[k] - x[k] * r_d[k]) * per_z[k]
    _sums(pointers, units, d_x, d_dual)
    for u in range(len(r_p)):
        d_dual[u] = r_p[u] - d_dual[u]
    solve(first, row, factor, d_dual)
    for k in range(len(x)):
        d_z[k] = r_d[k] - _worth(pointers, units, d_dual, k)
        d_x[k] = (r_c[k] - x[k] * d_z[k]) * per_z[k]


@kernel
def interior(
    pointers: Ints, units: Ints, costs: Floats, pairs: float, dual: Floats, x: Floats, z: Floats,
    near: float, iterations: int, steps: int,
) -> tuple[bool, float, int, int]:  # fmt: skip
    """Move x, z and the duals on, until the steps are used up: (whether that was the end, Σ c·x,
    iterations and steps left).

    It ends when Σ x·z is within the part `near` of the value, and so are the residuals. Each unit
    alone is among the clusters.
    """
    count, size = len(costs), len(dual)
    first, row = skyline(pointers, units, size)
    factor = np.empty(row[size])
    r_p, r_d, r_c, per_z = np.empty(size), np.empty(count), np.empty(count), np.empty(count)
    d_dual, d_x, d_z = np.empty(size), np.empty(count), np.empty(count)
    width = row[size] / size
    each = len(units) * 30 + int(row[size] * (4 + width / 2))
    value = 0.0
    while iterations > 0 and steps > 0:
        iterations -= 1
        steps -= each
        _sums(pointers, units, x, r_p)
        far, apart, value = 0.0, 0.0, 0.0
        for u in range(size):
            r_p[u] = 1.0 - r_p[u]
            far = max(far, abs(r_p[u]))
        for k in range(count):
            r_d[k] = costs[k] - _worth(pointers, units, dual, k) - z[k]
            far = max(far, abs(r_d[k]) / pairs)
            apart += x[k] * z[k]
            value += costs[k] * x[k]
        if far <= near and apart <= near * (1.0 + abs(dual.sum())):
            return True, value, iterations, steps
        for k in range(count):
            per_z[k] = 1.0 / z[k]
            r_c[k] = x[k] * per_z[k]
        gram(pointers, units, r_c, row, factor)
        factorise(first, row, factor)
        for k in range(count):
            r_c[k] = -x[k] * z[k]
        _direction(pointers, units, first, row, factor, x, per_z, r_p, r_d, r_c, d_dual, d_x, d_z)
        by_x, by_z = INSIDE * _stride(x, d_x), INSIDE * _stride(z, d_z)
        after = 0.0
        for k in range(count):
            after += (x[k] + by_x * d_x[k]) * (z[k] + by_z * d_z[k])
        centre = (after / apart) ** 3 * apart / count
        for k in range(count):
            r_c[k] = centre - x[k] * z[k] - d_x[k] * d_z[k]
        _direction(pointers, units, first, row, factor, x, per_z, r_p, r_d, r_c, d_dual, d_x, d_z)
        by_x, by_z = INSIDE * _stride(x, d_x), INSIDE * _stride(z, d_z)
        for u in range(size):
            dual[u] += by_z * d_dual[u]
        for k in range(count):
            x[k] += by_x * d_x[k]
            z[k] += by_z * d_z[k]
    return iterations == 0, value, iterations, steps
