"""What the coefficients of the literature cost: α beside `krippendorff`, and all of them beside γ.

    python -m benchmarks.literature [EXPORT]

α is of 100,000 items by 5 coders, all in one task. All coefficients together are measured on
made-up tasks of 3 annotators, or on an export of yours.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np

from benchmarks.continua import Shape, generate
from goldspan.adapters import read
from goldspan.engine import Continuum, Corpus, Measure, Unit, agreement, score
from goldspan.engine.coefficient.registry import listed

ITEMS = 100_000
CODERS = 5
LABELS = "abcde"
TASKS = 130
SHAPE = Shape(3, 8)
RUNS = 3


def judgements() -> list[list[int]]:
    """A row for each coder, who copies the truth in 7 cases of 10."""
    rng = np.random.default_rng(0)
    truth = rng.integers(len(LABELS), size=ITEMS)
    guesses = rng.integers(len(LABELS), size=(CODERS, ITEMS))
    rows: list[list[int]] = np.where(rng.random((CODERS, ITEMS)) < 0.7, truth, guesses).tolist()
    return rows


def items(rows: list[list[int]]) -> Corpus:
    units = tuple(
        Unit(f"coder {coder}", item, item + 1, LABELS[label])
        for coder, row in enumerate(rows)
        for item, label in enumerate(row)
    )
    return Corpus((Continuum("items", units, length=ITEMS, measure=Measure.STEP),))


def spans() -> Corpus:
    return Corpus(
        tuple(
            Continuum(
                f"task {seed}",
                tuple(
                    Unit(who, start, end, label) for who, label, start, end in generate(SHAPE, seed)
                ),
            )
            for seed in range(TASKS)
        )
    )


def fastest(job: Callable[[], Any]) -> tuple[float, Any]:
    """The CPU seconds of the fastest of several runs, and what the job returns."""
    taken = []
    for _ in range(RUNS):
        gc.collect()
        begin = time.process_time()
        found = job()
        taken.append(time.process_time() - begin)
    return min(taken), found


def alpha() -> None:
    rows = judgements()
    corpus, table = items(rows), np.array(rows, dtype=np.float64)
    ours, figures = fastest(lambda: agreement(corpus, ["alpha"]))
    theirs, expected = fastest(
        lambda: krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    )
    value = figures["alpha", ""].value
    print(f"α of {ITEMS:,} items by {CODERS} coders: {ours:.2f} s, {value:.6f}; "
          f"krippendorff, from a table: {theirs:.2f} s, {expected:.6f}")  # fmt: skip


def everything(corpus: Corpus, name: str) -> None:
    wanted = listed("all")
    score(Corpus(corpus.continua[:5]), coefficients=wanted, precision=0.2)  # compiles
    alone, _ = fastest(lambda: score(corpus))
    both, _ = fastest(lambda: score(corpus, coefficients=wanted))
    print(f"{name}: γ {alone:.2f} s, with {len(wanted)} coefficients {both:.2f} s, "
          f"{both / alone:.2f} times as long")  # fmt: skip


def main() -> None:
    alpha()
    if len(sys.argv) > 1:
        everything(read(sys.argv[1]), sys.argv[1])
    else:
        everything(spans(), f"{TASKS} tasks of {SHAPE}")


if __name__ == "__main__":
    main()
