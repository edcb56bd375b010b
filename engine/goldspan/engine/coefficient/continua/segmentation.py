"""Pk, WindowDiff, GHD, S and B: agreement on where one segment ends and the next begins.

Segments cover the continuum without gap or overlap, and their labels do not count. All are given as
agreement: one minus the measure. Of several annotators they are the plain mean over pairs, ordered
pairs where one of two is the reference.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.base import Binding
from goldspan.engine.coefficient.continua.boundaries import (
    NEAR,
    boundaries,
    boundary_edits,
    differing_windows,
    hamming_cost,
    window_size,
)
from goldspan.engine.coefficient.continua.continuum_coefficient import ContinuumCoefficient
from goldspan.engine.coefficient.continua.pair_mean import Counts, PairMean
from goldspan.engine.coefficient.items.kappa import expected_by_coders
from goldspan.engine.coefficient.resampling import Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints
    from goldspan.engine.coefficient.continua.spans import MarkedTask
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task

NOT_LABELS = "It does not see chance, nor labels"


def segmented(task: MarkedTask) -> list[Ints] | Reason:
    """The boundaries of each annotator, counted from the start; or why there are no segments."""
    if not task.is_whole:
        return Reason.of(ReasonKind.FRACTIONS)
    found = []
    for name, own in zip(task.annotators, task.spans, strict=True):
        if own.overlap:
            return Reason.of(ReasonKind.OVERLAP, annotator=name)
        if float(own.length.sum()) < task.length:
            return Reason.of(ReasonKind.GAPS, annotator=name)
        found.append(boundaries(own, task.low))
    return found


class SegmentationCoefficient(PairMean):
    """The mean over pairs of one minus faults by all that could be."""

    counts: ClassVar[str] = "segment"
    without_count: ClassVar[ReasonKind] = ReasonKind.NO_BOUNDARY
    has_reference: ClassVar[bool] = False
    """Whether it matters which of the two is the reference; then each is, in its turn."""

    @abstractmethod
    def compare(self, reference: Ints, other: Ints, length: int) -> Counts:
        """The faults of the other's boundaries, and as many as there could be."""

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        found = task.kept(segmented)
        if isinstance(found, Reason):
            return found
        named = zip(task.annotators, found, strict=True)
        couples = permutations(named, 2) if self.has_reference else combinations(named, 2)
        rows = {
            (name, partner): self.compare(one, other, int(task.length))
            for (name, one), (partner, other) in couples
        }
        return self.sums(rows, task.n_units, seen=float(task.n_units))


class Pk(SegmentationCoefficient):
    """1 - Pk (Beeferman et al. 1999): windows whose ends are in one segment for one alone."""

    key: ClassVar[str] = "p_k"
    symbol: ClassVar[str] = "1 - Pk"
    about: ClassVar[str] = "whether two places are in the same segment, half a segment apart"
    blind: ClassVar[str] = f"{NOT_LABELS}, nor how many boundaries are between two places."
    counting: ClassVar[bool] = False
    has_reference: ClassVar[bool] = True

    def compare(self, reference: Ints, other: Ints, length: int) -> Counts:
        size = window_size(reference, length)
        return differing_windows(reference, other, length, size, counting=self.counting)


class WindowDiff(Pk):
    """1 - WindowDiff (Pevzner & Hearst 2002): windows with another number of boundaries."""

    key: ClassVar[str] = "window_diff"
    symbol: ClassVar[str] = "1 - WindowDiff"
    about: ClassVar[str] = "how many boundaries are in a window of half a segment"
    blind: ClassVar[str] = f"{NOT_LABELS}, and faults at the ends of the continuum count less."
    counting: ClassVar[bool] = True


class GeneralizedHamming(SegmentationCoefficient):
    """1 - GHD / (b₁ + b₂) (Bookstein et al. 2002): boundaries inserted, deleted and shifted.

    Inserting and deleting cost 1, and shifting by half a segment as much as both.
    """

    key: ClassVar[str] = "ghd"
    symbol: ClassVar[str] = "1 - GHD"
    about: ClassVar[str] = "boundaries that were moved, added and left out"
    blind: ClassVar[str] = f"{NOT_LABELS}."

    def compare(self, reference: Ints, other: Ints, length: int) -> Counts:
        segments = len(reference) + len(other) + 2
        shift = 4 / (2 * length / segments)
        count = len(reference) + len(other)
        return hamming_cost(reference, other, 1.0, 1.0, shift), float(count)


class SegmentationSimilarity(SegmentationCoefficient):
    """S (Fournier & Inkpen 2012): 1 - edits / (L - 1); a boundary one off costs a half."""

    key: ClassVar[str] = "segmentation_similarity"
    symbol: ClassVar[str] = "S of segments"
    about: ClassVar[str] = "boundaries edited, of all places where one could be"
    blind: ClassVar[str] = f"{NOT_LABELS}; places that nobody took for a boundary raise it."

    def compare(self, reference: Ints, other: Ints, length: int) -> Counts:
        edits = boundary_edits(reference, other)
        return edits.cost, float(length - 1)


class BoundarySimilarity(SegmentationCoefficient):
    """B (Fournier 2013): 1 - edits by edits and matches; a boundary one off costs a half."""

    key: ClassVar[str] = "boundary_similarity"
    symbol: ClassVar[str] = "B of segments"
    about: ClassVar[str] = "boundaries edited, of those that somebody set"
    blind: ClassVar[str] = f"{NOT_LABELS}, nor how far off a boundary is beyond {NEAR - 1}."

    def compare(self, reference: Ints, other: Ints, length: int) -> Counts:
        edits = boundary_edits(reference, other)
        return edits.cost, float(edits.count + edits.matches)


@dataclass(frozen=True, eq=False)
class PiB(ContinuumCoefficient):
    """πB: multi-π with B as observed agreement; Aₑ = P(boundary)² (Fournier 2013)."""

    coders: tuple[str, ...] = ()

    key: ClassVar[str] = "pi_b"
    is_bound: ClassVar[bool] = True
    symbol: ClassVar[str] = "πB"
    about: ClassVar[str] = "boundaries edited, corrected for how often boundaries are set"
    blind: ClassVar[str] = "It does not see labels, nor how far off a boundary is beyond 1."
    counts: ClassVar[str] = "segment"
    similarity: ClassVar[SegmentationCoefficient] = BoundarySimilarity()

    def bind(self, tasks: Sequence[Task], scheme: Scheme) -> PiB:
        return replace(self, coders=tuple(sorted({n for task in tasks for n in task.annotators})))

    def binding(self) -> Binding:
        return Binding(coders=self.coders)

    def bound_by(self, binding: Binding) -> PiB:
        return replace(self, coders=binding.coders)

    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        """Edits and what they are of; each coder's boundaries, and places where one could be."""
        found = task.kept(segmented)
        if isinstance(found, Reason):
            return found
        length, m = int(task.length), len(found)
        rows = [
            self.similarity.compare(one, other, length) for one, other in permutations(found, 2)
        ]
        if length < 2:
            return Reason.of(ReasonKind.NO_BOUNDARY)
        edits, whole = np.array(rows).sum(axis=0).tolist()
        counts = np.zeros((len(self.coders), 2))
        for name, own in zip(task.annotators, found, strict=True):
            counts[self.coders.index(name)] = len(own), length - 1
        parts = (edits, whole, *(counts * (m - 1)).ravel().tolist())
        return Sums(parts, task.n_units, seen=float(task.n_units))

    def value(self, total: Sequence[float]) -> float | Reason:
        if not total[1]:
            return Reason.of(ReasonKind.NO_BOUNDARY)
        found = float(self.values(np.array([total]))[0])
        return Reason.of(ReasonKind.ONE_CATEGORY, label="") if np.isnan(found) else found

    def values(self, totals: Floats) -> Floats:
        counts = totals[..., 2:].reshape(*totals.shape[:-1], len(self.coders), 2)
        expected = self.expected(counts)
        with np.errstate(divide="ignore", invalid="ignore"):
            agreed = 1 - totals[..., 0] / totals[..., 1]
            return np.asarray(np.where(expected < 1, (agreed - expected) / (1 - expected), np.nan))

    def expected(self, counts: Floats) -> Floats:
        """Aₑ, of each coder's boundaries and places; all coders have one habit."""
        return np.asarray((counts[..., 0].sum(axis=-1) / counts[..., 1].sum(axis=-1)) ** 2)


class PiS(PiB):
    """πS: multi-π with S as observed agreement."""

    key: ClassVar[str] = "pi_s"
    symbol: ClassVar[str] = "πS"
    similarity: ClassVar[SegmentationCoefficient] = SegmentationSimilarity()


class KappaB(PiB):
    """κB: multi-κ with B as observed agreement."""

    key: ClassVar[str] = "kappa_b"
    symbol: ClassVar[str] = "κB"
    about: ClassVar[str] = "boundaries edited, corrected for how often each annotator sets them"

    def expected(self, counts: Floats) -> Floats:
        """The mean over pairs of coders of P(boundary | c)·P(boundary | c')."""
        places = counts[..., 1]
        # A boundary is one value and all else another; only boundaries can meet by chance.
        split = np.stack((counts[..., 0], places - counts[..., 0]), axis=-1)
        return expected_by_coders(split, np.diag([1.0, 0.0]))
