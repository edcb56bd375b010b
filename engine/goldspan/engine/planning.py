"""Planning: how many tasks a study needs for an interval of a given width, from a pilot round.

The interval of a ratio over D tasks is 1 - (1-γ)·exp(±t·s), s² being the variance of log(1-γ):
that between tasks, which falls with 1/D, and that of chance. The pilot's tasks tell the first. New
rounds are drawn from them. A pilot of D₀ tasks knows its population only roughly, so each draw
weighs its tasks by chance (a Bayesian bootstrap), and takes another variance that the pilot could
have come from: (D₀-1)/χ² times its own. The plan is the smallest number of tasks with which the
share of draws that reach the width is as large as asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.coefficient.resampling import LEAST_TASKS
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.quantile import normal_quantile, student_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.coefficient.base import Key
    from goldspan.engine.result import Result

    Floats = NDArray[np.float64]

DRAWS = 2000
MANY_TASKS = 200
"""From here on t hardly depends on their number."""

MOST_TASKS = 100_000
"""Studies that need more are not planned."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked for: an interval of ± `half_width`, reached in a share `assurance` of new
    rounds; and by how many `more` tasks the pilot might grow.
    """

    half_width: float = 0.05
    assurance: float = 0.9
    more: int = 50
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.half_width < 1:
            raise SettingsError(f"the half width is {self.half_width}; it must be between 0 and 1")
        if not 0.5 <= self.assurance < 1:
            raise SettingsError(
                f"the assurance is {self.assurance}; it must be 0.5 or more and below 1"
            )
        if self.more < 1:
            raise SettingsError(f"the number of more tasks is {self.more}; it must be 1 or more")
        if not 0 < self.level < 1:
            raise SettingsError(f"the level is {self.level}; it must be between 0 and 1")


@dataclass(frozen=True, slots=True)
class Pilot:
    """What a figure's tasks add, observed and expected, a row each; zeros where a task adds
    nothing. `noise` is the variance of chance.
    """

    rows: Floats
    noise: float

    @property
    def count(self) -> int:
        """The tasks that add something."""
        return int((self.rows[:, 1] > 0).sum())


@dataclass(frozen=True, slots=True)
class FigurePlan:
    """What a figure needs.

    pilot      tasks of the pilot that have a part in it
    now        half of its interval's width in the pilot
    tasks      how many tasks reach the width with the assurance; None if MOST_TASKS do not
    low, high  between which numbers those are that reach it on average, as far as the pilot tells
               (90 %); None if MOST_TASKS do not
    with_more  half of the width to expect with `more` tasks
    with_another  the same as `now`, with one more annotator of the same kind; None if unknown
    widths     numbers of tasks, and the half widths that a share `assurance` of rounds reaches
    """

    key: Key
    value: float
    pilot: int
    now: float
    tasks: int | None
    low: int | None
    high: int | None
    with_more: float
    with_another: float | None
    widths: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The plan of a study; `left_out` are figures whose pilot tells too little."""

    target: Target
    tasks: int
    annotators: int
    figures: tuple[FigurePlan, ...]
    left_out: tuple[Key, ...]


def plan(result: Result, target: Target, others: Sequence[Result] = ()) -> StudyPlan:
    """What γ, γcat and γk of each label need. `others` are the results without each annotator: they
    tell what one more could bring.
    """
    if len(result.tasks) < LEAST_TASKS:
        raise InputError(
            f"the pilot has {len(result.tasks)} tasks that can be scored; a plan needs "
            f"{LEAST_TASKS} or more, because it rests on how they differ"
        )
    planned, left_out = [], []
    for key, figure in result.figures.items():
        if key[0] not in ("gamma", "gamma_cat", "gamma_k"):
            continue
        pilot = pilot_of(result, key)
        if figure.value is None or figure.value == 1 or pilot.count < LEAST_TASKS:
            left_out.append(key)
        else:
            share = _share_with_another(result, key, others)
            planned.append(plan_figure(key, pilot, target, share))
    people = {name for task in result.tasks.values() for name in task.annotators}
    return StudyPlan(target, len(result.tasks), len(people), tuple(planned), tuple(left_out))


@cache
def _student(p: float, freedom: float) -> float:
    return student_quantile(p, freedom)


def pilot_of(result: Result, key: Key) -> Pilot:
    """The sums of each task, and the sampling error of chance."""
    sums = [
        task.figures[key].sums if key in task.figures else None for task in result.tasks.values()
    ]
    rows = np.array([(0.0, 0.0) if one is None else one[:2] for one in sums], dtype=np.float64)
    error = result.figures[key].error or 0.0
    return Pilot(rows, (error / normal_quantile(0.5 + result.settings.level / 2)) ** 2)


def plan_figure(key: Key, pilot: Pilot, target: Target, share: float | None = None) -> FigurePlan:
    """The plan of one figure; `share` is the part of the variance that is left with one more
    annotator.
    """
    draws = _Draws(pilot, target)
    size = len(pilot.rows)
    now = draws.half_width(size)
    tasks = draws.least_tasks()
    most = tasks or MOST_TASKS
    low, high = draws.range_of_tasks()
    return FigurePlan(
        key=key,
        value=1 - draws.ratio,
        pilot=pilot.count,
        now=now,
        tasks=tasks,
        low=low,
        high=high,
        with_more=draws.half_width(size + target.more),
        with_another=None if share is None else draws.half_width(size, share),
        widths=tuple(draws.widths(size, most)),
    )


class _Draws:
    """New rounds from a pilot."""

    def __init__(self, pilot: Pilot, target: Target) -> None:
        self.target = target
        self.noise = pilot.noise
        observed, expected = pilot.rows.T
        self.size = len(pilot.rows)
        self.part = pilot.count / self.size
        self.ratio = float(observed.sum() / expected.sum())
        residuals = observed - self.ratio * expected
        count = pilot.count
        self.variance = (
            count
            / (count - 1)
            * float((residuals**2).sum())
            / float(observed.sum()) ** 2
            * self.size
        )
        """Of log(1 - value), for one task."""
        rng = np.random.default_rng(target.seed)
        self.variances = (count - 1) / rng.chisquare(count - 1, DRAWS)
        """Those that the pilot could have come from, as multiples of its own."""
        # Random weights make the tasks look more alike by this.
        self.alike = (count + 1) / (count - 1)
        self.weights = rng.dirichlet(np.ones(self.size), DRAWS)
        self.moments = np.column_stack(
            (observed, expected, residuals**2, (expected > 0).astype(np.float64))
        )
        self.residuals = residuals

    def _t(self, number: float, tasks: int) -> float:
        """Student's t for so many tasks; that of the mean number where there are many."""
        exact = number if tasks < MANY_TASKS else max(self.part * tasks, 2.0)
        return _student(0.5 + self.target.level / 2, exact - 1)

    def half_width(self, tasks: float, share: float = 1.0) -> float:
        """To expect with so many tasks, if the pilot's variance is right."""
        freedom = max(self.part * tasks - 1, 1.0)
        t = student_quantile(0.5 + self.target.level / 2, freedom)
        return self.ratio * float(np.sinh(t * np.sqrt(share * self.variance / tasks + self.noise)))

    def drawn(self, tasks: int) -> Floats:
        """Half of the width in each of the draws with so many tasks."""
        rng = np.random.default_rng([self.target.seed, tasks])
        counts = rng.multinomial(tasks, self.weights)
        observed, expected, squares, there = (counts @ self.moments).T
        drift = counts @ self.residuals
        # The draw's own ratio differs from the pilot's by the drift of its residuals.
        spread = np.maximum(squares - drift**2 / np.maximum(there, 1), 0)
        spread *= self.alike * self.variances
        known = there >= LEAST_TASKS
        number = np.maximum(there, 2)
        variance = number / (number - 1) * spread / np.where(observed > 0, observed, np.inf) ** 2
        numbers, place = np.unique(number, return_inverse=True)
        t = np.array([self._t(one, tasks) for one in numbers.tolist()])[place]
        ratio = observed / np.where(expected > 0, expected, np.nan)
        reach = np.minimum(t * np.sqrt(variance + self.noise), 50)
        return np.where(known, ratio * np.sinh(reach), np.inf)

    def reached(self, tasks: int) -> bool:
        return bool(np.mean(self.drawn(tasks) <= self.target.half_width) >= self.target.assurance)

    def least_tasks(self) -> int | None:
        """The smallest number of tasks with which enough draws reach the width."""
        low, high = LEAST_TASKS, LEAST_TASKS
        while not self.reached(high):
            low, high = high, 2 * high
            if high > MOST_TASKS:
                return None
        while high - low > max(1, high // 100):
            middle = (low + high) // 2
            low, high = (low, middle) if self.reached(middle) else (middle, high)
        return high

    def range_of_tasks(self) -> tuple[int | None, int | None]:
        """How many tasks reach the width on average, for variances that the pilot allows."""
        tail = np.quantile(self.variances, (0.05, 0.95))
        return self._mean_tasks(float(tail[0])), self._mean_tasks(float(tail[1]))

    def _mean_tasks(self, share: float) -> int | None:
        tasks = float(LEAST_TASKS)
        while self.half_width(tasks, share) > self.target.half_width:
            tasks = np.ceil(tasks * 1.02)
            if tasks > MOST_TASKS:
                return None
        return int(tasks)

    def widths(self, size: int, most: int) -> Iterator[tuple[int, float]]:
        """Points for a chart, up to somewhat more than is needed."""
        end = max(1.3 * most, 1.3 * size, 20)
        for tasks in sorted({int(one) for one in np.geomspace(LEAST_TASKS, end, 14)}):
            drawn = np.sort(self.drawn(tasks))
            width = float(drawn[int(np.ceil(self.target.assurance * DRAWS)) - 1])
            if np.isfinite(width):
                yield tasks, width


def _share_with_another(result: Result, key: Key, others: Sequence[Result]) -> float | None:
    """The part of the variance between tasks that is left with one more annotator.

    It is a + b/n for n annotators, by what it is with all of the pilot's and without each of them.
    """
    people = {name for task in result.tasks.values() for name in task.annotators}
    n = len(people)
    known = [
        _variance(pilot_of(one, key)) for one in others
        if key in one.figures and one.figures[key].value is not None
    ]  # fmt: skip
    fewer = [one for one in known if one is not None]
    own = _variance(pilot_of(result, key))
    if n < 3 or not fewer or not own:
        return None
    slope = max((sum(fewer) / len(fewer) - own) / (1 / (n - 1) - 1 / n), 0.0)
    slope = min(slope, own * n)
    return (own - slope * (1 / n - 1 / (n + 1))) / own


def _variance(pilot: Pilot) -> float | None:
    """Of log(1 - value), for one task."""
    observed, expected = pilot.rows.T
    if pilot.count < LEAST_TASKS or observed.sum() <= 0:
        return None
    residuals = observed - observed.sum() / expected.sum() * expected
    return float((residuals**2).sum() / observed.sum() ** 2) * len(pilot.rows)
