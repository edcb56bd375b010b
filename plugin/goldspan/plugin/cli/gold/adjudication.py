"""Adjudication for verbs: the version a person settled, and the calibration it leads to."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters import registry
from goldspan.adapters.adapter import Adapter, ReadOptions, read_with
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.gold.calibration import Calibration
    from goldspan.engine.model import Corpus
    from goldspan.plugin.cli.messages import Messages

OF_SPANS = ("fragments",)
"""Formats' own options that decide what the spans are, not where names come from or whose."""


@dataclass(frozen=True, slots=True)
class AdjudicationRequest:
    """The version that a person settled, and what to do with it.

    path, format      of the version; None if there is none, or if it is to be detected
    adjudicator       whose version to use, if the file holds several
    adjudicator_from  where that name comes from, as for annotators
    task_from         where the tasks' names come from
    calibration       where the calibration is stored
    sample            write only a sample of tasks, with so many spans or more
    """

    path: Path | None = None
    format: str | None = None
    adjudicator: str | None = None
    adjudicator_from: str | None = None
    task_from: str | None = None
    calibration: Path | None = None
    sample: int | None = None

    def place_of_calibration(self, output: Path) -> Path:
        """Where the calibration is stored: where the request says, or beside the output."""
        return self.calibration or output.with_name(f"{output.name}.calibration.json")


def add_adjudication(parser: argparse.ArgumentParser) -> None:
    """Add every option about spans that a person judged."""
    group = parser.add_argument_group("adjudication")
    add_version(
        group,
        "tasks that a person adjudicated, in any format, to calibrate the confidences; from a "
        "Label Studio export the ground truth is taken. Or the journal of `goldspan adjudicate`: "
        "its decisions become the gold",
    )
    group.add_argument(
        "--calibration", type=Path, metavar="FILE",
        help="where the calibration is stored: written with --adjudicated (the output's name with "
        ".calibration.json when not given), else read",
    )  # fmt: skip
    group.add_argument(
        "--sample-for-adjudication", type=int, metavar="N",
        help="write only a random sample of tasks, with N suggested spans or more, to adjudicate",
    )  # fmt: skip


def add_version(group: argparse._ArgumentGroup, about: str) -> None:
    """Add the options that name the version which a person settled; `about` says what for."""
    group.add_argument("--adjudicated", type=Path, metavar="FILE", help=about)
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


def is_journal(path: Path) -> bool:
    """Whether the path is a folder of journals that `goldspan adjudicate` wrote."""
    if not path.is_dir():
        return False
    for file in path.glob("*.jsonl"):
        with file.open("rb") as stream:
            if stream.read(11) == b'{"journal":':
                return True
    return False


def adjudication_request(args: argparse.Namespace) -> AdjudicationRequest:
    """What the arguments of `add_adjudication` say, or of `add_version` alone."""
    return AdjudicationRequest(
        path=args.adjudicated,
        format=args.adjudicated_from,
        adjudicator=args.adjudicator,
        adjudicator_from=args.adjudicator_from,
        task_from=args.adjudicated_task_from,
        calibration=getattr(args, "calibration", None),
        sample=getattr(args, "sample_for_adjudication", None),
    )


def read_adjudicated(
    request: AdjudicationRequest, path: Path, read: ReadOptions, messages: Messages
) -> Corpus:
    """The settled version at the path, which is read as the annotations were (`read`); others in
    the file are left out.
    """
    from goldspan.adapters.kit.annotator_filter import PSEUDO_ANNOTATORS  # noqa: PLC0415 - loads the kit

    if not path.exists():
        raise InputError("there is no such file or folder", where=str(path))
    adapter = registry.get(request.format) if request.format else registry.detect([path])
    if not request.format:
        messages.say(f"reading {path} as {adapter.name}")
    options = ReadOptions(
        annotator_from=request.adjudicator_from,
        include_annotators=tuple(sorted(PSEUDO_ANNOTATORS)),
        trim=read.trim,
        rename_labels=read.rename_labels,
        swap=read.swap,
        empty="seen",
        unlabelled=read.unlabelled,
        labels=read.labels,
        join_touching=read.join_touching,
        no_text=read.no_text,
        adjudicated=True,
        own=_own(adapter, read) | {"task_from": request.task_from},
    )
    return _settled(read_with(adapter, [path], options), request.adjudicator, str(path))


def _own(adapter: Adapter, read: ReadOptions) -> dict[str, Any]:
    """Of the formats' own options those that decide what the settled version's spans are, where its
    format has them.
    """
    declared = {option.name for option in adapter.reading_options}
    return {
        name: value for name, value in read.own.items() if name in declared and name in OF_SPANS
    }


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


def store(path: Path, calibration: Calibration, messages: Messages) -> None:
    """Write the calibration to a file."""
    with new_file(path) as temporary:
        text = json.dumps(calibration.as_json(), indent=1)
        temporary.write_text(f"{text}\n", encoding="utf-8")
    messages.say(f"wrote the calibration to {path}")


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
