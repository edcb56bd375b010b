"""New rounds: how wide the intervals of a figure would be in further rounds of a study.

The interval of a ratio over D tasks is 1 - (1-γ)·exp(±t·s), s² being the variance of log(1-γ):
that between tasks, which falls with 1/D, and that of chance. The pilot's tasks tell the first. New
rounds are drawn from them. A pilot of D₀ tasks knows its population only roughly, so each draw
weighs its tasks by chance (a Bayesian bootstrap), and takes another variance that the pilot could
have come from: (D₀-1)/χ² times its own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.coefficient.resampling import LEAST_TASKS
from goldspan.engine.quantile import student_quantile

if TYPE_CHECKING:
    from goldspan.engine.planning.pilot import Floats, Pilot, Target

DRAWS, FEWEST_DRAWS = 2000, 200
MOST_CELLS = 4_000_000
"""Draws times tasks of the pilot: a large pilot needs fewer draws."""

MANY_TASKS = 200
"""From here on t hardly depends on their number; and sums over tasks are drawn as normal ones if
the pilot is so large too.
"""

MOST_TASKS = 100_000
"""Studies that need more are not planned."""

MIDDLE = 0.5
"""The assurance with which the width is reached on average."""

STEP = 1.02
"""By which numbers of tasks are tried one after the other."""


@cache
def _student(p: float, freedom: float) -> float:
    return student_quantile(p, freedom)


class NewRounds:
    """Rounds that are drawn from a pilot. `share` is always the part of the variance between tasks
    that is left, as with more annotators.
    """

    def __init__(self, pilot: Pilot, target: Target) -> None:
        self.target = target
        self.noise = pilot.noise
        observed, expected = pilot.rows.T
        self.size, count = len(pilot.rows), pilot.count
        self.part = count / self.size
        self.ratio = float(observed.sum() / expected.sum())
        self.variance = pilot.variance or 0.0
        rng = np.random.default_rng(target.seed)
        self.n_draws = min(DRAWS, max(FEWEST_DRAWS, MOST_CELLS // self.size))
        self.variances = (count - 1) / rng.chisquare(count - 1, self.n_draws)
        """Those that the pilot could have come from, as multiples of its own."""
        # Random weights make the tasks look more alike by this.
        self.alike = (count + 1) / (count - 1)
        self.weights = rng.dirichlet(np.ones(self.size), self.n_draws)
        residuals = observed - self.ratio * expected
        self.moments = np.column_stack(
            (observed, expected, residuals**2, (expected > 0).astype(np.float64), residuals)
        )
        self.means = self.weights @ self.moments
        self.roots = self._roots() if self.size >= MANY_TASKS else None

    def _roots(self) -> Floats:
        """For each draw the root of its covariance of one task's moments."""
        width = self.moments.shape[1]
        products = self.moments[:, :, None] * self.moments[:, None, :]
        squares = (self.weights @ products.reshape(self.size, -1)).reshape(-1, width, width)
        values, vectors = np.linalg.eigh(squares - self.means[:, :, None] * self.means[:, None, :])
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0))[:, None, :], dtype=np.float64)

    def _sums(self, tasks: int) -> Floats:
        """Of the moments in each draw with so many tasks."""
        rng = np.random.default_rng([self.target.seed, tasks])
        if self.roots is None or tasks < MANY_TASKS:
            return np.asarray(rng.multinomial(tasks, self.weights) @ self.moments)
        noise = rng.standard_normal(self.means.shape)
        spread = np.einsum("dij,dj->di", self.roots, noise)
        return np.asarray(tasks * self.means + np.sqrt(tasks) * spread)

    def _t(self, number: float, tasks: int) -> float:
        """Student's t for so many tasks; that of the mean number where there are many."""
        exact = number if tasks < MANY_TASKS else max(self.part * tasks, 2.0)
        return _student(0.5 + self.target.level / 2, exact - 1)

    def half_width(self, tasks: float, share: float = 1.0) -> float:
        """To expect with so many tasks, if the pilot's variance is right."""
        freedom = max(self.part * tasks - 1, 1.0)
        t = _student(0.5 + self.target.level / 2, freedom)
        reach = min(t * float(np.sqrt(share * self.variance / tasks + self.noise)), 50.0)
        return self.ratio * float(np.sinh(reach))

    def drawn(self, tasks: int, share: float = 1.0) -> Floats:
        """Half of the width in each of the draws with so many tasks."""
        observed, expected, squares, there, drift = self._sums(tasks).T
        # The draw's own ratio differs from the pilot's by the drift of its residuals.
        spread = np.maximum(squares - drift**2 / np.maximum(there, 1), 0)
        spread *= share * self.alike * self.variances
        known = there >= LEAST_TASKS
        number = np.maximum(there, 2)
        variance = number / (number - 1) * spread / np.where(observed > 0, observed, np.inf) ** 2
        t = self._all_t(number, tasks)
        ratio = observed / np.where(expected > 0, expected, np.nan)
        reach = np.minimum(t * np.sqrt(variance + self.noise), 50)
        return np.where(known, ratio * np.sinh(reach), np.inf)

    def _all_t(self, numbers: Floats, tasks: int) -> Floats | float:
        if tasks >= MANY_TASKS:
            return self._t(0.0, tasks)
        different, place = np.unique(numbers, return_inverse=True)
        return np.array([self._t(one, tasks) for one in different.tolist()])[place]

    def reached(self, tasks: int, share: float = 1.0) -> bool:
        """Whether enough draws with so many tasks have the width."""
        drawn = self.drawn(tasks, share)
        return bool(np.mean(drawn <= self.target.half_width) >= self.target.assurance)

    def assured_width(self, tasks: int) -> float:
        """Half of the width that a share `assurance` of the draws has at most."""
        drawn = np.sort(self.drawn(tasks))
        return float(drawn[int(np.ceil(self.target.assurance * len(drawn))) - 1])

    def least_tasks(self, share: float = 1.0) -> int | None:
        """The smallest number of tasks with which enough draws reach the width.

        In a small round of annotators who nearly always agree often nobody differs, and its width
        is 0. So the search begins with the number that reaches the width on average; only a small
        part of the draws can do with fewer.
        """
        least = LEAST_TASKS
        if self.target.assurance >= MIDDLE:
            average = self._mean_tasks(share)
            if average is None:
                return None
            least = average
        low, high = least, least
        while not self.reached(high, share):
            low, high = high, 2 * high
            if high > MOST_TASKS:
                return None
        while high - low > max(1, high // 100):
            middle = (low + high) // 2
            low, high = (low, middle) if self.reached(middle, share) else (middle, high)
        return high

    def range_of_tasks(self) -> tuple[int | None, int | None]:
        """How many tasks reach the width on average, for variances that the pilot allows (90 %)."""
        tail = np.quantile(self.variances, (0.05, 0.95))
        return self._mean_tasks(float(tail[0])), self._mean_tasks(float(tail[1]))

    def _mean_tasks(self, share: float) -> int | None:
        tasks = float(LEAST_TASKS)
        while self.half_width(tasks, share) > self.target.half_width:
            tasks = float(np.ceil(tasks * STEP))
            if tasks > MOST_TASKS:
                return None
        return int(tasks)
