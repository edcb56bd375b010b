"""Messages: a lower bound of what a cluster costs, with one unit or none of each annotator.

Each annotator chooses a state, which is one of its units or to be absent. A cluster costs a base,
what each state costs on its own (the weight with the first unit, less the dual), and what each pair
of states costs (w of two units, 0 where one is absent). So no cluster costs less than

    base + Σ over annotators of the least own cost + Σ over pairs of annotators of the least cost

and this bound is poor as long as pairs hold what decides. A message moves cost from pairs to states
or back without changing what any cluster costs: what is taken from all pairs of a state with the
states of another annotator is added to its own cost. Here a pair of annotators takes all that its
states cost on their own, and gives back as much as it can, so that its least cost is 0 in the end
(the handshake of MPLP++: Tourani, Shekhovtsov, Rother, Savchynskyy 2018). No such step lowers the
bound, which is base + Σ of the least own costs after it.

A state whose cost is so much above the least of its annotator that the bound passes a limit is in
no cluster below that limit, and is left out. An annotator with one state left has chosen it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.kernel import hot_kernel, kernel

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints, Matrix

ROUNDING = 1e-6
"""What rounding may add to a bound at most: sums of some thousand numbers below a million."""


@hot_kernel
def _shake(own: Floats, pair: Matrix, low: int, middle: int, begin: int, end: int) -> None:
    """The handshake of the annotators of the states low to middle (rows) and begin to end."""
    for x in range(low, middle):
        least = np.inf
        for y in range(begin, end):
            value = pair[x, y] + own[x] + own[y]
            pair[x, y] = value
            least = min(least, value)
        own[x] = least / 2
    for y in range(begin, end):
        least = np.inf
        for x in range(low, middle):
            least = min(least, pair[x, y] - own[x])
        own[y] = least
    for x in range(low, middle):
        least = np.inf
        for y in range(begin, end):
            least = min(least, pair[x, y] - own[y])
        own[x] = least
        for y in range(begin, end):
            pair[x, y] -= own[y] + least


@kernel
def send(own: Floats, pair: Matrix, begin: Ints, groups: int, forward: bool) -> None:
    """A handshake of each two annotators; `pair[x, y]` is used for x < y only."""
    for k in range(groups):
        g = k if forward else groups - 1 - k
        for h in range(g + 1, groups):
            _shake(own, pair, begin[g], begin[g + 1], begin[h], begin[h + 1])


@kernel
def least(own: Floats, begin: Ints, groups: int) -> float:
    """Σ of the least own costs."""
    total = 0.0
    for g in range(groups):
        total += own[begin[g] : begin[g + 1]].min()
    return float(total)


@kernel
def settle(
    unit: Ints, own: Floats, pair: Matrix, begin: Ints, groups: int, base: float, limit: float,
    chosen: Ints, count: int, rest: Ints,
) -> tuple[int, float, int]:  # fmt: skip
    """Leave out the states that are in no cluster below the limit, and choose where one is left:
    (annotators left, base, units chosen). What is kept moves to the front; `rest` is room.

    The pairs keep their places: row and column x of `pair` are now those of `rest[x]`.
    """
    slack = limit - base - least(own, begin, groups) + ROUNDING
    kept = 0
    left = 0
    low = 0
    for g in range(groups):
        before, high = kept, begin[g + 1]
        best = own[low:high].min()
        for x in range(low, high):
            if own[x] - best < slack:
                rest[kept] = x
                kept += 1
        low = high
        if kept == before + 1:
            kept = before
            x = rest[before]
            base += own[x]
            for y in range(begin[groups]):
                own[y] += pair[min(x, y), max(x, y)] if x != y else 0.0
            if unit[x] >= 0:
                chosen[count] = unit[x]
                count += 1
        elif kept > before:
            left += 1
            begin[left] = kept
    for k in range(kept):
        own[k], unit[k] = own[rest[k]], unit[rest[k]]
    return left, base, count


@kernel
def close_up(pair: Matrix, rest: Ints, count: int) -> None:
    """Move the rows and columns of so many states to the front."""
    for x in range(count):
        for y in range(x + 1, count):
            pair[x, y] = pair[rest[x], rest[y]]
