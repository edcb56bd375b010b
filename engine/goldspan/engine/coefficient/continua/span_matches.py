"""F1, SER, mean IoU and overlap ratio: units against units, without chance.

For several annotators all are the plain mean over pairs; SER, which has a reference, over ordered
pairs. With `against`, one annotator is the reference and the others are compared with it alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.continua.continuum_coefficient import (
    LabelCoefficient,
)
from goldspan.engine.coefficient.continua.pair_mean import Counts, Pair, PairMean
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.continua.spans import MarkedTask, Meetings
    from goldspan.engine.coefficient.resampling import Sums
    from goldspan.engine.coefficient.scheme import Scheme

WIDE = 0.5
"""The least intersection by union of two units that are taken for the same."""


@dataclass(frozen=True, eq=False)
class PairwiseCoefficient(PairMean):
    """A coefficient of the units of two annotators, reference first."""

    against: str = ""

    counts_whole: ClassVar[bool] = False
    """Whether with a reference the figure rests on the units that `compare` gives as the whole."""

    @property
    def nothing(self) -> Reason:
        """Why there is no value where the whole is nothing."""
        if not self.against:
            return Reason.of(ReasonKind.NO_UNIT)
        return Reason.of(ReasonKind.NO_REFERENCE, annotator=self.against)

    @abstractmethod
    def compare(self, met: Meetings) -> Counts:
        """The faults of two annotators, and as many as there could be; `met.one` is the reference
        if there is one.
        """

    def count(self, pair: Pair, met: Meetings) -> Iterator[tuple[Pair, Counts]]:
        """The counts of two annotators, or of both orders where each is the reference in turn."""
        yield pair, self.compare(met)

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        if self.against and self.against not in task.annotators:
            return Reason.of(ReasonKind.NO_REFERENCE, annotator=self.against)
        pairs = self._pairs(task)
        n, k = task.n_units, 0
        if label:
            k = scheme.index[label]
            n = task.used.get(k, 0)
        if not n:
            return self.nothing
        counts: dict[Pair, Counts] = {}
        for pair, met in pairs:
            if (self, label) not in met.memo:
                own = met.only(k) if label else met
                met.memo[self, label] = dict(self.count(pair, own))
            counts |= met.memo[self, label]
        on = n
        if self.against and self.counts_whole:
            on = int(sum(whole for _, whole in counts.values()))
        return self.sums(counts, on, seen=None if label else float(n))

    def _pairs(self, task: MarkedTask) -> Iterator[tuple[Pair, Meetings]]:
        for (name, partner), met in task.meetings.items():
            if not self.against or name == self.against:
                yield (name, partner), met
            elif partner == self.against:
                yield (partner, name), met.turned


class F1(PairwiseCoefficient):
    """F1: 2·|A∩B| / (|A| + |B|), of units with the same place and label."""

    key: ClassVar[str] = "f1"
    symbol: ClassVar[str] = "F1"
    about: ClassVar[str] = "units at exactly the same place with the same label"
    blind: ClassVar[str] = (
        "It does not see chance, nor how near a miss is: a shifted unit is as bad as a missing one."
    )

    def weigh(self, met: Meetings) -> Floats:
        """1 for each pair of units that are taken for the same, else 0."""
        return met.same_place * met.same_label

    def matches(self, met: Meetings) -> int:
        return len(met.best(self.weigh(met)))

    def compare(self, met: Meetings) -> Counts:
        whole = len(met.one) + len(met.other)
        return float(whole - 2 * self.matches(met)), float(whole)


class F1Overlap(F1):
    """F1 of units with the same label that overlap."""

    key: ClassVar[str] = "f1_overlap"
    symbol: ClassVar[str] = "F1 overlap"
    about: ClassVar[str] = "units with the same label that overlap at all"
    blind: ClassVar[str] = "It does not see chance, nor how much of two units overlaps."

    def weigh(self, met: Meetings) -> Floats:
        return met.same_label


class F1Iou(F1):
    """F1 of units with the same label, half of whose extent is shared."""

    key: ClassVar[str] = "f1_iou"
    symbol: ClassVar[str] = "F1 IoU ≥ 0.5"
    about: ClassVar[str] = "units with the same label that share half of their extent"
    blind: ClassVar[str] = "It does not see chance, nor by how much two units differ otherwise."

    def weigh(self, met: Meetings) -> Floats:
        return met.same_label * (met.iou >= WIDE)


class F1Blind(F1):
    """F1 of places, whatever the label."""

    key: ClassVar[str] = "f1_blind"
    symbol: ClassVar[str] = "F1 places"
    about: ClassVar[str] = "units at exactly the same place, whatever their label"
    blind: ClassVar[str] = "It does not see chance, nor labels, nor how near a miss is."

    def weigh(self, met: Meetings) -> Floats:
        return met.same_place


class F1OverlapBlind(F1):
    """F1 of units that overlap, whatever the label."""

    key: ClassVar[str] = "f1_overlap_blind"
    symbol: ClassVar[str] = "F1 overlap, any label"
    about: ClassVar[str] = "units that overlap at all, whatever their label"
    blind: ClassVar[str] = "It does not see chance, nor labels, nor how much of two units overlaps."

    def weigh(self, met: Meetings) -> Floats:
        return np.ones(len(met.shared))


class F1K(LabelCoefficient, F1):
    """F1 of the units with one label."""

    key: ClassVar[str] = "f1_k"
    symbol: ClassVar[str] = "F1 of a label"
    about: ClassVar[str] = "units with one label at exactly the same place"


class SlotErrors(PairwiseCoefficient):
    """1 - SER (Makhoul et al. 1999; Galibert et al. 2010): faults by units of the reference.

    A wrong label costs ½, a wrong place ½, both 1, a missing or additional unit 1, in the alignment
    of overlapping units that costs least. It can be below 0.
    """

    key: ClassVar[str] = "ser"
    symbol: ClassVar[str] = "1 - SER"
    about: ClassVar[str] = "wrong labels, places and units, by units of the other (slot errors)"
    counts_whole: ClassVar[bool] = True
    blind: ClassVar[str] = (
        "It does not see chance, nor how far a place is off: any shift costs the same."
    )

    def compare(self, met: Meetings) -> Counts:
        # Both units left out cost 2; taken for one, a half for a wrong label and for a wrong place.
        saved = met.best(1 + met.same_label / 2 + met.same_place / 2)
        cost = len(met.one) + len(met.other) - float(saved.sum())
        return cost, float(len(met.one))

    def count(self, pair: Pair, met: Meetings) -> Iterator[tuple[Pair, Counts]]:
        """The cost is the same in both orders; the units of the reference are not."""
        cost, whole = self.compare(met)
        yield pair, (cost, whole)
        if not self.against:
            yield pair[::-1], (cost, float(len(met.other)))


class Iou(PairwiseCoefficient):
    """The mean intersection by union over the best matching; a unit without a partner has 0."""

    key: ClassVar[str] = "iou"
    symbol: ClassVar[str] = "mean IoU"
    about: ClassVar[str] = "how much of their extent matched units share, whatever their label"
    blind: ClassVar[str] = "It does not see chance, nor labels."

    def compare(self, met: Meetings) -> Counts:
        shares = met.best(met.iou)
        slots = float(len(met.one) + len(met.other) - len(shares))
        return slots - float(shares.sum()), slots


class OverlapRatio(PairwiseCoefficient):
    """The mean over all units of overlap by total extent, with the unit that overlaps it most.

    This is the ratio of overlap and total extent that ELAN reports for two tiers.
    """

    key: ClassVar[str] = "overlap_ratio"
    symbol: ClassVar[str] = "overlap ratio"
    about: ClassVar[str] = "overlap by total extent of each unit and the one that overlaps it most"
    blind: ClassVar[str] = (
        "It does not see chance, nor labels, nor that several units have the same partner."
    )

    def compare(self, met: Meetings) -> Counts:
        order = np.lexsort((met.iou, met.shared))
        one, other = np.zeros(len(met.one)), np.zeros(len(met.other))
        one[met.a[order]] = other[met.b[order]] = met.iou[order]
        whole = len(one) + len(other)
        return float(whole - one.sum() - other.sum()), float(whole)


class AtomF1(PairwiseCoefficient):
    """F1 of the atoms of the continuum that have a label: Dice's coefficient of lengths."""

    key: ClassVar[str] = "f1_atoms"
    symbol: ClassVar[str] = "F1 of atoms"
    about: ClassVar[str] = "how long two annotators gave the same label, of all they labelled"
    blind: ClassVar[str] = (
        "It does not see chance, nor units: two units that touch are as good as one."
    )
    allows_overlap: ClassVar[bool] = False

    def compare(self, met: Meetings) -> Counts:
        same = float((met.shared * met.same_label).sum())
        whole = float(met.one.length.sum() + met.other.length.sum())
        return whole - 2 * same, whole
