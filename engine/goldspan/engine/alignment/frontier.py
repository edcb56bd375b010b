"""The frontier: an exact best alignment in one pass over the sorted units.

Units are taken in order. A state is the set of later units that are already covered, as a mask
from the current unit on; a unit that is not covered yet starts one of its clusters. Units interact
only with near ones, so few states are alive at a time, and the cheapest way into each is kept.

Two states of one step can be compared: with f(M) the least cost of covering all but M,

    f(M) ≤ f(M ∪ {u}) + N         u can stand alone
    f(M ∪ {u}) ≤ f(M) + (n - 1)   u can leave its cluster, at most 1 for each other member

so a state that costs more than another by more than these differences is never part of the best.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from goldspan.engine.alignment.budget import SLICE, Budget
from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.native import native
from goldspan.engine.alignment.weight import better

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats, Ints, Masks

Number = TypeVar("Number", np.int64, np.uint64, np.float64)

CHAMPIONS = 8
"""How many of a step's best states the others are compared with."""

SLOTS = 256
"""Where a step's hash table begins; it becomes four times as large whenever it is half full."""

COMPACT = 1 << 19
"""From this many states on, those that led nowhere are dropped before memory grows."""

States: TypeAlias = "tuple[Masks, Floats, Floats, Ints, Ints]"
"""mask, cost, place, the state before, and the cluster taken (-1: the unit was covered)."""


@kernel
def _count(mask: int) -> int:
    """The number of units in a mask."""
    x = mask - ((mask >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def _comes_first(one: int, other: int) -> bool:
    """Whether the units of a mask come before those of another, a beginning before the whole."""
    apart = one ^ other
    lowest = apart & (~apart + np.uint64(1))
    if one & lowest:
        return other >= lowest
    return one < lowest


@kernel
def _find(table: Ints, stamp: Ints, slots: int, mask: Masks, wanted: int, step: int) -> int:
    """The slot of a state in the hash table of this step, or the free slot it belongs in."""
    last = slots - 1
    mixed = wanted * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(mixed >> np.uint64(32)) & last
    while stamp[slot] == step and mask[table[slot]] != wanted:
        slot = (slot + 1) & last
    return slot


@kernel
def _rehash(
    table: Ints, stamp: Ints, slots: int, mask: Masks, low: int, high: int, step: int
) -> None:
    """Make the table one of so many slots, which holds the states [low, high)."""
    for slot in range(slots):
        stamp[slot] = 0
    for state in range(low, high):
        slot = _find(table, stamp, slots, mask, mask[state], step)
        stamp[slot] = step
        table[slot] = state


@kernel
def _champions(
    mask: Masks, cost: Floats, low: int, high: int, n: int, best: Ints, scores: Floats, room: int
) -> int:
    """Put the states of [low, high) that promise most into `best`, from `room` on; how many."""
    crowned = 0
    for state in range(low, high):
        # What a covered unit is worth is a guess; it only decides with whom others compare.
        score = cost[state] - 0.4 * n * _count(mask[state])
        if crowned < CHAMPIONS:
            crowned += 1
        elif score >= scores[room + crowned - 1]:
            continue
        at = room + crowned - 1
        while at > room and scores[at - 1] > score:
            scores[at] = scores[at - 1]
            best[at] = best[at - 1]
            at -= 1
        scores[at] = score
        best[at] = state
    return crowned


@kernel
def _prune(states: States, room: int, low: int, high: int, n: int) -> int:
    """Drop the states of [low, high) that a champion beats; where the others end."""
    mask, cost, place, before, taken = states
    pairs = n * (n - 1) / 2
    champions = _champions(mask, cost, low, high, n, before, place, room)
    # Survivors move down, over the champions too: compare with copies, past all states.
    for c in range(room, room + champions):
        mask[c] = mask[before[c]]
        cost[c] = cost[before[c]]
    end = low
    for state in range(low, high):
        beaten = False
        for c in range(room, room + champions):
            apart = pairs * _count(mask[state] & ~mask[c])
            apart += (n - 1) * _count(mask[c] & ~mask[state])
            if cost[state] - cost[c] > apart + 1e-6:
                beaten = True
                break
        if not beaten:
            mask[end] = mask[state]
            cost[end] = cost[state]
            place[end] = place[state]
            before[end] = before[state]
            taken[end] = taken[state]
            end += 1
    return end


@native
def retrace(before: Ints, taken: Ints, state: int, size: int, chosen: Ints) -> int:
    """Put the clusters taken on the way to a state at the end of `chosen`, first to last; where
    they begin.
    """
    at = size
    while state >= 0:
        if taken[state] >= 0:
            at -= 1
            chosen[at] = taken[state]
        state = before[state]
    return at


@kernel
def _compact(states: States, low: int, high: int) -> tuple[int, int]:
    """Drop the states that none of [low, high) came from; the new places of those."""
    mask, cost, place, before, taken = states
    new = np.empty(high, np.int64)
    for state in range(high):
        new[state] = -1
    for state in range(high - 1, -1, -1):
        if state >= low or new[state] == -2:
            new[state] = 0
            if before[state] >= 0 and new[before[state]] < 0:
                new[before[state]] = -2
    end = 0
    for state in range(high):
        if state == low:
            low = end
        if new[state] < 0:
            continue
        new[state] = end
        mask[end], cost[end], place[end] = mask[state], cost[state], place[state]
        before[end] = new[before[state]] if before[state] >= 0 else -1
        taken[end] = taken[state]
        end += 1
    return low, end


@native
def sweep(
    pointers: Ints,
    masks: Masks,
    costs: Floats,
    places: Floats,
    size: int,
    n: int,
    most: int,
    mask: Masks,
    cost: Floats,
    place: Floats,
    before: Ints,
    taken: Ints,
    room: int,
    table: Ints,
    stamp: Ints,
    low: int,
    high: int,
    first: int,
    steps: int,
) -> tuple[int, int, int, int]:
    """Take the units from `first` on, until the steps are used up or there is no room for more.

    As (next unit, low, high, steps left), [low, high) being the states alive. A unit for which
    there was no room is taken again from its beginning. The next unit is -1 when more than `most`
    would be alive, a unit takes SLICE steps more than there were, or the clusters given cannot
    cover every unit. There is room for so many states, and for CHAMPIONS more.
    """
    one = np.uint64(1)
    states = mask, cost, place, before, taken
    slots = SLOTS
    _rehash(table, stamp, slots, mask, 0, 0, 0)
    u = first
    while u < size and steps > 0:
        begun = steps
        top = high
        for q in range(low, high):
            covered = mask[q] & one != 0
            k = pointers[u]
            stop = k + 1 if covered else pointers[u + 1]
            steps -= 10 * (stop - k)
            if steps < -SLICE:
                return -1, low, high, steps
            while k < stop:
                cluster, k = k, k + 1
                if covered:
                    new_mask, new_cost, new_place, cluster = mask[q] >> one, cost[q], place[q], -1
                elif masks[cluster] & mask[q]:
                    continue
                else:
                    new_mask = (mask[q] | masks[cluster]) >> one
                    new_cost = cost[q] + costs[cluster]
                    new_place = place[q] + places[cluster]
                slot = _find(table, stamp, slots, mask, new_mask, u + 1)
                if stamp[slot] == u + 1:
                    s = table[slot]
                    if better(cost[s], place[s], new_cost, new_place):
                        continue
                    if not (
                        better(new_cost, new_place, cost[s], place[s])
                        or _comes_first(mask[q], mask[before[s]])
                    ):
                        continue
                else:
                    if top - high >= most:
                        return -1, low, high, steps
                    if top == room:
                        return u, low, high, begun
                    s, top = top, top + 1
                    stamp[slot] = u + 1
                    table[slot] = s
                mask[s], cost[s], place[s], before[s], taken[s] = (
                    new_mask, new_cost, new_place, q, cluster,
                )  # fmt: skip
                if 2 * (top - high) > slots:
                    slots *= 4
                    _rehash(table, stamp, slots, mask, high, top, u + 1)
        if top == high:
            return -1, low, high, steps
        low, high = high, _prune(states, room, high, top, n) if top - high > 4 else top
        u += 1
    return u, low, high, steps


def cheapest_cover(
    pointers: Ints,
    masks: Masks,
    costs: Floats,
    places: Floats,
    n: int,
    most: int,
    budget: Budget,
) -> tuple[bool, Ints]:
    """The cheapest partition into the given clusters: (solved, the chosen clusters).

    Not solved, with nothing chosen, when more than `most` states would be alive at one step, the
    clusters given cannot cover every unit, or the budget ends before.
    """
    size = len(pointers) - 1
    room = max(4096, min(8 * size, 2 * COMPACT)) + CHAMPIONS
    states: States = (
        np.empty(room, np.uint64),
        np.empty(room),
        np.empty(room),
        np.empty(room, np.int64),
        np.empty(room, np.int64),
    )
    for array, value in zip(states, (0, 0.0, 0.0, -1, -1), strict=True):
        array[0] = value
    low, high, at = 0, 1, 0
    while at < size:
        if budget.spent:
            return False, pointers[:0]
        before, room = budget.slice, len(states[0]) - CHAMPIONS
        table, stamp = _hash_table(min(most, room))
        at, low, high, left = sweep(
            pointers, masks, costs, places, size, n, most, *states, room,
            table, stamp, low, high, at, before,
        )  # fmt: skip
        budget.charge(before - left)
        if at < 0:
            return False, pointers[:0]
        if at < size and left > 0:
            states, low, high = _with_room(states, low, high, most)
    chosen = np.empty(size, np.int64)
    return True, chosen[retrace(states[3], states[4], low, size, chosen) :]


def _hash_table(states: int) -> tuple[Ints, Ints]:
    """Room for the table and the stamps of a step with so many states."""
    slots = SLOTS
    while slots < 2 * states:
        slots *= 4
    return np.empty(slots, np.int64), np.empty(slots, np.int64)


def _with_room(states: States, low: int, high: int, most: int) -> tuple[States, int, int]:
    """The states with more room, and the new places of those alive; a unit adds `most` or fewer."""
    if high > COMPACT:
        low, high = _compact(states, low, high)
    mask, cost, place, before, taken = states
    if len(mask) - CHAMPIONS < max(4 * high, high + most + 1):
        states = (
            _doubled(mask), _doubled(cost), _doubled(place), _doubled(before), _doubled(taken),
        )  # fmt: skip
    return states, low, high


def _doubled(array: NDArray[Number]) -> NDArray[Number]:
    return np.concatenate((array, np.empty_like(array)))


def numbered(pointers: Ints, masks: Masks, chosen: Ints) -> Ints:
    """For each unit the number of its cluster, in the order of the chosen ones."""
    cluster = np.empty(len(pointers) - 1, np.int64)
    number_units(pointers, masks, chosen, len(chosen), cluster)
    return cluster


@native
def number_units(pointers: Ints, masks: Masks, chosen: Ints, count: int, cluster: Ints) -> int:
    first = 0
    for k in range(count):
        while pointers[first + 1] <= chosen[k]:
            first += 1
        rest = masks[chosen[k]]
        unit = first
        while rest:
            if rest & np.uint64(1):
                cluster[unit] = k
            rest >>= np.uint64(1)
            unit += 1
    return count
