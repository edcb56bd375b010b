"""The command: `goldspan label-studio sync | setup | status`, and what is said."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.label_studio.arguments import (
    add_connection,
    add_extras,
    add_layer,
    add_measuring,
    add_project,
    connect,
    given,
    limit,
    sync_options,
)
from goldspan.plugin.measuring import add_limits, say_compiling
from goldspan.plugin.outputs import STANDARD_OUTPUT, check_outputs
from goldspan.plugin.progress import progress_bar
from goldspan.plugin.reading import say, say_notes
from goldspan.plugin.results import add_json, write_json, write_json_text
from goldspan.plugin.terminal import visible

if TYPE_CHECKING:
    from goldspan.plugin.cli import Subparsers
    from goldspan.plugin.label_studio.plan import Plan
    from goldspan.plugin.label_studio.sync import Outcome


def add_sync(subparsers: Subparsers) -> None:
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
    add_connection(parser)
    add_measuring(parser)
    add_limits(parser.add_argument_group("limits"))
    parser.set_defaults(run=run_sync)


def run_sync(args: argparse.Namespace) -> int:
    """Sync or undo; 0 when done."""
    from goldspan.plugin.label_studio.sync import sync  # noqa: PLC0415 - loads the engine
    from goldspan.plugin.label_studio.undo import undo  # noqa: PLC0415 - as above
    from goldspan.plugin.service.sync import pages  # noqa: PLC0415 - as above

    check_outputs(
        [("--json", args.json)],
        (args.token_file, args.calibration, args.rename_labels),
        beside=[("the report", page) for page in pages(args.folder, args.project)],
    )
    if args.undo:
        _refuse_beside_undo(args)
    with connect(args) as server, progress_bar(quiet=args.quiet) as progress:
        if args.undo:
            plan = undo(server, args.project, args.folder, dry_run=args.dry_run, progress=progress)
            _tell_undone(args, plan)
            return 0
        with say_compiling(args):
            outcome = sync(
                server, args.project, sync_options(args), dry_run=args.dry_run, progress=progress
            )
    _tell(args, outcome)
    return 0


def _refuse_beside_undo(args: argparse.Namespace) -> None:
    if useless := given(args, add_extras, add_measuring, add_limits):
        raise SettingsError(
            f"--undo removes all that goldspan wrote; leave {', '.join(useless)} out"
        )


def _tell(args: argparse.Namespace, outcome: Outcome) -> None:
    say_notes(args, outcome.notes)
    _say_writes(args, outcome.writes, "would write" if args.dry_run else "wrote")
    say(args, f"the report is {outcome.report}")
    if outcome.model_report is not None:
        say(args, f"people and models side by side: {outcome.model_report}")
    if args.json is not None and write_json_text(args, outcome.document.text):
        return
    from goldspan.plugin.console import VisibleConsole  # noqa: PLC0415 - slow to import
    from goldspan.plugin.summary import print_summary  # noqa: PLC0415 - slow to import

    print_summary(outcome.result, VisibleConsole())


def _tell_undone(args: argparse.Namespace, plan: Plan) -> None:
    counts = plan.counts()
    if counts:
        _say_writes(args, counts, "would undo" if args.dry_run else "undone")
    else:
        say(args, "goldspan has written nothing into the project")
    say_notes(args, plan.notes)
    if args.json is not None:
        write_json(args, {"project": args.project, "writes": dict(counts)})


def _say_writes(args: argparse.Namespace, counts: Mapping[str, int], verb: str) -> None:
    if not counts:
        say(args, "nothing to write: the project is up to date")
        return
    listed = ", ".join(
        f"{count} {kind if count > 1 else _singular(kind)}" for kind, count in counts.items()
    )
    say(args, f"{verb}: {listed}")


def _singular(kind: str) -> str:
    """`suggestions added` is `suggestion added` where it is one."""
    return kind.replace("s ", " ", 1) if "s " in kind else kind.removesuffix("s")


def add_setup(subparsers: Subparsers) -> None:
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
    parser.set_defaults(run=run_setup)


def run_setup(args: argparse.Namespace) -> int:
    """Make a project ready; 0 when done."""
    from goldspan.plugin.label_studio.http_client import checked_address  # noqa: PLC0415 - as above
    from goldspan.plugin.label_studio.setup import setup  # noqa: PLC0415 - slow to import
    from goldspan.plugin.service.access import webhook_secret  # noqa: PLC0415

    if args.annotators is not None and args.annotators < 2:
        raise SettingsError("--annotators must be 2 or more, or there is nothing to compare")
    hook = None
    if args.service_url:
        service = checked_address(args.service_url, "goldspan service")
        hook = f"{service}/webhook", webhook_secret(args.folder)
    with connect(args) as server:
        for sentence in setup(
            server, args.project, folder=args.folder, hook=hook, annotators=args.annotators,
            low=args.low, layers=tuple(args.layers), dry_run=args.dry_run,
        ):  # fmt: skip
            say(args, sentence)
    if hook is not None and not args.dry_run:
        _make_known(args.folder, args.project)
    return 0


def _make_known(folder: Path, project: int) -> None:
    """Make the service of the folder monitor the project, whether it runs yet or not: this finds
    what happened before its first event, and a project that it had dropped.
    """
    from goldspan.plugin.service.database import FILE, Database  # noqa: PLC0415
    from goldspan.plugin.service.queue import Queue  # noqa: PLC0415

    with closing(Database(folder / FILE)) as database:
        Queue(database).know(project)


def add_status(subparsers: Subparsers) -> None:
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
    add_json(parser)
    add_connection(parser)
    parser.set_defaults(run=run_status)


def run_status(args: argparse.Namespace) -> int:
    """Print the findings; 1 when something is wrong."""
    from goldspan.plugin.label_studio.status import examine  # noqa: PLC0415 - slow to import

    check_outputs([("--json", args.json)], [args.token_file])
    with connect(args) as server:
        found = [*examine(server, args.project, tuple(args.layers))]
    if args.json is not None:
        write_json(args, {"project": args.project, "findings": [
            {"good": one.good, "said": one.said, "todo": one.todo or None} for one in found
        ]})  # fmt: skip
    if args.json != STANDARD_OUTPUT:
        for one in found:
            sys.stdout.write(f"{'ok   ' if one.good else 'WRONG'} {visible(one.said)}\n")
            if one.todo:
                sys.stdout.write(f"      → {visible(one.todo)}\n")
    return 0 if all(one.good for one in found) else 1
