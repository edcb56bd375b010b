"""`goldspan convert`: from any format that can be read to any that can be written."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from goldspan.engine.errors import InputError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.messages import Messages, messages
from goldspan.plugin.cli.reading import (
    ReadRequest,
    add_reading,
    read_corpus,
    read_request,
    resolve,
)
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.cli.writing import (
    TargetRequest,
    add_writing,
    check_target,
    target_request,
    write_value,
)

SHOWN = 8
"""How many annotators are named."""


@dataclass(frozen=True, slots=True)
class ConvertRequest:
    """What to read, and where to write it."""

    reading: ReadRequest
    target: TargetRequest
    messages: Messages


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
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> ConvertRequest:
    """The request that the arguments make."""
    return ConvertRequest(read_request(args, losses=True), target_request(args), messages(args))


def run(request: ConvertRequest) -> int:
    """Read, then write; 0 when done."""
    target, inputs, said = request.target, request.reading.inputs, request.messages
    check_target(target, inputs, gold=False)
    reading = resolve(request.reading, said)
    corpus = read_corpus(reading, said)
    if not corpus.continua:
        why = "leave out --quiet to see why" if said.quiet else "the notes above say why"
        raise InputError(
            f"every task was left out, so nothing was written; {why}", where=str(inputs[0])
        )
    write_value(target, corpus, reading, inputs, said)
    units = sum(len(continuum.units) for continuum in corpus.continua)
    names = corpus.annotators
    listed = ", ".join((*names[:SHOWN], *(["…"] if len(names) > SHOWN else [])))
    who = f"{len(names)} ({listed})" if names else "none"
    said.say(f"tasks: {len(corpus.continua)}, units: {units}, annotators: {who}")
    return 0
