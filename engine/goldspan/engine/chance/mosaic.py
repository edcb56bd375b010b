"""Mosaic: chance from several continua, an annotator from each."""

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
    rotate,
)
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.alignment.layout import Layout
    from goldspan.engine.chance.pool import Pool

MOSAIC_UNITS = 1000
"""A mosaic grows no larger than this, or than the largest annotation it is made of."""


@dataclass(frozen=True)
class Mosaic:
    """Several continua: each annotator comes from a different one (2015, §5.2.2).

    The shorter continua are repeated like a mosaic up to the longest. Where a length is not known,
    the annotation is turned around the circle of its period: else the first units of all tasks
    would coincide. Where repeating would give an annotator more units than any real one has, and
    more than MOSAIC_UNITS, a random stretch of the mosaic is drawn instead of the whole.
    """

    tasks: Pool

    def __post_init__(self) -> None:
        if not self.tasks.has_unit:
            raise InputError("there is no unit to draw from")

    @cached_property
    def _most_units(self) -> int:
        return max(self.tasks.most_units, MOSAIC_UNITS)

    def draw(self, rng: Generator, n: int) -> Layout:
        while True:
            picked = [self.tasks[k] for k in rng.choice(len(self.tasks), size=n, replace=False)]
            tiles = [_tile(task, rng) for task in picked]
            longest = max(tile.period for tile in tiles)
            room = [self._most_units * t.period / t.annotation.size for t in tiles if t.is_filled]
            length = min([longest, *room])
            if length < longest:
                grid = max(task.grid for task in picked)
                begin = floor_to_grid(rng.uniform(0, longest), grid)
                tiles = [tile.turned(-begin) for tile in tiles]
            drawn = [tile.repeated(length) for tile in tiles]
            if any(a.size for a in drawn):
                return assemble(drawn, n)


@dataclass(frozen=True, slots=True)
class _Tile:
    """An annotation that can be repeated after `period`."""

    annotation: Annotation
    period: float

    @property
    def is_filled(self) -> bool:
        return self.annotation.size > 0 and self.period > 0

    def turned(self, shift: float) -> _Tile:
        """The same tile, begun elsewhere."""
        if not self.is_filled:
            return self
        return _Tile(rotate(self.annotation, shift, self.period), self.period)

    def repeated(self, length: float) -> Annotation:
        """Copies one after the other; kept are the units that start before `length`."""
        if not self.is_filled:
            return self.annotation
        one = self.annotation
        copies = math.ceil(length / self.period)
        if copies == 1 and float(one.start.max()) < length:
            return one
        offset = (np.arange(copies) * self.period)[:, np.newaxis]
        start = (one.start + offset).ravel()
        inside = start < length
        return Annotation(
            start[inside],
            (one.end + offset).ravel()[inside],
            np.concatenate([one.category] * copies)[inside],
        )


def _tile(task: ObservedTask, rng: Generator) -> _Tile:
    """A random annotation of the task."""
    tile = _Tile(task.annotations[rng.integers(len(task.annotations))], task.period)
    if task.length_known or task.size == 0:
        return tile
    return tile.turned(task.on_grid(rng.uniform(0, task.period)))
