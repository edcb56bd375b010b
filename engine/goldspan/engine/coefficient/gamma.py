"""γ: agreement on where units are and how they are labelled (Mathet et al. 2015).

The sums are the cost of the best alignments, and what chance expects of as many units.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.base import ColumnCoefficient, SettledAlone
from goldspan.engine.coefficient.figure import UNANIMOUS, Figure
from goldspan.engine.coefficient.measured import MeasuredTasks
from goldspan.engine.coefficient.resampling import Blocks, SumColumns, Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.measured import Measured
    from goldspan.engine.coefficient.observation import Observation
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task


class Gamma(ColumnCoefficient):
    """1 - Σ δ·x̄ / Σ δₑ·x̄, x̄ being a task's mean number of units per annotator."""

    key: ClassVar[str] = "gamma"
    symbol: ClassVar[str] = "γ"
    about: ClassVar[str] = "where units are, and how they are labelled"
    blind: ClassVar[str] = (
        "It does not say whether places or labels are the trouble; γcat and γk do, for labels."
    )
    is_ratio: ClassVar[bool] = True

    def observe(self, measured: Measured, scheme: Scheme, label: str) -> Sums | Reason:
        """The cost of the alignment, and what chance expects of it."""
        observation, expectation = measured.observation, measured.expectation
        if expectation is None:
            return measured.reason or Reason.of(ReasonKind.NO_EXPECTATION)
        chance = expectation.disorder
        return Sums(
            parts=(
                float(observation.among.costs[observation.number]),
                observation.mean_units * chance.mean,
            ),
            n=observation.n_units,
            chance=chance,
            blocks=Blocks(observation.n_unitary, partial(_blocks, observation, chance.mean)),
        )

    def observe_all(
        self, measured: Sequence[Measured], blank: Sequence[Task], scheme: Scheme, label: str
    ) -> Sequence[Sums | Reason]:
        """The same of many tasks at once."""
        if not isinstance(measured, MeasuredTasks):
            return super().observe_all(measured, blank, scheme, label)
        observations, which = measured.observations, measured.which
        chances = [one.disorder for one in measured.expectations]
        means = np.array([*(one.mean for one in chances), 0.0])  # the last one is for no chance
        silent = Reason.of(ReasonKind.NO_EXPECTATION)
        return SumColumns(
            np.column_stack((observations.costs, observations.mean_units * means[which])),
            observations.columns.sizes,
            chances,
            which,
            {k: measured.reasons.get(k, silent) for k in np.flatnonzero(which < 0).tolist()},
            observations.n_unitary,
            lambda k: partial(_blocks, observations[k], means[which[k]]),
            np.arange(len(which)),
        )

    def settled_alone(self, measured: MeasuredTasks, sums: SumColumns, label: str) -> SettledAlone:
        """Where somebody differs."""
        differs = measured.observations.disorder != 0
        return SettledAlone(np.ones(len(differs), np.bool_), differs)

    def settle(self, measured: Sequence[Measured], label: str, figure: Figure) -> Figure:
        """Where nobody differs γ is 1 whatever chance may be, and it rests on all units."""
        if isinstance(measured, MeasuredTasks):
            differs = bool(measured.observations.disorder.any())
        else:
            differs = any(m.observation.among.disorder[m.observation.number] != 0 for m in measured)
        if differs:
            return figure
        known = [m for m in measured if m.expectation is not None]
        expected = math.fsum(
            m.observation.mean_units * m.expectation.disorder.mean
            for m in known
            if m.expectation is not None
        )
        return Figure(
            1.0, None, None, figure.level, sum(m.observation.n_units for m in measured),
            reason=UNANIMOUS, observed=0.0, expected=expected if known else None,
            chance=figure.chance, sums=(0.0, expected) if known else None,
        )  # fmt: skip


def _blocks(observation: Observation, expected: float) -> Floats:
    """The cost of each unitary alignment, and what chance expects of it."""
    unitaries = observation.unitaries
    sizes = np.diff(unitaries.border) / observation.among.columns.n[observation.number]
    sizes *= observation.units_share
    return np.column_stack((unitaries.disorder, sizes * expected))
