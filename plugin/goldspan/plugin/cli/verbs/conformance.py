"""`goldspan conformance`: exact examples for implementations of γ, and a check of their answers."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.plugin.conformance.answers import Compared

DONE, DIFFERENT = 0, 1


@dataclass(frozen=True, slots=True)
class ConformanceRequest:
    """Where the set goes, or whose answers are compared, and how closely."""

    output: Path | None
    check: Path | None
    tolerance: float
    all: bool

    def __post_init__(self) -> None:
        if self.output and self.check:
            raise SettingsError("--output writes the set and --check reads answers; use one")
        if not 0 <= self.tolerance < 1:
            raise SettingsError(f"--tolerance is {self.tolerance}; it must be from 0 to below 1")


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "conformance",
        help=VERBS["conformance"],
        description="Write the conformance set: small continua with exact disorders, alignments "
        "and label disagreements, and worked coefficients, with their sources, as JSON. With "
        "--check, compare the answers of an implementation with it; exit code 1 if one differs.",
        epilog="Example: goldspan conformance --output conformance.json",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="where the set goes (standard output)"
    )
    parser.add_argument(
        "--check", type=Path, metavar="FILE", help="answers of an implementation, as JSON"
    )
    parser.add_argument(
        "--tolerance", type=float, default=1e-6, metavar="X",
        help="how far an answer may be from the value of the set (1e-6)",
    )  # fmt: skip
    parser.add_argument(
        "--all", action="store_true", help="with --check, list the answers that are the same too"
    )
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> ConformanceRequest:
    """The request that the arguments make."""
    return ConformanceRequest(args.output, args.check, args.tolerance, args.all)


def run(request: ConformanceRequest) -> int:
    """Write the set, 0 when done; or print what differs, 1 if anything does."""
    from goldspan.adapters.files.atomic import new_file  # noqa: PLC0415 - `--help` needs neither
    from goldspan.plugin.conformance import answers  # noqa: PLC0415

    if request.check:
        found = answers.read_answers(request.check)
        rows = answers.compare(found, request.tolerance)
        return _report(found.implementation, rows, everything=request.all)
    if request.output is None:
        sys.stdout.write(answers.set_text())
        return DONE
    with new_file(request.output) as temporary:
        temporary.write_text(answers.set_text(), encoding="utf-8")
    return DONE


def _report(implementation: str, rows: tuple[Compared, ...], *, everything: bool) -> int:
    from goldspan.plugin.conformance.answers import Match  # noqa: PLC0415

    shown = (Match.DIFFERS, Match.SAME) if everything else (Match.DIFFERS,)
    lines = [
        f"{row.example}: {row.what} {row.result}"
        + (f": {row.given}, not {row.expected}" if row.result is Match.DIFFERS else "")
        for row in rows
        if row.result in shown
    ]
    counts = Counter(row.result for row in rows)
    lines.append(
        f"{implementation}: {counts[Match.SAME]} values are the same, "
        f"{counts[Match.DIFFERS]} differ, {counts[Match.NOT_GIVEN]} were not given."
    )
    sys.stdout.write("\n".join(lines) + "\n")
    return DIFFERENT if counts[Match.DIFFERS] else DONE
