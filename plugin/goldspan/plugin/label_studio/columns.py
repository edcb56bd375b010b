"""Columns: what goldspan puts into a task's data, to sort and filter by in the Data Manager."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldspan.adapters.label_studio.provenance import COLUMNS
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.disagreement import KINDS
from goldspan.engine.gold.gold import Gold
from goldspan.engine.result import Result

GAMMA, GAMMA_CAT, ANNOTATORS, TO_DECIDE, DIFFER = COLUMNS

ALWAYS = {ANNOTATORS: int, TO_DECIDE: int, DIFFER: str}
"""Those that every scored task has, and what they hold."""

DIGITS = 2
"""Chance is estimated to about two digits; more would change with every other task."""

Columns = dict[str, Any]


def columns(task: str, result: Result, gold: Gold) -> Columns:
    """The columns of a task; none when it was not scored, and none that is undefined: a filter
    takes an empty value for a number.
    """
    scored = result.tasks.get(task)
    if scored is None:
        return {}
    found: Columns = {}
    for key, figure in ((GAMMA, scored.gamma), (GAMMA_CAT, scored.gamma_cat)):
        if figure.value is not None:
            # Adding 0 makes 0.0 of -0.0.
            found[key] = round(figure.value, DIGITS) + 0
    found[ANNOTATORS] = len(scored.annotators)
    found[TO_DECIDE] = len(gold.decisions.get(task, ()))
    counts = [(kind, scored.disagreements[kind].count) for kind in KINDS]
    found[DIFFER] = ", ".join(f"{count} {kind}" for kind, count in counts if count) or "nothing"
    return found


def prediction_score(figure: Figure) -> float | None:
    """A task's γ as the score of its prediction. Label Studio drops predictions whose score is not
    between 0 and 1, so what is worse than chance is 0 there; the column has it all.
    """
    return None if figure.value is None else round(max(figure.value, 0.0), DIGITS)


def ours(data: Mapping[str, Any]) -> Columns:
    """The part of a task's data that is goldspan's, which comes whole or not at all: a field of
    such a name without the others is a person's own.
    """
    if any(type(data.get(key)) is not kind for key, kind in ALWAYS.items()):
        return {}
    return {key: value for key, value in data.items() if key in COLUMNS}


def taken(data: Mapping[str, Any]) -> list[str]:
    """The names of ours that a person gave to fields of their own."""
    return [] if ours(data) else [key for key in COLUMNS if key in data]


def merged(data: Mapping[str, Any], wanted: Columns) -> dict[str, Any]:
    """The data with the wanted columns and no other of ours; the rest as it stands, and all of it
    where a person has fields of these names.
    """
    if taken(data):
        return dict(data)
    return {key: value for key, value in data.items() if key not in COLUMNS} | wanted
