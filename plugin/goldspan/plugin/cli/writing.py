"""Writing for verbs: the shared options, and the files they lead to."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldspan.adapters import registry
from goldspan.adapters.adapter import Adapter, WriteOptions, write_with
from goldspan.adapters.files.atomic import place_to_write
from goldspan.adapters.options import own_options
from goldspan.engine.errors import SettingsError
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import Corpus
from goldspan.plugin.cli.format_options import add_format_options, given_options
from goldspan.plugin.cli.outputs import touches
from goldspan.plugin.cli.reading import inputs_of, say, say_notes


def add_writing(parser: argparse.ArgumentParser) -> None:
    """Add the target and every writing option."""
    group = parser.add_argument_group("writing")
    group.add_argument("--to", required=True, metavar="FORMAT", help="the format to write")
    group.add_argument(
        "--output",
        "-o",
        required=True,
        type=Path,
        metavar="PATH",
        help="the file or folder to write; an existing file is replaced, an input never is",
    )
    group.add_argument(
        "--source", action="append", default=[], type=Path, metavar="PATH",
        help="files in the output format that supply what spans do not hold (tags, tiers); by "
        "default the input, if it has that format",
    )  # fmt: skip
    group.add_argument(
        "--annotator", default="gold", metavar="NAME", help="the annotator's name for gold (gold)"
    )
    group.add_argument(
        "--replace", action="store_true",
        help="allow replacing an output folder that is not empty, or a table of who saw what "
        "beside a new file",
    )  # fmt: skip
    add_format_options(parser, "writing")


def check_target(args: argparse.Namespace, *, gold: bool) -> Adapter:
    """The adapter to write with; call it before the work starts, so that bad usage shows first."""
    adapter = registry.get(args.to)
    if not adapter.writes:
        raise SettingsError(f"the format '{adapter.name}' can be read but not written")
    if args.output.name in ("", ".."):
        raise SettingsError(f"--output '{args.output}' has no file name; name a new file or folder")
    adapter.check(args.output, gold=gold)
    _refuse_inputs(args)
    place_to_write(args.output)
    own_options(adapter.name, adapter.writing_options, _options(args).own)
    return adapter


def write_value(args: argparse.Namespace, value: Corpus | Gold) -> None:
    """Write it; says on stderr what a person should know."""
    adapter = check_target(args, gold=isinstance(value, Gold))
    say_notes(args, write_with(adapter, value, args.output, _options(args)))
    say(args, f"wrote {args.output} as {adapter.name}")


def _options(args: argparse.Namespace) -> WriteOptions:
    source = tuple(args.source)
    if not source and args.format == args.to:
        source = tuple(args.paths)
    return WriteOptions(
        source=source,
        annotator=args.annotator,
        replace=args.replace,
        keep=inputs_of(args),
        own=given_options(args, "writing"),
    )


def _refuse_inputs(args: argparse.Namespace) -> None:
    for path in inputs_of(args):
        if touches(args.output, path):
            raise SettingsError(
                f"the output {args.output} would touch the input {path}; inputs are never "
                "edited, choose another place"
            )
