"""`goldspan label-studio setup`: make a project ready for goldspan."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.verbs.label_studio.arguments import (
    ProjectRequest,
    add_connection,
    add_layer,
    add_project,
    limit,
    project_request,
)


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """A project to make ready.

    service_url  where Label Studio reaches the service; None for a project that is synced by hand
    annotators   how many people annotate each task; None leaves the project's number
    low          the tab's limit for γ, when it is made
    layers       the controls or objects that are measured; none means all
    """

    project: ProjectRequest
    service_url: str | None
    annotators: int | None
    low: float | None
    layers: tuple[str, ...]
    dry_run: bool

    def __post_init__(self) -> None:
        if self.annotators is not None and self.annotators < 2:
            raise SettingsError("--annotators must be 2 or more, or there is nothing to compare")


def add(subparsers: Subparsers) -> None:
    """Declare `setup`."""
    parser = subparsers.add_parser(
        "setup",
        help="register the webhook, the tab and the recommended settings of a project",
        description="Make a project ready for goldspan: the webhook that notifies the service "
        "of changes, the tab “Low agreement”, and settings that keep annotators independent. "
        "`sync --undo` takes it all back.",
        epilog="Example: goldspan label-studio setup --url http://localhost:8080 --project 1 "
        "--service-url http://localhost:9090 --annotators 3",
    )
    add_project(parser)
    parser.add_argument(
        "--service-url", metavar="URL",
        help="where Label Studio reaches `goldspan label-studio serve`; no webhook without it",
    )  # fmt: skip
    parser.add_argument(
        "--annotators", type=int, metavar="N", help="how many people annotate each task"
    )
    parser.add_argument(
        "--low", type=limit, metavar="X", help="the tab's limit for γ, when it is made (0.6)"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    add_layer(parser)
    add_connection(parser)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> SetupRequest:
    """The request that the arguments make."""
    return SetupRequest(
        project=project_request(args),
        service_url=args.service_url,
        annotators=args.annotators,
        low=args.low,
        layers=tuple(args.layers),
        dry_run=args.dry_run,
    )


def run(request: SetupRequest) -> int:
    """Make a project ready; 0 when done."""
    from goldspan.plugin.label_studio.setup import setup  # noqa: PLC0415 - slow to import

    project, hook = request.project, _hook(request)
    with project.connection.connect() as server:
        for sentence in setup(
            server, project.number, folder=project.folder, hook=hook,
            annotators=request.annotators, low=request.low, layers=request.layers,
            dry_run=request.dry_run,
        ):  # fmt: skip
            project.messages.say(sentence)
    if hook is not None and not request.dry_run:
        _make_known(project.folder, project.number)
    return 0


def _hook(request: SetupRequest) -> tuple[str, str] | None:
    """The webhook's address and secret, if there is to be one."""
    from goldspan.plugin.label_studio.http_client import checked_address  # noqa: PLC0415 - as above
    from goldspan.plugin.service.web.access import Access, webhook_secret  # noqa: PLC0415 - as above

    if not request.service_url:
        return None
    service = checked_address(request.service_url, "goldspan service")
    access = Access(webhook_secret(request.project.folder))
    return f"{service}/model/{access.key}/webhook", access.secret


def _make_known(folder: Path, project: int) -> None:
    """Make the service of the folder monitor the project, whether it runs yet or not: this finds
    what happened before its first event, and a project that it had dropped.
    """
    from goldspan.plugin.service.database import FILE, Database  # noqa: PLC0415
    from goldspan.plugin.service.queue import Queue  # noqa: PLC0415

    with closing(Database(folder / FILE)) as database:
        Queue(database).know(project)
