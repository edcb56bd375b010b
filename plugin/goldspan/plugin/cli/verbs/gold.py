"""`goldspan gold`: suggested gold spans, with their confidence and what a person should decide."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.gold.adjudication import (
    AdjudicationRequest,
    add_adjudication,
    adjudication_request,
    is_journal,
    load,
    read_adjudicated,
    store,
)
from goldspan.plugin.cli.gold.merging import (
    MergeRequest,
    add_merging,
    merge_corpus,
    merge_measuring,
    merge_request,
)
from goldspan.plugin.cli.measuring import measure
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
    add_merging(parser)
    add_adjudication(parser)
    add_writing(parser)
    group = parser.add_argument_group("results")
    add_json(group, "the gold and how it was made")
    group.add_argument(
        "--decisions", type=Path, metavar="FILE",
        help="write a csv table of the places where a person should decide",
    )  # fmt: skip
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> GoldRequest:
    """The request that the arguments make."""
    return GoldRequest(
        reading=read_request(args),
        measuring=merge_measuring(args),
        distances=args.distances,
        merging=merge_request(args),
        adjudication=adjudication_request(args),
        target=target_request(args),
        json=args.json,
        decisions=args.decisions,
        messages=messages(args),
    )


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
    if adjudication.path and is_journal(adjudication.path):
        gold = _adjudicated(request, adjudication.path, corpus, result)
        _write(request, reading, gold)
        _sum_up(gold, said)
        return 0
    if adjudication.path:
        truth = read_adjudicated(adjudication, adjudication.path, reading.options, said)
        known = _learn(request, truth, corpus, result)
    known = known or _learn_settled(request.merging, reading, corpus, result)
    gold = merge_corpus(request.merging, corpus, result, known)
    gold = gold.settled(settled_tasks(corpus.notes))
    if not result.optimal:
        said.say("an alignment behind the gold is not proved to be the best (--seconds)")
    if adjudication.sample is not None:
        gold = _sample(gold, adjudication.sample, request.measuring.settings.seed, said)
    _write(request, reading, gold)
    _sum_up(gold, said)
    return 0


def _adjudicated(request: GoldRequest, path: Path, corpus: Corpus, result: Result) -> Gold:
    """The gold that the journals of `goldspan adjudicate` lead to."""
    # These load the engine.
    from goldspan.plugin.adjudicate.docket import Docket  # noqa: PLC0415
    from goldspan.plugin.adjudicate.journal.opening import read_journals  # noqa: PLC0415
    from goldspan.plugin.adjudicate.output.derivation import derive  # noqa: PLC0415

    merged = merge_corpus(request.merging, corpus, result, None)
    journals = read_journals(path, merged.corpus, lead=request.adjudication.adjudicator or "")
    docket = Docket(merged, journals.ledger, new_labels=True)
    settled = sum(docket.settled(name) is not None for name in docket.sites)
    request.messages.say(f"{settled} of {len(docket.sites)} places are settled by {path}")
    if docket.forgotten:
        request.messages.say(
            f"{docket.forgotten} decisions are for tasks that are gone or have another text"
        )
    return derive(docket).gold


def _check_outputs(request: GoldRequest) -> None:
    adjudication, output = request.adjudication, request.target.output
    learns = adjudication.path is not None and not is_journal(adjudication.path)
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


def _learn_settled(
    request: MergeRequest, reading: Reading, corpus: Corpus, result: Result
) -> Calibration | None:
    """The calibration on tasks of the same files that a person settled, if they are enough."""
    from goldspan.plugin.adjudications import Adjudications  # noqa: PLC0415 - loads the engine

    adjudications = Adjudications.of(corpus, lambda: read_settled(reading))
    if adjudications is None:
        return None
    everything = replace(request, min_confidence=0.0)
    return adjudications.calibration(merge_corpus(everything, corpus, result, None))


def _learn(request: GoldRequest, truth: Corpus, corpus: Corpus, result: Result) -> Calibration:
    """Fit the calibration on the adjudicated version, and store it."""
    from goldspan.engine.gold.calibration import calibrate  # noqa: PLC0415 - loads numpy

    said = request.messages
    everything = merge_corpus(replace(request.merging, min_confidence=0.0), corpus, result, None)
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
    if gold.provenance.model is not None:
        said.say(f"decided by {gold.provenance.model}")
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
