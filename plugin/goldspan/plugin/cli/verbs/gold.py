"""`goldspan gold`: suggested gold spans, with their confidence and what a person should decide."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.adjudication import (
    AdjudicationRequest,
    add_adjudication,
    adjudication_request,
    load,
    read_adjudicated,
    store,
)
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.measuring import (
    add_compute,
    add_limits,
    add_resume,
    add_seed,
    add_solver,
    add_weights,
    compute_request,
    measure,
    settings_of,
)
from goldspan.plugin.cli.messages import Messages, messages
from goldspan.plugin.cli.outputs import check_outputs, touches
from goldspan.plugin.cli.reading import (
    Reading,
    ReadRequest,
    add_reading,
    read_corpus,
    read_request,
    read_settled,
    resolve,
)
from goldspan.plugin.cli.results import add_json, write_json
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.cli.writing import (
    TargetRequest,
    add_writing,
    check_target,
    target_request,
    write_value,
)
from goldspan.plugin.report.decisions import write_decisions

if TYPE_CHECKING:
    from goldspan.engine.gold.calibration import Calibration
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureRequest


@dataclass(frozen=True, slots=True)
class MergeRequest:
    """How annotations become one version; as the arguments of `goldspan.engine.merge`."""

    strategy: str
    ties: str
    overlaps: bool
    min_confidence: float


@dataclass(frozen=True, slots=True)
class GoldRequest:
    """What to read, measure, merge and write.

    distances  a file with distances of categories, which the settings do not have yet
    decisions  the table of what a person should decide
    """

    reading: ReadRequest
    measuring: MeasureRequest
    distances: Path | None
    merging: MergeRequest
    adjudication: AdjudicationRequest
    target: TargetRequest
    json: Path | None
    decisions: Path | None
    messages: Messages

    @property
    def inputs(self) -> tuple[Path, ...]:
        """What is read apart from adjudicated versions, and is never written over."""
        return (*self.reading.inputs, *([self.distances] if self.distances else []))


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "gold",
        help=VERBS["gold"],
        description="Merge the annotations of each task into one suggested version: spans with a "
        "confidence, who voted for them, and a list of what a person should decide.",
        epilog="Example: goldspan gold export.json --to label-studio --output gold.json "
        "--decisions decide.csv",
    )
    add_reading(parser)
    _add_merging(parser)
    add_adjudication(parser)
    add_writing(parser)
    group = parser.add_argument_group("results")
    add_json(group)
    group.add_argument(
        "--decisions", type=Path, metavar="FILE",
        help="write a csv table of the places where a person should decide",
    )  # fmt: skip
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> GoldRequest:
    """The request that the arguments make."""
    return GoldRequest(
        reading=read_request(args),
        measuring=_measure_request(args),
        distances=args.distances,
        merging=MergeRequest(args.strategy, args.ties, not args.no_overlaps, args.min_confidence),
        adjudication=adjudication_request(args),
        target=target_request(args),
        json=args.json,
        decisions=args.decisions,
        messages=messages(args),
    )


def _add_merging(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("merging")
    group.add_argument(
        "--strategy", default="reliability", metavar="NAME",
        help="reliability (the default), vote, medoid, intersection, union or best-annotator",
    )  # fmt: skip
    group.add_argument(
        "--min-confidence", type=float, default=0.0, metavar="X",
        help="suggest only spans of this confidence or more; a person decides the others (0)",
    )  # fmt: skip
    group.add_argument(
        "--ties", choices=("outer", "inner"), default="outer",
        help="which of two boundaries with equal support to take: the longer span's, or the "
        "shorter's (outer)",
    )  # fmt: skip
    group.add_argument(
        "--no-overlaps", action="store_true", help="keep the likeliest spans that do not overlap"
    )
    add_seed(group)
    add_weights(group)
    group.add_argument(
        "--precision", type=float, default=0.1, metavar="E",
        help="the relative error allowed in the expected disorder; gold needs γ only to see "
        "whether it is low (0.1)",
    )  # fmt: skip
    add_compute(group)
    add_resume(group)
    add_solver(group)
    add_limits(group)


def _measure_request(args: argparse.Namespace) -> MeasureRequest:
    from goldspan.plugin.measurement import MeasureRequest  # noqa: PLC0415 - loads numpy

    return MeasureRequest(settings_of(args), compute_request(args), pairs=False)


def run(request: GoldRequest) -> int:
    """Read, score, merge, write; 0 when done."""
    from goldspan.adapters.facts import settled_tasks  # noqa: PLC0415 - as above
    from goldspan.engine.gold.merging import check_options  # noqa: PLC0415 - loads the engine

    said, adjudication = request.messages, request.adjudication
    check_target(request.target, request.inputs, gold=True)
    check_options(request.merging.strategy, request.merging.min_confidence)
    _check_outputs(request)
    known = None
    if adjudication.calibration and not adjudication.path:
        known = load(adjudication.calibration)
    reading = resolve(request.reading, said)
    corpus = read_corpus(reading, said)
    result = measure(request.measuring, request.distances, corpus, said)
    if adjudication.path:
        truth = read_adjudicated(adjudication, adjudication.path, reading.options, said)
        known = _learn(request, truth, corpus, result)
    known = known or _learn_settled(request.merging, reading, corpus, result)
    gold = _merge(request.merging, corpus, result, known)
    gold = gold.settled(settled_tasks(corpus.notes))
    if not result.optimal:
        said.say("an alignment behind the gold is not proved to be the best (--seconds)")
    if adjudication.sample is not None:
        gold = _sample(gold, adjudication.sample, request.measuring.settings.seed, said)
    _write(request, reading, gold)
    _sum_up(gold, said)
    return 0


def _check_outputs(request: GoldRequest) -> None:
    adjudication, output = request.adjudication, request.target.output
    learns = adjudication.path is not None
    files = [
        ("--decisions", request.decisions),
        ("--json", request.json),
        ("--calibration", adjudication.place_of_calibration(output) if learns else None),
    ]
    stored = None if learns else adjudication.calibration
    inputs = (*request.inputs, *request.target.options.source, adjudication.path, stored)
    for path in inputs:
        if path is not None and touches(output, path):
            raise SettingsError(f"{output} would replace the input {path}; choose another place")
    check_outputs(files, inputs, beside=[("--output", output)])


def _merge(
    request: MergeRequest, corpus: Corpus, result: Result, calibration: Calibration | None
) -> Gold:
    from goldspan.engine.gold.merging import merge  # noqa: PLC0415 - loads the engine

    return merge(
        corpus,
        result,
        strategy=request.strategy,
        ties=request.ties,
        overlaps=request.overlaps,
        min_confidence=request.min_confidence,
        calibration=calibration,
    )


def _learn_settled(
    request: MergeRequest, reading: Reading, corpus: Corpus, result: Result
) -> Calibration | None:
    """The calibration on tasks of the same files that a person settled, if they are enough."""
    from goldspan.plugin.adjudications import Adjudications  # noqa: PLC0415 - loads the engine

    adjudications = Adjudications.of(corpus, lambda: read_settled(reading))
    if adjudications is None:
        return None
    everything = replace(request, min_confidence=0.0)
    return adjudications.calibration(_merge(everything, corpus, result, None))


def _learn(request: GoldRequest, truth: Corpus, corpus: Corpus, result: Result) -> Calibration:
    """Fit the calibration on the adjudicated version, and store it."""
    from goldspan.engine.gold.calibration import calibrate  # noqa: PLC0415 - loads numpy

    said = request.messages
    everything = _merge(replace(request.merging, min_confidence=0.0), corpus, result, None)
    calibration, notes = calibrate(everything, truth)
    said.say_notes(notes)
    voting = {name for c in truth.continua for name in c.annotators} & set(corpus.annotators)
    for name in sorted(voting):
        said.say(
            f"the adjudicator '{name}' also votes; --exclude-annotator {name} leaves the vote out"
        )
    place = request.adjudication.place_of_calibration(request.target.output)
    store(place, calibration, said)
    return calibration


def _sample(gold: Gold, least: int, seed: int, said: Messages) -> Gold:
    """A random sample of tasks, with so many suggested spans or more."""
    from goldspan.engine.gold.calibration import sample_tasks  # noqa: PLC0415 - loads numpy

    picked = gold.only(sample_tasks(gold, least, seed))
    if picked.n_spans < least:
        said.say(f"there are only {picked.n_spans} suggested spans, so the sample is all of them")
    said.say(
        f"a sample to adjudicate: {picked.n_spans} spans in {len(picked.corpus.continua)} tasks, "
        f"drawn with seed {seed}"
    )
    return picked


def _write(request: GoldRequest, reading: Reading, gold: Gold) -> None:
    said = request.messages
    write_value(request.target, gold, reading, request.inputs, said)
    if request.decisions:
        write_decisions(request.decisions, gold)
        said.say(f"wrote {request.decisions}")
    if request.json:
        write_json(request.json, gold.as_json(), said)


def _sum_up(gold: Gold, said: Messages) -> None:
    said.say_notes(gold.notes)
    grades = Counter(s.grade.value for spans in gold.spans.values() for s in spans if s.grade)
    classes = ", ".join(f"{count} {name}" for name, count in grades.most_common())
    suggested = f"{gold.n_spans} suggested spans by '{gold.strategy}'"
    said.say(f"{suggested} ({classes})" if classes else suggested)
    asked = Counter(d.question.value for found in gold.decisions.values() for d in found)
    if asked:
        kinds = ", ".join(f"{count} {name}" for name, count in asked.most_common())
        said.say(f"{gold.n_decisions} places for a person to decide ({kinds})")
    if gold.calibrated:
        said.say(f"confidences are calibrated on {gold.provenance.adjudicated} adjudicated spans")
    else:
        said.say(
            "confidences are uncalibrated; --sample-for-adjudication and --adjudicated calibrate "
            "them"
        )
