"""Charts: the places of marks, as percentages of a chart's width and height. No markup."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure

LOWEST = -1.0
"""Coefficients below are drawn at the edge: how far below chance hardly matters."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear axis from `low` to `high`."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """The place of a value in per cent, held inside the axis."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)

    @property
    def ticks(self) -> tuple[tuple[float, float], ...]:
        """Values and their places: at most six, at round numbers."""
        span = self.high - self.low
        unit = 10.0 ** (math.floor(math.log10(span)) - 1)
        step = next(unit * s for s in (1, 2, 5, 10, 20) if span / (unit * s) < 5.5)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return tuple((round(k * step, 6), self.at(k * step)) for k in range(first, last + 1))


@dataclass(frozen=True, slots=True)
class Whisker:
    """A value with its interval on an axis; what is not known is None."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a histogram: `count` values are between `start` and `end`."""

    start: float
    end: float
    count: int
    left: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars side by side on an axis, and the place of the median."""

    axis: Axis
    bars: tuple[Bar, ...]
    median: float | None


def coefficient_axis(figures: Iterable[Figure]) -> Axis:
    """An axis that ends at 1 and begins at 0, or lower where a figure does."""
    lowest = min((end for f in figures for end in (f.low, f.value) if end is not None), default=0.0)
    return Axis(max(LOWEST, min(0.0, math.floor(lowest * 5) / 5)), 1.0)


def whisker(figure: Figure, axis: Axis) -> Whisker:
    """A figure's marks."""

    def at(value: float | None) -> float | None:
        return None if value is None else axis.at(value)

    return Whisker(at(figure.value), at(figure.low), at(figure.high))


def histogram(values: Sequence[float], median: float | None) -> Histogram:
    """How many values are in each tenth; those below the axis count in its first bar."""
    lowest = math.floor(min(values, default=0.0) * 10 - 1e-9) / 10
    axis = Axis(max(LOWEST, min(0.0, lowest)), 1.0)
    bins = round((axis.high - axis.low) * 10)
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, max(0, math.floor((value - axis.low) * 10 + 1e-9)))] += 1
    most = max(counts, default=0) or 1
    bars = tuple(
        Bar(
            start=round(axis.low + k / 10, 1),
            end=round(axis.low + (k + 1) / 10, 1),
            count=number,
            left=round(100 * k / bins, 2),
            width=round(100 / bins, 2),
            height=round(100 * number / most, 2),
        )
        for k, number in enumerate(counts)
    )
    return Histogram(axis, bars, None if median is None else axis.at(median))


def stacked(parts: Sequence[float], whole: float) -> tuple[tuple[float, float], ...]:
    """Left edge and width of each part, in per cent of the whole."""
    edges, left = [], 0.0
    for part in parts:
        width = 100 * part / whole if whole > 0 else 0.0
        edges.append((round(left, 2), round(width, 2)))
        left += width
    return tuple(edges)


@dataclass(frozen=True, slots=True)
class Point:
    """A round's value in a line chart, with its interval where there is one; `place` is the
    round's among all.
    """

    place: int
    x: float
    y: float
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """A coefficient over rounds; `area` goes along the intervals and back."""

    points: tuple[Point, ...]
    area: tuple[tuple[float, float], ...]


def line(figures: Sequence[Figure | None], axis: Axis) -> Line:
    """The points of a line, in per cent from the left and from the top; gaps are left out."""
    points = []
    for place, figure in enumerate(figures):
        if figure is None or figure.value is None:
            continue
        x = round(100 * place / max(1, len(figures) - 1), 2)
        low, high = (
            None if end is None else 100 - axis.at(end) for end in (figure.low, figure.high)
        )
        points.append(Point(place, x, 100 - axis.at(figure.value), figure.value, low, high))
    upper = [(p.x, p.high) for p in points if p.low is not None and p.high is not None]
    lower = [(p.x, p.low) for p in reversed(points) if p.low is not None and p.high is not None]
    return Line(tuple(points), (*upper, *lower) if len(upper) > 1 else ())
