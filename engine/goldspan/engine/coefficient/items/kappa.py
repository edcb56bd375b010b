"""κ, multi-κ, κw, ακ and annotator bias: each coder has its own distribution of labels.

All of them need every annotator's label for every item, and know who gave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.items.item_coefficient import ItemRatio, quadratic
from goldspan.engine.coefficient.items.metrics import Metric, RunMetric
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.items.judgements import Judgements


class MultiKappa(ItemRatio):
    """Multi-κ (Davies & Fleiss 1982): Aₑ is the mean over coder pairs of Σ P(k|c)·P(k|c')."""

    key: ClassVar[str] = "multi_kappa"
    symbol: ClassVar[str] = "multi-κ"
    about: ClassVar[str] = "labels of the same items; chance has each annotator's own habits"
    is_complete: ClassVar[bool] = True

    def parts(self, judgements: Judgements, label: str) -> Floats:
        """Disagreement of items, their number, and how often each coder gave each value."""
        n = judgements.sizes
        apart = judgements.disagreement(self.distances) / (n * (n - 1))
        items = judgements.per_task(np.ones(len(n)))
        counts = judgements.counts_by_coder(len(self.coders), len(self.distances))
        return np.column_stack((judgements.per_task(apart), items, counts))

    def disagreements(self, totals: Floats) -> tuple[Floats, Floats]:
        expected = expected_by_coders(self._counts(totals), self.distances)
        return totals[..., 0] / totals[..., 1], expected

    def value(self, total: Sequence[float]) -> float | Reason:
        judged = self._counts(np.array(total)).sum(axis=-1)
        coders, items = judged[judged > 0], total[1]
        if (coders != items).any():
            return Reason.of(ReasonKind.INCOMPLETE)
        if self.most_coders is not None and len(coders) > self.most_coders:
            return self.too_many(len(coders))
        return super().value(total)

    def _counts(self, totals: Floats) -> Floats:
        size = len(self.coders), len(self.distances)
        return np.asarray(totals[..., 2:].reshape(*totals.shape[:-1], *size))


def expected_by_coders(counts: Floats, distance: Floats) -> Floats:
    """The mean over pairs of coders of Σ P(a|c)·P(b|c')·d(a,b).

    The last two axes of the counts are coders and values. Coders without a judgement do not count.
    """
    judged = counts.sum(axis=-1, keepdims=True)
    habit = counts / np.where(judged > 0, judged, 1.0)
    coders = (judged[..., 0] > 0).sum(axis=-1)
    pooled = habit.sum(axis=-2)
    with_itself = quadratic(habit, distance, habit).sum(axis=-1)
    pairs = coders * (coders - 1)
    found = quadratic(pooled, distance, pooled) - with_itself
    return np.asarray(np.where(pairs > 0, found / np.maximum(pairs, 1), 0.0))


def expected_by_all(counts: Floats, distance: Floats) -> Floats:
    """Σ P(a)·P(b)·d(a,b), of all coders together."""
    pooled = counts.sum(axis=-2)
    return np.asarray(quadratic(pooled, distance, pooled) / pooled.sum(axis=-1) ** 2)


class Kappa(MultiKappa):
    """κ (Cohen 1960): multi-κ of two coders."""

    key: ClassVar[str] = "kappa"
    symbol: ClassVar[str] = "κ"
    about: ClassVar[str] = "labels of the same items by two annotators, each with its own habits"
    most_coders: ClassVar[int | None] = 2


class AlphaKappa(MultiKappa):
    """ακ (Artstein & Poesio, §2.7, there α with κ's chance): the ratio of mean disagreements."""

    key: ClassVar[str] = "alpha_kappa"
    symbol: ClassVar[str] = "ακ"
    about: ClassVar[str] = "as multi-κ, with the distances of the run"
    metric: ClassVar[Metric] = RunMetric()


class WeightedKappa(Kappa):
    """κw (Cohen 1968): 1 - Σ d(k(c1,i), k(c2,i)) / (i·Σ P(a|c1)·P(b|c2)·d(a,b))."""

    key: ClassVar[str] = "weighted_kappa"
    symbol: ClassVar[str] = "κw"
    about: ClassVar[str] = "as κ of two annotators, with the distances of the run"
    metric: ClassVar[Metric] = RunMetric()


class AnnotatorBias(MultiKappa):
    """B (Artstein & Poesio, §3.1): Aₑ of π less Aₑ of κ, 0 where all coders have the same habits.

    B = Σ_k Var_c P(k|c) / (c - 1), and κ - π = B·(1 - Aₒ) / ((1 - Aₑκ)·(1 - Aₑπ)).
    """

    key: ClassVar[str] = "bias"
    symbol: ClassVar[str] = "B"
    about: ClassVar[str] = "how far annotators differ in how often they use labels; 0 is not at all"
    blind: ClassVar[str] = "It does not see agreement: only how often each annotator used a label."

    def value(self, total: Sequence[float]) -> float | Reason:
        found = super().value(total)
        if isinstance(found, Reason) and found.kind is not ReasonKind.ONE_CATEGORY:
            return found
        return float(self.values(np.array(total)))

    def values(self, totals: Floats) -> Floats:
        counts = self._counts(totals)
        apart = expected_by_coders(counts, self.distances)
        return np.asarray(apart - expected_by_all(counts, self.distances))
