"""Partition: the units of a layout, grouped at the least cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.alignment import Alignment, unitary_alignments
from goldspan.engine.alignment.batch.small import align_small
from goldspan.engine.alignment.batch.unitaries import Marks, Unitaries
from goldspan.engine.alignment.budget import OBSERVED, SLICE, STEPS, Ascent, Budget, Deadline
from goldspan.engine.alignment.clusters import WINDOW, Floats, Ints, Masks, useful_clusters
from goldspan.engine.alignment.frontier import cheapest_cover, numbered
from goldspan.engine.alignment.layout import Layout, lay_out
from goldspan.engine.alignment.space import Space
from goldspan.engine.dissimilarity import Dissimilarity
from goldspan.engine.errors import InputError
from goldspan.engine.positional import RATIO, Positional

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.batch.layouts import Layouts
    from goldspan.engine.alignment.pricing import Members
    from goldspan.engine.alignment.search import Way
    from goldspan.engine.alignment.solution import Solution
    from goldspan.engine.model import Continuum, Unit

FRONTIER_ANNOTATORS = 5
"""With more annotators there are too many useful clusters to list them."""

FRONTIER_CLUSTERS = 400_000
CLUSTERS_A_UNIT = 40
"""The frontier takes as many clusters as 400,000 or, on long continua, forty for each unit: five
annotators have 24 for each, three have 4."""

FRONTIER_STATES = 20_000
"""The frontier has as many states at a time as 20,000 or, on long continua, one for each unit: one
crowded place in a hundred thousand units must not make all of them expensive."""

NEVER = Deadline()

FIRST = 0.5
"""The part of the budget that is for the frontier."""

DISSOLVED, RAISED, RECOMBINED = 0.6, 0.8, 0.9
"""Of an ascent's budget, the part that dissolving clusters may take; of the rest, the part that is
for the bound; and of the rest then, the part that is for integer programs.
"""

MANY = 11
"""Of fewer annotators no ascent is made."""

LEAST = 1_000_000_000
"""With a budget of fewer steps no ascent is made."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Which units belong together: `cluster[u]` numbers the cluster of unit u, from 0 on.

    `cost` is N times the sum of the unitary disorders, N = C(n, 2). No partition costs less than
    `lower_bound`; `optimal` says that none costs less than this one.
    """

    cluster: NDArray[np.int64]
    cost: float
    lower_bound: float
    optimal: bool


def best_partition(
    layout: Layout,
    alpha: float,
    beta_cat: Floats,
    *,
    positional: Positional = RATIO,
    solver: str | None = None,
    seconds: float | None = None,
    steps: int | None = None,
    ascent: Ascent = OBSERVED,
    clock: Callable[[], float] = time.monotonic,
) -> Partition:
    """The cheapest partition of a layout's units into clusters, one unit an annotator at most.

    Without a `solver`, the frontier is tried first and column generation takes what is too wide
    for it; naming a PuLP solver goes the second way at once. Either way is exact. After `seconds`,
    or so many `steps`, the best partition known is returned, and says that it is not proved.
    Of many annotators it then had an `ascent` with steps of its own.
    """
    budget = Budget.of(seconds, clock, steps)
    given = budget.steps
    space = Space(layout, alpha, beta_cat, positional)
    if layout.size == 0:
        return Partition(np.empty(0, dtype=np.int64), 0.0, 0.0, optimal=True)
    if solver is None and layout.n <= FRONTIER_ANNOTATORS:
        first = budget.part(FIRST)
        solved = _by_frontier(space, first)
        if solved is not None:
            return solved
    # What follows takes a moment to load, and few continua need it.
    from goldspan.engine.alignment.search import search  # noqa: PLC0415
    from goldspan.engine.alignment.solution import number  # noqa: PLC0415

    solution = search(space, _exact_way(solver), budget, shares=solver is None)
    if not solution.optimal and layout.n >= MANY and given >= LEAST:
        further = Budget(ascent.steps(layout.size), budget.end, budget.clock)
        solution = _ascended(space, solution, further)
    chosen = _canonical(space, solution, budget) if solution.optimal else None
    if chosen is None:
        chosen = solution.chosen
    cost = float(space.costs(chosen).sum())
    bound = max(0.0, min(solution.bound, cost))
    return Partition(number(chosen, layout.size), cost, bound, solution.optimal)


def _exact_way(solver: str | None) -> Way:
    """How to align what the frontier does not: as a crowd, or with the solver that was named."""
    if solver is None:
        from goldspan.engine.alignment.crowd.crowd import align_crowd  # noqa: PLC0415

        return align_crowd
    from goldspan.engine.alignment.generation import generate  # noqa: PLC0415

    return lambda space, near, _, budget: generate(space, near, solver, budget)


def _by_frontier(space: Space, budget: Budget) -> Partition | None:
    n = space.layout.n
    listed = _useful(space, budget)
    if listed is None:
        return None
    pointers, masks, costs, places = listed
    most = max(FRONTIER_STATES, space.layout.size)
    solved, chosen = cheapest_cover(pointers, masks, costs, places, n, most, budget)
    if not solved:
        return None
    cost = float(costs[chosen].sum())
    return Partition(numbered(pointers, masks, chosen), cost, cost, optimal=True)


def _useful(space: Space, budget: Budget) -> tuple[Ints, Masks, Floats, Floats] | None:
    """The useful clusters by their first unit; None where they are too many to list."""
    size, n = space.layout.size, space.layout.n
    most = max(FRONTIER_CLUSTERS, CLUSTERS_A_UNIT * size)
    near = space.later(most)
    if near is None:
        return None
    parts: list[tuple[Masks, Floats, Floats]] = []
    counts = np.empty(size, dtype=np.int64)
    weights = np.empty(n * n)
    member, following = np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    room = 8 * min(size, 1 << 17) + 64
    at = total = 0
    while at < size:
        if budget.spent:
            return None
        before = budget.slice
        mask, cost, place = np.empty(room, np.uint64), np.empty(room), np.empty(room)
        at, found, left = useful_clusters(
            *space.arrays, size, *space.positional, space.beta_cat, n, *near, most - total, at,
            before, SLICE, weights, member, following, room, counts, mask, cost, place,
        )  # fmt: skip
        budget.charge(before - left)
        if at < 0:
            return None
        parts.append((mask[:found], cost[:found], place[:found]))
        total += found
        if at < size and left > 0:
            room *= 2
    pointers = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(counts, out=pointers[1:])
    if len(parts) == 1:
        return pointers, *parts[0]
    masks, costs, places = map(np.concatenate, zip(*parts, strict=True))
    return pointers, masks, costs, places


def _canonical(space: Space, solution: Solution, budget: Budget) -> Members | None:
    """Of all best alignments the one the frontier takes, so that no solver decides between them.

    None where the frontier does not reach.
    """
    members = solution.candidates  # sorted: by first unit, each cluster's units in order
    offset = np.where(members >= 0, members - members[:, :1], 0)
    if offset.max() >= WINDOW:
        return None
    bit = np.where(members >= 0, np.uint64(1) << offset.astype(np.uint64), np.uint64(0))
    pointers = np.searchsorted(members[:, 0], np.arange(space.layout.size + 1))
    solved, chosen = cheapest_cover(
        pointers, bit.sum(axis=1), space.costs(members), space.places(members),
        space.layout.n, FRONTIER_STATES, budget,
    )  # fmt: skip
    return members[chosen] if solved else None


def _ascended(space: Space, known: Solution, budget: Budget) -> Solution:
    """The alignment and its bound after an ascent, and of the clusters found on the way."""
    # What follows takes a moment to load, and few crowds need it.
    from goldspan.engine.alignment.agglomeration import improve  # noqa: PLC0415
    from goldspan.engine.alignment.crowd.ascent import ascend  # noqa: PLC0415
    from goldspan.engine.alignment.crowd.dissolution import dissolve  # noqa: PLC0415
    from goldspan.engine.alignment.crowd.duals import reduced  # noqa: PLC0415
    from goldspan.engine.alignment.crowd.recombination import recombine  # noqa: PLC0415
    from goldspan.engine.alignment.solution import Solution, members, number  # noqa: PLC0415

    near = space.neighbourhood()
    cluster = number(known.chosen, space.layout.size)
    with _part(budget, DISSOLVED) as part:
        cluster = dissolve(space, cluster, part)
    with _part(budget, RAISED) as part:
        found = ascend(space, near, members(space, cluster), part)
    with _part(budget, RECOMBINED) as part:
        price = reduced(space, found.towards, found.members)
        cluster = recombine(space, cluster, found.members, price, part)
    chosen = members(space, improve(space, near, cluster, budget))
    chosen = min(known.chosen, chosen, key=lambda one: float(space.costs(one).sum()))
    bound = max(known.bound, found.bound)
    cost = float(space.costs(chosen).sum())
    return Solution(chosen, chosen, bound, optimal=cost <= bound)


@contextmanager
def _part(budget: Budget, share: float) -> Iterator[Budget]:
    """A part of what is left; what is used of it is charged."""
    part = budget.part(share)
    given = part.steps
    yield part
    budget.charge(given - part.steps)


@dataclass(frozen=True, slots=True)
class Partitions:
    """A `Partition` for each layout, as columns; `cluster` has an item for each unit."""

    cluster: Ints
    cost: Floats
    lower_bound: Floats
    optimal: NDArray[np.bool_]

    @classmethod
    def join(cls, parts: Sequence[Partitions]) -> Partitions:
        """Those of several sets of layouts, one set after the other."""
        return cls(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__)
        )

    def between(self, first: int, last: int, units: slice) -> Partitions:
        """Those from number `first` on, up to `last`, which have these units."""
        some = slice(first, last)
        return Partitions(
            self.cluster[units], self.cost[some], self.lower_bound[some], self.optimal[some]
        )


def best_partitions(
    layouts: Layouts,
    alpha: float,
    beta_cat: Floats,
    *,
    positional: Positional = RATIO,
    solver: str | None = None,
    seconds: float | None = None,
    deadline: Deadline = NEVER,
    steps: int | None = None,
    ascent: Ascent = OBSERVED,
) -> Partitions:
    """The cheapest partition of each layout, with the arguments of `best_partition`, and a deadline
    for all of them.
    """
    count = len(layouts)
    limits = FRONTIER_ANNOTATORS, FRONTIER_CLUSTERS, FRONTIER_STATES
    first = int(FIRST * (STEPS if steps is None else steps))
    # A solver, or a time limit for each of them, asks for more than the kernel can.
    by_kernel = solver is None and seconds is None
    cluster, price, found = align_small(
        layouts, alpha, beta_cat, positional, limits, first if by_kernel else 0
    )
    cost, bound, optimal = np.empty(count), np.empty(count), np.ones(count, np.bool_)
    for k, (low, high) in enumerate(zip(layouts.begin.tolist(), found.tolist(), strict=False)):
        if high:
            cost[k] = bound[k] = price[low : low + high].sum()
            continue
        one = best_partition(
            layouts[k], alpha, beta_cat, positional=positional, solver=solver,
            seconds=deadline.limit(seconds), steps=steps, ascent=ascent,
        )  # fmt: skip
        cluster[low : layouts.begin[k + 1]] = one.cluster
        cost[k], bound[k], optimal[k] = one.cost, one.lower_bound, one.optimal
    return Partitions(cluster, cost, bound, optimal)


def best_alignment(
    continuum: Continuum,
    dissimilarity: Dissimilarity | None = None,
    *,
    solver: str | None = None,
    seconds: float | None = None,
) -> Alignment:
    """The alignment of least disorder of those who take part in a continuum.

    It is exact unless `seconds` ran out, and then says so. `solver` names a PuLP solver to use
    instead of the default way.
    """
    annotators = continuum.annotators
    if len(annotators) < 2:
        raise InputError(
            f"an alignment needs two annotators, there are {len(annotators)}",
            where=f"task '{continuum.id}'",
        )
    if not any(unit.annotator in annotators for unit in continuum.units):
        raise InputError("there is no unit to align", where=f"task '{continuum.id}'")
    dissimilarity = dissimilarity or Dissimilarity()
    categories = continuum.categories
    layout, units = lay_out(continuum, annotators, {c: i for i, c in enumerate(categories)})
    categorial = dissimilarity.categorial(categories)
    partition = best_partition(
        layout, dissimilarity.alpha, dissimilarity.beta * categorial,
        positional=dissimilarity.positional, solver=solver, seconds=seconds,
    )  # fmt: skip
    return describe(partition, units, annotators, dissimilarity)


def describe(
    partition: Partition,
    units: Sequence[Unit],
    annotators: tuple[str, ...],
    dissimilarity: Dissimilarity,
) -> Alignment:
    """A partition of units in words that a person can follow."""
    labels = sorted({unit.category for unit in units})
    label = {name: at for at, name in enumerate(labels)}
    name = {name: at for at, name in enumerate(sorted(annotators))}
    marks = Marks(
        np.array([unit.start for unit in units], dtype=np.float64),
        np.array([unit.end for unit in units], dtype=np.float64),
        np.array([label[unit.category] for unit in units]),
        np.array([name[unit.annotator] for unit in units]),
        np.array([0, len(units)]),
    )
    n = len(annotators)
    apart = dissimilarity.categorial(labels)
    found = Unitaries.of(marks, partition.cluster, np.array([n]), dissimilarity, apart)
    scale = n * (n - 1) / 2 * len(units) / n
    return Alignment(
        annotators=annotators,
        unitary=unitary_alignments(found, [units[u] for u in found.member.tolist()]),
        disorder=partition.cost / scale,
        lower_bound=partition.lower_bound / scale,
        optimal=partition.optimal,
    )
