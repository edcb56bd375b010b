"""Reading for verbs: the shared options, their request, and the corpus that it leads to."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters import registry
from goldspan.adapters.adapter import ReadOptions, read_with
from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.format_options import add_format_options, given_options, given_words
from goldspan.plugin.cli.messages import Messages, add_quiet

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus

OPTIONS = {
    "--from": "format",
    "--annotator-from": "annotator_from",
    "--category-from": "category_from",
    "--layer": "layers",
    "--assignments": "assignments",
    "--exclude-annotator": "exclude_annotators",
    "--include-annotator": "include_annotators",
    "--exclude-label": "exclude_labels",
    "--exclude-task": "exclude_tasks",
    "--trim": "trim",
    "--rename-labels": "rename_labels",
    "--swap": "swap",
    "--empty": "empty",
    "--unlabelled": "unlabelled",
    "--labels": "labels",
    "--join-touching": "join_touching",
    "--include-partial": "include_partial",
    "--no-text": "no_text",
}
"""Every option that all formats share and that decides what is read, and where its value is."""

USUAL = {"labels": "split"}
"""What holds if nothing is said, where that is something."""


MOST_PATHS = 1_000
"""More are not listed one by one."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What to read, and how.

    format         None if it is to be detected
    rename_labels  the file with new names of labels, which the options have only when it is read
    """

    paths: tuple[Path, ...]
    format: str | None
    rename_labels: Path | None
    options: ReadOptions

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Everything that is read, and that is never written over."""
        tables = (self.options.assignments, self.rename_labels)
        return (*self.paths, *(path for path in tables if path))


@dataclass(frozen=True, slots=True)
class Reading:
    """A request with what only files can say: the format that they have, and the whole options."""

    request: ReadRequest
    format: str
    options: ReadOptions


def add_reading(parser: argparse.ArgumentParser, *, paths: str = "+") -> None:
    """Add the paths, as many as `paths` says, and every reading option."""
    parser.add_argument("paths", nargs=paths, type=Path, metavar="PATH", help="files or folders")
    group = parser.add_argument_group("reading")
    group.add_argument(
        "--from", dest="format", metavar="FORMAT", help="the format; detected if not given"
    )
    group.add_argument(
        "--annotator-from", metavar="SOURCE",
        help="where annotators' names come from: dir, file, a pattern such as "
        "'{annotator}/{task}.txt', or a word that the format defines",
    )  # fmt: skip
    group.add_argument(
        "--category-from",
        metavar="SOURCE",
        help="where categories come from, in a word that the format defines",
    )
    group.add_argument(
        "--layer", dest="layers", action="append", default=[], metavar="NAME",
        help="read only this tier, layer, span key or control tag (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--assignments", type=Path, metavar="FILE",
        help="csv document,annotator,status: overrides what the files say about who saw what; "
        "annotators not listed for a document, who marked nothing there, have not seen it",
    )  # fmt: skip
    group.add_argument(
        "--exclude-annotator", dest="exclude_annotators", action="append", default=[],
        metavar="NAME", help="leave this annotator out (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--include-annotator", dest="include_annotators", action="append", default=[],
        metavar="NAME",
        help="keep this annotator, whose name otherwise means a merged version (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--exclude-label", dest="exclude_labels", action="append", default=[], metavar="NAME",
        help="leave out spans with this label (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--exclude-task", dest="exclude_tasks", action="append", default=[], metavar="NAME",
        help="leave this task out (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--trim", action="store_true", help="remove white space at the edges of every span"
    )
    group.add_argument(
        "--rename-labels", type=Path, metavar="FILE", help="csv old,new (or a JSON object)"
    )
    group.add_argument(
        "--swap", action="store_true", help="exchange start and end if the end comes first"
    )
    group.add_argument(
        "--empty", choices=("seen", "unseen"),
        help="whether an annotation without spans was seen, if the format does not say",
    )  # fmt: skip
    group.add_argument(
        "--unlabelled", metavar="NAME",
        help="the category of spans that have none; drop leaves them out",
    )  # fmt: skip
    group.add_argument(
        "--labels", choices=("split", "join"), default=USUAL["labels"],
        help="several labels on one span: one unit for each, or one joined label",
    )  # fmt: skip
    group.add_argument(
        "--join-touching", action="store_true",
        help="make one span of touching spans of one annotator and category",
    )  # fmt: skip
    group.add_argument(
        "--include-partial", action="store_true", help="count unfinished work as done"
    )
    add_no_text(group)
    add_quiet(group)
    add_format_options(parser, "reading")


def add_no_text(group: argparse._ActionsContainer) -> None:
    """Add the option for private data."""
    group.add_argument(
        "--no-text", action="store_true",
        help="for private data: show and write no text, in any output or message",
    )  # fmt: skip


def read_request(args: argparse.Namespace, *, losses: bool = False) -> ReadRequest:
    """What the arguments of `add_reading` say; `losses` notes what spans cannot hold."""
    return ReadRequest(
        paths=tuple(args.paths),
        format=args.format,
        rename_labels=args.rename_labels,
        options=ReadOptions(
            annotator_from=args.annotator_from,
            category_from=args.category_from,
            layers=tuple(args.layers),
            assignments=args.assignments,
            exclude_annotators=tuple(args.exclude_annotators),
            include_annotators=tuple(args.include_annotators),
            exclude_labels=tuple(args.exclude_labels),
            exclude_tasks=tuple(args.exclude_tasks),
            trim=args.trim,
            swap=args.swap,
            empty=args.empty,
            unlabelled=args.unlabelled,
            labels=args.labels,
            join_touching=args.join_touching,
            include_partial=args.include_partial,
            no_text=args.no_text,
            own=given_options(args, "reading"),
            losses=losses,
        ),
    )


def resolve(request: ReadRequest, messages: Messages) -> Reading:
    """The request with its format, detected if none is named, and with new names of labels."""
    from goldspan.adapters.kit.labels import read_labels  # noqa: PLC0415 - loads the kit

    name, table = request.format, request.rename_labels
    if not name:
        name = registry.detect(request.paths).name
        messages.say(f"reading {request.paths[0]} as {name}")
    new_names = read_labels(table) if table else {}
    return Reading(request, name, replace(request.options, rename_labels=new_names))


def read_corpus(reading: Reading, messages: Messages) -> Corpus:
    """The corpus that is asked for; says on stderr what a person should know about it."""
    adapter = registry.get(reading.format)
    corpus = read_with(adapter, list(reading.request.paths), reading.options)
    messages.say_notes(corpus.notes)
    return corpus


def each_layer(reading: Reading) -> Iterator[tuple[str, Reading]]:
    """A reading for each layer that is asked for, or for each kind of tiers in the files, with a
    name for its files.
    """
    from goldspan.adapters.facts import merged_kinds  # noqa: PLC0415 - loads the adapters
    from goldspan.adapters.files.file_names import FileNames  # noqa: PLC0415 - as above

    layers = reading.options.layers
    if not layers:
        paths = list(reading.request.paths)
        layers = merged_kinds(read_with(registry.get(reading.format), paths, reading.options).notes)
    if not layers:
        raise SettingsError(
            "--by layer: the files have no tiers of several kinds; name layers with --layer"
        )
    names = FileNames([layer.strip("* ") or layer for layer in layers])
    for layer in layers:
        asked = replace(reading.request.options, layers=(layer,))
        options = replace(reading.options, layers=(layer,))
        request = replace(reading.request, options=asked)
        yield names[layer.strip("* ") or layer], Reading(request, reading.format, options)


def read_settled(reading: Reading) -> Corpus:
    """The version that a person settled, of the same files; nothing is said about it."""
    options = replace(reading.options, adjudicated=True)
    return read_with(registry.get(reading.format), list(reading.request.paths), options)


def given(reading: Reading) -> list[str]:
    """The words of a command that read the same again in the folder that the files share."""
    paths = reading.request.paths
    words = _shown(paths)[:MOST_PATHS] + ["…"] * (len(paths) > MOST_PATHS)
    return words + repeated_options(reading)


def _shown(paths: Sequence[Path]) -> list[str]:
    """Files by their names; those of several folders from the folder that all share."""
    full = [Path(os.path.abspath(one)) for one in paths]  # noqa: PTH100 - links keep their names
    folders = {path.parent for path in full}
    if len(folders) > 1:
        with suppress(ValueError):  # on several drives
            shared = Path(os.path.commonpath(folders))
            if shared != Path(shared.anchor):
                return [path.relative_to(shared).as_posix() for path in full]
    return [path.name or str(path) for path in paths]


def repeated_options(reading: Reading) -> list[str]:
    """The options of such a command."""
    request, words = reading.request, list[str]()
    beside = {"format": reading.format, "rename_labels": request.rename_labels}
    for option, name in OPTIONS.items():
        value = beside[name] if name in beside else getattr(request.options, name)
        if not value or value == USUAL.get(name):
            continue
        for one in value if isinstance(value, tuple) else [value]:
            words.append(option)
            if one is not True:
                words.append(one.name if isinstance(one, Path) else str(one))
    return words + given_words(request.options.own)
