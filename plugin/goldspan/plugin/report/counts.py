"""Counts: what all alignments of a result add up to, by label and by annotator, in one pass."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, cast

import numpy as np

from goldspan.engine.alignment.batch.unitaries import UNITS_AT_ONCE, pairs_within, stretches
from goldspan.engine.disagreement import DISAGREEMENT_KINDS

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Ints
    from goldspan.engine.coefficient.difference_columns import DifferenceColumns
    from goldspan.engine.coefficient.observation import Observations
    from goldspan.engine.disagreement import Difference
    from goldspan.engine.result import Result
    from goldspan.engine.task_results import TaskResults

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
    if not isinstance(result.tasks, dict):  # then they are made from columns
        return _count_columns(cast("TaskResults", result.tasks))
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


def _count_columns(tasks: TaskResults) -> Counts:
    """The same, of all tasks at once."""
    columns = tasks.observations.columns
    unmatched = np.zeros(len(columns.labels), np.int64)
    pairs: Counter[tuple[str, str]] = Counter()
    for low, high in stretches(columns.begin):
        some = tasks.observations.between(low, high)
        _count_unmatched(some, unmatched)
        pairs.update(_pairs(some))
    cases, costs = _by_side(tasks.differences)
    return Counts(pairs, dict(zip(columns.labels, unmatched.tolist(), strict=True)), cases, costs)


def _count_unmatched(tasks: Observations, unmatched: Ints) -> None:
    """Add the annotators who have no unit beside those of each label."""
    sizes = np.diff(tasks.unitaries.border)
    absent = np.repeat(tasks.columns.n, tasks.n_unitary) - sizes
    np.add.at(unmatched, tasks.columns.label[tasks.unitaries.member], np.repeat(absent, sizes))


def _pairs(tasks: Observations) -> dict[tuple[str, str], int]:
    """How often two labels are aligned, in the order in which they are first."""
    sizes, labels = np.diff(tasks.unitaries.border), tasks.columns.labels
    label, kinds = tasks.columns.label[tasks.unitaries.member], len(labels)
    one, other = pairs_within(np.repeat(np.arange(len(sizes)), sizes))
    order = np.lexsort((other, one))
    low, high = np.sort((label[one[order]], label[other[order]]), axis=0)
    both, first, often = np.unique(low * kinds + high, return_index=True, return_counts=True)
    return {
        (labels[pair // kinds], labels[pair % kinds]): number
        for pair, number in np.column_stack((both, often))[np.argsort(first)].tolist()
    }


def _by_side(
    found: DifferenceColumns,
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """How often each annotator has differences of each side, and what they cost."""
    names, width = found.columns.names, len(SIDES)
    sides = np.array([SIDES.index(kind) for kind in DISAGREEMENT_KINDS])
    often, cost = np.zeros(len(names) * width, np.int64), np.zeros(len(names) * width)
    mine, theirs = found.people
    for at in range(0, len(mine), UNITS_AT_ONCE):
        some = slice(at, at + UNITS_AT_ONCE)
        side = sides[found.kind[some]]
        my_side = np.where(side == SIDES.index("missed"), SIDES.index("alone"), side)
        cell = np.column_stack((theirs[some] * width + side, mine[some] * width + my_side)).ravel()
        np.add.at(often, cell, 1)
        # Added one after the other, as they are without columns.
        np.add.at(cost, cell, np.repeat(found.disorder[some] / 2, 2))
    shape = len(names), width
    by_name = zip(names, often.reshape(shape).tolist(), cost.reshape(shape).tolist(), strict=True)
    rows = list(by_name)
    return (
        {name: dict(zip(SIDES, own, strict=True)) for name, own, _ in rows if any(own)},
        {name: dict(zip(SIDES, own, strict=True)) for name, some, own in rows if any(some)},
    )


def _sides(difference: Difference) -> tuple[tuple[str, str], tuple[str, str]]:
    mine, kind = difference.unit.annotator, difference.kind
    if difference.absent is not None:
        if kind == "missed":
            return (difference.absent, "missed"), (mine, "alone")
        return (difference.absent, kind), (mine, kind)
    other = difference.other.annotator if difference.other else mine
    return (mine, kind), (other, kind)
