"""`goldspan compare`: what became of agreement, round over round."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import InputError, SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.measuring import add_seed
from goldspan.plugin.cli.messages import Messages, add_quiet, messages
from goldspan.plugin.cli.results import (
    OutputRequest,
    add_json,
    add_pages,
    check_targets,
    write_json,
    write_text,
)
from goldspan.plugin.cli.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.engine.comparison import Comparison


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """The results to compare, oldest first; the seed and level of the intervals; and the files."""

    paths: tuple[Path, ...]
    seed: int
    level: float
    output: OutputRequest
    messages: Messages

    def __post_init__(self) -> None:
        if len(self.paths) < 2:
            raise SettingsError("compare needs two results or more, oldest first")
        if not 0 < self.level < 1:
            raise SettingsError(f"the level is {self.level}; it must be between 0 and 1")
        if self.seed < 0:
            raise SettingsError(f"the seed is {self.seed}; it must be 0 or more")


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "compare",
        help=VERBS["compare"],
        description="Compare scored rounds in the order given: γ, γcat and γk with the intervals "
        "of their changes, paired where the rounds share tasks.",
        epilog="Example: goldspan compare round1.json round2.json --html trend.html",
    )
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="RESULT.json",
        help="two or more results that `goldspan score --json` wrote, oldest first",
    )  # fmt: skip
    add_seed(parser)
    parser.add_argument(
        "--level", type=float, default=0.95, help="the level of the intervals (0.95)"
    )
    group = parser.add_argument_group("results")
    add_json(group, "all changes")
    add_pages(group)
    add_quiet(group)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> CompareRequest:
    """The request that the arguments make."""
    output = OutputRequest(args.json, args.html, args.markdown)
    return CompareRequest(tuple(args.paths), args.seed, args.level, output, messages(args))


def run(request: CompareRequest) -> int:
    """Read the rounds, compare each with the next and the first with the last, show; 0 if done."""
    # The engine loads compiled code, which `--help` need not wait for.
    from goldspan.engine.comparison import compare  # noqa: PLC0415
    from goldspan.plugin.rounds import read_rounds  # noqa: PLC0415

    for path in request.paths:
        if not path.is_file():
            raise InputError("there is no such file", where=str(path))
    check_targets(request.output, request.paths)
    rounds = read_rounds(request.paths)
    _show(request, compare(rounds, seed=request.seed, level=request.level))
    return 0


def _show(request: CompareRequest, comparison: Comparison) -> None:
    output, taken = request.output, False
    if output.json is not None:
        taken = write_json(output.json, comparison.as_json(), request.messages)
    if output.html is not None:
        from goldspan.plugin.report.trend import write_trend  # noqa: PLC0415 - loads templates

        write_trend(output.html, comparison)
        request.messages.say(f"wrote {output.html}")
    if output.markdown is not None:
        from goldspan.plugin.report.trend import trend_text  # noqa: PLC0415 - loads templates

        text = trend_text(comparison)
        taken = write_text(output.markdown, text, request.messages) or taken
    if not taken:
        from goldspan.plugin.cli.console import VisibleConsole  # noqa: PLC0415 - slow to import
        from goldspan.plugin.cli.summary import print_comparison  # noqa: PLC0415 - slow to import

        print_comparison(comparison, VisibleConsole())
