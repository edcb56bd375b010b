"""γcat and γk: agreement on labels where units are aligned (Mathet 2017).

The sums are the weighted disagreement of aligned pairs, and what chance expects of their weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.base import Coefficient
from goldspan.engine.coefficient.resampling import Blocks, Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.coefficient.measure import Measured, Observation, Scheme


class GammaCat(Coefficient):
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
            blocks=Blocks(len(observation.alignment.unitary), rows),
        )

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
        used = {category for m in measured for category in m.observation.users}
        return [category for category in scheme.categories if category in used]

    def settle(self, measured: Sequence[Measured], label: str, figure: Figure) -> Figure:
        """A label that only one annotator used has no value: nobody could agree on it."""
        figure = super().settle(measured, label, figure)
        users = {name for m in measured for name in m.observation.users.get(label, ())}
        if len(users) > 1 or figure.value is None:
            return figure
        return figure.without_value(Reason.of(ReasonKind.ONE_USER, annotator=min(users)))


def _blocks(observation: Observation, category: int | None, expected: float) -> Floats:
    """The disagreement in each unitary alignment, and what chance expects of it; of the pairs that
    touch a category, if there is one.
    """
    pairs = observation.pairs if category is None else observation.pairs.touching(category)
    clusters = len(observation.alignment.unitary)
    weights = np.bincount(pairs.cluster, pairs.weight, clusters)
    disagreements = np.bincount(pairs.cluster, pairs.disagreement, clusters)
    return np.column_stack((disagreements, weights * expected))
