"""Pilot: what is asked of a study, and what a pilot round's tasks add to a figure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.coefficient.all_tasks import sums_of
from goldspan.engine.coefficient.resampling import LEAST_TASKS
from goldspan.engine.errors import SettingsError
from goldspan.engine.quantile import normal_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.coefficient.base import Key
    from goldspan.engine.result import Result

    Floats = NDArray[np.float64]


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
    noise: float = 0.0

    @property
    def count(self) -> int:
        """The tasks that add something."""
        return int((self.rows[:, 1] > 0).sum())

    @property
    def variance(self) -> float | None:
        """Of log(1 - value), for one task; None if too few tasks or no disagreement tell it."""
        observed, expected = self.rows.T
        if self.count < LEAST_TASKS or observed.sum() <= 0:
            return None
        residuals = observed - observed.sum() / expected.sum() * expected
        spread = float((residuals**2).sum() / observed.sum() ** 2) * len(self.rows)
        return spread * self.count / (self.count - 1)


def pilot_of(result: Result, key: Key, only: Collection[str] | None = None) -> Pilot:
    """The sums of each task, or of these tasks only, and the sampling error of chance."""
    found = (
        sums
        for name, sums in zip(result.tasks, sums_of(result.tasks, key), strict=True)
        if only is None or name in only
    )
    rows = np.array(
        [(0.0, 0.0) if sums is None else sums[:2] for sums in found],
        dtype=np.float64,
    )
    error = result.figures[key].error or 0.0
    noise = (error / normal_quantile(0.5 + result.settings.level / 2)) ** 2
    return Pilot(rows.reshape(-1, 2), noise)
