"""Adjudication for verbs: the version a person settled, and the calibration it leads to."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters import registry
from goldspan.adapters.adapter import Adapter, ReadOptions, read_with
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus
from goldspan.plugin.format_options import given_options
from goldspan.plugin.reading import say

if TYPE_CHECKING:
    from goldspan.engine.gold.calibration import Calibration

OF_SPANS = ("fragments",)
"""Formats' own options that decide what the spans are, not where names come from or whose."""


def add_adjudication(parser: argparse.ArgumentParser) -> None:
    """Add every option about spans that a person judged."""
    group = parser.add_argument_group("adjudication")
    group.add_argument(
        "--adjudicated", type=Path, metavar="FILE",
        help="tasks that a person adjudicated, in any format, to calibrate the confidences; from a "
        "Label Studio export the ground truth is taken",
    )  # fmt: skip
    group.add_argument(
        "--adjudicated-from", metavar="FORMAT", help="its format; detected if not given"
    )
    group.add_argument(
        "--adjudicator", metavar="NAME", help="whose version to use, if the file holds several"
    )
    group.add_argument(
        "--adjudicator-from", metavar="SOURCE",
        help="where the adjudicator's name comes from, as in --annotator-from",
    )  # fmt: skip
    group.add_argument(
        "--adjudicated-task-from", metavar="SOURCE",
        help="where its tasks' names come from, as in --task-from",
    )  # fmt: skip
    group.add_argument(
        "--calibration", type=Path, metavar="FILE",
        help="where the calibration is stored: written with --adjudicated (the output's name with "
        ".calibration.json when not given), else read",
    )  # fmt: skip
    group.add_argument(
        "--sample-for-adjudication", type=int, metavar="N",
        help="write only a random sample of tasks, with N suggested spans or more, to adjudicate",
    )  # fmt: skip


def read_adjudicated(args: argparse.Namespace) -> Corpus:
    """The settled version: who else is in the file is left out."""
    from goldspan.adapters.kit.annotator_filter import PSEUDO_ANNOTATORS  # noqa: PLC0415 - loads the kit
    from goldspan.adapters.kit.labels import read_labels  # noqa: PLC0415 - loads the kit

    path: Path = args.adjudicated
    if not path.exists():
        raise InputError("there is no such file or folder", where=str(path))
    name = args.adjudicated_from
    adapter = registry.get(name) if name else registry.detect([path])
    if not name:
        say(args, f"reading {path} as {adapter.name}")
    options = ReadOptions(
        annotator_from=args.adjudicator_from,
        include_annotators=tuple(sorted(PSEUDO_ANNOTATORS)),
        trim=args.trim,
        rename_labels=read_labels(args.rename_labels) if args.rename_labels else {},
        swap=args.swap,
        empty="seen",
        unlabelled=args.unlabelled,
        labels=args.labels,
        adjudicated=True,
        own=_own(args, adapter),
    )
    return _settled(read_with(adapter, [path], options), args.adjudicator, str(path))


def _own(args: argparse.Namespace, adapter: Adapter) -> dict[str, Any]:
    """The settled version's own options: those that decide what its spans are, where its format
    has them, as for the annotations; and where its tasks' names come from.
    """
    declared = {option.name for option in adapter.reading_options}
    same = given_options(args, "reading").items()
    own = {name: value for name, value in same if name in declared and name in OF_SPANS}
    return own | {"task_from": args.adjudicated_task_from}


def _settled(corpus: Corpus, adjudicator: str | None, where: str) -> Corpus:
    """One version a task: the ground truth, the adjudicator's, or what is called merged."""
    from goldspan.adapters.kit.annotator_filter import is_merged  # noqa: PLC0415 - loads the kit

    truth = {note.task for note in corpus.notes if note.fact.kind is FormatFact.SETTLED}
    continua = [c for c in corpus.continua if not truth or c.id in truth]
    if adjudicator is not None:
        if adjudicator not in corpus.annotators:
            known = ", ".join(corpus.annotators) or "nobody"
            raise InputError(f"there is no annotator '{adjudicator}', only {known}", where=where)
        continua = [c.only([adjudicator]) for c in continua if adjudicator in c.annotators]
    else:
        merged = {name for name in corpus.annotators if is_merged(name)}
        if merged:
            continua = [c.only(merged) for c in continua if merged & set(c.annotators)]
    return replace(corpus, continua=tuple(continua))


def place_of_calibration(args: argparse.Namespace) -> Path:
    """Where the calibration is stored: where the arguments say, or beside the output."""
    given: Path | None = args.calibration
    return given or args.output.with_name(f"{args.output.name}.calibration.json")


def store(args: argparse.Namespace, calibration: Calibration) -> None:
    """Write the calibration to its place."""
    path = place_of_calibration(args)
    with new_file(path) as temporary:
        text = json.dumps(calibration.as_json(), indent=1)
        temporary.write_text(f"{text}\n", encoding="utf-8")
    say(args, f"wrote the calibration to {path}")


def load(path: Path) -> Calibration:
    """The calibration in a file; an InputError when it is none."""
    from goldspan.engine.gold.calibration import Calibration  # noqa: PLC0415 - loads numpy

    if not path.exists():
        raise InputError(
            "there is no such calibration; create one with --adjudicated", where=str(path)
        )
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            "this is not a JSON file, so it cannot be a calibration", where=str(path)
        ) from error
    return Calibration.from_json(value, str(path))
