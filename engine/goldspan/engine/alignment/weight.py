"""Weight: w(u, v), what two units add to the cost of a cluster that holds both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.engine.alignment.kernel import kernel

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints, Matrix


@kernel
def place(start: Floats, end: Floats, u: int, v: int) -> float:
    """d_pos of the units u and v."""
    apart = (abs(start[u] - start[v]) + abs(end[u] - end[v])) / (
        end[u] - start[u] + end[v] - start[v]
    )
    return apart * apart


@kernel
def weight(
    start: Floats, end: Floats, category: Ints, alpha: float, beta_cat: Matrix, u: int, v: int
) -> float:
    """w(u, v) = α·d_pos + β·d_cat - Δ."""
    return alpha * place(start, end, u, v) + beta_cat[category[u]][category[v]] - 1.0
