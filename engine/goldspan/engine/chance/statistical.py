"""Statistical: chance from distributions alone, unit by unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from goldspan.engine.chance.sampler import (
    Annotation,
    ObservedTask,
    assemble,
    floor_to_grid,
)
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.alignment.layout import Layout
    from goldspan.engine.chance.pool import Pool


@dataclass(frozen=True)
class Statistical:
    """Units drawn one by one: number, category, length in that category and gap as observed.

    It keeps no order of categories and no pattern of overlaps; it is here to compare with
    software that models chance like this. All annotators of a sample get the length of one task,
    drawn at random, and their units are placed around its circle: units that ran on beyond the
    end would have nothing to agree with.
    """

    tasks: Pool

    def __post_init__(self) -> None:
        if not self.tasks.has_unit:
            raise InputError("there is no unit to draw from")

    @cached_property
    def _sources(self) -> tuple[tuple[Annotation, float], ...]:
        return tuple((a, t.period) for t in self.tasks if t.period > 0 for a in t.annotations)

    @cached_property
    def _pool(self) -> tuple[Ints, Floats, Floats]:
        """The categories, lengths and gaps of all units."""
        annotations = [a for a, _ in self._sources]
        return (
            np.concatenate([a.category for a in annotations]),
            np.concatenate([a.end - a.start for a in annotations]),
            np.concatenate([_gaps(a) for a in annotations]),
        )

    @cached_property
    def _places(self) -> tuple[ObservedTask, ...]:
        return tuple(task for task in self.tasks if task.period > 0)

    @cached_property
    def _most_units(self) -> int:
        return self.tasks.most_units

    def draw(self, rng: Generator, n: int) -> Layout:
        while True:
            place = self._places[rng.integers(len(self._places))]
            drawn = [self._annotation(rng, place) for _ in range(n)]
            if any(a.size for a in drawn):
                return assemble(drawn, n)

    def _annotation(self, rng: Generator, place: ObservedTask) -> Annotation:
        """As many units as an annotation of the corpus has on this length."""
        model, period = self._sources[rng.integers(len(self._sources))]
        count = math.floor(model.size * min(place.period / period, 1e9) + rng.random())
        category, length, gaps = self._pool
        # One unit gives the category and the length, which is how lengths stay true to categories.
        picked = rng.integers(len(category), size=min(count, self._most_units))
        lengths = length[picked]
        steps = gaps[rng.integers(len(gaps), size=len(picked))]
        begin = floor_to_grid(rng.uniform(0, place.period), place.grid)
        room = np.maximum(place.period - lengths, 0.0)
        steps_to = begin + np.cumsum(steps) + np.cumsum(lengths) - lengths
        start = np.where(room > 0, np.mod(steps_to, np.where(room > 0, room, 1.0)), 0.0)
        return Annotation(start, start + lengths, category[picked])


def _gaps(annotation: Annotation) -> Floats:
    """From the end of one unit to the start of the next; the first from the continuum's start."""
    order = np.argsort(annotation.start, kind="stable")
    ends = np.concatenate(([0.0], annotation.end[order][:-1]))
    gaps: Floats = annotation.start[order] - ends[: len(order)]
    return gaps
