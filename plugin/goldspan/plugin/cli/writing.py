"""Writing for verbs: the shared options, their request, and the files that it leads to."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters import registry
from goldspan.adapters.adapter import Adapter, WriteOptions, write_with
from goldspan.adapters.files.atomic import place_to_write
from goldspan.adapters.options import own_options
from goldspan.engine.errors import SettingsError
from goldspan.engine.gold.gold import Gold
from goldspan.plugin.cli.format_options import add_format_options, given_options
from goldspan.plugin.cli.outputs import touches

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.plugin.cli.messages import Messages
    from goldspan.plugin.cli.reading import Reading


@dataclass(frozen=True, slots=True)
class TargetRequest:
    """Where to write a corpus or gold, and how. Options without a source mean the input, if it has
    the same format.
    """

    format: str
    output: Path
    options: WriteOptions


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


def target_request(args: argparse.Namespace) -> TargetRequest:
    """What the arguments of `add_writing` say."""
    return TargetRequest(
        format=args.to,
        output=args.output,
        options=WriteOptions(
            source=tuple(args.source),
            annotator=args.annotator,
            replace=args.replace,
            own=given_options(args, "writing"),
        ),
    )


def check_target(request: TargetRequest, inputs: Sequence[Path], *, gold: bool) -> Adapter:
    """The adapter to write with; call it before the work starts, so that bad usage shows first.
    The `inputs` are never written over.
    """
    adapter = registry.get(request.format)
    if not adapter.writes:
        raise SettingsError(f"the format '{adapter.name}' can be read but not written")
    output = request.output
    if output.name in ("", ".."):
        raise SettingsError(f"--output '{output}' has no file name; name a new file or folder")
    adapter.check(output, gold=gold)
    for path in (*inputs, *request.options.source):
        if touches(output, path):
            raise SettingsError(
                f"the output {output} would touch the input {path}; inputs are never "
                "edited, choose another place"
            )
    place_to_write(output)
    own_options(adapter.name, adapter.writing_options, request.options.own)
    return adapter


def write_value(
    request: TargetRequest,
    value: Corpus | Gold,
    reading: Reading,
    inputs: Sequence[Path],
    messages: Messages,
) -> None:
    """Write what was made of what was read; says on stderr what a person should know."""
    adapter = check_target(request, inputs, gold=isinstance(value, Gold))
    source = request.options.source
    keep = (*inputs, *source)
    if not source and reading.format == request.format:
        source = reading.request.paths
    options = replace(request.options, source=source, keep=keep)
    messages.say_notes(write_with(adapter, value, request.output, options))
    messages.say(f"wrote {request.output} as {adapter.name}")
