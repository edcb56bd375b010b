"""Alignment: which units the annotators meant to be the same, and what their differences cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.alignment.batch.unitaries import slices

if TYPE_CHECKING:
    from goldspan.engine.alignment.batch.unitaries import Unitaries
    from goldspan.engine.model import Unit


@dataclass(frozen=True, slots=True)
class UnitaryAlignment:
    """One unit an annotator at most, and its disorder (2015, equation 6) in three parts.

    `positional` and `categorial` come from the pairs of units, `missing` from the pairs in which
    one or both annotators have none.
    """

    units: tuple[Unit, ...]
    positional: float
    categorial: float
    missing: float

    @property
    def disorder(self) -> float:
        return self.positional + self.categorial + self.missing


@dataclass(frozen=True, slots=True)
class Alignment:
    """A partition of all units into unitary alignments, in the order of the continuum.

    `disorder` is the sum of theirs, divided by the mean number of units per annotator. No
    alignment has less than `lower_bound`; `optimal` says that none has less than this one.
    """

    annotators: tuple[str, ...]
    unitary: tuple[UnitaryAlignment, ...]
    disorder: float
    lower_bound: float
    optimal: bool


def unitary_alignments(found: Unitaries, members: Sequence[Unit]) -> tuple[UnitaryAlignment, ...]:
    """The unitary alignments of all layouts as values; `members` are their units, in order."""
    return tuple(
        UnitaryAlignment(tuple(members[own]), *parts)
        for own, *parts in zip(
            slices(found.border),
            found.positional.tolist(),
            found.categorial.tolist(),
            found.missing.tolist(),
            strict=True,
        )
    )
