"""How much merging adds to scoring: 100 tasks of 3 × 100 units; the fastest of several runs."""

from __future__ import annotations

import gc
import time

from benchmarks.continua import Shape, generate
from goldspan.engine import Continuum, Corpus, Unit, merge, score

TASKS = 100
SHAPE = Shape(3, 100)
RUNS = 5


def corpus() -> Corpus:
    return Corpus(
        tuple(
            Continuum(
                f"task-{seed}",
                tuple(
                    Unit(who, start, end, label) for who, label, start, end in generate(SHAPE, seed)
                ),
            )
            for seed in range(TASKS)
        )
    )


def main() -> None:
    made = corpus()
    small = Corpus(made.continua[:3])
    merge(small, score(small))  # compiles
    scoring, merging = [], []
    for _ in range(RUNS):
        gc.collect()  # so that neither pays for what the other left behind
        begin = time.process_time()
        result = score(made)
        scoring.append(time.process_time() - begin)
        gc.collect()
        begin = time.process_time()
        merge(made, result)
        merging.append(time.process_time() - begin)
    share = min(merging) / min(scoring)
    print(f"{TASKS} tasks of {SHAPE}: score {min(scoring):.2f} s, merge {min(merging):.2f} s, "
          f"{share:.1%} of it")  # fmt: skip


if __name__ == "__main__":
    main()
