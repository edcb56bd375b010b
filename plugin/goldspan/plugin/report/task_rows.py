"""Task rows: the lines of a report's task list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.all_tasks import disagreements_of
from goldspan.engine.disagreement import DISAGREEMENT_KINDS, Disagreements
from goldspan.plugin.report.charts import stacked

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.gold.gold import Decision, Gold
    from goldspan.engine.gold.overview import GoldOverview
    from goldspan.engine.result import Result, TaskResult
    from goldspan.plugin.report.surroundings import Surroundings

MOST_PAIR_COSTS = 45
"""So many pairs of annotators have their cost in a line; the highest ones."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A line of the task list; annotators and labels are numbers, `drawn` has an alignment view.
    `gamma` is made once, for its interval takes long; of γcat the value is shown.
    `to_decide` counts the places where a person should decide; `url` is its page on the platform;
    `settled` whether a person marked a version as ground truth.
    """

    number: int
    result: TaskResult
    gamma: Figure
    gamma_cat: float | None
    share: float
    bars: tuple[tuple[float, float], ...]
    mostly: str
    annotators: tuple[int, ...]
    labels: tuple[int, ...]
    costs: str
    drawn: bool
    to_decide: int
    url: str
    settled: bool


def task_rows(
    tasks: Sequence[TaskResult],
    result: Result,
    names: Sequence[str],
    category: Mapping[str, int],
    drawn: int,
    gold: Gold | GoldOverview | None,
    surroundings: Surroundings,
    settled: Collection[str] = (),
) -> Iterator[TaskRow]:
    """A line for each task, in the order given; the first `drawn` can be opened."""
    at = {name: number for number, name in enumerate(names)}
    whole = sum(map(_disorder, disagreements_of(result.tasks)))
    for number, task in enumerate(tasks):
        dearest = sorted(task.costs_of_pairs.items(), key=lambda item: -item[1])[:MOST_PAIR_COSTS]
        kind, part = max(task.disagreements.items(), key=lambda item: item[1].disorder)
        own = _disorder(task.disagreements)
        yield TaskRow(
            number=number,
            result=task,
            gamma=task.gamma,
            gamma_cat=task.value(("gamma_cat", "")),
            share=own / whole if whole else 0.0,
            bars=stacked([task.disagreements[k].disorder for k in DISAGREEMENT_KINDS], own),
            mostly=kind if part.count else "",
            annotators=tuple(at[name] for name in task.annotators),
            labels=tuple(sorted(category[label] for label in task.labels_of("gamma_k"))),
            costs=" ".join(f"{at[a]}-{at[b]}:{cost:.3f}" for (a, b), cost in dearest),
            drawn=number < drawn,
            to_decide=len(decisions_of(gold, task.id)),
            url=surroundings.url_of(task.id),
            settled=task.id in settled,
        )


def _disorder(parts: Disagreements) -> float:
    return sum(part.disorder for part in parts.values())


def decisions_of(gold: Gold | GoldOverview | None, task: str) -> Sequence[Decision]:
    """The places of a task where a person should decide."""
    return () if gold is None else gold.decisions.get(task, ())
