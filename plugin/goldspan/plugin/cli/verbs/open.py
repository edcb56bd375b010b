"""`goldspan open`: read files and measure them while settings change, in the browser."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import InputError, SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.messages import Messages, add_quiet, messages
from goldspan.plugin.cli.pages.page import PageRequest, announce
from goldspan.plugin.cli.reading import Reading, ReadRequest, repeated_options
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.open.team.settings import TeamSettings
from goldspan.plugin.service.settings import PASSWORD, read_password

if TYPE_CHECKING:
    from goldspan.adapters.options import ReadOptions


TEAM: dict[str, Any] = {
    "keep_hours": 24.0, "max_megabytes": 64, "max_seconds": 120.0, "workers": 2,
}  # fmt: skip
"""What a page for a team allows, unless options say otherwise."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """The files to begin with, and where the page is; `team` if it is for several people."""

    paths: tuple[Path, ...]
    page: PageRequest
    messages: Messages
    team: TeamSettings | None = None
    password_file: Path | None = None


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "open",
        help=VERBS["open"],
        description="Open a page in the browser that reads annotations and measures agreement "
        "while you change settings. Drop files, folders or zip files on it, or name them here. "
        "Nothing leaves this machine; dropped files are deleted when the command ends.",
        epilog="Example: goldspan open export.json",
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files or folders")
    parser.add_argument(
        "--port", type=int, metavar="N", help="the port on this machine (a free one)"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )
    add_quiet(parser)
    _add_team(parser)
    parser.set_defaults(command=Command(parse, run))


def _add_team(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("for a team")
    group.add_argument(
        "--host", metavar="ADDRESS",
        help="serve a team: listen on this address, such as 0.0.0.0 for all; needs a password",
    )  # fmt: skip
    group.add_argument(
        "--password-file", type=Path, metavar="FILE",
        help=f"a file with the password (or the environment variable {PASSWORD})",
    )  # fmt: skip
    group.add_argument(
        "--share", action="store_true", help="let everybody with the password measure the PATHs"
    )
    group.add_argument(
        "--keep-hours", type=float, default=TEAM["keep_hours"], metavar="H",
        help="delete a person's files after this time (24)",
    )  # fmt: skip
    group.add_argument(
        "--max-megabytes", type=int, default=TEAM["max_megabytes"], metavar="N",
        help="refuse sets of files that are larger; a person may store four (64)",
    )  # fmt: skip
    group.add_argument(
        "--max-seconds", type=float, default=TEAM["max_seconds"], metavar="S",
        help="end a computation that takes longer (120)",
    )  # fmt: skip
    group.add_argument(
        "--workers", type=int, default=TEAM["workers"], metavar="N",
        help="computations at a time; others wait in a queue (2)",
    )  # fmt: skip


def parse(args: argparse.Namespace) -> OpenRequest:
    """The request that the arguments make."""
    page = PageRequest(port=args.port, browser=not args.no_browser)
    paths, said = tuple(args.paths), messages(args)
    own = {name: getattr(args, name) for name in TEAM}
    if args.host is None:
        changed = [name for name in TEAM if own[name] != TEAM[name]]
        changed += [name for name in ("password_file", "share") if getattr(args, name)]
        if changed:
            options = ", ".join(f"--{name.replace('_', '-')}" for name in changed)
            raise SettingsError(f"{options}: this is for a team; give --host as well")
        return OpenRequest(paths, page, said)
    if paths and not args.share:
        raise SettingsError(
            "everybody who has the password could measure these files; say --share if they may, "
            "or leave them out"
        )
    shared = tuple(path.absolute() for path in paths)
    team = TeamSettings(args.host, args.port or 0, shared, **own, quiet=args.quiet)
    return OpenRequest(paths, page, said, team, args.password_file)


def run(request: OpenRequest) -> int:
    """Serve the page until Ctrl-C; 0 when done."""
    for path in request.paths:
        if not path.exists():
            raise InputError("there is no such file or folder", where=str(path))
    said = request.messages
    if request.team is not None:
        _run_team(request, request.team)
        return 0
    from goldspan.plugin.open.web.serving import serve  # noqa: PLC0415 - loads the engine

    serve(
        request.paths, words, port=request.page.port, say=said.say,
        ready=lambda address: announce(address.url, request.page, said, "Ctrl-C ends; files that "
                                       "were dropped on the page are deleted then"),
    )  # fmt: skip
    return 0


def _run_team(request: OpenRequest, team: TeamSettings) -> None:
    password = read_password(request.password_file, team.host)
    if password is None:
        raise SettingsError(
            f"a page for a team takes a password: give --password-file FILE, or set {PASSWORD}"
        )
    from goldspan.plugin.open.team.calls import Work  # noqa: PLC0415 - as below
    from goldspan.plugin.open.team.desk import answer, tidy  # noqa: PLC0415 - as below
    from goldspan.plugin.open.team.serving import serve_team  # noqa: PLC0415 - loads the engine

    page = PageRequest(request.page.port, browser=False)
    serve_team(
        team, password, Work(words, answer, tidy),
        lambda url: announce(url, page, request.messages, "Ctrl-C ends, and deletes all files"),
    )  # fmt: skip


def words(name: str, options: ReadOptions) -> list[str]:
    """The options of a command that reads in a format."""
    return repeated_options(Reading(ReadRequest((), name, None, options), name, options))
