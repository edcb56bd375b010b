"""Routing: a project's tasks read, given to one more annotator, and put back.

What goldspan needs to take it back is in the task's data (see `mark`). While a task waits, it has
no suggestion and no ground truth of goldspan's: the new annotator is not to see what others marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.label_studio.provenance import is_our_version, is_sealed, truth_id
from goldspan.engine.errors import InputError
from goldspan.plugin.label_studio.columns import GAMMA, SETTLED, TO_DECIDE, YES, ours
from goldspan.plugin.label_studio.data_manager_tab import LOW, SHOWN, missing_tabs, tab_filters
from goldspan.plugin.label_studio.routing.choice import BUDGET, Candidate, Route, choose
from goldspan.plugin.label_studio.routing.mark import (
    MARK,
    OVERLAP,
    ROUTE,
    is_marked,
    is_routed,
    marked,
    without,
)

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json
    from goldspan.plugin.label_studio.server import Server
    from goldspan.plugin.platform import Progress

TITLE = "Needs another annotator"

SKIPS_COUNT = "IGNORE_SKIPPED"
"""The setting of a project by which a skipped task is done."""


@dataclass(frozen=True, slots=True)
class RouteRequest:
    """Which tasks need another annotator: γ below `low` or places to decide. `budget` is how many
    may wait at a time, `most` how many people may annotate a task in all.
    """

    low: float = LOW
    budget: int = BUDGET
    most: int | None = None


@dataclass(slots=True)
class Routing:
    """What was done, or would be: new `routes` with the names of people, and tasks whose annotator
    has come. `waiting` tasks were routed before.
    """

    routes: list[Route]
    names: Mapping[int, str]
    arrived: list[int] = field(default_factory=list)
    waiting: int = 0
    adds_tab: bool = False


def route(
    server: Server,
    project: int,
    request: RouteRequest,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Routing:
    """Give the tasks that need it to one more annotator, by the figures of the last sync."""
    tasks = list(server.routing_overview(project))
    if not any(GAMMA in ours(task["data"]) or TO_DECIDE in ours(task["data"]) for task in tasks):
        raise InputError(
            "no task has figures yet; sync or score the project first",
            where=f"project {project}",
        )
    skips_count = _do_skips_count(server, project)
    candidates = {task["id"]: _candidate(task, skips_count=skips_count) for task in tasks}
    people = sorted({one for found in candidates.values() for one in found.people})
    routes = choose(
        candidates.values(), people, low=request.low, budget=request.budget, most=request.most
    )
    arrived = [task["id"] for task in tasks
               if is_marked(task["data"]) and not candidates[task["id"]].waits]  # fmt: skip
    tabs = server.tabs(project)
    adds_tab = bool(routes) and not route_tabs(tabs)
    found = Routing(routes, _names(server), arrived, sum(c.waits for c in candidates.values()),
                    adds_tab)  # fmt: skip
    if not dry_run:
        _write(server, project, found, tabs, progress, skips_count=skips_count)
    return found


def take_back(server: Server, project: int, *, dry_run: bool = False) -> list[int]:
    """Put back how many annotators each task is for, where nobody changed it since, and remove the
    marks and the tab; the tasks that had one.
    """
    routed = [task["id"] for task in server.routing_overview(project) if is_routed(task["data"])]
    skips_count = bool(routed) and _do_skips_count(server, project)
    for number in () if dry_run else routed:
        now = server.task(number)
        if now is None or not is_routed(now["data"]):
            continue
        was = int(now["data"][OVERLAP])
        changes: dict[str, Json] = {"data": without(now["data"], ROUTE, OVERLAP)}
        if int(now["overlap"]) > was:
            done = _counted(now, skips_count=skips_count) >= was
            changes |= {"overlap": was, "is_labeled": done}
        server.change_task(number, **changes)
    for tab in () if dry_run else route_tabs(server.tabs(project)):
        server.remove_tab(tab["id"])
    return routed


def route_tabs(tabs: Sequence[Json]) -> list[Json]:
    """The tabs that list routed tasks and filter by nothing else."""
    return [
        tab for tab in tabs if (items := tab_filters(tab)) and all(map(_is_route_filter, items))
    ]


def _write(
    server: Server,
    project: int,
    found: Routing,
    tabs: Sequence[Json],
    progress: Progress | None,
    *,
    skips_count: bool,
) -> None:
    """The mark and the overlap go in one call, so that a task whose overlap was raised can always
    be recognised and put back. The task is read again just before: a call replaces all of its data,
    and somebody may have changed it since the overview.
    """
    for done, one in enumerate(found.routes, start=1):
        now = server.task(one.task)
        if now is None:
            continue
        _hide(server, project, now)
        name = found.names.get(one.who, "") if one.who is not None else ""
        was = int(now["data"].get(OVERLAP, now["overlap"]))
        server.change_task(
            one.task,
            data=marked(now["data"], name, was),
            overlap=max(_overlap(project, one, now, skips_count=skips_count), int(now["overlap"])),
            # Label Studio offers a task to people only while this is false, and does not set it
            # when the overlap is raised.
            is_labeled=False,
        )
        if progress is not None:
            progress("routing tasks", done, len(found.routes))
    for number in found.arrived:
        if (data := server.data(number)) is not None and is_marked(data):
            server.change_task(number, data=without(data, ROUTE))
    if found.adds_tab:
        for tab in [*missing_tabs(tabs, None)[:-1], _tab()]:
            server.add_tab(project, tab)


def _overlap(project: int, one: Route, now: Json, *, skips_count: bool) -> int:
    """One more than the people who have done the task; a ground truth of goldspan's, which is
    removed while the task waits, was made by nobody.
    """
    if "annotations" not in now:
        return one.overlap
    truth = truth_id(project, one.task)
    left = [work for work in now["annotations"] or () if work.get("unique_id") != truth]
    return _counted({"annotations": left}, skips_count=skips_count) + 1


def _hide(server: Server, project: int, task: Json) -> None:
    """Remove what goldspan suggested for the task. The next sync after somebody annotated it
    suggests again. A suggestion that an annotation began with is emptied: without it, Label Studio
    would change the annotation.
    """
    work = task.get("annotations") or ()
    began = {one.get("parent_prediction") for one in work}
    for one in task.get("predictions") or ():
        if not is_our_version(one.get("model_version")):
            continue
        if one["id"] in began:
            server.change_prediction(
                one["id"], task=task["id"], result=[], score=None, model_version=KEY
            )
        else:
            server.remove_prediction(one["id"])
    for one in work:
        is_ours = one.get("unique_id") == truth_id(project, task["id"])
        if is_ours and one.get("ground_truth") and is_sealed(one["result"]):
            server.remove_annotation(one["id"])


def _do_skips_count(server: Server, project: int) -> bool:
    return bool(server.project(project).get("skip_queue") == SKIPS_COUNT)


def _counted(task: Json, *, skips_count: bool) -> int:
    """How many people have done the task, as Label Studio counts them."""
    work = task.get("annotations") or ()
    return len({_person(one) for one in work if skips_count or not one.get("was_cancelled")})


def _person(annotation: Json) -> Json:
    by = annotation.get("completed_by")
    return by["id"] if isinstance(by, dict) else by


def _candidate(task: Json, *, skips_count: bool) -> Candidate:
    data = task["data"]
    found, people = ours(data), frozenset(task["annotators"])
    done = max(0, len(people) - int(task.get("cancelled_annotations") or 0))
    return Candidate(
        task["id"], found.get(GAMMA), int(found.get(TO_DECIDE) or 0), people, done,
        len(people) if skips_count else done,
        waits=is_marked(data) and not task["is_labeled"], settled=found.get(SETTLED) == YES,
    )  # fmt: skip


def _names(server: Server) -> dict[int, str]:
    return {
        number: str(person.get("email") or number) for number, person in server.people().items()
    }


def _tab() -> Json:
    item = {
        "filter": f"filter:tasks:data.{ROUTE}", "operator": "contains", "type": "String",
        "value": MARK,
    }  # fmt: skip
    return {
        "title": TITLE,
        "filters": {"conjunction": "and", "items": [item]},
        "ordering": [f"tasks:data.{GAMMA}"],
        "hiddenColumns": SHOWN,
    }


def _is_route_filter(item: Json) -> bool:
    return str(item.get("filter", "")).endswith(f"data.{ROUTE}")
