"""`goldspan shuffle`: annotators who err by a known measure, and what they got wrong."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import write_with
from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.measuring import add_seed
from goldspan.plugin.cli.messages import Messages, add_quiet, messages
from goldspan.plugin.cli.outputs import touches
from goldspan.plugin.cli.simulation.arguments import (
    LawsRequest,
    ReferenceRequest,
    add_laws,
    add_reference,
    laws_of,
    laws_request,
    reference_of,
    reference_request,
)
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.cli.writing import TargetRequest, add_writing, check_target, target_request

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.simulation.error_model import Errors
    from goldspan.engine.simulation.reference import Blueprint

WORDS = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor "
"""What a model's tasks consist of: formats of texts need some."""

MAGNITUDE = 0.1
"""Of errors that are named without one."""


@dataclass(frozen=True, slots=True)
class ShuffleRequest:
    """What is shuffled, how much, and where it is written.

    errors      the magnitude of each kind of error
    annotators  how many there are; `bad` is the magnitude at which the first one errs, if not as
                the others
    correlated  the part of errors that annotators have in common
    tasks       how many are made by a model; `is_time` makes their positions milliseconds
    apart       where the reference is written as well, if it is
    """

    reference: ReferenceRequest
    laws: LawsRequest
    errors: tuple[tuple[str, float], ...]
    annotators: int
    bad: float | None
    correlated: float
    tasks: int
    is_time: bool
    seed: int
    target: TargetRequest
    apart: Path | None
    messages: Messages

    def __post_init__(self) -> None:
        for name, number in (("--annotators", self.annotators), ("--tasks", self.tasks)):
            if number < 1:
                raise SettingsError(f"{name} is {number}; it must be 1 or more")
        if self.seed < 0:
            raise SettingsError(f"the seed is {self.seed}; it must be 0 or more")
        if not 0 <= self.correlated <= 1:
            raise SettingsError(f"--correlated is {self.correlated}; it goes from 0 to 1")
        if self.bad is not None and not 0 <= self.bad <= 1:
            raise SettingsError(f"--bad is {self.bad}; a magnitude goes from 0 to 1")


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "shuffle",
        help=VERBS["shuffle"],
        description="Make annotators who get a reference wrong by a known measure (the Corpus "
        "Shuffling Tool).",
        epilog="Example: goldspan shuffle --errors position=0.2,category=0.1 --to csv "
        "-o spans.csv --reference-output reference.csv",
    )
    add_reference(parser, "dense")
    group = parser.add_argument_group("errors")
    group.add_argument(
        "--errors", required=True, metavar="KIND[=M],…",
        help="kinds of error with their magnitudes from 0 (none) to 1 (chance): position, "
        "category, false-negatives, false-positives, splits; without a magnitude 0.1",
    )  # fmt: skip
    group.add_argument("--annotators", type=int, default=3, metavar="N", help="how many (3)")
    group.add_argument(
        "--bad", type=float, metavar="M", help="the first annotator errs at this magnitude instead"
    )
    group.add_argument(
        "--correlated", type=float, default=0.0, metavar="P",
        help="the part of all errors that annotators have in common (0)",
    )  # fmt: skip
    group.add_argument(
        "--tasks", type=int, default=10, metavar="N",
        help="how many tasks a model makes (10); a file has its own",
    )  # fmt: skip
    group.add_argument(
        "--milliseconds", action="store_true",
        help="a model's positions are milliseconds, for formats of recordings; else they are "
        "characters of a meaningless text",
    )  # fmt: skip
    add_seed(group)
    add_laws(parser)
    add_writing(parser)
    group = parser.add_argument_group("results")
    group.add_argument(
        "--reference-output", type=Path, metavar="PATH",
        help="write the reference too, in the same format",
    )  # fmt: skip
    add_quiet(group)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> ShuffleRequest:
    """The request that the arguments make."""
    return ShuffleRequest(
        reference=reference_request(args),
        laws=laws_request(args),
        errors=tuple(_magnitude(word) for word in args.errors.split(",")),
        annotators=args.annotators,
        bad=args.bad,
        correlated=args.correlated,
        tasks=args.tasks,
        is_time=args.milliseconds,
        seed=args.seed,
        target=target_request(args),
        apart=args.reference_output,
        messages=messages(args),
    )


def _magnitude(word: str) -> tuple[str, float]:
    kind, equals, number = word.strip().partition("=")
    try:
        return kind.replace("-", "_"), float(number) if equals else MAGNITUDE
    except ValueError:
        raise SettingsError(
            f"--errors: '{number}' is not a magnitude; write {kind}=0.2, say"
        ) from None


def run(request: ShuffleRequest) -> int:
    """Make or read the reference, shuffle it, write both; 0 when done."""
    from goldspan.engine.model import Corpus  # noqa: PLC0415 - not for --help
    from goldspan.engine.simulation.shuffle import shuffle_corpus  # noqa: PLC0415 - loads numpy

    inputs = request.reference.inputs
    adapter = check_target(request.target, inputs, gold=False)
    apart = _reference_target(request)
    errors = _annotators(request, laws_of(request.laws))
    found = reference_of(request.reference, request.messages)
    reference = found if isinstance(found, Corpus) else _made(request, found)
    made = shuffle_corpus(reference, errors, request.seed, shared=request.correlated)
    _write(request.target, made, inputs, request.messages)
    if apart is not None:
        _write(apart, reference, inputs, request.messages)
    units = sum(len(task.units) for task in made)
    request.messages.say(
        f"tasks: {len(made)}, units of the reference: {sum(len(t.units) for t in reference)}, "
        f"units of {len(errors)} annotators: {units}, as {adapter.name}"
    )
    return 0


def _made(request: ShuffleRequest, model: Blueprint) -> Corpus:
    """The tasks of a model, with something to mark."""
    from goldspan.engine.model import Measure  # noqa: PLC0415 - with the model

    if request.is_time:
        return replace(model, measure=Measure.MILLISECOND).corpus(request.tasks, request.seed)
    corpus = model.corpus(request.tasks, request.seed)
    longest = max(int(task.length or 0) for task in corpus)
    text = WORDS * (longest // len(WORDS) + 1)
    return replace(
        corpus,
        continua=tuple(replace(task, text=text[: int(task.length or 0)]) for task in corpus),
    )


def _reference_target(request: ShuffleRequest) -> TargetRequest | None:
    if request.apart is None:
        return None
    if touches(request.apart, request.target.output):
        raise SettingsError(
            f"--output and --reference-output would both be written to {request.apart}; choose two "
            "places"
        )
    target = replace(request.target, output=request.apart)
    check_target(target, request.reference.inputs, gold=False)
    return target


def _annotators(request: ShuffleRequest, laws: Errors) -> dict[str, Errors]:
    own = laws.of(dict(request.errors))
    errors = {f"annotator-{number + 1}": own for number in range(request.annotators)}
    if request.bad is not None:
        kinds = [kind for kind, _ in request.errors]
        # Last, because errors that annotators have in common are those of the first one here.
        errors["annotator-1"] = errors.pop("annotator-1").at(request.bad, *kinds)
    return errors


def _write(target: TargetRequest, corpus: Corpus, inputs: tuple[Path, ...], said: Messages) -> None:
    adapter = check_target(target, inputs, gold=False)
    options = replace(target.options, keep=(*inputs, *target.options.source))
    said.say_notes(write_with(adapter, corpus, target.output, options))
    said.say(f"wrote {target.output} as {adapter.name}")
