"""Columns: what goldspan puts into a task's data, to sort and filter by in the Data Manager.

Every coefficient of a result has a column. γ, γcat and the columns of `ALWAYS` are recognised by
their names. A column of any other coefficient is goldspan's only if the task's list names it. So
goldspan never touches a person's own field, whatever its name, and still recognises the columns of
a coefficient that is no longer installed.

Labels of whole tasks have a column for each layer, with the share of pairs of annotators who agree
on the task; the list names it as it names coefficients.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from goldspan.adapters.label_studio.provenance import (
    COEFFICIENTS,
    COLUMNS,
    column,
    list_coefficients,
    listed_coefficients,
)
from goldspan.plugin.report.wording import many

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.result import Result, TaskResult

GAMMA, GAMMA_CAT, ANNOTATORS, TO_DECIDE, DIFFER, SETTLED = COLUMNS

ALWAYS = (ANNOTATORS, TO_DECIDE, DIFFER, SETTLED)
"""Those that every scored task has: two counts, a text, and whether a person settled it."""

YES, NO = "yes", "no"
"""What `SETTLED` says."""

PENDING = "goldspan is writing"
"""What `DIFFER` says while a task has only some of its columns."""

RESERVED = {*ALWAYS, COEFFICIENTS}
"""A coefficient whose column would have one of these names has none."""

LAYER = "agreement_"
AGREEMENT = column(LAYER)
"""How the columns of layers begin, without and with goldspan's own beginning."""

NOTHING = "nothing"
"""What annotators differ in where they do not."""

ALONE = "no two annotators to compare"
"""What is said instead where a person settled the work of one annotator."""

DIGITS = 2
"""Chance is estimated to about two digits; more would change with every other task."""

NOBODY: Mapping[str, int] = MappingProxyType({})

Columns = dict[str, Any]


def columns(task: str, result: Result, gold: Gold, settled: Mapping[str, int] = NOBODY) -> Columns:
    """The columns of a task; none when it was not scored, and none that is undefined: a filter
    takes an empty value for a number. `settled` are the tasks that a person
    settled, and how many others annotated them; these always have columns.
    """
    found = _measured(task, result, gold)
    if not found and task in settled:
        found = {ANNOTATORS: settled[task], DIFFER: ALONE}
    if not found:
        return {}
    if task in settled:
        found[TO_DECIDE] = 0
    return found | {SETTLED: YES if task in settled else NO}


def _measured(task: str, result: Result, gold: Gold) -> Columns:
    scored = result.tasks.get(task)
    agreed = {name: layer.agreement[task] for name, layer in result.layers.items()
              if task in layer.agreement}  # fmt: skip
    if scored is None and not agreed:
        return {}
    found = _scored(scored, gold) if scored is not None else _labelled(task, result)
    keys = layer_keys(result)
    shares = {keys[name]: round(share, DIGITS) for name, share in agreed.items()}
    apart = [name for name, share in agreed.items() if share < 1]
    if apart:
        said = [] if found[DIFFER] == NOTHING else [found[DIFFER]]
        found[DIFFER] = ", ".join([*said, *(f"label of {name}" for name in apart)])
    found[TO_DECIDE] += sum(not gold.labels.get(name, {}).get(task) for name in agreed)
    listed = [*listed_coefficients(found.pop(COEFFICIENTS, None)), *shares]
    return found | {column(key): share for key, share in shares.items()} | _list(listed)


def _labelled(task: str, result: Result) -> Columns:
    """What every task has, where nobody marked a place in it."""
    names = {
        name for layer in result.layers.values() if task in layer.agreement
        for name in layer.annotators_of[task]
    }  # fmt: skip
    return {ANNOTATORS: len(names), TO_DECIDE: 0, DIFFER: NOTHING}


def layer_keys(result: Result) -> dict[str, str]:
    """By layer what its column is called after goldspan_; no two alike."""
    found: dict[str, str] = {}
    for number, name in enumerate(result.layers, start=1):
        plain = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_") or f"layer_{number}"
        key = f"{LAYER}{plain}"
        found[name] = key if key not in found.values() else f"{key}_{number}"
    return found


def _scored(scored: TaskResult, gold: Gold) -> Columns:
    # Adding 0 makes 0.0 of -0.0.
    values = {
        key: round(figure.value, DIGITS) + 0
        for (key, label), figure in scored.figures.items()
        if not label and figure.value is not None and column(key) not in RESERVED
    }
    found: Columns = {column(key): value for key, value in values.items()}
    found[ANNOTATORS] = len(scored.annotators)
    found[TO_DECIDE] = len(gold.decisions.get(scored.id, ()))
    found[DIFFER] = differences_in_words(scored)
    return found | _list([key for key in values if column(key) not in COLUMNS])


def differences_in_words(scored: TaskResult) -> str:
    """How annotators differ, counted in spans: such as `5 spans not marked by all, 1 with different
    labels`.
    """
    everybody = len(scored.annotators)
    spans = [one.units for one in scored.alignment.unitary]
    counts = {
        "not marked by all": sum(len(units) < everybody for units in spans),
        "with different labels": sum(len({u.category for u in units}) > 1 for units in spans),
        "with different boundaries": sum(
            len({(u.start, u.end) for u in units}) > 1 for units in spans
        ),
    }
    said = [(count, what) for what, count in counts.items() if count]
    if not said:
        return NOTHING
    first = f"{many(said[0][0], 'span')} {said[0][1]}"
    return ", ".join([first, *(f"{count} {what}" for count, what in said[1:])])


def number_columns(result: Result) -> tuple[str, ...]:
    """The columns that hold the figures of a result."""
    names = [column(key) for key, label in result.figures if not label]
    names += [column(key) for key in layer_keys(result).values()]
    return tuple(name for name in names if name not in RESERVED)


def ranking_column(result: Result) -> str:
    """The column to list tasks by: γ, or the agreement on labels where nobody marks places."""
    if result.tasks or not result.layers:
        return GAMMA
    return column(next(iter(layer_keys(result).values())))


def prediction_score(figure: Figure) -> float | None:
    """A task's γ as the score of its prediction. Label Studio drops predictions whose score is not
    between 0 and 1, so what is worse than chance has none; the column has it all.
    """
    if figure.value is None or figure.value < 0:
        return None
    return round(figure.value, DIGITS)


def ours(data: Mapping[str, Any]) -> Columns:
    """The part of a task's data that is goldspan's, which comes whole, or with a mark while it is
    being written: a field of such a name without the others is a person's own.
    """
    if data.get(DIFFER) != PENDING and not _is_whole(data):
        return {}
    listed = listed_coefficients(data.get(COEFFICIENTS))
    names = {column(key) for key in listed if type(data.get(column(key))) in (int, float)}
    names |= {*COLUMNS, COEFFICIENTS} if listed else {*COLUMNS}
    return {key: value for key, value in data.items() if key in names}


def taken(data: Mapping[str, Any]) -> list[str]:
    """The names of ours that a person gave to fields of their own."""
    return [] if ours(data) else [key for key in COLUMNS if key in data]


def own_fields(data: Mapping[str, Any]) -> list[str]:
    """The names of people's fields that begin as our columns do."""
    found = ours(data)
    return [key for key in data if key.startswith(column("")) and key not in found]


def beside(wanted: Columns, own: Collection[str]) -> Columns:
    """The wanted columns without those of other coefficients that would overwrite a field in `own`;
    where that is the list, none of these can be written.
    """
    listed = () if COEFFICIENTS in own else listed_coefficients(wanted.get(COEFFICIENTS))
    others = [key for key in listed if column(key) not in own]
    names = {*COLUMNS, *map(column, others)}
    return {key: value for key, value in wanted.items() if key in names} | _list(others)


def merged(data: Mapping[str, Any], wanted: Columns) -> dict[str, Any]:
    """The data with the wanted columns and no other of ours; the rest as it stands, and all of it
    where a person has fields of these names.
    """
    if taken(data):
        return dict(data)
    found = ours(data)
    own = {key: value for key, value in data.items() if key not in found}
    return own | beside(wanted, own)


def _is_whole(data: Mapping[str, Any]) -> bool:
    counts = [data.get(ANNOTATORS), data.get(TO_DECIDE)]
    return isinstance(data.get(DIFFER), str) and all(map(_is_count, counts))


def _is_count(value: Any) -> bool:
    """Whether it is a whole number; Label Studio makes 3.0 of 3 when it sets it in many tasks."""
    return type(value) is int or (type(value) is float and value.is_integer())


def _list(keys: Collection[str]) -> Columns:
    return {COEFFICIENTS: list_coefficients(keys)} if keys else {}
