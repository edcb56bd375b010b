"""`goldspan label-studio route`: give tasks on which people differ to one more annotator."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.outputs import check_outputs
from goldspan.plugin.cli.progress import progress_bar
from goldspan.plugin.cli.results import add_json, write_json
from goldspan.plugin.cli.verbs.label_studio.arguments import (
    ProjectRequest,
    add_connection,
    add_project,
    limit,
    project_request,
)

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.routing.routing import Routing


@dataclass(frozen=True, slots=True)
class RouteCommand:
    """A project whose tasks are to be routed; a dry run says which."""

    project: ProjectRequest
    low: float
    budget: int
    most: int | None
    dry_run: bool
    json: Path | None

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise SettingsError("--budget must be 1 or more")
        if self.most is not None and self.most < 3:
            raise SettingsError("--most must be 3 or more: two people have annotated every task")


def add(subparsers: Subparsers) -> None:
    """Declare `route`."""
    parser = subparsers.add_parser(
        "route",
        help="give the tasks that people differ on to one more annotator",
        description="Give tasks to one more annotator where γ is low or places are to be decided, "
        "by the figures of the last sync: raise the number of annotators of these tasks, name who "
        "should take each, and list them in a tab. `sync --undo` takes it back.",
        epilog="Example: goldspan label-studio route --url http://localhost:8080 --project 1 "
        "--budget 10 --dry-run",
    )
    add_project(parser)
    parser.add_argument(
        "--budget", type=int, default=20, metavar="N",
        help="let at most N tasks wait for another annotator at a time (20)",
    )  # fmt: skip
    parser.add_argument(
        "--most", type=int, metavar="N", help="give no task to more than N annotators (no limit)"
    )
    parser.add_argument(
        "--low", type=limit, default=0.6, metavar="X",
        help="the γ below which a task needs another annotator (0.6)",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    add_json(parser, "the routed tasks")
    add_connection(parser)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> RouteCommand:
    """The request that the arguments make."""
    return RouteCommand(
        project_request(args), args.low, args.budget, args.most, args.dry_run, args.json
    )


def run(request: RouteCommand) -> int:
    """Route; 0 when done."""
    from goldspan.plugin.label_studio.routing.routing import (  # noqa: PLC0415 - slow to import
        RouteRequest,
        route,
    )

    project = request.project
    check_outputs([("--json", request.json)], [project.connection.token_file])
    with (
        project.connection.connect() as server,
        progress_bar(quiet=project.messages.quiet) as progress,
    ):
        found = route(
            server, project.number, RouteRequest(request.low, request.budget, request.most),
            dry_run=request.dry_run, progress=progress,
        )  # fmt: skip
    _tell(request, found)
    return 0


def _tell(request: RouteCommand, found: Routing) -> None:
    said = request.project.messages
    for one in found.routes:
        gamma = "no γ" if one.gamma is None else f"γ {one.gamma:.2f}"
        who = found.names.get(one.who, "") if one.who is not None else ""
        said.say(
            f"task {one.task}: {gamma}, {one.to_decide} to decide → "
            f"{who or 'somebody new: everybody has annotated it'}"
        )
    verb = "would be routed" if request.dry_run else "routed"
    more = f"; {found.waiting} waited already" if found.waiting else ""
    said.say(f"{len(found.routes)} tasks {verb}{more}")
    if request.json is not None:
        routes = [
            {"task": one.task, "gamma": one.gamma, "to_decide": one.to_decide,
             "overlap": one.overlap,
             "annotator": found.names.get(one.who) if one.who is not None else None}
            for one in found.routes
        ]  # fmt: skip
        value = {"project": request.project.number, "routes": routes, "arrived": found.arrived}
        write_json(request.json, value, said)
