"""Relaxation: the linear program over all clusters, solved without listing them.

Column generation: from the units alone and the useful pairs on, HiGHS gives duals, and pricing the
clusters that would lower the cost, until there is none. The value is a lower bound of every
alignment's cost, and the best alignment itself when no cluster is shared out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import highspy
import numpy as np

from goldspan.engine.alignment.budget import MOST_MEMBERS, SLICE, Budget
from goldspan.engine.errors import SolverError

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.space import Neighbourhood, Space

MOST_ROWS = 20_000
MOST_PAIRS = 200_000
"""A linear program with more units or more pairs to begin with is not tried."""

ITERATION = 2_500
"""Steps of a simplex iteration for each cluster that a unit is in, on average."""

MOST_ITERATIONS = 2**31 - 1

FIRST_SEARCH = 2_000_000
"""Steps for the clusters of one first unit; more, when no cluster is found with these."""

_EPSILON = 1e-7  # HiGHS keeps duals to this


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The program's clusters and their shares, the duals of the units, and the lower bound.

    It has `converged` unless the budget ran out; the bound holds in either case.
    """

    members: Members
    share: Floats
    dual: Floats
    bound: float
    converged: bool

    @property
    def whole(self) -> Members:
        """The clusters that are chosen entirely."""
        return self.members[self.share > 1 - 1e-6]

    @property
    def shared_units(self) -> Ints:
        """The units that are shared out between several clusters."""
        partly = (self.share > 1e-6) & (self.share < 1 - 1e-6)
        units = self.members[partly]
        return np.unique(units[units >= 0])


def relax(space: Space, near: Neighbourhood, budget: Budget) -> Relaxation | None:
    """Solve the linear program; None where the first program is too large or takes too long."""
    if not near.whole or space.layout.size > MOST_ROWS or len(near.indices) > MOST_PAIRS:
        return None
    members = np.concatenate((space.alone(), _pairs(space, near)))
    master = _master(space.layout.size)
    _add(master, members, space.costs(members))
    relaxed, bound, each = None, float(near.share.sum()), FIRST_SEARCH
    while _solve(master, budget):
        solution = master.getSolution()
        dual = np.array(solution.row_dual)
        while True:
            complete, new, slack = space.priced(
                near, dual, -_EPSILON, budget, every=False, each=each
            )
            if complete or len(new) or each >= SLICE or budget.spent:
                break
            each *= 8
        bound = max(bound, float(dual.sum()) + slack)
        converged = complete and len(new) == 0
        relaxed = Relaxation(members, np.array(solution.col_value), dual, bound, converged)
        if len(new) == 0 or budget.spent or members.size + new.size > MOST_MEMBERS:
            break
        members = np.concatenate((members, new))
        _add(master, new, space.costs(new))
    return relaxed


def _pairs(space: Space, near: Neighbourhood) -> Members:
    """The pairs that cost no more than their units alone."""
    first = np.repeat(np.arange(space.layout.size), np.diff(near.pointers))
    useful = np.flatnonzero(space.weights(first, near.indices) <= space.pairs)
    members = np.full((len(useful), space.layout.n), -1, dtype=np.int64)
    members[:, 0] = first[useful]
    members[:, 1] = near.indices[useful]
    return members


def _master(rows: int) -> highspy.Highs:
    master = highspy.Highs()
    master.setOptionValue("output_flag", False)
    master.setOptionValue("threads", 1)
    program = highspy.HighsLp()
    program.num_row_ = rows
    program.row_lower_ = program.row_upper_ = np.ones(rows)
    program.a_matrix_.num_row_ = rows
    master.passModel(program)
    return master


def _solve(master: highspy.Highs, budget: Budget) -> bool:
    """Solve the program from its last basis; where rounding defeats that, from none at all.

    False when the budget ends before.
    """
    for attempt in ("warm", "cold", "presolved"):
        if attempt != "warm":
            master.clearSolver()
        # Presolve costs more than it saves on these programs.
        master.setOptionValue("presolve", "on" if attempt == "presolved" else "off")
        if not _run(master, budget):
            return False
        if master.getModelStatus() == highspy.HighsModelStatus.kOptimal:
            return True
    status = master.modelStatusToString(master.getModelStatus())
    raise SolverError(f"HiGHS stopped a linear program with '{status}'")


def _run(master: highspy.Highs, budget: Budget) -> bool:
    """Let HiGHS work; False when the budget ends before it does."""
    cost = ITERATION * (1 + master.getNumNz() // master.getNumRow())
    left = budget.seconds
    if budget.spent:
        return False
    master.setOptionValue("simplex_iteration_limit", min(MOST_ITERATIONS, 1 + budget.steps // cost))
    if left is not None:
        master.setOptionValue("time_limit", master.getRunTime() + max(left, 0.0))
    master.run()
    budget.charge(cost * int(master.getInfo().simplex_iteration_count))
    return master.getModelStatus() not in (
        highspy.HighsModelStatus.kIterationLimit,
        highspy.HighsModelStatus.kTimeLimit,
    )


def _add(master: highspy.Highs, members: Members, costs: Floats) -> None:
    real = members >= 0
    starts = np.concatenate(([0], np.cumsum(real.sum(axis=1))[:-1])).astype(np.int32)
    units = members[real].astype(np.int32)
    count = len(members)
    master.addCols(
        count, costs, np.zeros(count), np.full(count, highspy.kHighsInf),
        len(units), starts, units, np.ones(len(units)),
    )  # fmt: skip
