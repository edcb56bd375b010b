"""The worker that runs pygamma-agreement: `python -m benchmarks.peer JOB MODE FILE WARM_UP`.

It runs in an environment of its own, so nothing of goldspan is imported here.
"""

from __future__ import annotations

import os
import sys
import warnings

from benchmarks.stopwatch import Answer, hand_over, measure

# Its thread pools have os.cpu_count() workers, and there is no argument to have one.
os.cpu_count = lambda: 1
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402
from pygamma_agreement import (  # type: ignore[import-not-found]  # noqa: E402
    CombinedCategoricalDissimilarity,
    Continuum,
    ShuffleContinuumSampler,
)

DISSIMILARITY = CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1)


def align(continuum: Continuum, fast: bool) -> Answer:
    solve = continuum.get_fast_alignment if fast else continuum.get_best_alignment
    return {"disorder": float(solve(DISSIMILARITY).disorder)}


def gamma(continuum: Continuum, fast: bool) -> Answer:
    np.random.seed(0)  # it has no argument for this
    result = continuum.compute_gamma(DISSIMILARITY, precision_level=0.02, fast=fast)
    for category in continuum.categories:
        result.gamma_k(category)
    return {
        "gamma": float(result.gamma),
        "gamma_cat": float(result.gamma_cat),
        "disorder": float(result.observed_disorder),
    }


def chance(continuum: Continuum, fast: bool) -> Answer:
    """With its own defaults, and 100 samples."""
    return _figures(continuum, DISSIMILARITY, None, fast)


def shift(continuum: Continuum, fast: bool) -> Answer:
    """With the weight and the chance of the authors' software, and 100 samples."""
    weighted = CombinedCategoricalDissimilarity(alpha=3, beta=1, delta_empty=1)
    return _figures(continuum, weighted, ShuffleContinuumSampler(), fast)


def _figures(
    continuum: Continuum,
    dissimilarity: CombinedCategoricalDissimilarity,
    sampler: ShuffleContinuumSampler | None,
    fast: bool,
) -> Answer:
    np.random.seed(0)
    result = continuum.compute_gamma(dissimilarity, n_samples=100, sampler=sampler, fast=fast)
    return {"gamma": float(result.gamma), "gamma_cat": float(result.gamma_cat)}


JOBS = {"align": align, "gamma": gamma, "chance": chance, "shift": shift}


def main(job: str, mode: str, path: str, warm_up: str) -> None:
    fast = mode == "fast"
    JOBS[job](Continuum.from_csv(warm_up), fast)
    hand_over(measure(lambda: Continuum.from_csv(path), lambda given: JOBS[job](given, fast)))


if __name__ == "__main__":
    main(*sys.argv[1:])
