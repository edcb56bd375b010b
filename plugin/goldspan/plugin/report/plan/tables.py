"""Tables: the plan of a study as rows of text and for programs, and what a reader has to know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from goldspan.engine.simulation.experiment import label_of
from goldspan.plugin.report import wording

if TYPE_CHECKING:
    from goldspan.engine.planning import FigurePlan, StudyPlan

HEAD = ("figure", "value", "± now", "tasks needed", "on average", "± with more", "± with another")


def _cells(figure: FigurePlan) -> tuple[str, ...]:
    another = "–" if figure.with_another is None else f"{figure.with_another:.3f}"
    return (
        label_of(figure.key), f"{figure.value:.3f}", f"{figure.now:.3f}", _number(figure.tasks),
        _range(figure), f"{figure.with_more:.3f}", another,
    )  # fmt: skip


def _number(tasks: int | None) -> str:
    return wording.TOO_MANY if tasks is None else f"{tasks}"


def _range(figure: FigurePlan) -> str:
    if figure.low is None:
        return wording.TOO_MANY
    return f"{figure.low} or more" if figure.high is None else f"{figure.low} to {figure.high}"


def _by_annotators(plan: StudyPlan) -> list[tuple[str, ...]]:
    """Tasks needed with other numbers of annotators for each task; nothing if that is unknown."""
    known = [one for one in plan.figures if one.by_annotators]
    if not known:
        return []
    numbers = [more for more, _ in known[0].by_annotators]
    head = (wording.TASKS_NEEDED, *map(wording.annotators_more, numbers), wording.ADDED)
    rows = [
        (label_of(one.key), *(_number(tasks) for _, tasks in one.by_annotators), _number(one.added))
        for one in known
    ]
    return [head, *rows]


def plan_tables(plan: StudyPlan) -> list[list[tuple[str, ...]]]:
    """The tables of the plan, each with its head: what is needed, and with other numbers of
    annotators for each task, if the pilot tells that.
    """
    tables = [[HEAD, *map(_cells, plan.figures)], _by_annotators(plan)]
    return [rows for rows in tables if rows]


def remarks(plan: StudyPlan) -> Iterator[str]:
    """What a reader has to know of the tables."""
    return wording.plan_remarks(plan, [label_of(key) for key in plan.left_out])


def plan_json(plan: StudyPlan) -> dict[str, Any]:
    """The plan for programs."""
    return {
        "target": asdict(plan.target),
        "pilot": {"tasks": plan.tasks, "annotators": plan.annotators},
        "figures": [asdict(one) | {"key": one.key[0], "label": one.key[1]} for one in plan.figures],
        "left_out": [list(key) for key in plan.left_out],
    }
