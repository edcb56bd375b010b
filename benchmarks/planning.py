"""Check of `goldspan plan` on populations that its method was not adjusted on.

python -m benchmarks.planning

Pilots are drawn from a population of tasks and planned; new rounds of the planned size are drawn
from the same population and measured. The share of them whose interval is narrow enough is to be
90 %. Another table compares the half width that a plan foresees for more annotators with the one
measured.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine import Corpus, score
from goldspan.engine.coefficient.resampling import IntervalMethod, Sums, interval_of, ratio_value
from goldspan.engine.planning import Pilot, Target, annotator_part, pilot_of, thinned
from goldspan.engine.planning.new_rounds import NewRounds
from goldspan.engine.simulation.error_model import Errors
from goldspan.engine.simulation.reference import MIXED, Blueprint
from goldspan.engine.simulation.shuffle import shuffle_corpus

if TYPE_CHECKING:
    from goldspan.engine.planning.pilot import Floats

TASKS, PILOTS, ROUNDS = 200, 30, 20
SIZES = (8, 20)
KEYS = {"γ": ("gamma", ""), "γcat": ("gamma_cat", "")}
PRECISION = 0.1
"""Of chance. It scales the expected disorder of all tasks alike, and matters little here."""


@dataclass(frozen=True, slots=True)
class Population:
    """Tasks of one shape, or of two that are mixed."""

    words: str
    parts: tuple[tuple[Blueprint, Errors, int], ...]
    annotators: str = "abc"

    def corpus(self) -> Corpus:
        """Its tasks; a fixed seed for each part."""
        made = [
            shuffle_corpus(shape.corpus(count, at + 11), dict.fromkeys(self.annotators, errors), at)
            for at, (shape, errors, count) in enumerate(self.parts)
        ]
        tasks = [replace(one, id=f"{at}/{one.id}") for at, own in enumerate(made) for one in own]
        return replace(made[0], continua=tuple(tasks))


def _errors(magnitude: float, *kinds: str) -> Errors:
    return Errors(shift=2, extra=1).at(magnitude, *kinds)


PLACES = _errors(0.1, "position", "category")
WORSE = _errors(0.6, "position", "category", "false_negatives")
GAPS = _errors(0.2, "category", "false_negatives")
MUCH = _errors(0.3, "position", "category", "false_negatives")

POPULATIONS = (
    Population("good agreement, 6 units", ((Blueprint(units=6), PLACES, TASKS),)),
    Population(
        "two annotators, lengths by category", ((replace(MIXED, units=10), MUCH, TASKS),), "ab"
    ),
    Population(
        "tasks of 3 and of 30 units",
        ((Blueprint(units=3), GAPS, TASKS // 2), (Blueprint(units=30), GAPS, TASKS // 2)),
    ),
    Population(
        "one task in ten far worse",
        (
            (Blueprint(), _errors(0.15, "position", "category"), TASKS * 9 // 10),
            (Blueprint(), WORSE, TASKS // 10),
        ),
    ),
)


def half_width(rows: Floats) -> float:
    """Of the interval that scoring these tasks would give; infinite if there is none."""
    kept = rows[rows[:, 1] > 0]
    if not kept[:, 0].sum():
        return np.inf  # nobody differs: such a round has no interval
    single = Sums(tuple(kept[0].tolist()), 1)
    ends = interval_of(kept, 0.0, single, ratio_value, IntervalMethod(), is_ratio=True)
    return np.inf if ends.low is None or ends.high is None else (ends.high - ends.low) / 2


def share_reached(pool: Floats, size: int, target: Target) -> tuple[float, float]:
    """In which share of new rounds the planned width is reached, and the median number of tasks."""
    rng = np.random.default_rng(7)
    reached, planned = [], []
    for _ in range(PILOTS):
        pilot = Pilot(pool[rng.integers(len(pool), size=size)])
        if pilot.variance is None:
            continue
        tasks = NewRounds(pilot, target).least_tasks()
        if tasks is None:
            continue
        planned.append(tasks)
        reached += [
            half_width(pool[rng.integers(len(pool), size=tasks)]) <= target.half_width
            for _ in range(ROUNDS)
        ]
    return float(np.mean(reached)), float(np.median(planned))


def coverage() -> Iterator[str]:
    """The first table."""
    heads = " | ".join(f"pilot of {size} tasks" for size in SIZES)
    yield f"| population | figure | value | {heads} |"
    yield "|---|---|---|" + "---|" * len(SIZES)
    for one in POPULATIONS:
        result = score(one.corpus(), pairs=False, precision=PRECISION)
        for name, key in KEYS.items():
            pool = pilot_of(result, key).rows
            cells = [share_reached(pool, size, Target()) for size in SIZES]
            shown = " | ".join(f"{share:.0%} ({tasks:.0f} tasks)" for share, tasks in cells)
            yield f"| {one.words} | {name} | {result.figures[key].value or 0:.2f} | {shown} |"


def annotators(most: int = 6, tasks: int = 100) -> Iterator[str]:
    """The second table: from three annotators to more."""
    names = "abcdef"[:most]
    own = _errors(0.2, "position", "category", "false_negatives", "false_positives")
    corpus = shuffle_corpus(Blueprint().corpus(tasks, 21), dict.fromkeys(names, own), 22)

    def of(number: int) -> Corpus:
        return replace(corpus, continua=tuple(one.only(names[:number]) for one in corpus))

    pilot = score(of(3), pairs=False, precision=PRECISION)
    fewer = [score(one, pairs=False, precision=PRECISION) for one in thinned(of(3))]
    yield "| annotators for each task | figure | half width foreseen | measured |"
    yield "|---|---|---|---|"
    for number in range(3, most + 1):
        result = score(of(number), pairs=False, precision=PRECISION)
        for name, key in KEYS.items():
            part = annotator_part(pilot, key, fewer)
            share = 1.0 if part is None else part.share(number - 3)
            foreseen = NewRounds(Pilot(pilot_of(pilot, key).rows), Target()).half_width(
                tasks, share
            )
            measured = half_width(pilot_of(result, key).rows)
            yield f"| {number} | {name} | {foreseen:.4f} | {measured:.4f} |"


def main() -> None:
    """Print both tables."""
    for table in (coverage(), annotators()):
        for line in table:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
