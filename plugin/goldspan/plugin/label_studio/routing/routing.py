"""Routing: a project's tasks read, given to one more annotator, and put back.

What goldspan needs to take it back is in the task's data: the field `goldspan_route` says who
should take the task, and `goldspan_overlap` how many annotators it was for before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldspan.adapters.label_studio.provenance import column
from goldspan.engine.errors import InputError
from goldspan.plugin.label_studio.columns import GAMMA, SETTLED, TO_DECIDE, YES, ours
from goldspan.plugin.label_studio.data_manager_tab import LOW, SHOWN, missing_tabs
from goldspan.plugin.label_studio.routing.choice import BUDGET, Candidate, Route, choose

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json
    from goldspan.plugin.label_studio.server import Server
    from goldspan.plugin.platform import Progress

ROUTE, OVERLAP = column("route"), column("overlap")
MARK = "another annotator"
"""How the text of `ROUTE` begins, and what the tab looks for."""

TITLE = "Needs another annotator"


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
    candidates = {task["id"]: _candidate(task) for task in tasks}
    people = sorted({one for found in candidates.values() for one in found.annotators})
    routes = choose(
        candidates.values(), people, low=request.low, budget=request.budget, most=request.most
    )
    arrived = [task["id"] for task in tasks
               if _is_marked(task["data"]) and not candidates[task["id"]].waits]  # fmt: skip
    tabs = server.tabs(project)
    adds_tab = bool(routes) and not route_tabs(tabs)
    found = Routing(routes, _names(server), arrived, sum(c.waits for c in candidates.values()),
                    adds_tab)  # fmt: skip
    if not dry_run:
        _write(server, project, {task["id"]: task for task in tasks}, found, tabs, progress)
    return found


def take_back(server: Server, project: int, *, dry_run: bool = False) -> list[int]:
    """Put back how many annotators each task is for, where nobody changed it since, and remove the
    marks and the tab; the tasks that had one.
    """
    routed = [task for task in server.routing_overview(project) if _is_ours(task["data"])]
    for task in () if dry_run else routed:
        now = server.data(task["id"])
        if now is None or not _is_ours(now):
            continue
        was = int(now[OVERLAP])
        changes: dict[str, Json] = {"data": _without(now, ROUTE, OVERLAP)}
        if int(task["overlap"]) > was:
            changes |= {"overlap": was, "is_labeled": len(task["annotators"]) >= was}
        server.change_task(task["id"], **changes)
    for tab in () if dry_run else route_tabs(server.tabs(project)):
        server.remove_tab(tab["id"])
    return [task["id"] for task in routed]


def route_tabs(tabs: Sequence[Json]) -> list[Json]:
    """The tabs that list routed tasks and filter by nothing else."""
    return [tab for tab in tabs if (items := _filters(tab)) and all(map(_is_route_filter, items))]


def _write(
    server: Server,
    project: int,
    tasks: Mapping[int, Json],
    found: Routing,
    tabs: Sequence[Json],
    progress: Progress | None,
) -> None:
    """The mark and the overlap go in one call, so that a task whose overlap was raised can always
    be recognised and put back. The data is read again just before: a call replaces all of it, and
    somebody may have changed it since the overview.
    """
    for done, one in enumerate(found.routes, start=1):
        task, now = tasks[one.task], server.data(one.task)
        if now is None:
            continue
        name = found.names.get(one.who, "") if one.who is not None else ""
        mark = f"{MARK}: {name}" if name else MARK
        was = now.get(OVERLAP, task["overlap"])
        server.change_task(
            one.task,
            data=now | {ROUTE: mark, OVERLAP: int(was)},
            overlap=max(one.overlap, int(task["overlap"])),
            # Label Studio offers a task to people only while this is false, and does not set it
            # when the overlap is raised.
            is_labeled=False,
        )
        if progress is not None:
            progress("routing tasks", done, len(found.routes))
    for number in found.arrived:
        if (now := server.data(number)) is not None and _is_marked(now):
            server.change_task(number, data=_without(now, ROUTE))
    if found.adds_tab:
        for tab in [*missing_tabs(tabs, None)[:-1], _tab()]:
            server.add_tab(project, tab)


def _without(data: Json, *names: str) -> dict[str, Json]:
    return {key: value for key, value in data.items() if key not in names}


def _candidate(task: Json) -> Candidate:
    data = task["data"]
    found = ours(data)
    people, overlap = frozenset(task["annotators"]), int(task["overlap"] or 1)
    return Candidate(
        task["id"], found.get(GAMMA), int(found.get(TO_DECIDE) or 0), people, overlap,
        waits=_is_marked(data) and len(people) < overlap, settled=found.get(SETTLED) == YES,
    )  # fmt: skip


def _is_marked(data: Json) -> bool:
    return _is_ours(data) and str(data.get(ROUTE, "")).startswith(MARK)


def _is_ours(data: Json) -> bool:
    """Whether goldspan routed the task: a field of a person's own has not this company."""
    return isinstance(data.get(OVERLAP), int | float) and (
        ROUTE not in data or str(data[ROUTE]).startswith(MARK)
    )


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


def _filters(tab: Json) -> list[Json]:
    return list(((tab.get("data") or {}).get("filters") or {}).get("items") or ())


def _is_route_filter(item: Json) -> bool:
    return str(item.get("filter", "")).endswith(f"data.{ROUTE}")
