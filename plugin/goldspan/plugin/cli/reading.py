"""Reading for verbs: the shared options, and the corpus they lead to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from goldspan.adapters import registry
from goldspan.adapters.adapter import Adapter, ReadOptions, read_with
from goldspan.engine.errors import brief
from goldspan.engine.model import Corpus, Note
from goldspan.plugin.cli.format_options import add_format_options, given_options, given_words

OPTIONS = {
    "--from": "format",
    "--annotator-from": "annotator_from",
    "--category-from": "category_from",
    "--layer": "layers",
    "--assignments": "assignments",
    "--exclude-annotator": "exclude_annotators",
    "--include-annotator": "include_annotators",
    "--trim": "trim",
    "--rename-labels": "rename_labels",
    "--swap": "swap",
    "--empty": "empty",
    "--unlabelled": "unlabelled",
    "--labels": "labels",
    "--include-partial": "include_partial",
}
"""Every option that all formats share and that decides what is read, and where its value is."""

USUAL = {"labels": "split"}
"""What holds if nothing is said, where that is something."""


MOST_PATHS = 10
"""More are not listed one by one."""


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the paths and every reading option."""
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders")
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
        help="csv document,annotator,status: overrides what the files say about who saw what",
    )  # fmt: skip
    group.add_argument(
        "--exclude-annotator", dest="exclude_annotators", action="append", default=[],
        metavar="NAME", help="leave this annotator out (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--include-annotator", dest="include_annotators", action="append", default=[],
        metavar="NAME", help="keep this annotator although the name means a merged version",
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
    group.add_argument("--unlabelled", metavar="NAME", help="the category of spans that have none")
    group.add_argument(
        "--labels", choices=("split", "join"), default=USUAL["labels"],
        help="several labels on one span: one unit for each, or one joined label",
    )  # fmt: skip
    group.add_argument(
        "--include-partial", action="store_true", help="count unfinished work as done"
    )
    group.add_argument("--quiet", action="store_true", help="print no notes on stderr")
    add_format_options(parser, "reading")


def read_corpus(args: argparse.Namespace) -> Corpus:
    """The corpus the arguments name; says on stderr what it took it for and what to know."""
    corpus = read_with(_adapter(args), args.paths, _options(args))
    say_notes(args, corpus.notes)
    return corpus


def inputs_of(args: argparse.Namespace) -> tuple[Path, ...]:
    """Everything that the arguments have read, and that is never written over."""
    tables = (getattr(args, name, None) for name in ("assignments", "rename_labels", "distances"))
    return (*args.paths, *getattr(args, "source", ()), *(path for path in tables if path))


def given(args: argparse.Namespace) -> list[str]:
    """The words of a command that read the same again, files by their names."""
    words = [path.name or str(path) for path in args.paths[:MOST_PATHS]]
    words += ["…"] if len(args.paths) > MOST_PATHS else []
    for option, name in OPTIONS.items():
        value = getattr(args, name)
        if not value or value == USUAL.get(name):
            continue
        for one in value if isinstance(value, list) else [value]:
            words.append(option)
            if one is not True:
                words.append(one.name if isinstance(one, Path) else str(one))
    return words + given_words(args, "reading")


def say(args: argparse.Namespace, sentence: str) -> None:
    """A remark on stderr, unless the user asked for quiet."""
    if not args.quiet:
        line = brief(" ".join(sentence.split()))
        print(f"goldspan: {line}", file=sys.stderr)  # noqa: T201 - this is what it is for


def say_notes(args: argparse.Namespace, notes: Iterable[Note]) -> None:
    """Each note as a remark, with its task and how often it holds."""
    for note in notes:
        place = f"task '{note.task}': " if note.task else ""
        often = f" ({note.count})" if note.count > 1 else ""
        say(args, f"{place}{note.message}{often}")


def _adapter(args: argparse.Namespace) -> Adapter:
    if args.format:
        return registry.get(args.format)
    adapter = registry.detect(args.paths)
    args.format = adapter.name
    say(args, f"reading {args.paths[0]} as {adapter.name}")
    return adapter


def _options(args: argparse.Namespace) -> ReadOptions:
    from goldspan.adapters.kit.labels import read_labels  # noqa: PLC0415 - loads the kit

    return ReadOptions(
        annotator_from=args.annotator_from,
        category_from=args.category_from,
        layers=tuple(args.layers),
        assignments=args.assignments,
        exclude_annotators=tuple(args.exclude_annotators),
        include_annotators=tuple(args.include_annotators),
        trim=args.trim,
        rename_labels=read_labels(args.rename_labels) if args.rename_labels else {},
        swap=args.swap,
        empty=args.empty,
        unlabelled=args.unlabelled,
        labels=args.labels,
        include_partial=args.include_partial,
        own=given_options(args, "reading"),
        losses=getattr(args, "losses", False),
    )
