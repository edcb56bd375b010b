"""Chance: random annotations with the observed distributions (2015, §4.8 and §5.2).

Three samplers, one interface. Each draws the annotations of n annotators who could agree only by
accident; every figure that is corrected for chance says which one it used.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.random import Generator

from goldspan.engine.clusters import Floats, Ints
from goldspan.engine.errors import InputError
from goldspan.engine.layout import Layout
from goldspan.engine.model import Continuum


@dataclass(frozen=True, slots=True)
class Annotation:
    """The units of one annotator in one continuum, from the continuum's start on."""

    start: Floats
    end: Floats
    category: Ints


@dataclass(frozen=True, slots=True)
class Ground:
    """One continuum as chance sees it: its length, and the annotations of those who took part.

    `mean_length` is that of a unit. `grid` is the step that all positions are multiples of (a
    character, a token), 0 when there is none to speak of. Where the length is not known, it is
    the extent of the units.
    """

    annotations: tuple[Annotation, ...]
    length: float
    length_known: bool
    grid: float
    mean_length: float

    @property
    def size(self) -> int:
        return sum(len(a.start) for a in self.annotations)


class Sampler(Protocol):
    """A source of random annotations."""

    def draw(self, rng: Generator, n: int) -> Layout:
        """The annotations of n random annotators, with one unit at least."""
        ...


def ground(
    continuum: Continuum, annotators: Sequence[str], categories: Mapping[str, int]
) -> Ground:
    """What chance needs of a continuum."""
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
    start = np.concatenate([a.start for a in annotations])
    stop = np.concatenate([a.end for a in annotations])
    length = float(end - origin)
    return Ground(
        annotations=tuple(annotations),
        length=length,
        length_known=continuum.length is not None,
        grid=_grid(np.concatenate((start, stop)), length),
        mean_length=float((stop - start).mean()) if len(start) else 0.0,
    )


def _grid(positions: Floats, length: float) -> float:
    """The largest step that all positions are multiples of; 0 if it is too fine to matter.

    Euclid's algorithm on the differences, so that neither scale nor origin has a say.
    """
    steps = np.unique(positions)
    if len(steps) < 2:
        return 0.0
    tolerance = length * 1e-9
    step = 0.0
    for gap in np.unique(np.round(np.diff(np.append(steps, length)) / tolerance) * tolerance):
        one, other = max(step, gap), min(step, gap)
        while other > 100 * tolerance:
            rest = math.fmod(one, other)
            if other - rest <= 100 * tolerance:
                rest = 0.0
            one, other = other, rest
        step = one
    finest = np.diff(steps).mean() / 100
    return step if step > finest else 0.0


@dataclass(frozen=True, slots=True)
class Shift:
    """One continuum: each annotator is a real one, shifted around the circle (2015, §5.2.1).

    Two shifts are never closer than the mean length of a unit; a unit that crosses the end is
    wrapped as a whole.
    """

    ground: Ground

    def __post_init__(self) -> None:
        if self.ground.size == 0:
            raise InputError("there is no unit to shift")

    def has_room(self, n: int) -> bool:
        """Whether n annotators can be shifted apart by the mean length of a unit."""
        return n * self.ground.mean_length <= self.ground.length

    def draw(self, rng: Generator, n: int) -> Layout:
        length = self.ground.length
        shifts = _spaced(rng, n, length, self.ground.mean_length)
        if self.ground.grid > 0:
            shifts = np.round(shifts / self.ground.grid) * self.ground.grid
        while True:
            picked = rng.integers(len(self.ground.annotations), size=n)
            annotations = [self.ground.annotations[k] for k in picked]
            if any(len(a.start) for a in annotations):
                break
        return _assemble(
            (_rotate(a, shift, length) for a, shift in zip(annotations, shifts, strict=True)), n
        )


@dataclass(frozen=True, slots=True)
class Mosaic:
    """Several continua: each annotator comes from a different one (2015, §5.2.2).

    The shorter continua are repeated like a mosaic up to the longest. Where a length is not known,
    the extent of the units plus one mean step stands for it, and the annotation is turned around
    that circle: else the first units of all tasks would coincide.
    """

    grounds: tuple[Ground, ...]

    def __post_init__(self) -> None:
        if not any(g.size for g in self.grounds):
            raise InputError("there is no unit to draw from")

    def draw(self, rng: Generator, n: int) -> Layout:
        while True:
            tiles = []
            for k in rng.choice(len(self.grounds), size=n, replace=False):
                source = self.grounds[k]
                annotation = source.annotations[rng.integers(len(source.annotations))]
                tiles.append(_tile(source, annotation, rng))
            longest = max(period for _, period in tiles)
            repeated = [_repeat(annotation, period, longest) for annotation, period in tiles]
            if any(len(a.start) for a in repeated):
                return _assemble(repeated, n)


def _tile(source: Ground, annotation: Annotation, rng: Generator) -> tuple[Annotation, float]:
    if source.length_known or source.size == 0:
        return annotation, source.length
    mean_units = source.size / len(source.annotations)
    period = source.length * (1 + 1 / max(mean_units, 1.0))
    if source.grid > 0:
        period = round(period / source.grid) * source.grid
    turn = rng.uniform(0, period)
    if source.grid > 0:
        turn = round(turn / source.grid) * source.grid
    return _rotate(annotation, turn, period), period


def _repeat(annotation: Annotation, period: float, length: float) -> Annotation:
    """Copies one after the other; kept are the units that start before `length`."""
    if period <= 0 or len(annotation.start) == 0:
        return annotation
    copies = math.ceil(length / period)
    offset = np.repeat(np.arange(copies) * period, len(annotation.start))
    start = np.tile(annotation.start, copies) + offset
    inside = start < length
    return Annotation(
        start[inside],
        (np.tile(annotation.end, copies) + offset)[inside],
        np.tile(annotation.category, copies)[inside],
    )


@dataclass(frozen=True, slots=True)
class Statistical:
    """Units drawn one by one: number, category, length in that category and gap as observed.

    It keeps no order of categories and no pattern of overlaps; it is here to compare with
    software that models chance like this.
    """

    grounds: tuple[Ground, ...]

    def __post_init__(self) -> None:
        if not any(g.size for g in self.grounds):
            raise InputError("there is no unit to draw from")

    def draw(self, rng: Generator, n: int) -> Layout:
        annotations = [a for g in self.grounds for a in g.annotations]
        counts = [len(a.start) for a in annotations]
        category = np.concatenate([a.category for a in annotations])
        length = np.concatenate([a.end - a.start for a in annotations])
        gaps = np.concatenate([_gaps(a) for a in annotations])
        while True:
            drawn = [
                _draw_annotation(rng, counts[rng.integers(len(counts))], category, length, gaps)
                for _ in range(n)
            ]
            if any(len(a.start) for a in drawn):
                return _assemble(drawn, n)


def _gaps(annotation: Annotation) -> Floats:
    """From the end of one unit to the start of the next; the first from the continuum's start."""
    order = np.argsort(annotation.start, kind="stable")
    ends = np.concatenate(([0.0], annotation.end[order][:-1]))
    gaps: Floats = annotation.start[order] - ends[: len(order)]
    return gaps


def _draw_annotation(
    rng: Generator, count: int, category: Ints, length: Floats, gaps: Floats
) -> Annotation:
    # One unit gives the category and the length, which is how lengths stay true to categories.
    picked = rng.integers(len(category), size=count)
    lengths = length[picked]
    steps = gaps[rng.integers(len(gaps), size=count)] + np.concatenate(([0.0], lengths[:-1]))
    start = np.cumsum(steps[:count])
    return Annotation(start, start + lengths, category[picked])


def _spaced(rng: Generator, n: int, length: float, least: float) -> Floats:
    """Points on a circle, no two closer than `least`, all such choices equally likely.

    Where they cannot be that far apart, half of the even spacing is what is kept.
    """
    least = min(least, length / (2 * n))
    spaces = least + (length - n * least) * rng.dirichlet(np.ones(n))
    points = (rng.uniform(0, length) + np.cumsum(spaces)) % length
    return rng.permutation(points)


def _rotate(annotation: Annotation, shift: float, length: float) -> Annotation:
    start = (annotation.start + shift) % length
    return Annotation(start, start + (annotation.end - annotation.start), annotation.category)


def _assemble(annotations: Iterable[Annotation], n: int) -> Layout:
    parts = list(annotations)
    return Layout.sorted(
        np.repeat(np.arange(n), [len(a.start) for a in parts]),
        np.concatenate([a.start for a in parts]),
        np.concatenate([a.end for a in parts]),
        np.concatenate([a.category for a in parts]),
        n,
    )
