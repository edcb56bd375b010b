"""Write-back: a plan carried out, in an order that can be broken off and repeated anywhere."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.json_stream import elements
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.label_studio.provenance import is_our_version
from goldspan.engine.facts import Note
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.label_studio.data_manager_tab import renewed
from goldspan.plugin.label_studio.description import described, undescribed
from goldspan.plugin.label_studio.server import Server, ServerError
from goldspan.plugin.label_studio.writing.column_writer import write_columns

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json
    from goldspan.plugin.label_studio.plan import Plan
    from goldspan.plugin.platform import Progress


CHUNK = 200
"""Predictions sent at a time."""

MOST_NAMED = 8


def write(server: Server, plan: Plan, progress: Progress | None = None) -> tuple[Note, ...]:
    """Carry the plan out; the notes tell what the project no longer has, and what it refused, which
    is in the plan no longer. Webhooks are not in it: they go before anything else does.

    Columns come before the tab that filters by them. What was written before a crash is found by
    the next snapshot, so the rest is all that remains to be done.
    """
    tell = progress or (lambda _what, _done, _total: None)
    gone: set[int] = set()
    chosen = server.project(plan.project).get("model_version") if plan.versions else None
    _remove(server.remove_prediction, plan.removals, "removing suggestions", tell)
    refused = _change_predictions(server, plan.changes, gone, tell)
    if plan.suggestions and plan.versions:
        refused += _replace_predictions(server, plan, gone, tell)
    else:
        for version in plan.versions:
            server.remove_version(plan.project, version)
        refused += _add_predictions(server, plan, KEY, gone, tell)
    if chosen:
        _choose_again(server, plan, chosen)
    write_columns(server, plan.project, plan.columns, gone, tell)
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
    passed = (Note.of(PlatformFact.TASKS_DELETED, count=len(gone)),) if gone else ()
    return (*_refusal(refused), *passed)


def _remove(
    remove: Callable[[int], None], numbers: Sequence[int], what: str, tell: Progress
) -> None:
    for done, number in enumerate(numbers, start=1):
        remove(number)
        tell(what, done, len(numbers))


def _change_tab(server: Server, project: int, number: int, low: float | None) -> None:
    tab = next((one for one in server.tabs(project) if one["id"] == number), None)
    data = renewed(tab, low) if tab is not None else None
    if data is not None:
        server.change_tab(project, number, data)


def _choose_again(server: Server, plan: Plan, chosen: str) -> None:
    """Label Studio unsets the chosen model version when one is removed, be it another one. A choice
    that was made meanwhile stands, and so does none where there is nothing left to choose.
    """
    wanted = KEY if is_our_version(chosen) else chosen
    if wanted == KEY and not plan.suggestions:
        return
    if not server.project(plan.project).get("model_version"):
        server.change_project(plan.project, model_version=wanted)


def _change_predictions(
    server: Server, changes: dict[int, Json], gone: set[int], tell: Progress
) -> list[int]:
    """Change suggestions in place; the tasks of those that Label Studio refuses come back, which
    leave the plan.
    """
    refused = []
    for done, (number, wanted) in enumerate(list(changes.items()), start=1):
        fields = {key: wanted.get(key) for key in ("task", "result", "score", "model_version")}
        try:
            server.change_prediction(number, **fields)
        except ServerError as error:
            if error.status == 404:
                gone.add(wanted["task"])
            elif error.status == 400:
                refused.append(wanted["task"])
                del changes[number]
            else:
                raise
        tell("changing suggestions", done, len(changes))
    return refused


def _replace_predictions(server: Server, plan: Plan, gone: set[int], tell: Progress) -> list[int]:
    """Replace whole versions of suggestions. The new ones have the name of the old, so they
    are stored under another name of ours first: at no time is there none, and what Label Studio
    refuses is known before anything goes. A task whose new suggestion is refused has none then;
    where all are, the old ones stay.
    """
    names = (f"{KEY}-{number:08x} (0 tasks)" for number in count())
    name = next(name for name in names if name not in plan.versions)
    refused = _add_predictions(server, plan, name, gone, tell)
    if plan.suggestions:
        for version in plan.versions:
            server.remove_version(plan.project, version)
        _add_predictions(server, plan, KEY, gone, tell)
    else:
        plan.versions = {}
    server.remove_version(plan.project, name)
    return refused


def _add_predictions(
    server: Server, plan: Plan, version: str, gone: set[int], tell: Progress
) -> list[int]:
    """Store the suggestions; the tasks of those that Label Studio refuses come back, which leave
    the plan.
    """
    wanted = [one | {"model_version": version} for one in plan.suggestions]
    stored = 0
    for start in range(0, len(wanted), CHUNK):
        stored += _sent(server, plan.project, wanted[start : start + CHUNK])
        tell("adding suggestions", min(start + CHUNK, len(wanted)), len(wanted))
    if stored == len(wanted):
        return []
    there = _tasks_of(server, plan.project, version)
    missing = [one["task"] for one in wanted if one["task"] not in there]
    plan.suggestions = [one for one in plan.suggestions if one["task"] in there]
    refused = []
    for task in missing:
        if server.data(task) is None:
            gone.add(task)
        else:
            refused.append(task)
    return refused


def _sent(server: Server, project: int, chunk: Sequence[Json]) -> int:
    """How many Label Studio took. It drops some that it refuses in silence; for others, a task
    deleted meanwhile, it refuses all that came along, which are sent again in halves.
    """
    try:
        return server.add_predictions(project, chunk)
    except ServerError as error:
        if error.status != 400:
            raise
    if len(chunk) == 1:
        return 0
    half = len(chunk) // 2
    return _sent(server, project, chunk[:half]) + _sent(server, project, chunk[half:])


def _tasks_of(server: Server, project: int, version: str) -> set[int]:
    """The tasks that have a prediction of this version."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "predictions.json"
        server.predictions(project, path)
        return {
            int(one["task"]) for _, one in elements(path) if one.get("model_version") == version
        }


def _refusal(tasks: Sequence[int]) -> tuple[Note, ...]:
    if not tasks:
        return ()
    named = ", ".join(map(str, tasks[:MOST_NAMED])) + (" …" if len(tasks) > MOST_NAMED else "")
    return (Note.of(PlatformFact.SUGGESTIONS_REFUSED, count=len(tasks), tasks=named),)


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
