"""Interior: the linear program over given clusters, solved from the inside.

    min Σ c·x,  A·x = 1,  x ≥ 0        each unit in one cluster
    max Σ π,    Aᵀ·π + z = c,  z ≥ 0    no cluster costs less than its units are worth

Mehrotra's predictor and corrector. With D = x/z and the residuals r of the three equations
A·x = 1, Aᵀ·π + z = c and x·z = σμ, a step solves

    (A·D·Aᵀ)·Δπ = r_p - A·(r_c/z - D·r_d)
    Δz = r_d - Aᵀ·Δπ
    Δx = (r_c - x·Δz) / z

The duals π are central, not at a corner: column generation needs fewer rounds with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.crowd.skyline import factorise, gram, skyline, solve
from goldspan.engine.alignment.kernel import kernel

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints

INSIDE = 0.995
"""How far a step goes towards the border."""


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
