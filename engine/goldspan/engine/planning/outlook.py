"""Outlook: how wide a figure's interval would be with other numbers of tasks, for a report.

It takes the pilot's variance as it is, and between which limits the true one can be; unlike a plan,
it draws nothing, so that every report can have it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.coefficient.resampling import LEAST_TASKS
from goldspan.engine.planning.pilot import pilot_of
from goldspan.engine.quantile import normal_quantile, student_quantile

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Key
    from goldspan.engine.result import Result

POINTS = 12
TIMES = 5
"""The outlook goes up to so many times the number of tasks."""

NO_WIDTH = 1e-12
"""With a variance up to this, tasks do not differ, and there is no width to draw."""

TAIL = 0.05
"""Of the variances that the tasks allow, on either side."""


@dataclass(frozen=True, slots=True)
class Width:
    """Half of an interval's width to expect with so many tasks, and between which limits."""

    tasks: int
    half: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """A figure's widths by the number of tasks; the first is that of the tasks there are."""

    key: Key
    widths: tuple[Width, ...]


def outlooks(result: Result) -> tuple[Outlook, ...]:
    """Of γ and γcat, where enough tasks have a part in them."""
    keys = [key for key in (("gamma", ""), ("gamma_cat", "")) if key in result.figures]
    found = (_outlook(result, key) for key in keys)
    return tuple(one for one in found if one is not None)


def _chi_square(p: float, freedom: int) -> float:
    """A quantile of χ², to within 3 % (Wilson and Hilferty 1931)."""
    part = 2 / (9 * freedom)
    return freedom * float(1 - part + normal_quantile(p) * np.sqrt(part)) ** 3


def _outlook(result: Result, key: Key) -> Outlook | None:
    pilot = pilot_of(result, key)
    variance, size, count = pilot.variance, len(pilot.rows), pilot.count
    if variance is None or size < LEAST_TASKS or variance + pilot.noise <= NO_WIDTH:
        return None
    observed, expected = pilot.rows.sum(axis=0).tolist()
    # The true variance is (n-1)/χ² times that of the tasks.
    most, least = ((count - 1) / _chi_square(p, count - 1) for p in (TAIL, 1 - TAIL))

    def half(tasks: int, share: float) -> float:
        t = student_quantile(0.5 + result.settings.level / 2, max(count / size * tasks - 1, 1.0))
        reach = t * float(np.sqrt(share * variance / tasks + pilot.noise))
        return float(observed / expected * np.sinh(min(reach, 50.0)))

    numbers = sorted({round(one) for one in np.geomspace(size, TIMES * size, POINTS).tolist()})
    widths = (Width(one, half(one, 1.0), half(one, least), half(one, most)) for one in numbers)
    return Outlook(key, tuple(widths))
