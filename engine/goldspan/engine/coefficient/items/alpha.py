"""α: Krippendorff's coefficient of labels, with any distance and with missing judgements.

Dₒ = (1/N) Σ_i Σ_{a≠b in i} d / (n_i - 1), Dₑ = Σ n_a·n_b·d / (N·(N - 1)), over the items that two
or more judged; N counts their judgements. αb divides by N² instead (Artstein & Poesio, §2.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.items.item_coefficient import ItemCoefficient, ItemRatio
from goldspan.engine.coefficient.items.judgements import (
    Judgements,
    Labels,
    Source,
    items_of_alignment,
)
from goldspan.engine.coefficient.items.metrics import (
    IntervalMetric,
    Metric,
    RatioMetric,
    RunMetric,
    SetMetric,
    in_order,
)
from goldspan.engine.coefficient.items.pi import Dichotomy, MultiPi
from goldspan.engine.facts import Reason
from goldspan.engine.set_distances import dice, jaccard, masi, passonneau

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.measured import Measured
    from goldspan.engine.coefficient.resampling import Sums
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task


class Alpha(MultiPi):
    """α: the expectation of multi-π, for a sample of N judgements."""

    key: ClassVar[str] = "alpha"
    symbol: ClassVar[str] = "α"
    about: ClassVar[str] = "labels of the same items (Krippendorff); labels may be missing"

    def disagreements(self, totals: Floats) -> tuple[Floats, Floats]:
        observed, expected = super().disagreements(totals)
        judgements = totals[..., 1]
        return observed, expected * judgements / (judgements - 1)


class AlphaByItem(Alpha):
    """α where items weigh the same, however many judgements each has."""

    key: ClassVar[str] = "alpha_by_item"
    symbol: ClassVar[str] = "α by item"
    about: ClassVar[str] = "as α; each item weighs the same, however many labelled it"
    by_item: ClassVar[bool] = True


class AlphaInterval(Alpha):
    """α of labels that are numbers: (a - b)²."""

    key: ClassVar[str] = "alpha_interval"
    symbol: ClassVar[str] = "α interval"
    about: ClassVar[str] = "labels that are numbers, by their squared differences"
    metric: ClassVar[Metric] = IntervalMetric()


class AlphaRatio(Alpha):
    """α of labels that are amounts: ((a - b) / (a + b))²."""

    key: ClassVar[str] = "alpha_ratio"
    symbol: ClassVar[str] = "α ratio"
    about: ClassVar[str] = "labels that are amounts, by their squared relative differences"
    metric: ClassVar[Metric] = RatioMetric()


class AlphaWeighted(Alpha):
    """α with the distances of the run."""

    key: ClassVar[str] = "alpha_weighted"
    symbol: ClassVar[str] = "α weighted"
    about: ClassVar[str] = "labels of the same items, with the distances of the run"
    metric: ClassVar[Metric] = RunMetric()


class AlphaB(MultiPi):
    """αb: α as if the sample were infinite; with nominal distances, multi-π."""

    key: ClassVar[str] = "alpha_b"
    symbol: ClassVar[str] = "αb"
    about: ClassVar[str] = "as α with the distances of the run, for many labels"
    metric: ClassVar[Metric] = RunMetric()


class AlphaPassonneau(Alpha):
    """α of sets of labels, by Passonneau's distance (2004)."""

    key: ClassVar[str] = "alpha_passonneau"
    symbol: ClassVar[str] = "α Passonneau"
    about: ClassVar[str] = "sets of labels: subsets are at ⅓, overlapping sets at ⅔"
    metric: ClassVar[Metric] = SetMetric(passonneau)


class AlphaJaccard(Alpha):
    """α of sets of labels, by Jaccard's distance."""

    key: ClassVar[str] = "alpha_jaccard"
    symbol: ClassVar[str] = "α Jaccard"
    about: ClassVar[str] = "sets of labels, by the labels that two sets share of all they have"
    metric: ClassVar[Metric] = SetMetric(jaccard)


class AlphaDice(Alpha):
    """α of sets of labels, by Dice's distance."""

    key: ClassVar[str] = "alpha_dice"
    symbol: ClassVar[str] = "α Dice"
    about: ClassVar[str] = "sets of labels, by the labels that two sets share of their mean size"
    metric: ClassVar[Metric] = SetMetric(dice)


class AlphaMasi(Alpha):
    """α of sets of labels, by MASI (Passonneau 2006): 1 - J·M."""

    key: ClassVar[str] = "alpha_masi"
    symbol: ClassVar[str] = "α MASI"
    about: ClassVar[str] = "sets of labels, by MASI as 1 - J·M"
    metric: ClassVar[Metric] = SetMetric(masi)


class AlphaK(Dichotomy, Alpha):
    """α of one label against all others."""

    key: ClassVar[str] = "alpha_k"
    symbol: ClassVar[str] = "αk"
    about: ClassVar[str] = "one label against all others, on the same items"


class NaiveAlpha(Alpha):
    """α of γ's unitary alignments (Mathet 2017, §4.2.6, who calls it naive)."""

    key: ClassVar[str] = "naive_alpha"
    symbol: ClassVar[str] = "α (naive)"
    about: ClassVar[str] = "labels of the units that γ aligns, taken for items"
    blind: ClassVar[str] = (
        "It takes aligned units for given items: it does not see that the alignment looked at the "
        "labels too, nor how far apart aligned units are, nor units that nobody else marked."
    )
    needs_alignment: ClassVar[bool] = True

    def bind(self, tasks: Sequence[Task], scheme: Scheme) -> ItemCoefficient:
        return replace(super().bind(tasks, scheme), source=Source.ALIGNMENTS)

    def observe_all(
        self, measured: Sequence[Measured], blank: Sequence[Task], scheme: Scheme, label: str
    ) -> Sequence[Sums | Reason]:
        observed = [m.observation for m in measured]
        items = [items_of_alignment(one.alignment) for one in observed]
        return self.observe_items(items, [one.task for one in observed], label)


class AlphaOrdinal(ItemRatio):
    """α of labels on a scale: the squared number of judgements between two ranks.

    d(a, b) = (Σ_{g=a..b} n_g - (n_a + n_b) / 2)² = (r_b - r_a)², with the mean ranks r. It depends
    on how often each label was used, so the sums are the whole coincidence matrix.
    """

    key: ClassVar[str] = "alpha_ordinal"
    symbol: ClassVar[str] = "α ordinal"
    about: ClassVar[str] = "labels on a scale, by the ranks between them"

    def bind(self, tasks: Sequence[Task], scheme: Scheme) -> ItemCoefficient:
        bound = super().bind(tasks, scheme)
        values: list[Labels] | Reason = in_order(bound.value_set, scheme)
        if isinstance(values, Reason):
            return replace(bound, obstacle=values)
        return replace(bound, value_set=tuple(values))

    def parts(self, judgements: Judgements, label: str) -> Floats:
        size = len(self.value_set)
        return judgements.coincidences(size).reshape(judgements.n_tasks, size * size)

    def disagreements(self, totals: Floats) -> tuple[Floats, Floats]:
        size = len(self.value_set)
        matrix = totals.reshape(*totals.shape[:-1], size, size)
        n = matrix.sum(axis=-1)
        rank = np.cumsum(n, axis=-1) - n / 2
        squared = (rank[..., :, None] - rank[..., None, :]) ** 2
        whole = n.sum(axis=-1)
        expected = (n[..., :, None] * n[..., None, :] * squared).sum(axis=(-2, -1))
        return (matrix * squared).sum(axis=(-2, -1)) / whole, expected / (whole * (whole - 1))
