"""The worker that runs goldspan: `python -m benchmarks.ours JOB exact FILE WARM_UP`."""

from __future__ import annotations

import sys

from benchmarks.stopwatch import Answer, hand_over, measure
from goldspan.adapters import read
from goldspan.engine import best_alignment, score
from goldspan.engine.model import Corpus


def align(corpus: Corpus) -> Answer:
    alignment = best_alignment(corpus.continua[0])
    return {
        "disorder": alignment.disorder,
        "proved": alignment.optimal,
        "lower_bound": alignment.lower_bound,
    }


def gamma(corpus: Corpus) -> Answer:
    result = score(corpus, precision=0.02, seed=0, pairs=False)
    (task,) = result.tasks.values()
    return {
        "gamma": result.gamma.value,
        "gamma_cat": result.gamma_cat.value,
        "disorder": task.alignment.disorder,
        "proved": result.optimal,
        "samples": result.n_samples,
    }


JOBS = {"align": align, "gamma": gamma}


def main(job: str, path: str, warm_up: str) -> None:
    JOBS[job](read(warm_up, format="csv"))
    hand_over(measure(lambda: read(path, format="csv"), JOBS[job]))


if __name__ == "__main__":
    name, _mode, *rest = sys.argv[1:]
    main(name, *rest)
