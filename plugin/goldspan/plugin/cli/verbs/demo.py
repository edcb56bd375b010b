"""`goldspan demo`: two rounds on bundled data, with the commands that it takes."""

from __future__ import annotations

import argparse
import io
import shlex
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.verbs import VERBS

ROUNDS = ("round1.json", "round2.json")

COMMANDS = (
    "score DIR/exports/round1.json --html DIR/report.html --json DIR/round1.json",
    "gold DIR/exports/round1.json --to label-studio -o DIR/gold.json --decisions DIR/decide.csv",
    "score DIR/exports/round2.json --markdown - --json DIR/round2.json",
    "compare DIR/round1.json DIR/round2.json --html DIR/trend.html",
)

LOOK = {
    "report.html": "the report of the first round: open it in a browser",
    "trend.html": "how it changed in the second round, after dario was trained",
    "gold.json": "the suggested gold of the first round, for Label Studio to import",
    "decide.csv": "the places where a person should decide",
    "round1.json": "every figure of the first round, for programs",
}

OPEN = "open DIR/exports/round1.json"
NEXT = "adjudicate DIR/exports/round1.json --output DIR/adjudicated.json"
"""What a person can do then, in the browser."""


@dataclass(frozen=True, slots=True)
class DemoRequest:
    """The folder to fill, and the command line that fills it."""

    folder: Path
    quiet: bool
    main: Callable[[Sequence[str]], int]


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "demo",
        help=VERBS["demo"],
        description="Score, merge and compare two rounds of bundled data, and print the paths: "
        "ten short reports, four annotators, one of whom was untrained in the first round.",
        epilog="Example: goldspan demo goldspan-demo",
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path("goldspan-demo"), metavar="DIR",
        help="the folder to fill (goldspan-demo)",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="write the files, print nothing")
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> DemoRequest:
    """The request that the arguments make."""
    return DemoRequest(args.folder, args.quiet, args.main)


def run(request: DemoRequest) -> int:
    """Fill the folder by the very commands that are shown; 0 when done."""
    folder = request.folder
    if folder.is_file():
        raise SettingsError(f"{folder} is a file; name a folder to fill")
    for name in ROUNDS:
        with new_file(folder / "exports" / name) as temporary:
            temporary.write_bytes(files("goldspan.plugin").joinpath("demo", name).read_bytes())
    with redirect_stdout(io.StringIO()) if request.quiet else nullcontext():
        for line in COMMANDS:
            command = _words(line, folder)
            print(f"$ goldspan {shlex.join(command)}", flush=True)  # noqa: T201 - for people
            code = request.main([*command, *(["--quiet"] if request.quiet else [])])
            if code:
                return code
            print()  # noqa: T201
        for name, what in LOOK.items():
            print(f"{folder / name}: {what}")  # noqa: T201
        settle = shlex.join(_words(NEXT, folder))
        print(f"goldspan {settle}: settle the disagreements in the browser")  # noqa: T201
        live = shlex.join(_words(OPEN, folder))
        print(f"goldspan {live}: change settings in the browser, and see the figures follow")  # noqa: T201
    return 0


def _words(line: str, folder: Path) -> list[str]:
    return [word.replace("DIR", str(folder), 1) for word in line.split()]
