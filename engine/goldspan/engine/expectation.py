"""Expectation: what chance alone would give, from as many samples as the precision asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from goldspan.engine.chance import Sampler
from goldspan.engine.clusters import Floats
from goldspan.engine.coefficients import aligned_pairs, tally
from goldspan.engine.figure import Estimate, sample_size
from goldspan.engine.layout import Layout
from goldspan.engine.partition import best_partition

FIRST_SAMPLES = 30
"""The paper's first sample, from which the size of the whole one follows."""

_BATCH = 10

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
class Trial:
    """Aligns chance samples; a value, so that it can travel to where the work is done."""

    alpha: float
    beta: float
    categorial: Floats
    solver: str | None = None
    seconds: float | None = None

    def __call__(self, layouts: Sequence[Layout]) -> Floats:
        """A row a sample: δ, whether it is proved, the disorders of γk, and that of γcat."""
        return np.array([self._row(layout) for layout in layouts])

    def _row(self, layout: Layout) -> Floats:
        partition = best_partition(
            layout, self.alpha, self.beta * self.categorial,
            solver=self.solver, seconds=self.seconds,
        )  # fmt: skip
        pairs = aligned_pairs(layout, partition, self.categorial)
        disorder = partition.cost / (layout.n * (layout.n - 1) / 2) / layout.mean_units
        categorial = tally(pairs, len(self.categorial)).disorders()
        return np.concatenate(([disorder, float(partition.optimal)], categorial))


@dataclass(frozen=True, slots=True)
class Lottery:
    """Draws chance samples of n annotators; sample k is the same whenever it is drawn."""

    sampler: Sampler
    n: int
    seed: int
    stream: tuple[int, ...]

    def batches(self, first: int, last: int) -> Iterator[list[Layout]]:
        """The samples from `first` on, up to `last`, some at a time."""
        for low, high in pairwise([*range(first, last, _BATCH), last]):
            yield [self._draw(number) for number in range(low, high)]

    def _draw(self, number: int) -> Layout:
        seeds = SeedSequence(self.seed, spawn_key=(*self.stream, number))
        return self.sampler.draw(Generator(PCG64(seeds)), self.n)


def expect(
    lottery: Lottery,
    trial: Trial,
    precision: float,
    level: float,
    run: Map[list[Layout], Floats],
    progress: Callable[[int, int], None],
) -> Expectation:
    """Draw 30 samples, then as many more as the precision asks for, until it is reached.

    Samples are drawn here, one after the other, and aligned wherever `run` does its work, so the
    figures do not depend on the workers.
    """
    parts: list[Floats] = []
    drawn, wanted = 0, FIRST_SAMPLES
    while True:
        for part in run(trial, lottery.batches(drawn, wanted)):
            parts.append(part)
            drawn += len(part)
            progress(drawn, wanted)
        table = np.concatenate(parts)
        disorder = Estimate.of(table[:, 0])
        if disorder is None:
            raise RuntimeError("a chance sample has a unit, so its disorder is a number")
        wanted = sample_size(disorder, precision, level)
        if wanted <= drawn:
            break
    return Expectation(
        disorder=disorder,
        categorial=tuple(Estimate.of(column) for column in table[:, 2:].T),
        samples=drawn,
        unproved=int((table[:, 1] == 0).sum()),
    )
