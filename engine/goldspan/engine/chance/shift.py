"""Shift: chance from one continuum, by shifting real annotations around the circle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from goldspan.engine.chance.sampler import ObservedTask, assemble, rotate
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.alignment.layout import Layout


@dataclass(frozen=True, slots=True)
class Shift:
    """One continuum: each annotator is a real one, shifted around the circle (2015, §5.2.1).

    Two shifts are never closer than `spacing` times the mean length of a unit; a unit that crosses
    the end is wrapped as a whole.
    """

    task: ObservedTask
    spacing: float = 1.0

    def __post_init__(self) -> None:
        if self.task.size == 0:
            raise InputError("there is no unit to shift")

    @property
    def least(self) -> float:
        """The least distance of two shifts."""
        return self.spacing * self.task.mean_length

    def has_room(self, n: int) -> bool:
        """Whether n annotators can be shifted apart so far."""
        return n * self.least <= self.task.length

    def draw(self, rng: Generator, n: int) -> Layout:
        task = self.task
        shifts = _spaced(rng, n, task.length, self.least, task.grid)
        while True:
            picked = rng.integers(len(task.annotations), size=n)
            annotations = [task.annotations[k] for k in picked]
            if any(a.size for a in annotations):
                break
        return assemble(
            (rotate(a, shift, task.length) for a, shift in zip(annotations, shifts, strict=True)),
            n,
        )


def _spaced(rng: Generator, n: int, length: float, least: float, grid: float = 0.0) -> Floats:
    """Points on a circle, no two closer than `least`, all such choices equally likely.

    On a grid they are whole steps apart: as many as `least` takes, or as many as there is room for.
    """
    if grid > 0:
        steps = math.ceil(least / grid * (1 - 1e-9))
        least = min(steps, math.floor(length / grid / n * (1 + 1e-9))) * grid
    spaces = least + max(0.0, length - n * least) * rng.dirichlet(np.ones(n))
    points = rng.uniform(0, length) + np.cumsum(spaces)
    if grid > 0:
        # Rounded down, points that are whole steps apart and more stay so far apart.
        points = np.floor(points / grid * (1 + 1e-12)) * grid
    return rng.permutation(points % length)
