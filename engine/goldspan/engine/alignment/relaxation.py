"""Relaxation: the linear program over all clusters, solved without listing them.

Column generation: from the units alone and the useful pairs on, HiGHS gives duals, and pricing the
clusters that would lower the cost, until there is none. The value is a lower bound of every
alignment's cost, and the best alignment itself when no cluster is shared out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import highspy
import numpy as np

from goldspan.engine.alignment.clusters import Floats, Ints
from goldspan.engine.alignment.pricing import Members
from goldspan.engine.alignment.space import Space
from goldspan.engine.errors import SolverError

_EPSILON = 1e-7  # HiGHS keeps duals to this


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The program's clusters and their shares, the duals of the units, and the lower bound.

    It has `converged` unless time ran out; the bound holds in either case.
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


def relax(
    space: Space, near: tuple[Ints, Ints], remaining: Callable[[], float | None]
) -> Relaxation:
    """Solve the linear program; `remaining` tells the seconds left, None for no limit."""
    members = np.concatenate((space.alone(), _pairs(space, near)))
    master = _master(space.layout.size)
    _add(master, members, space.costs(members))
    bound = -np.inf
    while True:
        _solve(master)
        solution = master.getSolution()
        dual = np.array(solution.row_dual)
        _, new, slack = space.priced(near, dual, -_EPSILON, every=False)
        bound = max(bound, float(dual.sum()) + slack)
        left = remaining()
        if len(new) == 0 or (left is not None and left <= 0):
            share = np.array(solution.col_value)
            return Relaxation(members, share, dual, bound, converged=len(new) == 0)
        members = np.concatenate((members, new))
        _add(master, new, space.costs(new))


def _pairs(space: Space, near: tuple[Ints, Ints]) -> Members:
    """The pairs that cost no more than their units alone."""
    pointers, indices = near
    members = np.full((len(indices), space.layout.n), -1, dtype=np.int64)
    members[:, 0] = np.repeat(np.arange(space.layout.size), np.diff(pointers))
    members[:, 1] = indices
    return members[space.costs(members) <= 2 * space.pairs]


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


def _solve(master: highspy.Highs) -> None:
    """Solve the program from its last basis; where rounding defeats that, from none at all."""
    for attempt in ("warm", "cold", "presolved"):
        if attempt != "warm":
            master.clearSolver()
        # Presolve costs more than it saves on these programs.
        master.setOptionValue("presolve", "on" if attempt == "presolved" else "off")
        master.run()
        if master.getModelStatus() == highspy.HighsModelStatus.kOptimal:
            return
    status = master.modelStatusToString(master.getModelStatus())
    raise SolverError(f"HiGHS stopped a linear program with '{status}'")


def _add(master: highspy.Highs, members: Members, costs: Floats) -> None:
    real = members >= 0
    starts = np.concatenate(([0], np.cumsum(real.sum(axis=1))[:-1])).astype(np.int32)
    units = members[real].astype(np.int32)
    count = len(members)
    master.addCols(
        count, costs, np.zeros(count), np.full(count, highspy.kHighsInf),
        len(units), starts, units, np.ones(len(units)),
    )  # fmt: skip
