"""Weight: w(u, v), what two units add to the cost of a cluster; and which cost is better."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from goldspan.engine.alignment.kernel import kernel

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints, Matrix

Weighted: TypeAlias = tuple[float, float]
"""α, and the code of the positional dissimilarity: its exponent, or 0 for 1 - IoU."""

SQUARED = 2.0
"""The exponent of d_pos in the paper's equation 3; by it units are compared where costs are equal.
"""

TOLERANCE = 1e-9
"""Costs closer than this are the same cost."""

IOU = 0.0
"""What stands in place of an exponent for 1 - IoU (see `OneMinusIoU.code`)."""


@kernel
def place(start: Floats, end: Floats, code: float, u: int, v: int) -> float:
    """d_pos of the units u and v."""
    apart = (abs(start[u] - start[v]) + abs(end[u] - end[v])) / (
        end[u] - start[u] + end[v] - start[v]
    )
    if code == SQUARED:
        return apart * apart
    if code == IOU:
        return 2.0 * apart / (1.0 + apart) if apart < 1.0 else 1.0
    return apart**code


@kernel
def weight(
    start: Floats,
    end: Floats,
    category: Ints,
    positional: Weighted,
    beta_cat: Matrix,
    u: int,
    v: int,
) -> float:
    """w(u, v) = α·d_pos + β·d_cat - Δ."""
    alpha, code = positional
    return alpha * place(start, end, code, u, v) + beta_cat[category[u]][category[v]] - 1.0


@kernel
def better(cost: float, place: float, than_cost: float, than_place: float) -> bool:
    """Cheaper; or as cheap, and closer together."""
    if cost < than_cost - TOLERANCE:
        return True
    return cost <= than_cost + TOLERANCE and place < than_place - TOLERANCE
