"""Writing for verbs: the shared options, and the files they lead to."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldspan.adapters import registry
from goldspan.adapters.adapter import Adapter, WriteOptions
from goldspan.engine.errors import SettingsError
from goldspan.engine.gold import Gold
from goldspan.engine.model import Corpus
from goldspan.plugin.reading import say


def add_writing(parser: argparse.ArgumentParser) -> None:
    """Add the target and every writing option."""
    group = parser.add_argument_group("writing")
    group.add_argument("--to", required=True, metavar="FORMAT", help="the format to write")
    group.add_argument(
        "--output", "-o", required=True, type=Path, metavar="PATH", help="a new file or folder"
    )
    group.add_argument(
        "--source", action="append", default=[], type=Path, metavar="PATH",
        help="files of the written format to take from what spans do not hold (tags, tiers); "
        "the paths read, when they are of that format",
    )  # fmt: skip
    group.add_argument(
        "--annotator", default="gold", metavar="NAME", help="the name gold goes by (gold)"
    )
    group.add_argument(
        "--ground-truth", action="store_true",
        help="write gold as finished annotations, not as suggestions, where there are both",
    )  # fmt: skip
    group.add_argument(
        "--replace", action="store_true", help="an output folder that is not empty may be replaced"
    )


def check_target(args: argparse.Namespace) -> Adapter:
    """The adapter to write with; call it before the work starts, so that bad usage shows first."""
    adapter = registry.get(args.to)
    if not adapter.writes:
        raise SettingsError(f"the format '{adapter.name}' can be read but not written")
    _refuse_inputs(args.output, args.paths)
    return adapter


def write_value(args: argparse.Namespace, value: Corpus | Gold) -> None:
    """Write it; says on stderr what a person should know."""
    adapter = check_target(args)
    source = tuple(args.source)
    if not source and args.format == args.to:
        source = tuple(args.paths)
    options = WriteOptions(
        source=source,
        annotator=args.annotator,
        ground_truth=args.ground_truth,
        replace=args.replace,
    )
    for note in adapter.write(value, args.output, options):
        place = f"task '{note.task}': " if note.task else ""
        often = f" ({note.count})" if note.count > 1 else ""
        say(args, f"{place}{note.message}{often}")
    say(args, f"wrote {args.output} as {adapter.name}")


def _refuse_inputs(output: Path, inputs: list[Path]) -> None:
    target = output.resolve()
    for path in inputs:
        given = path.resolve()
        replaces_part = given in target.parents and (target.exists() or given.is_file())
        if target == given or replaces_part or target in given.parents:
            raise SettingsError(
                f"the output {output} would touch the input {path}; inputs are never edited, "
                "choose another place"
            )
