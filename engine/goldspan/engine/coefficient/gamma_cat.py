"""γcat and γk: agreement on labels where units are aligned (Mathet 2017).

The sums are the weighted disagreement of aligned pairs, and what chance expects of their weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.chance.estimate import Estimate
from goldspan.engine.coefficient.base import ColumnCoefficient, SettledAlone
from goldspan.engine.coefficient.measured import MeasuredTasks
from goldspan.engine.coefficient.resampling import Blocks, SumColumns, Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.coefficient.measured import Measured
    from goldspan.engine.coefficient.observation import Observation
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task

NOTHING = Estimate(0.0, 0.0, count=1, telling=0)
"""In place of a chance in which no pair was aligned; no task uses it."""


class GammaCat(ColumnCoefficient):
    """1 - observed / expected disagreement of all pairs of aligned units."""

    key: ClassVar[str] = "gamma_cat"
    symbol: ClassVar[str] = "γcat"
    about: ClassVar[str] = "labels only, where units are aligned"
    blind: ClassVar[str] = "It does not see units that nobody else marked, nor how places differ."
    counts: ClassVar[str] = "pair"
    is_ratio: ClassVar[bool] = True

    def observe(self, measured: Measured, scheme: Scheme, label: str) -> Sums | Reason:
        """The weighted disagreement, and what chance expects of it."""
        k = scheme.index[label] if label else len(scheme.categories)
        observation = measured.observation
        if observation.tally.weights[k] <= 0:
            return Reason.of(ReasonKind.NO_COMPARABLE_PAIR, label=label)
        if measured.expectation is None:
            return measured.reason or Reason.of(ReasonKind.NO_EXPECTATION)
        chance = measured.expectation.categorial[k]
        if chance is None:
            return Reason.of(ReasonKind.NO_CHANCE_ALIGNMENT, label=label)
        rows = partial(_blocks, observation, k if label else None, chance.mean)
        weight, disagreement = observation.tally.weights[k], observation.tally.disagreements[k]
        return Sums(
            parts=(float(disagreement), float(weight) * chance.mean),
            n=int(observation.tally.pairs[k]),
            chance=chance,
            blocks=Blocks(observation.n_unitary, rows),
        )

    def observe_all(
        self, measured: Sequence[Measured], blank: Sequence[Task], scheme: Scheme, label: str
    ) -> Sequence[Sums | Reason]:
        """The same of many tasks at once."""
        if not isinstance(measured, MeasuredTasks):
            return super().observe_all(measured, blank, scheme, label)
        k = scheme.index[label] if label else len(scheme.categories)
        observations, tallies = measured.observations, measured.observations.tallies
        chances = [one.categorial[k] for one in measured.expectations]
        comparable = tallies.weights[:, k] > 0
        drawn = np.array([*(one is not None for one in chances), False])[measured.which]
        which = np.where(comparable & drawn, measured.which, -1)
        # The last one is for no chance.
        means = np.array([*(0.0 if one is None else one.mean for one in chances), 0.0])
        return SumColumns(
            np.column_stack((tallies.disagreements[:, k], tallies.weights[:, k] * means[which])),
            tallies.counts[:, k],
            [one or NOTHING for one in chances],
            which,
            {
                at: _why_nothing(measured, at, label, comparable=bool(comparable[at]))
                for at in np.flatnonzero(which < 0).tolist()
            },
            observations.n_unitary,
            lambda at: partial(_blocks, observations[at], k if label else None, means[which[at]]),
            np.arange(len(which)),
        )

    def settled_alone(self, measured: MeasuredTasks, sums: SumColumns, label: str) -> SettledAlone:
        """Everywhere, unless there are pairs and chance never disagrees."""
        stays = (sums.which < 0) | (sums.rows[:, 1] > 0)
        return SettledAlone(np.ones(len(stays), np.bool_), stays)

    def settle(self, measured: Sequence[Measured], label: str, figure: Figure) -> Figure:
        """Where chance never disagrees there is nothing to compare with."""
        if figure.value is None and figure.n:
            return figure.without_value(Reason.of(ReasonKind.ONE_CATEGORY, label=label))
        return figure


class GammaK(GammaCat):
    """The same for the pairs that touch one category."""

    key: ClassVar[str] = "gamma_k"
    symbol: ClassVar[str] = "γk"
    about: ClassVar[str] = "one label, where units are aligned"

    def labels(self, measured: Sequence[Measured], scheme: Scheme) -> Sequence[str]:
        """Those that somebody used, in the order of the scheme."""
        used = _users(measured, scheme)
        return [one for one, count in zip(scheme.categories, used, strict=True) if count]

    def settled_alone(self, measured: MeasuredTasks, sums: SumColumns, label: str) -> SettledAlone:
        """Where two annotators used the label, or there is no value."""
        observations = measured.observations
        users = observations.users[:, observations.scheme.index[label]]
        stays = super().settled_alone(measured, sums, label).stays
        return SettledAlone(users > 0, stays & ((users > 1) | (sums.which < 0)))

    def settle(self, measured: Sequence[Measured], label: str, figure: Figure) -> Figure:
        """A label that only one annotator used has no value: nobody could agree on it."""
        figure = super().settle(measured, label, figure)
        if figure.value is None:
            return figure
        for one in measured:
            among = one.observation.among
            if among.users[one.observation.number, among.scheme.index[label]] > 1:
                return figure
        users = _users_of(label, measured)
        if len(users) > 1:
            return figure
        return figure.without_value(Reason.of(ReasonKind.ONE_USER, annotator=min(users)))


def _users(measured: Sequence[Measured], scheme: Scheme) -> list[int]:
    """How often annotators used each category in a task."""
    if isinstance(measured, MeasuredTasks):
        counts = measured.observations.users.sum(axis=0)
    else:
        counts = np.zeros(len(scheme.categories), np.int64)
        for one in measured:
            counts += one.observation.among.users[one.observation.number]
    found: list[int] = counts.tolist()
    return found


def _users_of(label: str, measured: Sequence[Measured]) -> set[str]:
    """The annotators who used a category in any of these tasks."""
    if isinstance(measured, MeasuredTasks):
        return measured.observations.columns.users_of(label)
    return {name for one in measured for name in one.observation.users_of(label)}


def _why_nothing(measured: MeasuredTasks, at: int, label: str, *, comparable: bool) -> Reason:
    if not comparable:
        return _no_pair(label)
    if measured.which[at] < 0:
        return measured.reasons.get(at) or Reason.of(ReasonKind.NO_EXPECTATION)
    return Reason.of(ReasonKind.NO_CHANCE_ALIGNMENT, label=label)


@cache
def _no_pair(label: str) -> Reason:
    return Reason.of(ReasonKind.NO_COMPARABLE_PAIR, label=label)


def _blocks(observation: Observation, category: int | None, expected: float) -> Floats:
    """The disagreement in each unitary alignment, and what chance expects of it; of the pairs that
    touch a category, if there is one.
    """
    pairs = observation.pairs if category is None else observation.pairs.touching(category)
    clusters = observation.n_unitary
    weights = np.bincount(pairs.cluster, pairs.weight, clusters)
    disagreements = np.bincount(pairs.cluster, pairs.disagreement, clusters)
    return np.column_stack((disagreements, weights * expected))
