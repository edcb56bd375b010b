"""αU (Krippendorff 1995; 2004, ch. 11) and uα of 2013, the one that Mathet et al. 2015 discuss.

Both are one minus the ratio of two disagreements of one continuum. Of several tasks, each weighs as
much as its length times its annotators, and chance is that of each task by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.continua.continuum_coefficient import (
    LabelCoefficient,
    StretchCoefficient,
)
from goldspan.engine.coefficient.resampling import Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.coefficient.continua.spans import MarkedTask, Spans
    from goldspan.engine.coefficient.scheme import Scheme


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
    for met in task.section_meetings:
        found += 2 * float((met.shared[met.same_label == 0] ** 2).sum())
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
        """Dₒ and Dₑ, weighted by the task's length and annotators."""
        if not task.is_whole:
            return Reason.of(ReasonKind.FRACTIONS)
        found = task.kept(Disagreements1995.of)
        if isinstance(found, Reason):
            return found
        of = scheme.index[label] if label else slice(None)
        expected = float(found.expected[of].sum())
        if expected <= 0:
            return Reason.of(ReasonKind.NO_UNIT)
        weight = task.length * len(task.spans)
        parts = (weight * float(found.observed[of].sum()), weight * expected)
        return Sums(parts, int(found.units[of].sum()), seen=weight)


class AlphaUK(LabelCoefficient, AlphaU):
    """αU of one label."""

    key: ClassVar[str] = "alpha_u_k"
    symbol: ClassVar[str] = "αU of a label"
    about: ClassVar[str] = "where units with one label begin and end (Krippendorff 1995)"


@dataclass(frozen=True)
class Disagreements1995:
    """Dₒ and Dₑ of one continuum, and how many units there are, each by label."""

    observed: Floats
    expected: Floats
    units: Ints

    @classmethod
    def of(cls, task: MarkedTask) -> Disagreements1995 | Reason:
        gaps = [Gaps.of(own, task) for own in task.spans]
        for name, own in zip(task.annotators, gaps, strict=True):
            if (own.length < 0).any():
                return Reason.of(ReasonKind.OVERLAP, annotator=name)
        value = np.concatenate([own.value for own in task.spans])
        units = np.bincount(value, minlength=task.gap)
        return cls(observed_1995(task), expected_1995(task, gaps), units)


@dataclass(frozen=True)
class Gaps:
    """For each label what is between an annotator's units with it; units with others are gap."""

    length: Floats
    value: Ints

    @classmethod
    def of(cls, spans: Spans, task: MarkedTask) -> Gaps:
        order = np.lexsort((spans.start, spans.value))
        value, start, end = spans.value[order], spans.start[order], spans.end[order]
        first = np.append(True, value[1:] != value[:-1])[: len(value)]
        last = np.append(first[1:], True)[: len(value)]
        before = np.where(first, task.low, np.append(task.low, end[:-1])[: len(value)])
        unused = np.setdiff1d(np.arange(task.gap), value)
        return cls(
            np.concatenate((
                start - before, task.high - end[last], np.full(len(unused), task.length)
            )),
            np.concatenate((value, value[last], unused)),
        )  # fmt: skip


def observed_1995(task: MarkedTask) -> Floats:
    """Dₒ by label: (Δbegin)² + (Δend)² of units that meet, l² of a unit wholly in a gap."""
    found = np.zeros(task.gap)
    for met in task.meetings.values():
        same = met.same_label == 1
        a, b = met.a[same], met.b[same]
        apart = (met.one.start[a] - met.other.start[b]) ** 2
        apart += (met.one.end[a] - met.other.end[b]) ** 2
        found += np.bincount(met.one.value[a], apart, task.gap)
        found += _lone(met.one, a, task.gap) + _lone(met.other, b, task.gap)
    m = len(task.spans)
    return 2 * found / (m * (m - 1) * task.length**2)


def _lone(spans: Spans, met: Ints, size: int) -> Floats:
    """Σ l² of the units that meet none, by label."""
    alone = np.ones(len(spans))
    alone[met] = 0
    return np.asarray(np.bincount(spans.value, alone * spans.length**2, size), dtype=np.float64)


def expected_1995(task: MarkedTask, gaps: Sequence[Gaps]) -> Floats:
    """Dₑ by label, over all places where its units could be."""
    value = np.concatenate([own.value for own in task.spans])
    length = np.concatenate([own.length for own in task.spans])
    count = np.bincount(value, minlength=task.gap)
    met = (count[value] - 1) * (2 * length**3 - 3 * length**2 + length) / 3
    gap = np.concatenate([own.length for own in gaps])
    of = np.concatenate([own.value for own in gaps])
    fits = (of[None, :] == value[:, None]) & (gap[None, :] >= length[:, None])
    places = np.where(fits, gap[None, :] - length[:, None] + 1, 0.0).sum(axis=1)
    sums = np.bincount(value, met + length**2 * places, task.gap)
    whole = task.length * len(task.spans)
    room = whole * (whole - 1) - np.bincount(value, length * (length - 1), task.gap)
    return np.asarray(2 / task.length * sums / np.where(room > 0, room, np.inf))
