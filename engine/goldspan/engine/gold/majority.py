"""Majority: the suggested labels of whole tasks."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from goldspan.engine.gold.gold import GoldSpan

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Corpus


def majority_labels(
    layer: Corpus, tasks: Container[str], min_confidence: float = 0.0
) -> dict[str, tuple[GoldSpan, ...]]:
    """For each of these tasks the labels that more than half of those gave who labelled it.

    The confidence is the share of those who gave the label. With two annotators both must have
    given it; where no label has a majority, none is suggested.
    """
    return {one.id: _suggested(one, min_confidence) for one in layer if one.id in tasks}


def _suggested(continuum: Continuum, min_confidence: float) -> tuple[GoldSpan, ...]:
    units = [unit for unit in continuum.units if unit.annotator in continuum.annotators]
    seen = len({unit.annotator for unit in units})
    found = []
    for label in sorted({unit.category for unit in units}):
        votes = tuple(unit for unit in units if unit.category == label)
        share = len(votes) / seen
        if seen > 1 and 2 * len(votes) > seen and share >= min_confidence:
            start, end = votes[0].start, votes[0].end
            found.append(GoldSpan(start, end, label, share, votes, seen))
    return tuple(found)
