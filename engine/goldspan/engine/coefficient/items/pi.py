"""Aₒ, S, π and multi-π: agreement on labels, with one distribution of labels for all coders.

Missing judgements: at the value level every judgement weighs the same (Krippendorff; Artstein &
Poesio's first proposal); at the item level every item does (Gwet; their second). Both are the same
where all items have equally many judgements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.items.item_coefficient import (
    ItemCoefficient,
    ItemRatio,
    quadratic,
)
from goldspan.engine.coefficient.items.metrics import Metric, SetMetric
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.base import Binding
    from goldspan.engine.coefficient.items.judgements import Judgements
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task


class ObservedAgreement(ItemRatio):
    """Aₒ: the mean over items of the share of pairs of judgements that agree."""

    key: ClassVar[str] = "observed_agreement"
    symbol: ClassVar[str] = "Aₒ"
    about: ClassVar[str] = "pairs of labels that agree, not corrected for chance"
    blind: ClassVar[str] = (
        "It does not see chance: with few or uneven labels it is high even for guessing."
    )

    def parts(self, judgements: Judgements, label: str) -> Floats:
        apart = judgements.disagreement(self.distances)
        n = judgements.sizes
        of_items = judgements.per_task(apart / (n * (n - 1)))
        return np.column_stack((of_items, judgements.per_task(np.ones(len(n)))))

    def disagreements(self, totals: Floats) -> tuple[Floats, Floats]:
        apart, items = totals[..., 0], totals[..., 1]
        return apart / items, np.ones_like(items)


def _differ(one: frozenset[str], other: frozenset[str]) -> Fraction:
    return Fraction(one != other)


class LabelAgreement(ObservedAgreement):
    """Aₒ where an annotator may give several labels: sets agree if they are the same."""

    about: ClassVar[str] = "pairs of annotators who gave the same labels, not corrected for chance"
    metric: ClassVar[Metric] = SetMetric(_differ)


class Accuracy(ObservedAgreement):
    """Accuracy (Artstein & Poesio 2008, §2.1): Aₒ with a reference."""

    key: ClassVar[str] = "accuracy"
    symbol: ClassVar[str] = "accuracy"
    about: ClassVar[str] = (
        "same label as the reference, on whole tasks or places that both labelled"
    )


@dataclass(frozen=True, eq=False)
class S(ObservedAgreement):
    """S (Bennett et al. 1954): Aₑ = 1/K, K being the number of labels in the scheme."""

    scheme_size: int = 0

    key: ClassVar[str] = "s"
    symbol: ClassVar[str] = "S"
    about: ClassVar[str] = "labels of the same items; chance takes all labels for equally likely"
    blind: ClassVar[str] = (
        "It does not see that labels are not equally frequent; an unused label raises it."
    )

    def bind(self, tasks: Sequence[Task], scheme: Scheme) -> ItemCoefficient:
        bound = super().bind(tasks, scheme)
        if not scheme.scale:
            return replace(bound, obstacle=Reason.of(ReasonKind.UNKNOWN_SCHEME))
        size = len({*scheme.scale, *scheme.categories})
        assert isinstance(bound, S)  # noqa: S101 - replace keeps the class
        return replace(bound, scheme_size=size)

    def binding(self) -> Binding:
        return replace(super().binding(), size=self.scheme_size)

    def bound_by(self, binding: Binding) -> ItemCoefficient:
        bound = super().bound_by(binding)
        assert isinstance(bound, S)  # noqa: S101 - replace keeps the class
        return replace(bound, scheme_size=binding.size)

    def disagreements(self, totals: Floats) -> tuple[Floats, Floats]:
        observed, ones = super().disagreements(totals)
        return observed, ones * (1 - 1 / self.scheme_size)


class MultiPi(ItemRatio):
    """Multi-π (Fleiss 1971; Siegel & Castellan's K): Aₑ = Σ (n_k / N)²."""

    key: ClassVar[str] = "multi_pi"
    symbol: ClassVar[str] = "multi-π"
    about: ClassVar[str] = "labels of the same items (Fleiss); chance has one habit for all"
    by_item: ClassVar[bool] = False
    """Whether items weigh the same, and not judgements."""

    def parts(self, judgements: Judgements, label: str) -> Floats:
        """Disagreement, judgements, and the weight of each value."""
        n = judgements.sizes
        share = 1 / n if self.by_item else np.ones(len(n))
        apart = judgements.disagreement(self.distances) / (n - 1) * share
        return np.column_stack((
            judgements.per_task(apart),
            judgements.per_task(n.astype(np.float64)),
            judgements.counts(len(self.distances), share),
        ))  # fmt: skip

    def disagreements(self, totals: Floats) -> tuple[Floats, Floats]:
        apart, weight = totals[..., 0], totals[..., 2:]
        whole = weight.sum(axis=-1)
        return apart / whole, quadratic(weight, self.distances, weight) / whole**2


class MultiPiByItem(MultiPi):
    """The same where items weigh the same, however many judgements each has."""

    key: ClassVar[str] = "multi_pi_by_item"
    symbol: ClassVar[str] = "multi-π by item"
    about: ClassVar[str] = "as multi-π; each item weighs the same, however many labelled it"
    by_item: ClassVar[bool] = True


class Pi(MultiPi):
    """π (Scott 1955): multi-π of two coders who labelled everything."""

    key: ClassVar[str] = "pi"
    symbol: ClassVar[str] = "π"
    about: ClassVar[str] = "labels of the same items by two annotators; chance has one habit"
    is_complete: ClassVar[bool] = True
    most_coders: ClassVar[int | None] = 2


class Dichotomy(MultiPi):
    """One label against all others; an annotator who gave several labels gave each of them."""

    splits_sets: ClassVar[bool] = True

    def labels_of(self, tasks: Sequence[Task], scheme: Scheme) -> Sequence[str]:
        """Those that somebody used, in the order of the scheme."""
        used = {u.category for task in tasks for u in task.continuum.units}
        return [category for category in scheme.categories if category in used]

    def parts(self, judgements: Judgements, label: str) -> Floats:
        given = np.array([label in labels for labels in self.value_set], dtype=np.int64)
        value = np.where(judgements.value >= 0, given[judgements.value], judgements.value)
        return super().parts(replace(judgements, value=value), label)

    @property
    def distances(self) -> Floats:
        return 1.0 - np.eye(2)


class MultiPiK(Dichotomy):
    """Fleiss' κ_j: 1 - Σ n_ij·(n - n_ij) / (i·n·(n-1)·p_j·(1-p_j))."""

    key: ClassVar[str] = "multi_pi_k"
    symbol: ClassVar[str] = "multi-πk"
    about: ClassVar[str] = "one label against all others (Fleiss), on the same items"
