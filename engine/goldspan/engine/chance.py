"""Chance: random annotations with the observed distributions (2015, §4.8 and §5.2).

Three samplers, one interface. Each draws the annotations of n annotators who could agree only by
accident; every figure that is corrected for chance says which one it used.

What a sampler draws depends on units and lengths alone. Annotations and tasks are kept in the
order of their content, so neither names nor the order of the data can change a figure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Protocol

import numpy as np
from numpy.random import Generator

from goldspan.engine.clusters import Floats, Ints
from goldspan.engine.errors import InputError
from goldspan.engine.layout import Layout
from goldspan.engine.model import Continuum

_FINENESS = 2**20
"""Positions are compared in this many parts of their task: no rounding error reaches them."""

MOSAIC_UNITS = 1000
"""A mosaic grows no larger than this, or than the largest annotation it is made of."""

Content = tuple[tuple[float, ...], tuple[float, ...], tuple[int, ...]]
"""The starts, ends and categories of an annotation."""


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

    @property
    def content(self) -> tuple[float, tuple[Content, ...]]:
        return self.length, tuple(a.content for a in self.annotations)

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
    return ObservedTask(tuple(annotations), float(end - origin), continuum.length is not None)


def by_content(tasks: Iterable[ObservedTask]) -> tuple[ObservedTask, ...]:
    """The tasks in an order that only depends on what is in them."""
    return tuple(sorted(tasks, key=lambda task: task.content))


def fingerprint(tasks: Sequence[ObservedTask]) -> tuple[int, ...]:
    """Four numbers that stand for the data of these tasks, and number a random stream.

    They are the same for the same data at another scale or place, whatever its names are.
    """
    digest = blake2b(digest_size=16)
    total = math.fsum(task.length for task in tasks) or 1.0
    for task in tasks:
        parts = [np.array([round(task.length / total * _FINENESS), len(task.annotations)])]
        for annotation in task.annotations:
            scale = _FINENESS / (task.length or 1.0)
            parts += [np.rint(annotation.start * scale), np.rint(annotation.end * scale)]
            parts += [annotation.category, np.array([annotation.size])]
        digest.update(np.concatenate(parts).astype("<i8").tobytes())
    return tuple(np.frombuffer(digest.digest(), "<u4").tolist())


def _grid(positions: Floats, length: float) -> float:
    """The largest step that all distances on the circle are multiples of; 0 if it is too fine to
    matter.

    Euclid's algorithm on the differences, so that neither scale nor origin matters.
    """
    steps = np.unique(positions)
    if len(steps) < 2:
        return 0.0
    tolerance = length * 1e-9
    step = 0.0
    gaps = np.append(np.diff(steps), length)
    for gap in np.unique(np.round(gaps / tolerance) * tolerance):
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

    task: ObservedTask

    def __post_init__(self) -> None:
        if self.task.size == 0:
            raise InputError("there is no unit to shift")

    def has_room(self, n: int) -> bool:
        """Whether n annotators can be shifted apart by the mean length of a unit."""
        return n * self.task.mean_length <= self.task.length

    def draw(self, rng: Generator, n: int) -> Layout:
        task = self.task
        shifts = _spaced(rng, n, task.length, task.mean_length, task.grid)
        while True:
            picked = rng.integers(len(task.annotations), size=n)
            annotations = [task.annotations[k] for k in picked]
            if any(a.size for a in annotations):
                break
        return _assemble(
            (_rotate(a, shift, task.length) for a, shift in zip(annotations, shifts, strict=True)),
            n,
        )


@dataclass(frozen=True)
class Mosaic:
    """Several continua: each annotator comes from a different one (2015, §5.2.2).

    The shorter continua are repeated like a mosaic up to the longest. Where a length is not known,
    the annotation is turned around the circle of its period: else the first units of all tasks
    would coincide. Where repeating would give an annotator more units than any real one has, and
    more than MOSAIC_UNITS, a random stretch of the mosaic is drawn instead of the whole.
    """

    tasks: tuple[ObservedTask, ...]

    def __post_init__(self) -> None:
        if not any(task.size for task in self.tasks):
            raise InputError("there is no unit to draw from")

    @cached_property
    def _most_units(self) -> int:
        return max(_largest(self.tasks), MOSAIC_UNITS)

    def draw(self, rng: Generator, n: int) -> Layout:
        while True:
            picked = [self.tasks[k] for k in rng.choice(len(self.tasks), size=n, replace=False)]
            tiles = [_tile(task, rng) for task in picked]
            longest = max(tile.period for tile in tiles)
            room = [self._most_units * t.period / t.annotation.size for t in tiles if t.is_filled]
            length = min([longest, *room])
            if length < longest:
                grid = max(task.grid for task in picked)
                tiles = [tile.turned(-_floor(rng.uniform(0, longest), grid)) for tile in tiles]
            drawn = [tile.repeated(length) for tile in tiles]
            if any(a.size for a in drawn):
                return _assemble(drawn, n)


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
        return _Tile(_rotate(self.annotation, shift, self.period), self.period)

    def repeated(self, length: float) -> Annotation:
        """Copies one after the other; kept are the units that start before `length`."""
        if not self.is_filled:
            return self.annotation
        one = self.annotation
        copies = math.ceil(length / self.period)
        if copies == 1 and float(one.start.max()) < length:
            return one
        offset = np.repeat(np.arange(copies) * self.period, one.size)
        start = np.tile(one.start, copies) + offset
        inside = start < length
        return Annotation(
            start[inside],
            (np.tile(one.end, copies) + offset)[inside],
            np.tile(one.category, copies)[inside],
        )


def _tile(task: ObservedTask, rng: Generator) -> _Tile:
    """A random annotation of the task."""
    tile = _Tile(task.annotations[rng.integers(len(task.annotations))], task.period)
    if task.length_known or task.size == 0:
        return tile
    return tile.turned(task.on_grid(rng.uniform(0, task.period)))


@dataclass(frozen=True)
class Statistical:
    """Units drawn one by one: number, category, length in that category and gap as observed.

    It keeps no order of categories and no pattern of overlaps; it is here to compare with
    software that models chance like this. All annotators of a sample get the length of one task,
    drawn at random, and their units are placed around its circle: units that ran on beyond the
    end would have nothing to agree with.
    """

    tasks: tuple[ObservedTask, ...]

    def __post_init__(self) -> None:
        if not any(task.size for task in self.tasks):
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
        return _largest(self.tasks)

    def draw(self, rng: Generator, n: int) -> Layout:
        while True:
            place = self._places[rng.integers(len(self._places))]
            drawn = [self._annotation(rng, place) for _ in range(n)]
            if any(a.size for a in drawn):
                return _assemble(drawn, n)

    def _annotation(self, rng: Generator, place: ObservedTask) -> Annotation:
        """As many units as an annotation of the corpus has on this length."""
        model, period = self._sources[rng.integers(len(self._sources))]
        count = math.floor(model.size * min(place.period / period, 1e9) + rng.random())
        category, length, gaps = self._pool
        # One unit gives the category and the length, which is how lengths stay true to categories.
        picked = rng.integers(len(category), size=min(count, self._most_units))
        lengths = length[picked]
        steps = gaps[rng.integers(len(gaps), size=len(picked))]
        begin = _floor(rng.uniform(0, place.period), place.grid)
        start = (begin + np.cumsum(steps) + np.cumsum(lengths) - lengths) % place.period
        return Annotation(start, start + lengths, category[picked])


def _gaps(annotation: Annotation) -> Floats:
    """From the end of one unit to the start of the next; the first from the continuum's start."""
    order = np.argsort(annotation.start, kind="stable")
    ends = np.concatenate(([0.0], annotation.end[order][:-1]))
    gaps: Floats = annotation.start[order] - ends[: len(order)]
    return gaps


def _largest(tasks: Iterable[ObservedTask]) -> int:
    """The number of units in the largest annotation."""
    return max(a.size for task in tasks for a in task.annotations)


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


def _floor(position: float, grid: float) -> float:
    return math.floor(position / grid) * grid if grid > 0 else position


def _rotate(annotation: Annotation, shift: float, length: float) -> Annotation:
    start = (annotation.start + shift) % length
    return Annotation(start, start + (annotation.end - annotation.start), annotation.category)


def _assemble(annotations: Iterable[Annotation], n: int) -> Layout:
    parts = list(annotations)
    return Layout.sorted(
        np.repeat(np.arange(n), [a.size for a in parts]),
        np.concatenate([a.start for a in parts]),
        np.concatenate([a.end for a in parts]),
        np.concatenate([a.category for a in parts]),
        n,
    )
