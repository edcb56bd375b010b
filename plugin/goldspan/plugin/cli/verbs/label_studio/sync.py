"""`goldspan label-studio sync`: score a project once, or take back what was written into it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.measuring import add_limits, say_compiling
from goldspan.plugin.cli.outputs import check_outputs
from goldspan.plugin.cli.progress import progress_bar
from goldspan.plugin.cli.results import (
    add_full,
    add_json,
    print_result,
    write_json,
    write_json_text,
)
from goldspan.plugin.cli.verbs.label_studio.arguments import (
    ProjectRequest,
    SyncFiles,
    add_connection,
    add_extras,
    add_measuring,
    add_project,
    given,
    project_request,
    sync_files,
    sync_options,
)

if TYPE_CHECKING:
    from goldspan.plugin.cli.messages import Messages
    from goldspan.plugin.label_studio.plan import Plan
    from goldspan.plugin.label_studio.platform import SyncOptions
    from goldspan.plugin.label_studio.sync import Outcome


@dataclass(frozen=True, slots=True)
class SyncRequest:
    """A project to score, and what to write into it; a dry run writes the report alone. The options
    are complete when the files are read.
    """

    project: ProjectRequest
    options: SyncOptions
    files: SyncFiles
    dry_run: bool
    json: Path | None
    full: bool = False


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A project from which everything that goldspan wrote is to be removed; a dry run says what."""

    project: ProjectRequest
    dry_run: bool
    json: Path | None


def add(subparsers: Subparsers) -> None:
    """Declare `sync`."""
    parser = subparsers.add_parser(
        "sync",
        help="score a project and write agreement and suggested gold into it",
        description="Score a project; write suggested gold as predictions, agreement as columns, "
        "a tab with the tasks to look at and a summary; never touch people's annotations.",
        epilog="Example: goldspan label-studio sync --url http://localhost:8080 --project 1 "
        "--dry-run",
    )
    add_project(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be written, and write the report"
    )
    parser.add_argument(
        "--undo", action="store_true",
        help="remove everything that goldspan ever wrote into the project, and nothing else",
    )  # fmt: skip
    add_extras(parser)
    add_json(parser)
    add_full(parser)
    add_connection(parser)
    add_measuring(parser)
    add_limits(parser.add_argument_group("limits"))
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> SyncRequest | UndoRequest:
    """The request that the arguments make."""
    project = project_request(args)
    if not args.undo:
        options, files = sync_options(args), sync_files(args)
        return SyncRequest(project, options, files, args.dry_run, args.json, args.full)
    if useless := given(args, add_extras, add_measuring, add_limits):
        raise SettingsError(
            f"--undo removes all that goldspan wrote; leave {', '.join(useless)} out"
        )
    return UndoRequest(project, args.dry_run, args.json)


def run(request: SyncRequest | UndoRequest) -> int:
    """Sync or undo; 0 when done."""
    if isinstance(request, UndoRequest):
        _undo(request)
    else:
        _sync(request)
    return 0


def _sync(request: SyncRequest) -> None:
    from goldspan.plugin.label_studio.sync import sync  # noqa: PLC0415 - loads the engine

    project = request.project
    _check_json(project, request.json, [request.files.calibration, request.files.rename_labels])
    options = request.files.read_into(request.options)
    with (
        project.connection.connect() as server,
        progress_bar(quiet=project.messages.quiet) as progress,
        say_compiling(project.messages),
    ):
        outcome = sync(server, project.number, options, dry_run=request.dry_run, progress=progress)
    _tell(request, outcome)


def _undo(request: UndoRequest) -> None:
    from goldspan.plugin.label_studio.undo import undo  # noqa: PLC0415 - loads the engine

    project = request.project
    _check_json(project, request.json, [])
    with (
        project.connection.connect() as server,
        progress_bar(quiet=project.messages.quiet) as progress,
    ):
        plan = undo(
            server, project.number, project.folder, dry_run=request.dry_run, progress=progress
        )
    _tell_undone(request, plan)


def _check_json(project: ProjectRequest, json: Path | None, inputs: Iterable[Path | None]) -> None:
    from goldspan.plugin.service.pages import pages  # noqa: PLC0415 - loads the engine

    beside = [("the report", page) for page in pages(project.folder, project.number)]
    check_outputs([("--json", json)], [project.connection.token_file, *inputs], beside=beside)


def _tell(request: SyncRequest, outcome: Outcome) -> None:
    said = request.project.messages
    said.say_notes(outcome.notes)
    _say_writes(said, outcome.writes, "would write" if request.dry_run else "wrote")
    said.say(f"the report is {outcome.report}")
    if outcome.model_report is not None:
        said.say(f"people and models side by side: {outcome.model_report}")
    if request.json is not None and write_json_text(request.json, (outcome.document.text,), said):
        return
    from goldspan.adapters.facts import settled_tasks  # noqa: PLC0415 - loads the engine

    settled = settled_tasks(outcome.corpus.notes)
    print_result(outcome.result, full=request.full, settled=settled)


def _tell_undone(request: UndoRequest, plan: Plan) -> None:
    counts, said = plan.counts(), request.project.messages
    if counts:
        _say_writes(said, counts, "would undo" if request.dry_run else "undone")
    else:
        said.say("goldspan has written nothing into the project")
    said.say_notes(plan.notes)
    if request.json is not None:
        value = {"project": request.project.number, "writes": dict(counts)}
        write_json(request.json, value, said)


def _say_writes(said: Messages, counts: Mapping[str, int], verb: str) -> None:
    if not counts:
        said.say("nothing to write: the project is up to date")
        return
    listed = ", ".join(
        f"{count} {kind if count > 1 else _singular(kind)}" for kind, count in counts.items()
    )
    said.say(f"{verb}: {listed}")


def _singular(kind: str) -> str:
    """`suggestions added` is `suggestion added` where it is one."""
    return kind.replace("s ", " ", 1) if "s " in kind else kind.removesuffix("s")
