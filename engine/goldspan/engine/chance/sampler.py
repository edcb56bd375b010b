"""Sampler: random annotations with the observed distributions (2015, §4.8 and §5.2).

A sampler draws the annotations of n annotators who could agree only by accident. There is one in
each of the modules `shift`, `mosaic`, `statistical` and `normal`; every figure that is corrected
for chance says which one it used.

What a sampler draws depends on units and lengths alone. Annotations and tasks are kept in the
order of their content, so neither names nor the order of the data can change a figure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.random import Generator

from goldspan.engine.alignment.layout import Layout

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.model import Continuum

Content = tuple[tuple[float, ...], tuple[float, ...], tuple[int, ...]]
"""The starts, ends and categories of an annotation."""


MOST_SORTED_HERE = 200
"""Up to so many numbers Python sorts faster than numpy."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """The units of one annotator in one continuum, from the continuum's start on."""

    start: Floats
    end: Floats
    category: Ints

    @property
    def size(self) -> int:
        return len(self.start)

    @property
    def content(self) -> Content:
        return tuple(self.start.tolist()), tuple(self.end.tolist()), tuple(self.category.tolist())


@dataclass(frozen=True)
class ObservedTask:
    """One task as chance sees it: its length, and the annotations of those who took part.

    Where the length is not known, it is the extent of the units.
    """

    annotations: tuple[Annotation, ...]
    length: float
    length_known: bool
    origin: float = 0.0
    """Where the continuum starts; only `normal` asks."""

    @cached_property
    def size(self) -> int:
        """The number of units."""
        return sum(a.size for a in self.annotations)

    @cached_property
    def mean_length(self) -> float:
        """That of a unit; 0 where there is none."""
        return sum(float((a.end - a.start).sum()) for a in self.annotations) / max(self.size, 1)

    @cached_property
    def grid(self) -> float:
        """The step that all positions are multiples of (a character, a token), 0 if there is none
        to speak of.
        """
        ends = [positions for a in self.annotations for positions in (a.start, a.end)]
        return _grid(np.concatenate(ends), self.length)

    @cached_property
    def period(self) -> float:
        """After which length the task can be repeated.

        Where the length is not known, the extent of the units plus one mean step stands for it.
        """
        if self.length_known or self.size == 0:
            return self.length
        mean_units = self.size / len(self.annotations)
        return self.on_grid(self.length * (1 + 1 / max(mean_units, 1.0)))

    def on_grid(self, position: float) -> float:
        """The nearest place where a unit of this task could begin."""
        return round(position / self.grid) * self.grid if self.grid > 0 else position


class Sampler(Protocol):
    """A source of random annotations."""

    def draw(self, rng: Generator, n: int) -> Layout:
        """The annotations of n random annotators, with one unit at least."""
        ...


def observed_task(
    continuum: Continuum, annotators: Sequence[str], categories: Mapping[str, int]
) -> ObservedTask:
    """What chance needs of a continuum; its annotations in the order of their content."""
    origin, end = continuum.bounds
    annotations = []
    for name in annotators:
        units = continuum.of(name)
        annotations.append(
            Annotation(
                np.array([u.start - origin for u in units], dtype=np.float64),
                np.array([u.end - origin for u in units], dtype=np.float64),
                np.array([categories[u.category] for u in units], dtype=np.int64),
            )
        )
    annotations.sort(key=lambda annotation: annotation.content)
    known = continuum.length is not None
    return ObservedTask(tuple(annotations), float(end - origin), known, float(origin))


def _grid(positions: Floats, length: float) -> float:
    """The largest step that all distances on the circle are multiples of; 0 if it is too fine to
    matter.

    Euclid's algorithm on the differences, so that neither scale nor origin matters.
    """
    steps = _distinct(positions)
    if len(steps) < 2:
        return 0.0
    tolerance = length * 1e-9
    step = 0.0
    between = np.diff(steps)
    for gap in sorted({round(gap / tolerance) * tolerance for gap in (*between.tolist(), length)}):
        one, other = max(step, gap), min(step, gap)
        while other > 100 * tolerance:
            rest = math.fmod(one, other)
            if other - rest <= 100 * tolerance:
                rest = 0.0
            one, other = other, rest
        step = one
    finest = between.mean() / 100
    return step if step > finest else 0.0


def _distinct(positions: Floats) -> list[float]:
    """Each position once, in order."""
    if len(positions) > MOST_SORTED_HERE:
        found: list[float] = np.unique(positions).tolist()
        return found
    return sorted(set(positions.tolist()))


def floor_to_grid(position: float, grid: float) -> float:
    return math.floor(position / grid) * grid if grid > 0 else position


def rotate(annotation: Annotation, shift: float, length: float) -> Annotation:
    start = (annotation.start + shift) % length
    return Annotation(start, start + (annotation.end - annotation.start), annotation.category)


def assemble(annotations: Iterable[Annotation], n: int) -> Layout:
    parts = list(annotations)
    return Layout.sorted(
        np.repeat(np.arange(n), [a.size for a in parts]),
        np.concatenate([a.start for a in parts]),
        np.concatenate([a.end for a in parts]),
        np.concatenate([a.category for a in parts]),
        n,
    )
