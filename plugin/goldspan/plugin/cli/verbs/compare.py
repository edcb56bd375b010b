"""`goldspan compare`: what became of agreement, round over round."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import InputError, SettingsError
from goldspan.plugin.cli.reading import say
from goldspan.plugin.cli.results import add_json, add_pages, check_targets, write_json, write_text
from goldspan.plugin.cli.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.engine.comparison import Comparison
    from goldspan.plugin.cli import Subparsers


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
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the random seed (0)")
    parser.add_argument(
        "--level", type=float, default=0.95, help="the level of the intervals (0.95)"
    )
    group = parser.add_argument_group("results")
    add_json(group)
    add_pages(group)
    group.add_argument("--quiet", action="store_true", help="print no notes on stderr")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the rounds, compare each with the next and the first with the last, show; 0 if done."""
    # The engine loads compiled code, which `--help` need not wait for.
    from goldspan.engine.comparison import compare  # noqa: PLC0415
    from goldspan.plugin.rounds import read_rounds  # noqa: PLC0415

    if len(args.paths) < 2:
        raise SettingsError("compare needs two results or more, oldest first")
    if not 0 < args.level < 1:
        raise SettingsError(f"the level is {args.level}; it must be between 0 and 1")
    if args.seed < 0:
        raise SettingsError(f"the seed is {args.seed}; it must be 0 or more")
    for path in args.paths:
        if not path.is_file():
            raise InputError("there is no such file", where=str(path))
    check_targets(args)
    _show(args, compare(read_rounds(args.paths), seed=args.seed, level=args.level))
    return 0


def _show(args: argparse.Namespace, comparison: Comparison) -> None:
    taken = write_json(args, comparison.as_json()) if args.json is not None else False
    if args.html is not None:
        from goldspan.plugin.report.trend import write_trend  # noqa: PLC0415 - loads templates

        write_trend(args.html, comparison)
        say(args, f"wrote {args.html}")
    if args.markdown is not None:
        from goldspan.plugin.report.trend import trend_text  # noqa: PLC0415 - loads templates

        taken = write_text(args, trend_text(comparison)) or taken
    if not taken:
        from goldspan.plugin.cli.console import VisibleConsole  # noqa: PLC0415 - slow to import
        from goldspan.plugin.cli.summary import print_comparison  # noqa: PLC0415 - slow to import

        print_comparison(comparison, VisibleConsole())
