"""Simulating for verbs: the options that name a reference and its errors, and what they lead to."""

from __future__ import annotations

import argparse
import csv
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import GoldspanError, InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.simulation.confusion import Confusion
    from goldspan.engine.simulation.error_model import Errors
    from goldspan.engine.simulation.reference import Blueprint
    from goldspan.plugin.cli.messages import Messages

MODELS = ("dense", "long", "even", "segments", "sparse", "mixed")
"""The references that need no file."""


@dataclass(frozen=True, slots=True)
class ReferenceRequest:
    """The reference that annotators get wrong.

    name       a model, or a file or folder
    format     of the file; None if it is to be detected
    annotator  whose units of the file are the reference; empty if there is one annotator only
    """

    name: str
    format: str | None = None
    annotator: str = ""

    def __post_init__(self) -> None:
        if self.is_model and (self.format or self.annotator):
            raise SettingsError(
                "--reference-from and --reference-annotator need --reference FILE, not a model"
            )

    @property
    def is_model(self) -> bool:
        return self.name in MODELS

    @property
    def inputs(self) -> tuple[Path, ...]:
        """What is read, and never written over."""
        return () if self.is_model else (Path(self.name),)


@dataclass(frozen=True, slots=True)
class LawsRequest:
    """The constants of the laws of error; `confusion` is a file, or categories with commas."""

    shift: float | None
    extra: float | None
    splits: float | None
    prevalence: bool
    confusion: str | None
    no_overlap: bool
    segments: bool


def add_reference(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Add what annotators get wrong."""
    group = parser.add_argument_group("reference")
    shown = f" ({default})" if default else ""
    group.add_argument(
        "--reference", default=default, metavar="NAME|FILE",
        help="a model (dense: 30 units of 50 to 150 positions with small gaps; long: with large "
        "gaps; sparse: with very large gaps; even: of one length; mixed: of a length for each "
        "category; segments: without gaps), or annotations that are right by definition, in any "
        f"format{shown}",
    )  # fmt: skip
    group.add_argument(
        "--reference-from", metavar="FORMAT", help="the format of that file; detected if not given"
    )
    group.add_argument(
        "--reference-annotator", default="", metavar="NAME",
        help="the annotator of that file who is the reference, if it has several",
    )  # fmt: skip


def add_laws(parser: argparse.ArgumentParser) -> None:
    """Add the constants of the laws of error."""
    group = parser.add_argument_group("laws of error")
    group.add_argument(
        "--shift", type=float, metavar="X",
        help="how many lengths of its unit a boundary can move at magnitude 1 (5)",
    )  # fmt: skip
    group.add_argument(
        "--extra", type=float, metavar="X",
        help="how many units are added for each unit of the reference at magnitude 1 (5)",
    )  # fmt: skip
    group.add_argument(
        "--splits", type=float, metavar="X",
        help="how many times units are split for each unit of the reference at magnitude 1 (5)",
    )  # fmt: skip
    group.add_argument(
        "--prevalence", action="store_true",
        help="draw wrong categories by their frequency instead of uniformly",
    )  # fmt: skip
    group.add_argument(
        "--confusion", metavar="A,B,…|FILE",
        help="confuse these categories only; or a csv matrix: what each category turns into at "
        "magnitude 1, a row each, with the categories as header",
    )  # fmt: skip
    group.add_argument(
        "--no-overlap", action="store_true", help="keep shifted units from overlapping"
    )
    group.add_argument(
        "--segments", action="store_true",
        help="the reference has no gaps: errors are those of boundaries (with --reference "
        "segments always)",
    )  # fmt: skip


def reference_request(args: argparse.Namespace) -> ReferenceRequest:
    """What the arguments of `add_reference` say."""
    return ReferenceRequest(args.reference, args.reference_from, args.reference_annotator)


def laws_request(args: argparse.Namespace) -> LawsRequest:
    """What the arguments of `add_laws` say."""
    return LawsRequest(
        args.shift, args.extra, args.splits, args.prevalence, args.confusion, args.no_overlap,
        args.segments or args.reference == "segments",
    )  # fmt: skip


def error_kinds(text: str) -> tuple[str, ...]:
    """Kinds of error in a list with commas; they may be written with hyphens."""
    return tuple(name.strip().replace("-", "_") for name in text.split(",") if name.strip())


def laws_of(request: LawsRequest) -> Errors:
    """The constants, with the confusion matrix read; no error has a magnitude yet."""
    from goldspan.engine.simulation.error_model import Errors  # noqa: PLC0415 - loads numpy

    usual = Errors()
    return Errors(
        shift=usual.shift if request.shift is None else request.shift,
        extra=usual.extra if request.extra is None else request.extra,
        cuts=usual.cuts if request.splits is None else request.splits,
        prevalence=request.prevalence,
        confusion=_confusion(request.confusion) if request.confusion else None,
        apart=request.no_overlap,
        segments=request.segments,
    )


def _confusion(text: str) -> Confusion:
    from goldspan.engine.simulation.confusion import Confusion  # noqa: PLC0415 - loads numpy

    path = Path(text)
    if not path.is_file():
        if "," not in text:
            raise SettingsError(
                f"--confusion {text}: there is no such file; name a csv file, or two categories or "
                "more with commas"
            )
        return Confusion.among(*(name.strip() for name in text.split(",")))
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
        return _matrix(rows)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"not a csv file in UTF-8 ({error}); save it as one", where=text
        ) from error
    except GoldspanError as error:
        raise InputError(str(error), where=text) from error


def _matrix(rows: list[list[str]]) -> Confusion:
    from goldspan.engine.simulation.confusion import Confusion  # noqa: PLC0415 - loads numpy

    if not rows:
        raise SettingsError("the file is empty; write the categories as header, and a row for each")
    head = [cell.strip() for cell in rows[0]]
    named = head[0] == ""
    names = tuple(head[named:])
    if named and [row[0].strip() for row in rows[1:]] != list(names):
        raise SettingsError("the first column must have the categories in the order of the header")
    try:
        values = tuple(tuple(float(cell) for cell in row[named:]) for row in rows[1:])
    except ValueError as error:
        raise SettingsError(f"a probability is not a number: {error}") from error
    return Confusion(names, values)


def reference_of(request: ReferenceRequest, messages: Messages) -> Blueprint | Corpus:
    """The model, or the units of one annotator in a file."""
    if request.is_model:
        from goldspan.engine.simulation.reference import REFERENCES  # noqa: PLC0415 - loads numpy

        return REFERENCES[request.name]
    from goldspan.adapters import registry  # noqa: PLC0415 - finds the formats
    from goldspan.adapters.adapter import ReadOptions, read_with  # noqa: PLC0415
    from goldspan.adapters.kit.annotator_filter import PSEUDO_ANNOTATORS  # noqa: PLC0415 - the kit

    path = Path(request.name)
    if not path.exists():
        raise SettingsError(
            f"--reference: there is no model and no file '{request.name}'; the models are "
            f"{', '.join(MODELS)}"
        )
    adapter = registry.get(request.format) if request.format else registry.detect([path])
    options = ReadOptions(include_annotators=tuple(sorted(PSEUDO_ANNOTATORS)))
    corpus = read_with(adapter, [path], options)
    messages.say_notes(corpus.notes)
    return only_reference(corpus, request, messages)


def only_reference(corpus: Corpus, request: ReferenceRequest, messages: Messages) -> Corpus:
    """The units of the annotator who is the reference, in the tasks that have some."""
    used = sorted({unit.annotator for one in corpus for unit in one.units})
    if request.annotator:
        if request.annotator not in used:
            raise SettingsError(
                f"--reference-annotator: no annotator with units is named '{request.annotator}'; "
                f"there are {', '.join(used) or 'none'}"
            )
        used = [request.annotator]
    if len(used) != 1:
        raise InputError(
            f"the reference has units of {len(used)} annotators"
            + (
                f" ({', '.join(used)}); say who is right with --reference-annotator" if used else ""
            ),
            where=request.name,
        )
    found = tuple(one for one in (task.only(used) for task in corpus) if one.units)
    if len(found) < len(corpus):
        messages.say(
            f"tasks without a unit of the reference are left out: {len(corpus) - len(found)}"
        )
    return replace(corpus, continua=found, layers={}, notes=())
