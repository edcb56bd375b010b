"""Curves: experiments at all magnitudes, in parallel, and what the 2015 paper asks of a curve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from goldspan.engine.parallel import Compute, mapping
from goldspan.engine.simulation.experiment import Experiment, Key, magnitudes
from goldspan.engine.simulation.point import Mean, Point, PointRequest, measure_point

NEAR_ZERO = 0.05
"""A curve that comes as near to 0 as this reaches it; one that stays above -0.05 is not below."""

STRETCH = 0.2
"""A decreasing curve is lower at the end of every stretch of magnitudes of this length …"""

RISE = 0.02
"""… and no step of it rises by more than this, which sampling explains."""

Curve: TypeAlias = Sequence[tuple[float, Mean]]
"""Magnitudes and means, in order."""


@dataclass(frozen=True, slots=True)
class Desiderata:
    """Whether a curve is what the 2015 paper asks for (§6.3); None where no point says so."""

    starts_at_1: bool | None
    reaches_0: bool
    never_below_0: bool
    decreasing: bool


@dataclass(frozen=True, slots=True)
class CurvesRequest:
    """Which points to measure, and how.

    step       from one magnitude to the next
    sets       annotation sets for each point
    precision  the relative error allowed in the expected disorder
    """

    step: float = 0.05
    sets: int = 40
    seed: int = 0
    precision: float = 0.02

    def points(self, experiments: Iterable[Experiment]) -> list[PointRequest]:
        """Every point of these experiments, each once."""
        return [
            PointRequest(one, magnitude, self.sets, self.seed, self.precision)
            for one in {one.name: one for one in experiments}.values()
            for magnitude in magnitudes(self.step, one.last)
        ]


def measure_points(
    requests: Sequence[PointRequest],
    compute: Compute | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    known: Mapping[int, Point] | None = None,
    keep: Callable[[PointRequest, Point], None] | None = None,
) -> list[Point]:
    """The points in order. `known` are those that were measured before, by their number; `keep` is
    called with each new one as soon as it is there.
    """
    found = dict(known or {})
    missing = [number for number in range(len(requests)) if number not in found]
    with mapping(compute or Compute()) as run:
        made = run(measure_point, [requests[number] for number in missing])
        for number, point in zip(missing, made, strict=True):
            found[number] = point
            if keep is not None:
                keep(requests[number], point)
            if progress is not None:
                progress("measuring points", len(found), len(requests))
    return [found[number] for number in range(len(requests))]


def curve_of(points: Iterable[Point], experiment: str, key: Key) -> Curve:
    """The means of one coefficient in one experiment, by magnitude."""
    return sorted(
        (point.magnitude, point.means[key])
        for point in points
        if point.experiment == experiment and key in point.means
    )


def desiderata(curve: Curve) -> Desiderata | None:
    """The marks of a curve; None if it has fewer than two points."""
    if len(curve) < 2:
        return None
    values = [mean.value for _, mean in curve]
    first, start = curve[0][0], values[0]
    return Desiderata(
        starts_at_1=abs(start - 1) < 1e-9 if first == 0 else None,
        reaches_0=min(values) <= NEAR_ZERO,
        never_below_0=min(values) >= -NEAR_ZERO,
        decreasing=_decreases(curve),
    )


def _decreases(curve: Curve) -> bool:
    if any(after[1].value > before[1].value + RISE for before, after in pairwise(curve)):
        return False
    for at, (magnitude, mean) in enumerate(curve):
        later = [other for place, other in curve[at + 1 :] if place >= magnitude + STRETCH - 1e-9]
        if later and later[0].value >= mean.value:
            return False
    return True
