"""`goldspan label-studio status`: what is connected, what is wrong, and what to do."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.outputs import STANDARD_OUTPUT, check_outputs
from goldspan.plugin.cli.results import add_json, write_json
from goldspan.plugin.cli.verbs.label_studio.arguments import (
    ProjectRequest,
    add_connection,
    add_layer,
    add_project,
    project_request,
)
from goldspan.plugin.terminal import visible


@dataclass(frozen=True, slots=True)
class StatusRequest:
    """A project to look at, the layers that are measured, and a file for programs."""

    project: ProjectRequest
    layers: tuple[str, ...]
    json: Path | None


def add(subparsers: Subparsers) -> None:
    """Declare `status`."""
    parser = subparsers.add_parser(
        "status",
        help="say what is connected, what is wrong, and what to do",
        description="Look at a project without writing anything: is it connected, can its "
        "agreement be measured, are its annotators independent? Exit code 1 if something is wrong.",
        epilog="Example: goldspan label-studio status --url http://localhost:8080 --project 1",
    )
    add_project(parser)
    add_layer(parser)
    add_json(parser, "the findings")
    add_connection(parser)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> StatusRequest:
    """The request that the arguments make."""
    return StatusRequest(project_request(args), tuple(args.layers), args.json)


def run(request: StatusRequest) -> int:
    """Print the findings; 1 when something is wrong."""
    from goldspan.plugin.label_studio.status import examine  # noqa: PLC0415 - slow to import

    project, json = request.project, request.json
    check_outputs([("--json", json)], [project.connection.token_file])
    with project.connection.connect() as server:
        found = [*examine(server, project.number, request.layers)]
    if json is not None:
        findings = [{"good": one.good, "said": one.said, "todo": one.todo or None} for one in found]
        write_json(json, {"project": project.number, "findings": findings}, project.messages)
    if json != STANDARD_OUTPUT:
        for one in found:
            sys.stdout.write(f"{'ok   ' if one.good else 'WRONG'} {visible(one.said)}\n")
            if one.todo:
                sys.stdout.write(f"      → {visible(one.todo)}\n")
    return 0 if all(one.good for one in found) else 1
