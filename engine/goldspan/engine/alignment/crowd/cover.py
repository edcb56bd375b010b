"""Cover: the best alignment among those that cost little more than a lower bound.

With duals π that no cluster violates, an alignment costs Σ π and the reduced costs of its clusters,
none of which is negative. So one that costs up to θ more than Σ π has only clusters of reduced cost
up to θ, and no part of it has spent more. One pass over the sorted units finds the best of those: a
state is the set of later units that are already covered, and the least that was spent on it.

Between equal ones, the units that are closer together are preferred, as by the frontier; then the
way through the state whose units come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.alignment.kernel import kernel
from goldspan.engine.alignment.weight import better

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Budget
    from goldspan.engine.alignment.clusters import Floats, Ints, Masks
    from goldspan.engine.alignment.pricing import Members

Numbers: TypeAlias = NDArray[np.int32]

WORDS = 4
REACH = 64 * WORDS
"""A mask has a bit for each unit, by its number modulo this; no cluster reaches further."""

MOST_ALIVE = 60_000
"""More states than this are not kept for one unit, but those that spent least."""

MOST_STATES = 16_000_000
"""More states than this are not remembered over all units."""

_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Covered:
    """The chosen clusters, by number; `none` where no choice spends so little.

    It is `whole` unless states were left out: then it may not be the best, or not all there is.
    """

    chosen: Ints
    none: bool
    whole: bool


def cover(
    size: int,
    members: Members,
    spends: Floats,
    places: Floats,
    theta: float,
    budget: Budget,
    most: int = MOST_ALIVE,
) -> Covered:
    """The choice among clusters, which are sorted by first unit, that spends least; θ at most."""
    nothing = np.empty(0, np.int64)
    pointers = np.searchsorted(members[:, 0], np.arange(size + 1))
    last = members.max(axis=1)
    if (last - members[:, 0]).max(initial=0) >= REACH:
        return Covered(nothing, none=True, whole=False)
    masks = np.zeros((len(members), WORDS), np.uint64)
    _mask(members, masks)
    room = 2 * most
    alive = _layer(room)
    alive[0][0, :], alive[1][0], alive[2][0], alive[3][0] = 0, 0.0, 0.0, -1
    spare = _layer(room)
    slots = 1 << (4 * room - 1).bit_length()
    table, stamp = np.empty(slots, np.int64), np.zeros(slots, np.int64)
    before: Numbers = np.empty(4 * room, np.int32)
    taken: Numbers = np.empty(4 * room, np.int32)
    at, count, known, whole = 0, 1, 0, True
    while at < size:
        if budget.spent or known + room > MOST_STATES:
            return Covered(nothing, none=True, whole=False)
        if known + room > len(before):
            before = np.concatenate((before, np.empty_like(before)))
            taken = np.concatenate((taken, np.empty_like(taken)))
        steps = budget.slice
        at, count, known, whole, left = _sweep(
            pointers, masks, spends, places, theta + _EPSILON, *alive, *spare, table, stamp,
            before, taken, at, count, known, most, whole, steps,
        )  # fmt: skip
        budget.charge(steps - left)
        if count == 0:
            return Covered(nothing, none=True, whole=whole)
    chosen = np.empty(size, np.int64)
    picked = _retrace(before, taken, alive[3][0], chosen)
    return Covered(chosen[picked:], none=False, whole=whole)


def _layer(room: int) -> tuple[Masks, Floats, Floats, Ints]:
    """Room for states: what is covered, spent, how far apart, and the number of the state."""
    return np.empty((room, WORDS), np.uint64), np.empty(room), np.empty(room), np.empty(room, int)


@kernel
def _mask(members: Members, masks: Masks) -> None:
    for k in range(len(members)):
        for u in members[k]:
            if u >= 0:
                masks[k, u // 64 % WORDS] |= np.uint64(1) << np.uint64(u % 64)


@kernel
def _comes_first(one: Masks, other: Masks, unit: int) -> bool:
    """Whether a mask comes before another: by its units, from `unit` on, a beginning first."""
    for u in range(unit, unit + REACH):
        bit = np.uint64(1) << np.uint64(u % 64)
        word = u // 64 % WORDS
        here, there = one[word] & bit, other[word] & bit
        if here != there:
            ended = True
            for w in range(u + 1, unit + REACH):
                later = np.uint64(1) << np.uint64(w % 64)
                if (other if here else one)[w // 64 % WORDS] & later:
                    ended = False
                    break
            return bool(here) != ended
    return False


@kernel
def _slot(table: Ints, stamp: Ints, mask: Masks, wanted: Masks, step: int) -> int:
    """The slot of a mask in the hash table of this step, or the free slot it belongs in."""
    mixed = np.uint64(0)
    for word in range(WORDS):
        mixed = (mixed ^ wanted[word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    last = len(table) - 1
    slot = int(mixed >> np.uint64(20)) & last
    while stamp[slot] == step:
        same = True
        for word in range(WORDS):
            same = same and mask[table[slot], word] == wanted[word]
        if same:
            break
        slot = (slot + 1) & last
    return slot


@kernel
def _sweep(
    pointers: Ints, masks: Masks, spends: Floats, places: Floats, theta: float,
    mask: Masks, spent: Floats, place: Floats, number: Ints,
    new_mask: Masks, new_spent: Floats, new_place: Floats, new_before: Ints,
    table: Ints, stamp: Ints, before: Numbers, taken: Numbers,
    first: int, count: int, known: int, most: int, whole: bool, steps: int,
) -> tuple[int, int, int, bool, int]:  # fmt: skip
    """Take the units from `first` on, until the steps or the room for states are used up: (the next
    unit, how many states are alive, how many are remembered, whether none was left out, steps
    left).
    """
    room = len(spent)
    choice = np.empty(room, np.int64)
    u = first
    while u < len(pointers) - 1 and steps > 0 and known + room <= len(before) and count > 0:
        top, fits, took = _expand(
            u, pointers, masks, spends, places, theta, mask, spent, place, count,
            new_mask, new_spent, new_place, new_before, choice, table, stamp,
        )  # fmt: skip
        steps -= took
        limit = np.sort(new_spent[:top])[most - 1] if top > most else np.inf
        whole = whole and fits and top <= most
        kept = 0
        for s in range(top):
            if new_spent[s] > limit or kept == most:
                continue
            before[known + kept], taken[known + kept] = number[new_before[s]], choice[s]
            new_before[kept] = s
            kept += 1
        for k in range(kept):
            s = new_before[k]
            for w in range(WORDS):
                mask[k, w] = new_mask[s, w]
            spent[k], place[k], number[k] = new_spent[s], new_place[s], known + k
        known, count, u = known + kept, kept, u + 1
    return u, count, known, whole, steps


@kernel
def _expand(
    u: int, pointers: Ints, masks: Masks, spends: Floats, places: Floats, theta: float,
    mask: Masks, spent: Floats, place: Floats, count: int,
    new_mask: Masks, new_spent: Floats, new_place: Floats, new_before: Ints, choice: Ints,
    table: Ints, stamp: Ints,
) -> tuple[int, bool, int]:  # fmt: skip
    """The states after unit u: (how many, whether there was room for all, steps)."""
    wanted = np.empty(WORDS, np.uint64)
    word, bit = u // 64 % WORDS, np.uint64(1) << np.uint64(u % 64)
    top, fits, steps = 0, True, 0
    for q in range(count):
        covered = mask[q, word] & bit != 0
        low = pointers[u]
        high = low + 1 if covered else pointers[u + 1]
        steps += 3 * (high - low)
        for k in range(low, high):
            cost, apart = spent[q], place[q]
            free = True
            for w in range(WORDS):
                wanted[w] = mask[q, w]
            if not covered:
                cost, apart = cost + spends[k], apart + places[k]
                free = cost <= theta
                for w in range(WORDS):
                    free = free and mask[q, w] & masks[k, w] == 0
                    wanted[w] |= masks[k, w]
            if not free:
                continue
            wanted[word] &= ~bit
            steps += 30
            slot = _slot(table, stamp, new_mask, wanted, u + 1)
            if stamp[slot] == u + 1:
                s = table[slot]
                if better(new_spent[s], new_place[s], cost, apart):
                    continue
                same = not better(cost, apart, new_spent[s], new_place[s])
                if same and not _comes_first(mask[q], mask[new_before[s]], u):
                    continue
            else:
                if top == len(new_spent):
                    fits = False
                    continue
                s, top = top, top + 1
                stamp[slot], table[slot] = u + 1, s
                for w in range(WORDS):
                    new_mask[s, w] = wanted[w]
            new_spent[s], new_place[s], new_before[s] = cost, apart, q
            choice[s] = -1 if covered else k
    return top, fits, steps


@kernel
def _retrace(before: Numbers, taken: Numbers, state: int, chosen: Ints) -> int:
    """Put the clusters on the way to a state at the end of `chosen`; where they begin."""
    at = len(chosen)
    while state >= 0:
        if taken[state] >= 0:
            at -= 1
            chosen[at] = taken[state]
        state = before[state]
    return at
