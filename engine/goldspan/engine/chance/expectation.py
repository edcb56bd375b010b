"""Expectation: what chance alone would give, from as many samples as the precision asks for.

An expected disorder is a ratio of sums over the samples, as the observed one is a ratio of sums
over the tasks: cost to mean number of units for γ, weighted disagreement to weight for γcat and γk.
A mean of the samples' own ratios would give a sample of two units the weight of one with twenty,
and random annotators a γ above 0 wherever numbers of units vary; other software takes that mean,
and `Average.SAMPLES` repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator, Philox, SeedSequence

from goldspan.engine.alignment.batch.layouts import Layouts
from goldspan.engine.alignment.budget import SAMPLED, Deadline
from goldspan.engine.alignment.pairs import aligned_pairs
from goldspan.engine.alignment.partition import best_partitions
from goldspan.engine.chance.estimate import Estimate, sample_size
from goldspan.engine.settings import Average, Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.alignment.layout import Layout
    from goldspan.engine.chance.sampler import Sampler
    from goldspan.engine.parallel import Map

FIRST_SAMPLES = 30
"""The paper's first sample, from which the size of the whole one follows."""

MOST_SAMPLES = 20_000
MOST_UNITS = 1_000_000
"""Samples end here, or with so many units in them, whatever the precision is."""

FEW_SAMPLES = 1_000
FEW_UNITS = 100_000
"""They end here if only γk of a label needs more, or γcat of some of the annotators, or a figure of
which the samples tell too little to say how many it needs."""

LEAST_FEW_SAMPLES = 300

SETTLED_STEPS = 10_000_000
"""The work for one sample where nobody disagrees: γ is 1, whatever chance expects."""

MOST_AT_ONCE = 10
UNITS_AT_ONCE = 1_000
"""One piece of work is so many samples at most, or about so many units: large samples are spread
over many workers from the first one on."""


@dataclass(frozen=True, slots=True)
class Precision:
    """The relative error that an expected disorder may have at a level.

    `for_all` is true where all annotators are measured: γk is wanted then, and γcat as precise as
    γ. `for_labels` is false where no two labels differ, and there is nothing to expect of γcat.
    `settled` is true where nobody disagrees: the first samples have to do then.
    """

    error: float
    level: float
    for_all: bool = True
    for_labels: bool = True
    settled: bool = False

    @property
    def few_samples(self) -> float:
        """FEW_SAMPLES are for an error of 2 %; a coarser one asks for less, with a minimum."""
        return max(LEAST_FEW_SAMPLES, FEW_SAMPLES * min(1.0, (0.02 / self.error) ** 2))


@dataclass(frozen=True, slots=True)
class Expectation:
    """δ_e of γ, of γk for each category, and last of γcat; None where no sample had a pair.

    `unproved` counts the samples whose best alignment could not be proved; `gap` is the part of
    their cost by which the expected disorder could be too high at most.
    """

    disorder: Estimate
    categorial: tuple[Estimate | None, ...]
    samples: int
    unproved: int
    gap: float

    @classmethod
    def of(cls, samples: Samples, average: Average = Average.SUMS) -> Expectation:
        estimate = Estimate.of if average is Average.SUMS else Estimate.of_ratios
        disorder = estimate(samples.cost, samples.mean_units)
        if disorder is None:
            raise RuntimeError("a chance sample has a unit, so its disorder is a number")
        return cls(
            disorder=disorder,
            categorial=tuple(map(estimate, samples.disagreement.T, samples.weight.T)),
            samples=len(samples.cost),
            unproved=int((samples.proved == 0).sum()),
            gap=float(1 - samples.bound.sum() / samples.cost.sum()) if samples.cost.any() else 0.0,
        )

    def samples_for(self, precision: Precision, units: float) -> int:
        """How many samples the precision asks for, when a sample has so many units."""
        if precision.settled:
            return FIRST_SAMPLES
        few = min(precision.few_samples, FEW_UNITS / units)
        most = min(MOST_SAMPLES, MOST_UNITS / units)
        *labels, whole = self.categorial
        wanted = min(_wanted(self.disorder, precision, few), most)
        if precision.for_labels:
            needed = _wanted(whole, precision, few)
            wanted = max(wanted, min(needed, most if precision.for_all else few))
            if precision.for_all:
                wanted = max(wanted, *(min(_wanted(one, precision, few), few) for one in labels))
        return int(wanted)


def _wanted(estimate: Estimate | None, precision: Precision, few: float) -> float:
    """The samples that an estimate needs; a few where it rests on too little to say."""
    if estimate is None or estimate.telling < FIRST_SAMPLES or estimate.mean == 0:
        return few
    return sample_size(estimate, precision.error, precision.level)


@dataclass(frozen=True, slots=True)
class Samples:
    """Aligned chance samples, a row each; of `disagreement` and `weight` a column for each
    category and a last one for all of them.
    """

    cost: Floats
    mean_units: Floats
    bound: Floats
    proved: Floats
    disagreement: Floats
    weight: Floats

    @classmethod
    def join(cls, parts: Sequence[Samples]) -> Samples:
        return cls(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__)
        )


@dataclass(frozen=True, slots=True)
class SampleAligner:
    """Aligns chance samples."""

    settings: Settings
    categorial: Floats
    deadline: Deadline = field(default_factory=Deadline)
    steps: int | None = None

    def __call__(self, layouts: Sequence[Layout]) -> Samples:
        settings, weights = self.settings, self.settings.dissimilarity
        columns = Layouts.of(layouts)
        best = best_partitions(
            columns, weights.alpha, weights.beta * self.categorial, positional=weights.positional,
            solver=settings.solver, seconds=settings.seconds, deadline=self.deadline,
            steps=self.steps, ascent=SAMPLED,
        )  # fmt: skip
        pairs = columns.n * (columns.n - 1) / 2
        found = aligned_pairs(columns, best.cluster, self.categorial, settings.label_weight)
        return Samples(
            best.cost / pairs,
            np.array([settings.mean_units(one.size, one.n) for one in layouts], dtype=np.float64),
            best.lower_bound / pairs,
            best.optimal.astype(np.float64),
            found.disagreements,
            found.weights,
        )


@dataclass(frozen=True)
class SampleStream:
    """Draws chance samples of n annotators; sample k is the same whenever it is drawn."""

    sampler: Sampler
    n: int
    seed: int
    stream: tuple[int, ...]

    @cached_property
    def _key(self) -> NDArray[np.uint64]:
        state = SeedSequence(self.seed, spawn_key=self.stream).generate_state(2, np.uint64)
        return state.astype(np.uint64)

    def draw(self, number: int) -> Layout:
        """Sample `number`, from 0 on."""
        # Philox counts its way through a sequence; sample k begins at a place of its own in it.
        return self.sampler.draw(
            Generator(Philox(key=self._key, counter=(0, 0, 0, number))), self.n
        )


@dataclass(frozen=True, slots=True)
class DrawSamples:
    """Draws samples and aligns them; a value, so that it can travel to where the work is done."""

    stream: SampleStream
    aligner: SampleAligner

    def __call__(self, numbers: range) -> Samples:
        return self.aligner([self.stream.draw(number) for number in numbers])


def expect(
    stream: SampleStream,
    aligner: SampleAligner,
    precision: Precision,
    run: Map,
    progress: Callable[[int, int], None],
) -> Expectation:
    """Draw 30 samples, then as many more as the precision asks for, until it is reached.

    The number of samples at most doubles before it is estimated again: a small sample may make
    chance look steadier than it is. What travels to where `run` does its work are the numbers of
    samples. Each is drawn from its own place in the random sequence, so the figures do not depend
    on the workers. When the aligner's deadline is over, what has been drawn has to do.
    """
    work = DrawSamples(stream, aligner)
    parts: list[Samples] = []
    drawn, wanted = 0, FIRST_SAMPLES
    units = float(stream.draw(0).size)
    while True:
        for part in run(work, _batches(drawn, wanted, units)):
            parts.append(part)
            drawn += len(part.cost)
            progress(drawn, wanted)
            if aligner.deadline.is_over:
                break
        parts = [Samples.join(parts)]
        expectation = Expectation.of(parts[0], aligner.settings.average)
        units = float(parts[0].mean_units.mean()) * stream.n
        wanted = min(expectation.samples_for(precision, units), 2 * drawn)
        if wanted <= drawn or aligner.deadline.is_over:
            return expectation


def _batches(first: int, last: int, units: float) -> list[range]:
    """The numbers from `first` on, up to `last`, some at a time; `units` is what a sample has."""
    size = int(min(MOST_AT_ONCE, max(1, UNITS_AT_ONCE // max(units, 1))))
    return [range(low, high) for low, high in pairwise([*range(first, last, size), last])]
