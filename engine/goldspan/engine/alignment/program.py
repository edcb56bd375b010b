"""The paper's 0/1 program (2015, §5.1.2), solved by any solver that PuLP knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pulp

from goldspan.engine.errors import SettingsError, SolverError

DEFAULT_SOLVER = "HiGHS"
"""PuLP's name for HiGHS inside this process: no file is written, no program started."""

MOST_NODES = 2_000
"""HiGHS gives up a program after this many nodes at most, so that every alignment ends."""

_OPTIMAL = 1  # in every version of PuLP


def solvers() -> tuple[str, ...]:
    """The names of the PuLP solvers that work on this machine."""
    return tuple(pulp.listSolvers(onlyAvailable=True))


def check_solver(name: str) -> None:
    """Raise a SettingsError unless PuLP can run the solver of this name."""
    if name not in pulp.listSolvers():
        known = ", ".join(solvers())
        raise SettingsError(f"PuLP knows no solver '{name}'; here it can run {known}")
    if not pulp.getSolver(name, msg=False).available():
        known = ", ".join(solvers())
        raise SettingsError(f"the solver '{name}' is not installed; here PuLP can run {known}")


def solve_partition(
    clusters: Sequence[Sequence[int]],
    costs: Sequence[float],
    solver: str,
    seconds: float | None = None,
    *,
    nodes: int = MOST_NODES,
) -> tuple[list[int], bool]:
    """The cheapest choice of clusters that covers each unit just once, and if it is proved so.

    Each unit alone must be among the clusters. When `seconds` run out, or HiGHS reaches its limit
    of nodes, the choice is the best one found, or a greedy one, and not proved.
    """
    if seconds is not None and seconds <= 0:
        return greedy(clusters, costs), False
    problem = pulp.LpProblem("best_alignment", pulp.LpMinimize)
    chosen = [problem.add_variable(f"x{k}", cat=pulp.LpBinary) for k in range(len(clusters))]
    problem += pulp.lpSum(cost * x for cost, x in zip(costs, chosen, strict=True))
    holders: dict[int, list[pulp.LpVariable]] = {}
    for x, cluster in zip(chosen, clusters, strict=True):
        for unit in cluster:
            holders.setdefault(unit, []).append(x)
    for covering in holders.values():
        problem += pulp.lpSum(covering) == 1
    try:
        answer = problem.solve(pulp.getSolver(solver, **_options(solver, seconds, nodes)))
    except KeyError:  # PuLP 3 has no status for HiGHS's limit of nodes; the values are there
        answer = None
    picked = [k for k, x in enumerate(chosen) if (x.value() or 0.0) > 0.5]
    covered = sorted(unit for k in picked for unit in clusters[k])
    if covered == sorted(holders):
        return picked, _is_optimal(problem, answer)
    if seconds is not None or solver == DEFAULT_SOLVER:
        return greedy(clusters, costs), False
    raise SolverError(
        f"the solver '{solver}' stopped with '{_status(answer)}' and no alignment; "
        "give it more time, or choose another solver"
    )


def _options(solver: str, seconds: float | None, nodes: int) -> dict[str, object]:
    options: dict[str, object] = {"msg": False}
    if seconds is not None:
        options["timeLimit"] = seconds
    if solver == DEFAULT_SOLVER:
        options |= {"threads": 1, "gapRel": 0.0, "mip_max_nodes": nodes}
    return options


def _is_optimal(problem: pulp.LpProblem, answer: Any) -> bool:
    """Whether the solver proved its choice.

    PuLP 4 answers with statistics. PuLP 3 answers with a number, which is that of the optimum also
    where time ran out, and keeps in the problem what the solution is.
    """
    if answer is None:
        return False
    if hasattr(answer, "has_solution"):
        return bool(answer.has_solution and answer.status == _OPTIMAL)
    return bool(problem.sol_status == _OPTIMAL)


def _status(answer: Any) -> str:
    """How the solver stopped, in PuLP's words."""
    return str(answer.status_str if hasattr(answer, "status_str") else pulp.LpStatus[answer])


def greedy(clusters: Sequence[Sequence[int]], costs: Sequence[float]) -> list[int]:
    """Clusters that cost least for each of their units, as long as they do not overlap."""
    covered: set[int] = set()
    picked = []
    for k in sorted(range(len(clusters)), key=lambda k: costs[k] / len(clusters[k])):
        if covered.isdisjoint(clusters[k]):
            covered.update(clusters[k])
            picked.append(k)
    return picked
