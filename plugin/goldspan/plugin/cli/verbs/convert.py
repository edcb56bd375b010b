"""`goldspan convert`: from any format that can be read to any that can be written."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from goldspan.engine.errors import InputError
from goldspan.plugin.cli.reading import add_reading, read_corpus, say
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.cli.writing import add_writing, check_target, write_value

if TYPE_CHECKING:
    from goldspan.plugin.cli import Subparsers

SHOWN = 8
"""How many annotators are named."""


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "convert",
        help=VERBS["convert"],
        description="Convert annotations from one format to another.",
        epilog="Example: goldspan convert export.json --to csv --output spans.csv",
    )
    add_reading(parser)
    add_writing(parser)
    parser.set_defaults(run=run, losses=True)


def run(args: argparse.Namespace) -> int:
    """Read, then write; 0 when done."""
    check_target(args, gold=False)
    corpus = read_corpus(args)
    if not corpus.continua:
        why = "leave out --quiet to see why" if args.quiet else "the notes above say why"
        raise InputError(
            f"every task was left out, so nothing was written; {why}", where=str(args.paths[0])
        )
    write_value(args, corpus)
    units = sum(len(continuum.units) for continuum in corpus.continua)
    names = corpus.annotators
    listed = ", ".join((*names[:SHOWN], *(["…"] if len(names) > SHOWN else [])))
    who = f"{len(names)} ({listed})" if names else "none"
    say(args, f"tasks: {len(corpus.continua)}, units: {units}, annotators: {who}")
    return 0
