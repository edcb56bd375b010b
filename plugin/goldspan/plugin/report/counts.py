"""Counts: what all alignments of a result add up to, by label and by annotator, in one pass."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.disagreement import Difference
    from goldspan.engine.result import Result, TaskResult

SIDES = ("missed", "alone", "boundary", "label", "split")
"""What an annotator's disagreements are: `missed` is what others marked and this one did not,
`alone` is what this one marked and others did not."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often, over all tasks.

    `pairs` counts pairs of aligned units by their two categories, sorted; `unmatched` a category's
    units once for each annotator who has none there. `cases` and `costs` are by annotator and
    side; the two annotators of a cost share it equally.
    """

    pairs: Mapping[tuple[str, str], int]
    unmatched: Mapping[str, int]
    cases: Mapping[str, Mapping[str, int]]
    costs: Mapping[str, Mapping[str, float]]

    def of(self, label: str) -> int:
        """The pairs of aligned units in which a label takes part."""
        return sum(count for pair, count in self.pairs.items() if label in pair)


def count(result: Result) -> Counts:
    """Go through every alignment once."""
    pairs: Counter[tuple[str, str]] = Counter()
    unmatched: Counter[str] = Counter()
    cases: dict[str, Counter[str]] = defaultdict(Counter)
    costs: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(SIDES, 0.0))
    for task in result.tasks.values():
        for unitary in task.alignment.unitary:
            absent = len(task.annotators) - len(unitary.units)
            for unit in unitary.units:
                unmatched[unit.category] += absent
            for one, other in combinations(unitary.units, 2):
                first, second = sorted((one.category, other.category))
                pairs[first, second] += 1
        for difference in task.differences:
            for name, side in _sides(difference):
                cases[name][side] += 1
                costs[name][side] += difference.disorder / 2
    return Counts(pairs, unmatched, cases, costs)


def pair_costs(task: TaskResult) -> dict[tuple[str, str], float]:
    """What a task's disagreements cost between every two annotators who have any."""
    costs: dict[tuple[str, str], float] = defaultdict(float)
    for difference in task.differences:
        costs[difference.annotators] += difference.disorder
    return dict(costs)


def _sides(difference: Difference) -> tuple[tuple[str, str], tuple[str, str]]:
    mine, kind = difference.unit.annotator, difference.kind
    if difference.absent is not None:
        if kind == "missed":
            return (difference.absent, "missed"), (mine, "alone")
        return (difference.absent, kind), (mine, kind)
    other = difference.other.annotator if difference.other else mine
    return (mine, kind), (other, kind)
