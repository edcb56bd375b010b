"""The choice: which tasks need another annotator, and who should take each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BUDGET = 20
"""Tasks that wait for another annotator at a time, unless somebody says otherwise."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A task as the last sync and the server describe it. `people` annotated or skipped it, `done`
    is how many annotated it, and `counted` how many Label Studio counts. `waits` says that it was
    given to another annotator who has not annotated it yet.
    """

    task: int
    gamma: float | None
    to_decide: int
    people: frozenset[int]
    done: int
    counted: int
    waits: bool = False
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """A task for one more annotator: `who` should take it, None if everybody has annotated it."""

    task: int
    gamma: float | None
    to_decide: int
    overlap: int
    who: int | None


def choose(
    candidates: Iterable[Candidate],
    people: Sequence[int],
    *,
    low: float,
    budget: int,
    most: int | None = None,
) -> list[Route]:
    """The tasks to give to one more annotator, the worst first, at most `budget` waiting.

    A task needs one if its γ is below `low` or if it has places to decide; not if it is settled, if
    it waits already, or if `most` people annotated it. Each goes to the person with the fewest
    tasks in this choice who has not annotated it; of these, to the one with the least work so far.
    """
    found = list(candidates)
    done = Counter(person for one in found for person in one.people)
    load: Counter[int] = Counter()
    routes: list[Route] = []
    left = budget - sum(one.waits for one in found)
    for one in sorted((one for one in found if _needs(one, low, most)), key=_urgency):
        if len(routes) >= left:
            break
        free = [person for person in people if person not in one.people]
        who = min(free, key=lambda person: (load[person], done[person], person), default=None)
        if who is not None:
            load[who] += 1
        routes.append(Route(one.task, one.gamma, one.to_decide, one.counted + 1, who))
    return routes


def _needs(one: Candidate, low: float, most: int | None) -> bool:
    if one.settled or one.waits or one.done < 2:
        return False
    if most is not None and one.done >= most:
        return False
    return one.to_decide > 0 or (one.gamma is not None and one.gamma < low)


def _urgency(one: Candidate) -> tuple[float, int, int]:
    """The lowest γ first; a task without γ has only places to decide, and comes last."""
    return (one.gamma if one.gamma is not None else 2.0), -one.to_decide, one.task
