"""A trial: one cell, every strategy, and the confidences before and after adjudication."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.gold.cells import DOCUMENTS, Cell
from benchmarks.gold.marks import curve, marks, spans_of
from benchmarks.gold.rivals import best_single, exact_majority, token_vote
from goldspan.engine import merge, score
from goldspan.engine.gold.calibration import Calibration, Judged, fit, judge_spans
from goldspan.engine.gold.merging import DEFAULT, NAMES
from goldspan.engine.gold.task_gold import SURE

ORACLE = "best single annotator (oracle)"
ADJUDICATED = 100
DRAWS = 5
"""How often the adjudicated sample is drawn anew; the rest is what confidences are tested on."""


def run(cell: Cell, documents: int = DOCUMENTS) -> dict[str, Any]:
    """The marks of each strategy and the calibration curves, as plain values."""
    reference, corpus = cell.corpora(documents)
    truth = spans_of(reference)
    result = score(corpus, pairs=False, precision=0.1)
    golds = {name: merge(corpus, result, strategy=name) for name in NAMES}
    versions = {name: spans_of(gold) for name, gold in golds.items()}
    versions["exact majority"] = exact_majority(corpus)
    versions["token vote"] = token_vote(corpus)
    versions[ORACLE] = best_single(corpus, truth)
    judged, _ = judge_spans(golds[DEFAULT], reference)
    return {
        "kind": cell.kind,
        "n": cell.n,
        "magnitude": cell.magnitude,
        "documents": documents,
        "gamma": result.gamma.value,
        "marks": {name: marks(spans, truth) for name, spans in versions.items()},
        "spans": len(judged),
        "raw": curve((one.span.confidence, one.right) for one in judged),
        **_calibrated(judged, cell.seed),
    }


def _calibrated(judged: list[Judged], seed: int) -> dict[str, Any]:
    """The curve of spans that were not adjudicated, over several draws of those that were.

    `samples` tells of each draw how many spans have a confidence of .9 or more, and how many of
    these are right.
    """
    rng = np.random.default_rng(seed)
    tested: list[tuple[float, bool]] = []
    samples = []
    for _ in range(DRAWS):
        order = rng.permutation(len(judged))
        calibration = fit([judged[at] for at in order[:ADJUDICATED]], DEFAULT)
        own = [(_stated(calibration, judged[at]), judged[at].right) for at in order[ADJUDICATED:]]
        sure = [one for one in own if one[0] >= SURE]
        samples.append({"n": len(sure), "right": sum(right for _, right in sure)})
        tested += own
    return {"calibrated": curve(tested), "samples": samples}


def _stated(calibration: Calibration, judged: Judged) -> float:
    span = judged.span
    if span.grade is None or span.evidence is None:
        raise TypeError("the default gives every span a class and its evidence")
    return calibration.confidence(span.evidence.product, span.grade, span.seen)
