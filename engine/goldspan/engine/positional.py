"""Positional dissimilarities d_pos: how far apart two units are, whatever their categories.

The paper takes one of several (2015, §4.4.2): the `Ratio` x of the differences between the ends to
the lengths, squared. All of these grow with x, so the units within some d_pos are those within some
x, which is how neighbours are found without looking at all pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.engine.model import Unit


@dataclass(frozen=True, slots=True)
class Ratio:
    """xᵖ, x = (|Δstart| + |Δend|) / (length + length): the paper's equation 3 with p = 2.

    It is 0 at the same place, 1 where two units touch, and has no upper limit.
    """

    exponent: float = 2.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.exponent) and self.exponent > 0):
            raise SettingsError(
                f"the exponent is {self.exponent}; it must be a finite number above 0"
            )

    @property
    def name(self) -> str:
        """How results call it."""
        return "ratio"

    @property
    def code(self) -> float:
        """How the kernels distinguish positional dissimilarities."""
        return self.exponent

    def between(self, one: Unit, other: Unit) -> float:
        """d_pos of two units."""
        return self.of(_ratio(one, other))

    def of(self, ratio: float) -> float:
        """d_pos of two units with this x."""
        return float(ratio**self.exponent)

    def reach(self, most: float) -> float:
        """The largest x of units with d_pos ≤ most."""
        return math.sqrt(most) if self.exponent == 2 else most ** (1 / self.exponent)


@dataclass(frozen=True, slots=True)
class OneMinusIoU:
    """1 - |∩| / |∪| = 2x / (1 + x) up to x = 1: units that do not overlap are all at 1, which is Δ.

    Being far apart then costs no more than touching, so with a small α units that nobody else
    marked are aligned over any distance.
    """

    @property
    def exponent(self) -> None:
        """There is none."""
        return

    @property
    def name(self) -> str:
        """How results call it."""
        return "iou"

    @property
    def code(self) -> float:
        """How the kernels distinguish positional dissimilarities: no exponent is 0."""
        return 0.0

    def between(self, one: Unit, other: Unit) -> float:
        """d_pos of two units."""
        return self.of(_ratio(one, other))

    def of(self, ratio: float) -> float:
        """d_pos of two units with this x."""
        return float(2 * ratio / (1 + ratio)) if ratio < 1 else 1.0

    def reach(self, most: float) -> float:
        """The largest x of units with d_pos ≤ most."""
        return most / (2 - most) if most < 1 else math.inf


Positional: TypeAlias = Ratio | OneMinusIoU

RATIO = Ratio()
"""The paper's own, equation 3."""


def positional_of(name: str = "ratio", exponent: float | None = None) -> Positional:
    """The positional dissimilarity of this name; only the ratio has an exponent, 2 by default."""
    if name == "ratio":
        return RATIO if exponent is None else Ratio(exponent)
    if name != "iou":
        raise SettingsError(f"there is no positional dissimilarity '{name}'; use one of ratio, iou")
    if exponent is not None:
        raise SettingsError("'iou' has no exponent; leave it out, or use 'ratio'")
    return OneMinusIoU()


def _ratio(one: Unit, other: Unit) -> float:
    apart = abs(one.start - other.start) + abs(one.end - other.end)
    return apart / (one.length + other.length)
