"""`goldspan open`: read files and measure them while settings change, in the browser."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import InputError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.messages import Messages, add_quiet, messages
from goldspan.plugin.cli.pages.page import PageRequest, announce
from goldspan.plugin.cli.reading import Reading, ReadRequest, given
from goldspan.plugin.cli.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.adapters.options import ReadOptions


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """The files to begin with, and where the page is."""

    paths: tuple[Path, ...]
    page: PageRequest
    messages: Messages


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
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> OpenRequest:
    """The request that the arguments make."""
    page = PageRequest(port=args.port, browser=not args.no_browser)
    return OpenRequest(tuple(args.paths), page, messages(args))


def run(request: OpenRequest) -> int:
    """Serve the page until Ctrl-C; 0 when done."""
    for path in request.paths:
        if not path.exists():
            raise InputError("there is no such file or folder", where=str(path))
    from goldspan.plugin.open.web.serving import serve  # noqa: PLC0415 - loads the engine

    said = request.messages
    serve(
        request.paths, words, port=request.page.port, say=said.say,
        ready=lambda address: announce(address.url, request.page, said, "Ctrl-C ends; files that "
                                       "were dropped on the page are deleted then"),
    )  # fmt: skip
    return 0


def words(paths: Sequence[Path], name: str, options: ReadOptions) -> list[str]:
    """The words of a command that reads paths in a format."""
    return given(Reading(ReadRequest(tuple(paths), name, None, options), name, options))
