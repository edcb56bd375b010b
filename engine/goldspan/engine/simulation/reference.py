"""References: made-up annotations that are right by definition (2015, §6.3.1).

A blueprint says how many units there are, how long, how far apart and of which categories; the
Corpus Shuffling Tool (`shuffle`) then makes annotators of it who err.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from goldspan.engine.errors import SettingsError
from goldspan.engine.model import Continuum, Corpus, Measure, Unit

ANNOTATOR = "reference"


@dataclass(frozen=True, slots=True)
class Kind:
    """A category: how frequent it is against the others, and how long its units are."""

    category: str
    prevalence: float = 1.0
    shortest: int = 5
    longest: int = 15

    def __post_init__(self) -> None:
        if not (math.isfinite(self.prevalence) and self.prevalence > 0):
            raise SettingsError(
                f"the prevalence of '{self.category}' is {self.prevalence}; it must be above 0"
            )
        if not 1 <= self.shortest <= self.longest:
            raise SettingsError(
                f"the lengths of '{self.category}' go from {self.shortest} to {self.longest}; "
                "they must go up from 1 or more"
            )


FOUR = (Kind("A", 4), Kind("B", 3), Kind("C", 2), Kind("D", 1))


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A statistical model of references. Lengths and gaps are drawn uniformly from their ranges.

    adjacent   the probability that a unit follows the one before without a gap, with its category
    nested     the probability that a unit contains another one, in its middle half
    """

    units: int = 12
    kinds: tuple[Kind, ...] = FOUR
    gaps: tuple[int, int] = (5, 15)
    adjacent: float = 0.0
    nested: float = 0.0
    measure: Measure = field(default=Measure.CHARACTER)

    def __post_init__(self) -> None:
        if self.units < 1 or not self.kinds:
            raise SettingsError("a reference needs one unit and one category at least")
        if not 0 <= self.gaps[0] <= self.gaps[1]:
            raise SettingsError(f"the gaps go from {self.gaps[0]} to {self.gaps[1]}; from 0 up")
        for name, share in (("adjacent", self.adjacent), ("nested", self.nested)):
            if not 0 <= share <= 1:
                raise SettingsError(f"'{name}' is {share}; it must be from 0 to 1")

    def continuum(self, rng: Generator, task: str = "t") -> Continuum:
        """One reference; `units` counts those that are not inside another one."""
        weights = np.array([kind.prevalence for kind in self.kinds], dtype=np.float64)
        weights /= weights.sum()
        units: list[Unit] = []
        position, kind = 0, None
        for _ in range(self.units):
            if kind is None or rng.random() >= self.adjacent:
                position += int(rng.integers(self.gaps[0], self.gaps[1] + 1))
                kind = self.kinds[int(rng.choice(len(weights), p=weights))]
            end = position + int(rng.integers(kind.shortest, kind.longest + 1))
            units.append(Unit(ANNOTATOR, position, end, kind.category))
            if end - position >= 4 and rng.random() < self.nested:
                quarter = (end - position) // 4
                inner = self.kinds[int(rng.choice(len(weights), p=weights))]
                units.append(Unit(ANNOTATOR, position + quarter, end - quarter, inner.category))
            position = end
        length = position + int(rng.integers(self.gaps[0], self.gaps[1] + 1))
        return Continuum(task, tuple(units), length=length, measure=self.measure)

    def corpus(self, tasks: int, seed: int) -> Corpus:
        """References `task-1`, `task-2`, …; the same ones for the same seed."""
        rng = np.random.default_rng(seed)
        scale = tuple(kind.category for kind in self.kinds)
        made = tuple(self.continuum(rng, f"task-{at + 1}") for at in range(tasks))
        return Corpus(made, scale)


def _four(shortest: int, longest: int, *prevalence: float) -> tuple[Kind, ...]:
    return tuple(
        Kind(name, share, shortest, longest) for name, share in zip("ABCD", prevalence, strict=True)
    )


DENSE = Blueprint(units=30, kinds=_four(50, 150, 4, 3, 2, 1), gaps=(0, 20))
LONG = Blueprint(units=30, kinds=_four(50, 150, 4, 3, 2, 1), gaps=(50, 150))
EVEN = Blueprint(units=30, kinds=_four(100, 100, 1, 1, 1, 1), gaps=(50, 150))
SEGMENTS = Blueprint(units=30, kinds=(Kind("segment", 1, 50, 150),), gaps=(0, 0))
SPARSE = Blueprint(units=30, kinds=_four(50, 150, 4, 3, 2, 1), gaps=(300, 900))
MIXED = Blueprint(
    units=30,
    kinds=(Kind("A", 1, 10, 20), Kind("B", 1, 20, 50), Kind("C", 1, 50, 100),
           Kind("D", 1, 200, 400)),
    gaps=(0, 20),
)  # fmt: skip

REFERENCES = {"dense": DENSE, "long": LONG, "even": EVEN, "segments": SEGMENTS, "sparse": SPARSE,
              "mixed": MIXED}  # fmt: skip
"""Models that fit what the papers say of their references, which is little: 30 units of 50 to 150
positions with small gaps, with large gaps, of one length with large gaps, and segments without
gaps. `sparse` (very large gaps) and `mixed` (a length of its own for each category) explain curves
that differ with these.
"""
