"""Precision and recall: whose units a reference has too, and whose it has alone.

Each takes the same units for matches as the F1 that it is named after. Without a reference, every
annotator is the reference once, so that both are F1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from goldspan.engine.coefficient.continua.continuum_coefficient import LabelCoefficient
from goldspan.engine.coefficient.continua.span_matches import F1, F1Blind, F1Iou, F1Overlap
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.coefficient.continua.spans import Meetings


class Recall(F1):
    """The part of the reference's units that the others have too."""

    key: ClassVar[str] = "recall"
    symbol: ClassVar[str] = "recall"
    about: ClassVar[str] = "units of the reference that others marked exactly so"
    counts_whole: ClassVar[bool] = True

    def compare(self, met: Meetings) -> tuple[float, float]:
        if not self.against:
            return super().compare(met)
        whole = len(met.one)
        return float(whole - self.matches(met)), float(whole)


class Precision(Recall):
    """The part of the others' units that the reference has too."""

    key: ClassVar[str] = "precision"
    symbol: ClassVar[str] = "precision"
    about: ClassVar[str] = "units of others that the reference marked exactly so"

    @property
    def nothing(self) -> Reason:
        return Reason.of(ReasonKind.ONLY_REFERENCE) if self.against else super().nothing

    def compare(self, met: Meetings) -> tuple[float, float]:
        return super().compare(met.turned)


class RecallOverlap(Recall, F1Overlap):
    """Recall of units with the same label that overlap."""

    key: ClassVar[str] = "recall_overlap"
    symbol: ClassVar[str] = "recall overlap"
    about: ClassVar[str] = "units of the reference that a unit of others with this label overlaps"


class PrecisionOverlap(Precision, F1Overlap):
    """Precision of units with the same label that overlap."""

    key: ClassVar[str] = "precision_overlap"
    symbol: ClassVar[str] = "precision overlap"
    about: ClassVar[str] = "units of others that a unit of the reference with this label overlaps"


class RecallIou(Recall, F1Iou):
    """Recall of units with the same label, half of whose extent is shared."""

    key: ClassVar[str] = "recall_iou"
    symbol: ClassVar[str] = "recall IoU ≥ 0.5"
    about: ClassVar[str] = "units of the reference that share half of their extent with others"


class PrecisionIou(Precision, F1Iou):
    """Precision of units with the same label, half of whose extent is shared."""

    key: ClassVar[str] = "precision_iou"
    symbol: ClassVar[str] = "precision IoU ≥ 0.5"
    about: ClassVar[str] = "units of others that share half of their extent with the reference"


class RecallBlind(Recall, F1Blind):
    """Recall of places, whatever the label."""

    key: ClassVar[str] = "recall_blind"
    symbol: ClassVar[str] = "recall places"
    about: ClassVar[str] = "places of the reference that others marked exactly so, any label"


class PrecisionBlind(Precision, F1Blind):
    """Precision of places, whatever the label."""

    key: ClassVar[str] = "precision_blind"
    symbol: ClassVar[str] = "precision places"
    about: ClassVar[str] = "places of others that the reference marked exactly so, any label"


class RecallK(LabelCoefficient, Recall):
    """Recall of the units with one label."""

    key: ClassVar[str] = "recall_k"
    symbol: ClassVar[str] = "recall of a label"
    about: ClassVar[str] = "units of the reference with one label that others marked exactly so"


class PrecisionK(LabelCoefficient, Precision):
    """Precision of the units with one label."""

    key: ClassVar[str] = "precision_k"
    symbol: ClassVar[str] = "precision of a label"
    about: ClassVar[str] = "units of others with one label that the reference marked exactly so"
