"""Metrics: how far apart two judgements are, for coefficients that weigh disagreements.

Krippendorff's metrics for numbers are squared; the distances of the run are taken as they are.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.dissimilarity import Interval, Ordinal
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.set_distances import SetDistance, between_sets

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.items.judgements import Labels
    from goldspan.engine.coefficient.scheme import Scheme


class Metric(ABC):
    """Distances between judgements; 0 of a judgement to itself."""

    takes_sets: ClassVar[bool] = False
    """Whether an annotator may give an item several labels."""

    @abstractmethod
    def between(self, values: Sequence[Labels], scheme: Scheme) -> Floats | Reason:
        """The symmetric matrix of these values; or why there is none."""


@dataclass(frozen=True, slots=True)
class NominalMetric(Metric):
    """Different values are at 1."""

    def between(self, values: Sequence[Labels], scheme: Scheme) -> Floats | Reason:
        return 1.0 - np.eye(len(values))


@dataclass(frozen=True, slots=True)
class RunMetric(Metric):
    """The distances that the run was asked to use, γ's too."""

    def between(self, values: Sequence[Labels], scheme: Scheme) -> Floats | Reason:
        return scheme.settings.dissimilarity.distances.between([label for (label,) in values])


@dataclass(frozen=True, slots=True)
class IntervalMetric(Metric):
    """(a - b)²."""

    def between(self, values: Sequence[Labels], scheme: Scheme) -> Floats | Reason:
        numbers = numbers_of(values, scheme)
        if isinstance(numbers, Reason):
            return numbers
        return np.asarray((numbers[:, None] - numbers[None, :]) ** 2)


@dataclass(frozen=True, slots=True)
class RatioMetric(Metric):
    """((a - b) / (a + b))²; of numbers from 0 up."""

    def between(self, values: Sequence[Labels], scheme: Scheme) -> Floats | Reason:
        numbers = numbers_of(values, scheme)
        if isinstance(numbers, Reason):
            return numbers
        if (numbers < 0).any():
            return Reason.of(ReasonKind.NEGATIVE_LABEL, label=values[int(numbers.argmin())][0])
        added = numbers[:, None] + numbers[None, :]
        return np.asarray(
            ((numbers[:, None] - numbers[None, :]) / np.where(added > 0, added, 1.0)) ** 2
        )


def numbers_of(values: Sequence[Labels], scheme: Scheme) -> Floats | Reason:
    """The number of each label: what an interval scale of the run says, or what it spells."""
    distances = scheme.settings.dissimilarity.distances
    known = dict(distances.values) if isinstance(distances, Interval) else {}
    numbers = {label: known[label] if label in known else _number(label) for (label,) in values}
    for label, number in numbers.items():
        if not math.isfinite(number):
            return Reason.of(ReasonKind.LABEL_NOT_A_NUMBER, label=label)
    return np.array(list(numbers.values()), dtype=np.float64)


def _number(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return math.nan


def in_order(values: Sequence[Labels], scheme: Scheme) -> list[Labels] | Reason:
    """The values on their scale: that of the run, of the labelling scheme, or of numbers."""
    distances = scheme.settings.dissimilarity.distances
    scale = distances.scale if isinstance(distances, Ordinal) else scheme.scale
    rank = {label: at for at, label in enumerate(scale)}
    if all(label in rank for (label,) in values):
        return sorted(values, key=lambda value: rank[value[0]])
    numbers = numbers_of(values, scheme)
    if isinstance(numbers, Reason):
        missing = next(label for (label,) in values if label not in rank)
        return Reason.of(ReasonKind.LABEL_WITHOUT_RANK, label=missing)
    return [values[at] for at in np.argsort(numbers, kind="stable").tolist()]


@dataclass(frozen=True, slots=True)
class SetMetric(Metric):
    """Values are sets of labels, compared by a distance of sets."""

    distance: SetDistance

    takes_sets: ClassVar[bool] = True

    def between(self, values: Sequence[Labels], scheme: Scheme) -> Floats | Reason:
        return between_sets([frozenset(value) for value in values], self.distance)
