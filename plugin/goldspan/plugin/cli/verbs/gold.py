"""`goldspan gold`: suggested gold spans, with their confidence and what a person should decide."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.adjudication import (
    add_adjudication,
    load,
    place_of_calibration,
    read_adjudicated,
    store,
)
from goldspan.plugin.cli.measuring import add_limits
from goldspan.plugin.cli.outputs import check_outputs, touches
from goldspan.plugin.cli.reading import add_reading, inputs_of, read_corpus, say, say_notes
from goldspan.plugin.cli.results import add_json, write_json
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.cli.verbs.score import measure
from goldspan.plugin.cli.writing import add_writing, check_target, write_value
from goldspan.plugin.report.decisions import write_decisions

if TYPE_CHECKING:
    from goldspan.engine.gold.calibration import Calibration
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.cli import Subparsers


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
    parser.set_defaults(run=run, level=0.95, chance="auto", forbid=False, interval="log-t",
                        no_pairs=True, dask=None, coefficient=[])  # fmt: skip


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
    group.add_argument("--seed", type=int, default=0, metavar="N", help="the random seed (0)")
    group.add_argument("--alpha", type=float, default=1.0, help="the weight of positions (1)")
    group.add_argument("--beta", type=float, default=1.0, help="the weight of categories (1)")
    group.add_argument(
        "--distances", type=Path, metavar="FILE",
        help="distances between categories: a csv matrix, or JSON (ordinal, interval, matrix)",
    )  # fmt: skip
    group.add_argument(
        "--precision", type=float, default=0.1, metavar="E",
        help="the relative error allowed in the expected disorder; gold needs γ only to see "
        "whether it is low (0.1)",
    )  # fmt: skip
    group.add_argument("--workers", type=int, default=1, metavar="N", help="processes (1)")
    group.add_argument(
        "--solver", metavar="NAME", help="a PuLP solver for the integer programs (HiGHS)"
    )
    add_limits(group)


def run(args: argparse.Namespace) -> int:
    """Read, score, merge, write; 0 when done."""
    from goldspan.engine.gold.merging import check_options  # noqa: PLC0415 - loads the engine

    check_target(args, gold=True)
    check_options(args.strategy, args.min_confidence)
    _check_outputs(args)
    known = load(args.calibration) if args.calibration and not args.adjudicated else None
    corpus = read_corpus(args)
    result = measure(args, corpus)
    calibration = _learn(args, corpus, result) if args.adjudicated else known
    gold = _merge(args, corpus, result, calibration)
    if not result.optimal:
        say(args, "an alignment behind the gold is not proved to be the best (--seconds)")
    if args.sample_for_adjudication is not None:
        gold = _sample(args, gold)
    write_value(args, gold)
    if args.decisions:
        write_decisions(args.decisions, gold)
        say(args, f"wrote {args.decisions}")
    if args.json:
        write_json(args, gold.as_json())
    _sum_up(args, gold)
    return 0


def _check_outputs(args: argparse.Namespace) -> None:
    learns = bool(args.adjudicated)
    files = [
        ("--decisions", args.decisions),
        ("--json", args.json),
        ("--calibration", place_of_calibration(args) if learns else None),
    ]
    inputs = (*inputs_of(args), args.adjudicated, None if learns else args.calibration)
    for path in inputs:
        if path is not None and touches(args.output, path):
            raise SettingsError(
                f"{args.output} would replace the input {path}; choose another place"
            )
    check_outputs(files, inputs, beside=[("--output", args.output)])


def _merge(
    args: argparse.Namespace, corpus: Corpus, result: Result, calibration: Calibration | None
) -> Gold:
    from goldspan.engine.gold.merging import merge  # noqa: PLC0415 - loads the engine

    return merge(
        corpus,
        result,
        strategy=args.strategy,
        ties=args.ties,
        overlaps=not args.no_overlaps,
        min_confidence=args.min_confidence,
        calibration=calibration,
    )


def _learn(args: argparse.Namespace, corpus: Corpus, result: Result) -> Calibration:
    """Fit the calibration on the adjudicated file, and store it."""
    from goldspan.engine.gold.calibration import calibrate  # noqa: PLC0415 - loads numpy
    from goldspan.engine.gold.merging import merge  # noqa: PLC0415 - loads the engine

    truth = read_adjudicated(args)
    everything = merge(
        corpus, result, strategy=args.strategy, ties=args.ties, overlaps=not args.no_overlaps
    )
    calibration, notes = calibrate(everything, truth)
    say_notes(args, notes)
    voting = {name for c in truth.continua for name in c.annotators} & set(corpus.annotators)
    for name in sorted(voting):
        say(args, f"the adjudicator '{name}' also votes; --exclude-annotator {name} leaves the "
                  "vote out")  # fmt: skip
    store(args, calibration)
    return calibration


def _sample(args: argparse.Namespace, gold: Gold) -> Gold:
    from goldspan.engine.gold.calibration import sample_tasks  # noqa: PLC0415 - loads numpy

    picked = gold.only(sample_tasks(gold, args.sample_for_adjudication, args.seed))
    if picked.n_spans < args.sample_for_adjudication:
        say(args, f"there are only {picked.n_spans} suggested spans, so the sample is all of them")
    say(args, f"a sample to adjudicate: {picked.n_spans} spans in {len(picked.corpus.continua)} "
              f"tasks, drawn with seed {args.seed}")  # fmt: skip
    return picked


def _sum_up(args: argparse.Namespace, gold: Gold) -> None:
    say_notes(args, gold.notes)
    grades = Counter(s.grade.value for spans in gold.spans.values() for s in spans if s.grade)
    classes = ", ".join(f"{count} {name}" for name, count in grades.most_common())
    say(args, f"{gold.n_spans} suggested spans by '{gold.strategy}'"
              + (f" ({classes})" if classes else ""))  # fmt: skip
    asked = Counter(d.question.value for found in gold.decisions.values() for d in found)
    if asked:
        kinds = ", ".join(f"{count} {name}" for name, count in asked.most_common())
        say(args, f"{gold.n_decisions} places for a person to decide ({kinds})")
    if gold.calibrated:
        say(args, f"confidences are calibrated on {gold.provenance.adjudicated} adjudicated spans")
    else:
        say(args, "confidences are uncalibrated; --sample-for-adjudication and --adjudicated "
                  "calibrate them")  # fmt: skip
