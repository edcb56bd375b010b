"""Merging for verbs: the options of suggested gold, their request, and the gold it leads to."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.plugin.cli.measuring import (
    add_compute,
    add_limits,
    add_resume,
    add_seed,
    add_solver,
    add_weights,
    compute_request,
    settings_of,
)

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


def add_merging(parser: argparse.ArgumentParser) -> None:
    """Add every option of merging, and of the measuring before it."""
    group = parser.add_argument_group("merging")
    group.add_argument(
        "--strategy", default="reliability", metavar="NAME",
        help="reliability (the default), vote, medoid, intersection, union, best-annotator, "
        "dawid-skene or hmm-crowd",
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


def merge_request(args: argparse.Namespace) -> MergeRequest:
    """How the arguments of `add_merging` say that annotations are merged."""
    return MergeRequest(args.strategy, args.ties, not args.no_overlaps, args.min_confidence)


def merge_measuring(args: argparse.Namespace) -> MeasureRequest:
    """How they are measured before."""
    from goldspan.plugin.measurement import MeasureRequest  # noqa: PLC0415 - loads numpy

    return MeasureRequest(settings_of(args), compute_request(args), pairs=False)


def merge_corpus(
    request: MergeRequest, corpus: Corpus, result: Result, calibration: Calibration | None
) -> Gold:
    """The gold of a corpus that was measured."""
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
