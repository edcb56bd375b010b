"""Two annotators: a matching gives what the integer program gives."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine.alignment.crowd.matching import cheapest_matching
from goldspan.engine.alignment.program import DEFAULT_SOLVER, solve_partition


@given(
    first=st.integers(0, 5),
    second=st.integers(0, 5),
    seed=st.integers(0, 2**32 - 1),
    share=st.floats(0, 1),
)
def test_matching_costs_what_the_integer_program_costs(
    first: int, second: int, seed: int, share: float
) -> None:
    """Units in any order, some pairs missing, costs that are often equal or 0."""
    rng = np.random.default_rng(seed)
    annotator = rng.permutation(np.repeat([0, 1], [first, second]))
    units = np.arange(first + second)
    pairs = [
        (u, v)
        for u in units
        for v in units[u + 1 :]
        if annotator[u] != annotator[v] and rng.random() < share
    ]
    members = np.array([*pairs, *((u, -1) for u in units)], dtype=np.int64).reshape(-1, 2)
    costs = rng.integers(0, 5, len(members)).astype(float)

    chosen = cheapest_matching(members, costs, annotator)

    assert sorted(members[chosen][members[chosen] >= 0]) == list(units)
    clusters = [[int(u) for u in row if u >= 0] for row in members]
    best, proved = solve_partition(clusters, costs.tolist(), DEFAULT_SOLVER)
    assert proved or not clusters
    assert costs[chosen].sum() == costs[best].sum()
