"""αU (Krippendorff 1995; 2004, ch. 11) and uα of 2013, the one that Mathet et al. 2015 discuss.

Both are one minus the ratio of two disagreements of one continuum. Of several tasks, each weighs as
much as its length times its annotators, and chance is that of each task by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar

import numpy as np

from goldspan.engine.alignment.clusters import Floats, Ints
from goldspan.engine.coefficient.continua.continuum_coefficient import (
    LabelCoefficient,
    StretchCoefficient,
)
from goldspan.engine.coefficient.continua.spans import MarkedTask, Spans, intersections
from goldspan.engine.coefficient.measure import Scheme
from goldspan.engine.coefficient.resampling import Sums
from goldspan.engine.facts import Reason, ReasonKind


class UAlpha2013(StretchCoefficient):
    """uα: squared lengths of intersections of sections with different values.

    uDₒ = Σ_{i≠j} Σ s² / (L·m·(m-1)), uDₑ = Σ_{g≠h} S(l_g, l_h) / ((mL)² - Σ l²), both over sections
    with different values; S(a ≤ b) = a²b - a³/3 + a/3 adds the squares up over all offsets.
    """

    key: ClassVar[str] = "u_alpha_2013"
    symbol: ClassVar[str] = "uα (2013)"
    about: ClassVar[str] = "what every stretch of the continuum is, by squared lengths"
    blind: ClassVar[str] = (
        "It does not see splits: two units that touch are as good as one. Long stretches count "
        "more by the square of their length."
    )
    is_ratio: ClassVar[bool] = True
    allows_overlap: ClassVar[bool] = False

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        weight = task.length * len(task.spans)
        expected = expected_2013(task)
        if expected <= 0:
            return Reason.of(ReasonKind.ONE_CATEGORY, label="")
        parts = (weight * observed_2013(task), weight * expected)
        return Sums(parts, task.n_units, seen=weight)


def observed_2013(task: MarkedTask) -> float:
    """uDₒ of a continuum."""
    found = 0.0
    for one, other in combinations(task.sections, 2):
        a, b, shared = intersections(one, other)
        differ = one.value[a] != other.value[b]
        found += 2 * float((shared[differ] ** 2).sum())
    m = len(task.spans)
    return found / (task.length * m * (m - 1))


def expected_2013(task: MarkedTask) -> float:
    """uDₑ of a continuum."""
    length = np.concatenate([own.length for own in task.sections])
    value = np.concatenate([own.value for own in task.sections])
    same = sum(_all_offsets(length[value == one], whole=task.is_whole) for one in np.unique(value))
    whole = task.length * len(task.spans)
    room = whole**2 - float((length**2).sum())
    if room <= 0:
        return 0.0
    # Of sections with one value both sums are of the same terms, so that 0 is exact.
    differ = 0.0 if len(np.unique(value)) == 1 else _all_offsets(length, whole=task.is_whole) - same
    return float(differ) / room


def _all_offsets(length: Floats, *, whole: bool) -> float:
    """Σ S(a, b) over ordered pairs of different sections."""
    a = np.sort(length)
    longer = a.sum() - np.cumsum(a)
    count = len(a) - 1 - np.arange(len(a))
    each = a**2 * longer + count * (-(a**3) / 3 + (a / 3 if whole else 0.0))
    return 2 * float(each.sum())


class AlphaU(StretchCoefficient):
    """αU: 1 - Σ_c Dₒ / Σ_c Dₑ over labels; units with other labels count as gap."""

    key: ClassVar[str] = "alpha_u"
    symbol: ClassVar[str] = "αU"
    about: ClassVar[str] = "where units with the same label begin and end (Krippendorff 1995)"
    blind: ClassVar[str] = (
        "It looks at one label at a time, so it does not see that a unit was given another label "
        "rather than missed."
    )
    is_ratio: ClassVar[bool] = True

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        values = [scheme.index[label]] if label else range(task.gap)
        return alpha_u_sums(task, values)


class AlphaUK(LabelCoefficient, AlphaU):
    """αU of one label."""

    key: ClassVar[str] = "alpha_u_k"
    symbol: ClassVar[str] = "αU of a label"
    about: ClassVar[str] = "where units with one label begin and end (Krippendorff 1995)"


def alpha_u_sums(task: MarkedTask, values: Sequence[int]) -> Sums | Reason:
    """Dₒ and Dₑ of these labels, weighted by the task's length and annotators."""
    if not task.is_whole:
        return Reason.of(ReasonKind.FRACTIONS)
    observed = expected = 0.0
    n = 0
    for value in values:
        own = task.only(value)
        if own.overlapping is not None:
            return Reason.of(ReasonKind.OVERLAP, annotator=own.overlapping)
        observed += observed_1995(own)
        expected += expected_1995(own)
        n += own.n_units
    if expected <= 0:
        return Reason.of(ReasonKind.NO_UNIT)
    weight = task.length * len(task.spans)
    return Sums((weight * observed, weight * expected), n, seen=weight)


def observed_1995(task: MarkedTask) -> float:
    """Dₒ of one label: (Δbegin)² + (Δend)² of units that meet, l² of a unit wholly in a gap."""
    found = 0.0
    for one, other in combinations(task.spans, 2):
        a, b, _ = intersections(one, other)
        found += float(((one.start[a] - other.start[b]) ** 2).sum())
        found += float(((one.end[a] - other.end[b]) ** 2).sum())
        found += _lone(one, a) + _lone(other, b)
    m = len(task.spans)
    return 2 * found / (m * (m - 1) * task.length**2)


def _lone(spans: Spans, met: Ints) -> float:
    """Σ l² of the units that meet none."""
    alone = np.ones(len(spans), dtype=bool)
    alone[met] = False
    return float((spans.length[alone] ** 2).sum())


def expected_1995(task: MarkedTask) -> float:
    """Dₑ of one label, over all places where its units could be."""
    units = np.concatenate([own.length for own in task.spans])
    if not len(units):
        return 0.0
    sections = task.sections
    gaps = np.concatenate([own.length[own.value == task.gap] for own in sections])
    met = (len(units) - 1) * (2 * units**3 - 3 * units**2 + units) / 3
    alone = [float((gaps[gaps >= l] - l + 1).sum()) * l**2 for l in units]  # noqa: E741 - a length
    whole = task.length * len(task.spans)
    room = whole * (whole - 1) - float((units * (units - 1)).sum())
    return 2 / task.length * (float(met.sum()) + sum(alone)) / room if room > 0 else 0.0
