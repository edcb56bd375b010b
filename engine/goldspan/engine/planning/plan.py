"""Plan: how many tasks and annotators a study needs for an interval of a given width, from a pilot.

The plan is the smallest number of tasks with which the share of new rounds that reach the width is
as large as asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.coefficient.resampling import LEAST_TASKS
from goldspan.engine.errors import InputError
from goldspan.engine.planning.annotators import FEWEST, AnnotatorPart, annotator_part
from goldspan.engine.planning.new_rounds import MOST_TASKS, NewRounds
from goldspan.engine.planning.pilot import Pilot, Target, pilot_of

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Key
    from goldspan.engine.result import Result

MORE_ANNOTATORS = (-1, 0, 1, 2, 4)
"""By how many the annotators for each task might grow; the first is one fewer."""

MOST_ANNOTATORS = 20
"""A plan adds no more of them to a task."""

CHART_POINTS = 14
PLANNED = ("gamma", "gamma_cat", "gamma_k")


@dataclass(frozen=True, slots=True)
class FigurePlan:
    """What a figure needs.

    pilot      tasks of the pilot that have a part in it
    now        half of its interval's width in the pilot
    tasks      how many tasks reach the width with the assurance; None if MOST_TASKS do not
    low, high  between which numbers those are that reach it on average, as far as the pilot tells
               (90 %); None if MOST_TASKS do not
    with_more  half of the width to expect with `more` tasks
    with_another  the same as `now`, with one more annotator of the same kind for each task; None if
               unknown
    added      how many more annotators of the same kind for each task reach the width with the
               pilot's number of tasks and the assurance; None if unknown or MOST_ANNOTATORS do not
    by_annotators  more annotators for each task, and how many tasks reach the width then, as in
               `tasks`; nothing if unknown
    widths     numbers of tasks, and the half widths that a share `assurance` of rounds reaches
    """

    key: Key
    value: float
    pilot: int
    now: float
    tasks: int | None
    low: int | None
    high: int | None
    with_more: float
    with_another: float | None
    added: int | None
    by_annotators: tuple[tuple[int, int | None], ...]
    widths: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The plan of a study; `left_out` are figures whose pilot tells too little. `annotators` are
    all who took part, `per_task` those of a task on average.
    """

    target: Target
    tasks: int
    annotators: int
    per_task: float
    figures: tuple[FigurePlan, ...]
    left_out: tuple[Key, ...]


def plan(result: Result, target: Target, others: Sequence[Result] = ()) -> StudyPlan:
    """What γ, γcat and γk of each label need. `others` are the results of the `thinned` corpus:
    they tell what more annotators could bring.
    """
    if len(result.tasks) < LEAST_TASKS:
        raise InputError(
            f"the pilot has {_tasks(len(result.tasks))} that can be scored; a plan needs "
            f"{LEAST_TASKS} or more, because it rests on how they differ"
        )
    planned, left_out = [], []
    for key, figure in result.figures.items():
        if key[0] not in PLANNED:
            continue
        pilot = pilot_of(result, key)
        if figure.value is None or figure.value == 1 or pilot.count < LEAST_TASKS:
            left_out.append(key)
        else:
            planned.append(plan_figure(key, pilot, target, annotator_part(result, key, others)))
    counts = [len(task.annotators) for task in result.tasks.values()]
    people = {name for task in result.tasks.values() for name in task.annotators}
    return StudyPlan(
        target, len(counts), len(people), sum(counts) / len(counts), tuple(planned),
        tuple(left_out),
    )  # fmt: skip


def _tasks(number: int) -> str:
    return "1 task" if number == 1 else f"{number} tasks"


def plan_figure(
    key: Key, pilot: Pilot, target: Target, annotators: AnnotatorPart | None = None
) -> FigurePlan:
    """The plan of one figure; `annotators` says how much of the variance is theirs."""
    rounds = NewRounds(pilot, target)
    tasks = rounds.least_tasks()
    low, high = rounds.range_of_tasks()
    size = rounds.size
    return FigurePlan(
        key=key,
        value=1 - rounds.ratio,
        pilot=pilot.count,
        now=rounds.half_width(size),
        tasks=tasks,
        low=low,
        high=high,
        with_more=rounds.half_width(size + target.more),
        with_another=rounds.half_width(size, annotators.share(1)) if annotators else None,
        added=_added(rounds, annotators) if annotators else None,
        by_annotators=tuple(_by_annotators(rounds, annotators, tasks)) if annotators else (),
        widths=tuple(_widths(rounds, tasks or MOST_TASKS)),
    )


def _added(rounds: NewRounds, annotators: AnnotatorPart) -> int | None:
    """The least number of further annotators for each of the pilot's tasks."""
    return next(
        (
            more
            for more in range(MOST_ANNOTATORS + 1)
            if rounds.reached(rounds.size, annotators.share(more))
        ),
        None,
    )


def _by_annotators(
    rounds: NewRounds, annotators: AnnotatorPart, tasks: int | None
) -> Iterator[tuple[int, int | None]]:
    for more in MORE_ANNOTATORS:
        if more == 0:
            yield more, tasks
        elif min(annotators.counts) + more >= FEWEST:
            yield more, rounds.least_tasks(annotators.share(more))


def _widths(rounds: NewRounds, most: int) -> Iterator[tuple[int, float]]:
    """Points for a chart, up to somewhat more than is needed."""
    end = max(1.3 * most, 1.3 * rounds.size, 20)
    for tasks in sorted({int(one) for one in np.geomspace(LEAST_TASKS, end, CHART_POINTS)}):
        width = rounds.assured_width(tasks)
        if np.isfinite(width):
            yield tasks, width
