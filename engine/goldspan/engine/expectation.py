"""Expectation: what chance alone would give, from as many samples as the precision asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from goldspan.engine.chance import Sampler
from goldspan.engine.clusters import Floats
from goldspan.engine.coefficients import aligned_pairs, tally
from goldspan.engine.figure import Estimate, sample_size
from goldspan.engine.partition import best_partition

FIRST_SAMPLES = 30
"""The paper's first sample, from which the size of the whole one follows."""

_CHUNK = 10

T = TypeVar("T")
R = TypeVar("R")
Map: TypeAlias = Callable[[Callable[[T], R], Iterable[T]], Iterable[R]]
"""map(function, items): in order, wherever it runs."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """δ_e of γ, of γk for each category, and last of γcat; None where no sample had a pair.

    `unproved` counts the samples whose best alignment could not be proved.
    """

    disorder: Estimate
    categorial: tuple[Estimate | None, ...]
    samples: int
    unproved: int


@dataclass(frozen=True, slots=True)
class Lottery:
    """All that decides a chance sample: sampler, annotators, dissimilarity, and the seeds."""

    sampler: Sampler
    n: int
    alpha: float
    beta: float
    categorial: Floats
    seed: int
    stream: tuple[int, ...]
    solver: str | None = None
    seconds: float | None = None

    def draw(self, number: int) -> Floats:
        """Sample `number`: δ, whether it is proved, and the disorders of γk and γcat."""
        seeds = SeedSequence(self.seed, spawn_key=(*self.stream, number))
        layout = self.sampler.draw(Generator(PCG64(seeds)), self.n)
        partition = best_partition(
            layout, self.alpha, self.beta * self.categorial,
            solver=self.solver, seconds=self.seconds,
        )  # fmt: skip
        pairs = aligned_pairs(layout, partition, self.categorial)
        disorder = partition.cost / (self.n * (self.n - 1) / 2) / layout.mean_units
        categorial = tally(pairs, len(self.categorial)).disorders()
        return np.concatenate(([disorder, float(partition.optimal)], categorial))


@dataclass(frozen=True, slots=True)
class _Batch:
    lottery: Lottery
    first: int
    last: int


def _draw_batch(batch: _Batch) -> list[Floats]:
    return [batch.lottery.draw(number) for number in range(batch.first, batch.last)]


def expect(
    lottery: Lottery,
    precision: float,
    level: float,
    run: Map[_Batch, list[Floats]],
    progress: Callable[[int, int], None],
) -> Expectation:
    """Draw 30 samples, then as many more as the precision asks for, until it is reached.

    Sample k is the same whoever draws it, so the figures do not depend on the workers.
    """
    rows: list[Floats] = []
    wanted = FIRST_SAMPLES
    while len(rows) < wanted:
        for batch in run(_draw_batch, _batches(lottery, len(rows), wanted)):
            rows.extend(batch)
            progress(len(rows), wanted)
        disorder = Estimate.of(np.array([row[0] for row in rows]))
        if disorder is not None:
            wanted = max(wanted, sample_size(disorder, precision, level))
    table = np.array(rows)
    disorder = Estimate.of(table[:, 0])
    if disorder is None:
        raise RuntimeError("a chance sample has a unit, so its disorder is a number")
    return Expectation(
        disorder=disorder,
        categorial=tuple(Estimate.of(column) for column in table[:, 2:].T),
        samples=len(rows),
        unproved=int((table[:, 1] == 0).sum()),
    )


def _batches(lottery: Lottery, first: int, last: int) -> Sequence[_Batch]:
    edges = [*range(first, last, _CHUNK), last]
    return [_Batch(lottery, low, high) for low, high in pairwise(edges)]
