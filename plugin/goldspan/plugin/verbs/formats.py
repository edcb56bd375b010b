"""`goldspan formats`: which formats there are and how each tells annotators apart."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from goldspan.adapters import registry
from goldspan.adapters.adapter import Adapter
from goldspan.plugin.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.plugin.cli import Subparsers


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "formats",
        help=VERBS["formats"],
        description="List every format: what it reads and writes, and where annotators come from.",
        epilog="Example: goldspan formats --json -",
    )
    parser.add_argument("--json", metavar="-", choices=("-",), help="the same for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table; 0 when done."""
    adapters, broken = registry.load_all()
    if args.json:
        rows = [_row(adapter) for adapter in adapters]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
        return 0
    _print_table(adapters, broken)
    return 0


def _row(adapter: Adapter) -> dict[str, str | bool]:
    return {
        "name": adapter.name,
        "reads": adapter.reads,
        "writes": adapter.writes,
        "summary": adapter.summary,
        "annotators": adapter.annotators,
        "presence": adapter.presence,
        "extra": adapter.extra,
    }


def _print_table(adapters: tuple[Adapter, ...], broken: tuple[registry.Broken, ...]) -> None:
    # rich is slow to import and only this table needs it
    from rich.table import Table  # noqa: PLC0415

    from goldspan.plugin.console import VisibleConsole, escape  # noqa: PLC0415

    table = Table("format", "use")
    table.add_column("annotators", min_width=len("(--annotator-from"), overflow="fold")
    table.add_column("who saw what", overflow="fold")
    table.add_column("extra", overflow="fold")
    for one in adapters:
        table.add_row(
            escape(one.name), _uses(one), escape(one.annotators), escape(one.presence),
            escape(one.extra),
        )  # fmt: skip
    for lost in broken:
        table.add_row(escape(lost.name), "-", escape(lost.reason), "", "")
    console = VisibleConsole()
    console.print(table)
    console.print('An extra is installed with: pip install "goldspan\\[EXTRA]"', highlight=False)


def _uses(adapter: Adapter) -> str:
    return "\n".join(["read"] * adapter.reads + ["write"] * adapter.writes)
