"""uα, |uα, cuα and kα: Krippendorff's α of continua (Krippendorff, Mathet, Bouvry, Widlöcher 2016).

The coincidences l_ck are the lengths that annotators share: those that one valued c and another k,
over ordered pairs of annotators, divided by m - 1. q corrects what chance expects: a unit is valued
as a whole. Of several tasks everything adds up, as of one long continuum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.base import Binding
from goldspan.engine.coefficient.continua.continuum_coefficient import (
    LabelCoefficient,
    StretchCoefficient,
)
from goldspan.engine.coefficient.items.metrics import (
    IntervalMetric,
    Metric,
    NominalMetric,
    RunMetric,
)
from goldspan.engine.coefficient.resampling import Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.continua.spans import MarkedTask, Meetings, Spans
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task


def coincidences(meetings: Iterable[Meetings], size: int, annotators: int) -> Floats:
    """l_ck: how long one annotator gave the value c where another gave k, by 1 / (m - 1)."""
    found = np.zeros(size * size)
    for met in meetings:
        cell = met.one.value[met.a] * size + met.other.value[met.b]
        found += np.bincount(cell, met.shared, size * size)
    table = found.reshape(size, size)
    return (table + table.T) / (annotators - 1)


def squares(sections: Sequence[Spans], gap: int) -> Floats:
    """q_c: Σ l² over the units with each value; Σ l over gaps, which are not valued as a whole."""
    value = np.concatenate([own.value for own in sections])
    length = np.concatenate([own.length for own in sections])
    return np.asarray(np.bincount(value, np.where(value == gap, length, length**2), gap + 1))


def shared_squares(meetings: Iterable[Meetings], size: int, annotators: int) -> Floats:
    """q*_c: over units g with value c and other annotators, (Σ_h |g ∩ h|)² / (m - 1)."""
    found = np.zeros(size)
    for met in meetings:
        for own, at in ((met.one, met.a), (met.other, met.b)):
            touched = np.bincount(at, met.shared, len(own))
            found += np.bincount(own.value, touched**2, size)
    return found / (annotators - 1)


@dataclass(frozen=True)
class UnitCoincidences:
    """l* and q* of a task: only where units of two annotators meet."""

    shared: Floats
    squares: Floats

    @classmethod
    def of(cls, task: MarkedTask) -> UnitCoincidences:
        met, m = task.meetings.values(), len(task.spans)
        return cls(coincidences(met, task.gap, m), shared_squares(met, task.gap, m))


class UAlpha(StretchCoefficient):
    """uα: 1 - (l - Σ l_cc) / (l - Σ ε_cc), with ε_cc = (l_c² - q_c) / (l - Σq / l)."""

    key: ClassVar[str] = "u_alpha"
    symbol: ClassVar[str] = "uα"
    about: ClassVar[str] = "what every stretch of the continuum is, marked or not"
    blind: ClassVar[str] = (
        "It sees lengths, not units: two units that touch are as good as one, long units count "
        "more, and so does agreement that nothing is there."
    )
    allows_overlap: ClassVar[bool] = False

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        shared = coincidences(task.section_meetings, task.gap + 1, len(task.spans))
        parts = (*np.diagonal(shared), *shared.sum(axis=1), *squares(task.sections, task.gap))
        whole = task.length * len(task.spans)
        return Sums(tuple(float(one) for one in parts), task.n_units, seen=whole)

    def value(self, total: Sequence[float]) -> float | Reason:
        found = self.values(np.array([total]))
        if np.isnan(found[0]):
            return Reason.of(ReasonKind.ONE_CATEGORY, label="")
        return float(found[0])

    def values(self, totals: Floats) -> Floats:
        same, valued, q = np.split(totals, 3, axis=-1)
        whole = valued.sum(axis=-1)
        observed = whole - same.sum(axis=-1)
        room = whole - q.sum(axis=-1) / whole
        expected = whole - (valued**2 - q).sum(axis=-1) / np.where(room > 0, room, np.nan)
        return _one_minus(observed, expected, whole)


class BarUAlpha(UAlpha):
    """|uα: 1 - (l_φ - l_φφ) / (ε_φ - ε_φφ): only whether something was marked, φ being a gap."""

    key: ClassVar[str] = "bar_u_alpha"
    symbol: ClassVar[str] = "|uα"
    about: ClassVar[str] = "whether every stretch of the continuum is marked or not"
    blind: ClassVar[str] = (
        "It does not see labels, nor where a unit ends and the next begins; long units count more."
    )

    def values(self, totals: Floats) -> Floats:
        same, valued, q = np.split(totals, 3, axis=-1)
        whole, gap = valued.sum(axis=-1), valued[..., -1]
        room = whole - q.sum(axis=-1) / whole
        expected = gap * (whole - gap) / np.where(room > 0, room, np.nan)
        return _one_minus(gap - same[..., -1], expected, whole)


@dataclass(frozen=True, eq=False)
class CuAlpha(StretchCoefficient):
    """cuα: 1 - Σ d·l*_ck / Σ d·ε*_ck, where units of two annotators meet (also c|uα, 2013)."""

    distance: Floats | None = None
    obstacle: Reason | None = None

    key: ClassVar[str] = "cu_alpha"
    is_bound: ClassVar[bool] = True
    symbol: ClassVar[str] = "cuα"
    about: ClassVar[str] = "labels, where units of two annotators overlap"
    blind: ClassVar[str] = (
        "It does not see what only one annotator marked, nor where units begin and end; long "
        "overlaps count more."
    )
    metric: ClassVar[Metric] = NominalMetric()

    def bind(self, tasks: Sequence[Task], scheme: Scheme) -> CuAlpha:
        distance = self.metric.between([(category,) for category in scheme.categories], scheme)
        if isinstance(distance, Reason):
            return replace(self, obstacle=distance)
        return replace(self, distance=distance)

    def binding(self) -> Binding:
        distance = None if self.distance is None else tuple(map(tuple, self.distance.tolist()))
        return Binding(distances=distance)

    def bound_by(self, binding: Binding) -> CuAlpha:
        distance = None if binding.distances is None else np.array(binding.distances)
        return replace(self, distance=distance)

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        if self.obstacle is not None or self.distance is None:
            return self.obstacle or Reason.of(ReasonKind.NO_UNIT)
        found = task.kept(UnitCoincidences.of)
        shared, seen = found.shared, float(found.shared.sum())
        if not seen:
            return Reason.of(ReasonKind.NOTHING_SHARED)
        apart = float((shared * self.distance).sum())
        parts = (apart, *shared.sum(axis=1), *found.squares)
        return Sums(tuple(float(one) for one in parts), task.n_units, seen=seen)

    def value(self, total: Sequence[float]) -> float | Reason:
        found = self.values(np.array([total]))
        if np.isnan(found[0]):
            return Reason.of(ReasonKind.ONE_CATEGORY, label="")
        return float(found[0])

    def values(self, totals: Floats) -> Floats:
        observed = totals[..., 0]
        valued, q = np.split(totals[..., 1:], 2, axis=-1)
        distance = np.zeros((0, 0)) if self.distance is None else self.distance
        whole = valued.sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            room = whole - q.sum(axis=-1) / whole
        met = ((valued @ distance) * valued).sum(axis=-1)
        expected = met / np.where(room > 0, room, np.nan)
        return _one_minus(observed, expected, whole)


class CuAlphaInterval(CuAlpha):
    """cuα of labels that are numbers: (a - b)²."""

    key: ClassVar[str] = "cu_alpha_interval"
    symbol: ClassVar[str] = "cuα interval"
    about: ClassVar[str] = "labels that are numbers, where units of two annotators overlap"
    metric: ClassVar[Metric] = IntervalMetric()


class CuAlphaWeighted(CuAlpha):
    """cuα with the distances of the run."""

    key: ClassVar[str] = "cu_alpha_weighted"
    symbol: ClassVar[str] = "cuα weighted"
    about: ClassVar[str] = "labels, where units of two annotators overlap, with the run's distances"
    metric: ClassVar[Metric] = RunMetric()


class KAlpha(LabelCoefficient, StretchCoefficient):
    """kα: 1 - (ε*_k / l*_k)·(l*_k - l*_kk) / (ε*_k - ε*_kk)."""

    key: ClassVar[str] = "k_alpha"
    symbol: ClassVar[str] = "kα"
    about: ClassVar[str] = "one label, where units of two annotators overlap"
    blind: ClassVar[str] = CuAlpha.blind

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        k = scheme.index[label]
        found = task.kept(UnitCoincidences.of)
        shared, q = found.shared, found.squares
        valued, whole = float(shared[k].sum()), float(shared.sum())
        if not whole:
            return Reason.of(ReasonKind.NOTHING_SHARED)
        parts = (valued, float(shared[k, k]), float(q[k]), whole, float(q.sum()))
        return Sums(parts, task.used.get(k, 0), seen=valued)

    def value(self, total: Sequence[float]) -> float | Reason:
        if not total[0]:
            return Reason.of(ReasonKind.LABEL_NOT_SHARED)
        found = self.values(np.array([total]))
        if np.isnan(found[0]):
            return Reason.of(ReasonKind.ONE_CATEGORY, label="")
        return float(found[0])

    def values(self, totals: Floats) -> Floats:
        valued, same, q, whole, all_q = np.moveaxis(totals, -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            room = whole - all_q / whole
            expected = (valued * whole - q) / room
            apart = valued * (whole - valued) / room
            observed = expected / valued * (valued - same)
        return _one_minus(observed, apart, whole)


def _one_minus(observed: Floats, expected: Floats, whole: Floats) -> Floats:
    """1 - observed / expected; NaN where chance does not differ, but for rounding."""
    least = np.maximum(whole, 0) * 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(expected > least, 1 - observed / expected, np.nan))
