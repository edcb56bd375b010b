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
    from goldspan.engine.facts import Note
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

    def with_replacing(self, allowed: bool) -> TargetRequest:
        """The same, with or without leave to replace a folder."""
        return replace(self, options=replace(self.options, replace=allowed))


def add_writing(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """Add the target and every writing option; `again` is for a verb that writes its own output
    again, and that takes the format of the output's name, or of the input, when none is named.
    """
    group = parser.add_argument_group("writing")
    usual = " (as the output's name says, or that of the input)" if again else ""
    group.add_argument(
        "--to", required=not again, metavar="FORMAT", help=f"the format to write{usual}"
    )
    group.add_argument(
        "--output",
        "-o",
        required=not again,
        type=Path,
        metavar="PATH",
        help="the file or folder to write; only --force replaces what goldspan adjudicate did not "
        "write itself"
        if again
        else "the file or folder to write; an existing file is replaced, an input never is",
    )
    group.add_argument(
        "--source", action="append", default=[], type=Path, metavar="PATH",
        help="files in the output format that supply what spans do not hold (tags, tiers); by "
        "default the input, if it has that format",
    )  # fmt: skip
    group.add_argument(
        "--annotator", default="gold", metavar="NAME", help="the annotator's name for gold (gold)"
    )
    if not again:
        group.add_argument(
            "--replace", action="store_true",
            help="allow replacing an output folder that is not empty, or a table of who saw what "
            "beside a new file",
        )  # fmt: skip
    add_format_options(parser, "writing")


def target_request(args: argparse.Namespace) -> TargetRequest:
    """What the arguments of `add_writing` say. A format that is not named is empty."""
    return TargetRequest(
        format=args.to or "",
        output=args.output,
        options=WriteOptions(
            source=tuple(args.source),
            annotator=args.annotator,
            replace=getattr(args, "replace", True),
            own=given_options(args, "writing"),
        ),
    )


def with_format(request: TargetRequest, read_as: str) -> TargetRequest:
    """The request with the format that its output's name says, else the one that was read."""
    if request.format:
        return request
    suffix = request.output.suffix.lower()
    called = [one.name for one in registry.load_all()[0] if _fits(one, request.output)]
    if read_as in called or not called:
        name = read_as
    elif len(called) == 1:
        name = called[0]
    else:
        raise SettingsError(
            f"{suffix} files can be {', '.join(called)}; say with --to which to write"
        )
    if not registry.get(name).writes:
        raise SettingsError(
            f"the format '{name}' can be read but not written; say with --to what to write"
        )
    return replace(request, format=name)


def _fits(adapter: Adapter, output: Path) -> bool:
    """Whether the output's name says that it has this format."""
    names = (".csv",) if adapter.name == "csv" else adapter.suffixes
    if not adapter.writes or output.suffix.lower() not in names:
        return False
    try:
        adapter.check(output, gold=True)
    except SettingsError:
        return False
    return True


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
) -> Sequence[Note]:
    """Write what was made of what was read; says on stderr what a person should know, and gives
    it.
    """
    adapter = check_target(request, inputs, gold=isinstance(value, Gold))
    source = request.options.source
    keep = (*inputs, *source)
    private = reading.options.no_text
    if private and source:
        raise SettingsError("--source would bring texts into the output; --no-text forbids it")
    if not source and reading.format == request.format and not private:
        source = reading.request.paths
    options = replace(request.options, source=source, keep=keep)
    notes = write_with(adapter, value, request.output, options)
    messages.say_notes(notes)
    messages.say(f"wrote {request.output} as {adapter.name}")
    return notes
