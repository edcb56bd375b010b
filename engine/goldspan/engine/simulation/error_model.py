"""Error model: how much an annotator errs, by kind of error, and the constants of the laws."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.engine.simulation.confusion import Confusion

ERROR_KINDS = ("position", "category", "false_negatives", "false_positives", "splits")

CONSTANTS = {"position": "shift", "false_positives": "extra", "splits": "cuts"}
"""The constant that each of these kinds of error has."""

SEGMENT_KINDS = ("position", "false_negatives", "false_positives")
"""The errors that boundaries of a segmentation can have."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The magnitudes of one annotator's errors, from 0 (none) to 1 (as bad as chance), and the
    constants of their laws (`shuffle` states these).

    shift        how many lengths of its unit a boundary can move at magnitude 1
    extra        how many units are added for each unit of the reference at magnitude 1
    cuts         how many times units are split for each unit of the reference at magnitude 1
    prevalence   draw wrong categories by their frequency instead of uniformly
    confusion    draw wrong categories by these probabilities instead (R)
    close        categories that are confused first (O)
    apart        keep shifted units from overlapping (2015, §6.3.4)
    segments     the units are segments without gaps: errors are those of their inner boundaries
    """

    position: float = 0.0
    category: float = 0.0
    false_negatives: float = 0.0
    false_positives: float = 0.0
    splits: float = 0.0
    shift: float = 5.0
    extra: float = 5.0
    cuts: float = 5.0
    prevalence: bool = False
    confusion: Confusion | None = None
    close: Confusion | None = None
    apart: bool = False
    segments: bool = False

    def __post_init__(self) -> None:
        for kind in ERROR_KINDS:
            magnitude = getattr(self, kind)
            if not 0 <= magnitude <= 1:
                raise SettingsError(f"the magnitude of {kind} is {magnitude}; it goes from 0 to 1")
        for constant in ("shift", "extra", "cuts"):
            if not 0 <= getattr(self, constant) < float("inf"):
                raise SettingsError(f"'{constant}' must be a finite number from 0 up")
        if self.prevalence and self.confusion is not None:
            raise SettingsError("give 'prevalence' or 'confusion', not both")
        wrong = [kind for kind in ERROR_KINDS if kind not in SEGMENT_KINDS and getattr(self, kind)]
        if self.segments and wrong:
            raise SettingsError(
                f"boundaries of segments cannot have the error {wrong[0]}; they can have "
                f"{', '.join(SEGMENT_KINDS)}"
            )

    def used_by(self, kinds: Collection[str]) -> Errors:
        """The same, with the usual constants for kinds of error that are not among these."""
        unused = [CONSTANTS[kind] for kind in CONSTANTS if kind not in kinds]
        usual: dict[str, Any] = {name: getattr(USUAL, name) for name in unused}
        return replace(self, **usual)

    def at(self, magnitude: float, *kinds: str) -> Errors:
        """The same constants, with these kinds of error at one magnitude."""
        return self.of(dict.fromkeys(kinds, magnitude))

    def of(self, magnitudes: Mapping[str, float]) -> Errors:
        """The same constants, with these magnitudes by kind of error and no others."""
        unknown = [kind for kind in magnitudes if kind not in ERROR_KINDS]
        if unknown:
            raise SettingsError(
                f"there is no error '{unknown[0]}'; there are {', '.join(ERROR_KINDS)}"
            )
        none: dict[str, Any] = dict.fromkeys(ERROR_KINDS, 0.0)
        return replace(self, **(none | dict(magnitudes)))


USUAL = Errors()
