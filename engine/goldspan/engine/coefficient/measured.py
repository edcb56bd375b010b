"""Measured: the observations of tasks, beside what chance expects of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.made import Made

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Ints
    from goldspan.engine.chance.expectation import Expectation
    from goldspan.engine.coefficient.observation import Observation, Observations
    from goldspan.engine.facts import Reason
    from goldspan.engine.settings import Chance


@dataclass(frozen=True, slots=True)
class Measured:
    """A task's observation beside what chance expects; or the reason why chance is silent."""

    observation: Observation
    chance: Chance
    expectation: Expectation | None
    reason: Reason | None = None


@dataclass(frozen=True)
class MeasuredTasks(Made[Measured]):
    """Those of many tasks; `expectations` has each once, and `which` says which is a task's, or -1
    where there is a reason.
    """

    observations: Observations
    chance: Chance
    expectations: tuple[Expectation, ...]
    which: Ints
    reasons: dict[int, Reason]

    def __len__(self) -> int:
        return len(self.which)

    def _make(self, at: int) -> Measured:
        which = self.which[at]
        expectation = self.expectations[which] if which >= 0 else None
        return Measured(self.observations[at], self.chance, expectation, self.reasons.get(at))
