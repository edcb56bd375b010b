"""Normal: the chance of pygamma-agreement, for figures that are comparable with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from goldspan.engine.chance.sampler import Annotation, ObservedTask, assemble
from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.alignment.layout import Layout


@dataclass(frozen=True)
class Normal:
    """One continuum: numbers, gaps and lengths of units from normal distributions.

    Every random annotator marks one unit after the other from 0 on. Numbers are rounded towards 0,
    numbers and lengths lose their sign; a gap below 0 makes units overlap. Categories come in their
    observed proportions, whatever the length is. Nothing ends at the end of the continuum, and the
    first gap counts from 0, so moving all units along changes what is drawn.
    """

    task: ObservedTask

    def __post_init__(self) -> None:
        if self.task.size == 0:
            raise InputError("there is no unit to draw from")

    @cached_property
    def _counts(self) -> Floats:
        return np.array([a.size for a in self.task.annotations], dtype=np.float64)

    @cached_property
    def _lengths(self) -> Floats:
        return np.concatenate([a.end - a.start for a in self.task.annotations])

    @cached_property
    def _gaps(self) -> Floats:
        """A 0, the gaps from each unit to the next, and from 0 to the first one if it is later."""
        found = [np.zeros(1)]
        for annotation in self.task.annotations:
            order = np.lexsort((annotation.end, annotation.start))
            start, end = annotation.start[order], annotation.end[order]
            first = start[:1] + self.task.origin
            found += [start[1:] - end[:-1], first[first > 0]]
        return np.concatenate(found)

    def draw(self, rng: Generator, n: int) -> Layout:
        drawn: list[Annotation] = []
        while len(drawn) < n:
            drawn.append(self._annotation(rng, least=0 if any(a.size for a in drawn) else 1))
        return assemble(drawn, n)

    def _annotation(self, rng: Generator, least: int) -> Annotation:
        count = max(least, abs(int(rng.normal(self._counts.mean(), self._counts.std()))))
        gaps = rng.normal(self._gaps.mean(), self._gaps.std(), count)
        lengths = np.abs(rng.normal(self._lengths.mean(), self._lengths.std(), count))
        categories = np.concatenate([a.category for a in self.task.annotations])
        picked = categories[rng.integers(len(categories), size=count)]
        end = np.cumsum(gaps + lengths)
        return Annotation(end - lengths, end, picked)
