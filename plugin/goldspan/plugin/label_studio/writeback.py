"""Write-back: a plan carried out, in an order that can be broken off and repeated anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from goldspan.engine.model import Note
from goldspan.plugin.label_studio.columns import Columns, merged
from goldspan.plugin.label_studio.description import described, undescribed
from goldspan.plugin.label_studio.plan import Plan
from goldspan.plugin.label_studio.server import Server, ServerError
from goldspan.plugin.label_studio.tab import at_limit

Json = Any
Progress = Callable[[str, int, int], None]

CHUNK = 200
"""Predictions sent at a time."""


def write(server: Server, plan: Plan, progress: Progress | None = None) -> tuple[Note, ...]:
    """Carry the plan out; the notes tell what the project no longer has. Webhooks are not in it:
    they go before anything else does.

    Columns come before the tab that filters by them. What was written before a crash is found by
    the next snapshot, so the rest is all that remains to be done.
    """
    tell = progress or (lambda _what, _done, _total: None)
    gone: set[int] = set()
    for version in plan.versions:
        server.remove_version(plan.project, version)
    _remove(server.remove_prediction, plan.removals, "removing suggestions", tell)
    _change_predictions(server, plan.changes, gone, tell)
    _add_predictions(server, plan, gone, tell)
    _change_columns(server, plan.columns, gone, tell)
    _remove(server.remove_annotation, plan.old_truths, "removing ground truth", tell)
    _add_truths(server, plan.truths, gone, tell)
    _remove(server.remove_tab, plan.old_tabs, "removing tabs", tell)
    for tab in plan.new_tabs:
        server.add_tab(plan.project, tab)
    if plan.changed_tab is not None:
        _change_tab(server, plan.project, *plan.changed_tab)
    settings = dict(plan.settings)
    if plan.summary is not None:
        # Read right before writing, as with columns: people write here too.
        now = str(server.project(plan.project).get("description") or "")
        settings["description"] = described(now, plan.summary) if plan.summary else undescribed(now)
    if settings:
        server.change_project(plan.project, **settings)
    return (Note("tasks deleted in the meantime, passed over", count=len(gone)),) if gone else ()


def _remove(
    remove: Callable[[int], None], numbers: Sequence[int], what: str, tell: Progress
) -> None:
    for done, number in enumerate(numbers, start=1):
        remove(number)
        tell(what, done, len(numbers))


def _change_tab(server: Server, project: int, number: int, low: float) -> None:
    tab = next((one for one in server.tabs(project) if one["id"] == number), None)
    data = at_limit(tab, low) if tab is not None else None
    if data is not None:
        server.change_tab(project, number, data)


def _change_predictions(
    server: Server, changes: dict[int, Json], gone: set[int], tell: Progress
) -> None:
    for done, (number, wanted) in enumerate(changes.items(), start=1):
        fields = {key: wanted.get(key) for key in ("result", "score", "model_version")}
        try:
            server.change_prediction(number, **fields)
        except ServerError as error:
            if error.status != 404:
                raise
            gone.add(wanted["task"])
        tell("changing suggestions", done, len(changes))


def _add_predictions(server: Server, plan: Plan, gone: set[int], tell: Progress) -> None:
    wanted = plan.suggestions
    for start in range(0, len(wanted), CHUNK):
        chunk = wanted[start : start + CHUNK]
        try:
            taken = server.add_predictions(plan.project, chunk)
        except ServerError as error:
            if error.status != 400:
                raise
            # One task of the chunk was deleted meanwhile, and Label Studio refuses them all.
            chunk = _still_there(server, chunk, gone)
            taken = server.add_predictions(plan.project, chunk) if chunk else 0
        if taken != len(chunk):
            raise ServerError(
                f"Label Studio took {taken} of {len(chunk)} suggestions of project "
                f"{plan.project} and does not say which; does the labelling configuration still "
                "fit the annotations?"
            )
        tell("adding suggestions", min(start + CHUNK, len(wanted)), len(wanted))


def _still_there(server: Server, chunk: Sequence[Json], gone: set[int]) -> list[Json]:
    kept = []
    for one in chunk:
        if server.data(one["task"]) is not None:
            kept.append(one)
        else:
            gone.add(one["task"])
    return kept


def _change_columns(
    server: Server, columns: Mapping[int, Columns], gone: set[int], tell: Progress
) -> None:
    for done, (number, wanted) in enumerate(columns.items(), start=1):
        # Read right before writing: data that is not sent along would be lost.
        data = server.data(number)
        if data is None:
            gone.add(number)
        elif (new := merged(data, wanted)) != data:
            server.change_data(number, new)
        tell("writing columns", done, len(columns))


def _add_truths(server: Server, truths: dict[int, Json], gone: set[int], tell: Progress) -> None:
    for done, (number, fields) in enumerate(truths.items(), start=1):
        try:
            server.add_annotation(number, **fields)
        except ServerError as error:
            # 409: written before a crash that hid it from us; the next snapshot knows it.
            if error.status == 404:
                gone.add(number)
            elif error.status != 409:
                raise
        tell("writing ground truth", done, len(truths))
