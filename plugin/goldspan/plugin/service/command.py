"""The command `goldspan label-studio serve`: its options, and the service it starts."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import MissingExtra, SettingsError
from goldspan.plugin.label_studio.arguments import (
    add_connection,
    add_extras,
    add_measuring,
    given,
)
from goldspan.plugin.measuring import add_limits
from goldspan.plugin.service.events import MOST

if TYPE_CHECKING:
    from goldspan.plugin.cli import Subparsers

PASSWORD = "GOLDSPAN_PASSWORD"  # noqa: S105 - a variable's name


def add_serve(subparsers: Subparsers) -> None:
    """Declare `serve`."""
    parser = subparsers.add_parser(
        "serve",
        help="keep projects up to date after each round, and answer Settings > Model",
        description="Run the service: it hears of changes by webhook and writes agreement and "
        "suggested gold into projects whose round is complete; it answers Label Studio under "
        "Settings > Model, for which neither --url nor a token is needed; and it shows a "
        "dashboard with rounds, reports and errors.",
        epilog="Example: goldspan label-studio serve --url http://localhost:8080 "
        "--token-file token.txt",
    )
    _add_listening(parser)
    _add_rounds(parser)
    add_connection(parser)
    add_measuring(parser)
    add_limits(
        parser.add_argument_group("limits"),
        "measuring a project, and for the answer to a retrieval under Settings > Model (90 there)",
    )
    parser.set_defaults(run=run_serve)


def _add_listening(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("listening")
    group.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS",
        help="the address to listen on; others than this machine's own take a password (127.0.0.1)",
    )  # fmt: skip
    group.add_argument(
        "--port", type=int, default=9090, metavar="N", help="the port; 0 takes a free one (9090)"
    )
    group.add_argument(
        "--public-url", metavar="URL",
        help="the address by which others reach the service, where a proxy stands in front of it; "
        "the dashboard shows it for Settings > Model (the one that the dashboard was opened by)",
    )  # fmt: skip
    group.add_argument(
        "--password-file", type=Path, metavar="FILE",
        help="a file with the password of the dashboard, and of models without a key (or the "
        f"environment variable {PASSWORD})",
    )  # fmt: skip
    group.add_argument(
        "--max-megabytes", type=int, default=32, metavar="N",
        help="refuse calls that hold more (32)",
    )  # fmt: skip


def _add_rounds(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("rounds")
    group.add_argument(
        "--project", dest="projects", type=int, action="append", default=[], metavar="N",
        help="look after this project and no others but those named (again for more); without it, "
        "after those that `setup` has connected or a person has scored",
    )  # fmt: skip
    group.add_argument(
        "--annotators", type=int, metavar="N",
        help="a round is complete when every task has N annotators (as the project says)",
    )  # fmt: skip
    group.add_argument(
        "--live", action="store_true",
        help="write agreement and gold after every change, not only when a round is complete",
    )  # fmt: skip
    group.add_argument(
        "--debounce", type=float, default=30.0, metavar="S",
        help="seconds of quiet after the last event of a project; at most ten times as long after "
        "the first (30)",
    )  # fmt: skip
    group.add_argument(
        "--reconcile", type=float, default=10.0, metavar="M",
        help="look every M minutes for changes that no event told of (10)",
    )  # fmt: skip
    add_extras(group)


def run_serve(args: argparse.Namespace) -> int:
    """Serve until stopped; 0 then."""
    check(args)
    password = read_password(args)
    try:
        from goldspan.plugin.service.running import run  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("goldspan"):
            raise
        raise MissingExtra("the service", "label-studio") from error
    return run(args, password)


def check(args: argparse.Namespace) -> None:
    """Refuse options that have no meaning, before anything is begun."""
    if not 0 <= args.port < 65536:
        raise SettingsError(f"the port is {args.port}; it must be from 0 to 65535")
    for name in ("debounce", "reconcile", "max_megabytes"):
        if not 0 < getattr(args, name) < float("inf"):
            raise SettingsError(f"--{name.replace('_', '-')} must be more than 0")
    if args.annotators is not None and args.annotators < 2:
        raise SettingsError("--annotators must be 2 or more, or there is nothing to compare")
    for number in args.projects:
        if not 0 < number < MOST:
            raise SettingsError(
                f"--project takes the number of a project, as in its address; {number} is none"
            )
    useless = given(args, _add_rounds, add_measuring)
    if args.token_file:
        useless.append("--token-file")
    if useless and not args.url:
        raise SettingsError(
            f"{', '.join(useless)} would do nothing: without --url the service looks after no "
            "project; give --url, or leave them out"
        )


def read_password(args: argparse.Namespace) -> str | None:
    """The password, None if there is none; listening beyond this machine takes one."""
    from goldspan.plugin.service.access import (  # noqa: PLC0415 - slow to import
        checked,
        read_secret,
    )
    from goldspan.plugin.service.host import is_loopback  # noqa: PLC0415 - as above

    if args.password_file is not None:
        return read_secret(args.password_file)
    if PASSWORD in os.environ:
        return checked(os.environ[PASSWORD], PASSWORD)
    if not is_loopback(args.host):
        raise SettingsError(
            f"{args.host} can be reached from other machines; give the service a password with "
            f"--password-file FILE or in {PASSWORD}, or leave --host out"
        )
    return None
