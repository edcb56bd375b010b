"""Order: what a person should decide first.

The value of a decision is p·effect / seconds: the errors it is expected to mend in a second. Pure
value order jumps between texts, and reading costs more than deciding, so the best site is followed
by up to five more of its task that are worth at least half as much, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

from goldspan.engine.gold.gold import Question

if TYPE_CHECKING:
    from goldspan.engine.adjudication.site import Site

SECONDS: Mapping[Question, float] = {
    Question.LABEL: 3.0,
    Question.MISS: 4.0,
    Question.BOUNDARY: 8.0,
    Question.SPLIT: 10.0,
    Question.CHECK: 4.0,
}
"""How long a decision takes, until some were measured."""

LEAST_TIMES = 5
LONGEST_MS = 120_000
"""A decision that took longer was interrupted."""

COMPANIONS = 5
LEAST_SHARE = 0.5


def usual_seconds(times: Mapping[Question, Sequence[int]]) -> dict[Question, float]:
    """The median time of each question in seconds, given those measured in milliseconds."""
    found = dict(SECONDS)
    for question, measured in times.items():
        kept = [one for one in measured if 0 < one <= LONGEST_MS]
        if len(kept) >= LEAST_TIMES:
            found[question] = max(median(kept) / 1000, 0.5)
    return found


def rank(sites: Iterable[Site], values: Mapping[str, float]) -> list[Site]:
    """The sites, most valuable first."""
    return sorted(sites, key=lambda site: (-round(values[site.id], 12), site.id))


def arrange(ranked: Sequence[Site], values: Mapping[str, float]) -> Iterator[Site]:
    """Ranked sites, each followed by its companions of the same task."""
    by_task: dict[str, list[Site]] = {}
    for site in ranked:
        by_task.setdefault(site.task, []).append(site)
    taken: set[str] = set()
    for best in ranked:
        if best.id in taken:
            continue
        least = LEAST_SHARE * values[best.id]
        waiting = by_task[best.task] = [s for s in by_task[best.task] if s.id not in taken]
        run = [best]
        for site in waiting:
            if len(run) > COMPANIONS or values[site.id] < least:
                break
            if site is not best:
                run.append(site)
        taken.update(site.id for site in run)
        yield best
        yield from sorted(run[1:], key=lambda site: (site.start, site.end, site.id))
