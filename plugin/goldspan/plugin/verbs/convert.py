"""`goldspan convert`: from any format that can be read to any that can be written."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from goldspan.plugin.reading import add_reading, read_corpus
from goldspan.plugin.writing import add_writing, check_target, write_value

if TYPE_CHECKING:
    from goldspan.plugin.cli import Subparsers


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "convert",
        help="from one format to another",
        description="Convert annotations from one format to another.",
        epilog="Example: goldspan convert export.json --to csv --output spans.csv",
    )
    add_reading(parser)
    add_writing(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, then write; 0 when done."""
    check_target(args)
    write_value(args, read_corpus(args))
    return 0
