"""Settings: everything that determines a result, except the corpus."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from goldspan.engine.dissimilarity import Dissimilarity, Distances, Nominal
from goldspan.engine.errors import SettingsError
from goldspan.engine.positional import positional_of


class Chance(str, Enum):
    """The model of chance. `auto` is `corpus` where there are enough tasks, else `shift`. `normal`
    is that of pygamma-agreement.
    """

    AUTO = "auto"
    SHIFT = "shift"
    CORPUS = "corpus"
    STATISTICAL = "statistical"
    NORMAL = "normal"

    def __str__(self) -> str:
        return self.value

    @classmethod
    def named(cls, name: str) -> Chance:
        """The model of this name; an unknown name is an error that lists the known ones."""
        known = [one.value for one in cls]
        if name not in known:
            raise SettingsError(f"there is no chance model '{name}'; use one of {', '.join(known)}")
        return cls(name)


class Average(str, Enum):
    """What the expected disorder is: a ratio of sums over the chance samples, or the mean of the
    samples' own disorders.
    """

    SUMS = "sums"
    SAMPLES = "samples"

    def __str__(self) -> str:
        return self.value

    @classmethod
    def named(cls, name: str) -> Average:
        """The average of this name; an unknown name is an error that lists the known ones."""
        known = [one.value for one in cls]
        if name not in known:
            raise SettingsError(f"there is no average '{name}'; use one of {', '.join(known)}")
        return cls(name)


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "authors": {
        "alpha": 3.0,
        "chance": Chance.SHIFT,
        "spacing": 0.5,
        "floor_mean": True,
        "alpha_weights": True,
        "average": Average.SAMPLES,
    },
    "pygamma": {"chance": Chance.NORMAL, "average": Average.SAMPLES},
}
"""Settings that make figures comparable with other software: the γ software of the papers' authors,
and the chance of pygamma-agreement.
"""


COMPARABLE = (
    "alpha", "beta", "distances", "forbid", "chance",
    "position", "exponent", "spacing", "floor_mean", "alpha_weights", "average",
)  # fmt: skip
"""Settings that must not differ if a change is to be a change of agreement."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How agreement is measured; two runs with the same settings give the same figures.

    `precision` is the relative error allowed in the expected disorder, at `level`, which is also
    the level of the intervals. `solver` is a PuLP solver's name; `seconds` limits each alignment,
    `max_seconds` the whole run. Both may make figures depend on the machine; results say so.

    The last four are for figures that are comparable with other software. `spacing` is how far
    apart two shifts are at the least, in mean lengths of a unit (`Chance.SHIFT`). `floor_mean`
    rounds the mean number of units per annotator down, to 1 at the least. `alpha_weights` weighs
    the pairs of γcat and γk by 1 - α·d_pos instead of 1 - d_pos. `average` says what the expected
    disorder is.
    """

    seed: int = 0
    chance: Chance = Chance.AUTO
    precision: float = 0.02
    level: float = 0.95
    dissimilarity: Dissimilarity = field(default_factory=Dissimilarity)
    bootstrap: bool = False
    solver: str | None = None
    seconds: float | None = None
    max_seconds: float | None = None
    spacing: float = 1.0
    floor_mean: bool = False
    alpha_weights: bool = False
    average: Average = Average.SUMS

    @classmethod
    def of(
        cls,
        preset: str | None = None,
        *,
        alpha: float | None = None,
        beta: float = 1.0,
        distances: Distances | None = None,
        forbid: bool = False,
        position: str = "ratio",
        exponent: float | None = None,
        **others: Any,
    ) -> Settings:
        """Settings from single values, with what a preset says wherever nothing is given.

        `position` and `exponent` choose the positional dissimilarity: "ratio" to the power of 2, or
        "iou", which has no exponent. `others` are named as the fields are; None is not given.
        """
        if preset is not None and preset not in PRESETS:
            known = ", ".join(PRESETS)
            raise SettingsError(f"there is no preset '{preset}'; use one of {known}")
        filled = dict(PRESETS[preset]) if preset is not None else {}
        weight = filled.pop("alpha", 1.0)
        dissimilarity = Dissimilarity(
            weight if alpha is None else alpha, beta, distances or Nominal(), forbid,
            positional_of(position, exponent),
        )  # fmt: skip
        given = {name: value for name, value in others.items() if value is not None}
        return cls(**(filled | given), dissimilarity=dissimilarity)

    def __post_init__(self) -> None:
        object.__setattr__(self, "chance", Chance.named(self.chance))  # its name will do
        object.__setattr__(self, "average", Average.named(self.average))
        if self.seed < 0:
            raise SettingsError(f"the seed is {self.seed}; it must be 0 or more")
        if not (math.isfinite(self.precision) and 0 < self.precision < 1):
            raise SettingsError(f"the precision is {self.precision}; it must be between 0 and 1")
        if not 0 < self.level < 1:
            raise SettingsError(f"the level is {self.level}; it must be between 0 and 1")
        for limit in (self.seconds, self.max_seconds):
            if limit is not None and not limit > 0:
                raise SettingsError(f"the time limit is {limit}; it must be above 0")
        if not (math.isfinite(self.spacing) and self.spacing >= 0):
            raise SettingsError(
                f"the spacing is {self.spacing}; it must be a finite number from 0 up"
            )

    def mean_units(self, units: int, annotators: int) -> float:
        """x̄ of so many units: what a disorder is divided by."""
        mean = units / annotators
        return max(1.0, math.floor(mean)) if self.floor_mean else mean

    @property
    def label_weight(self) -> tuple[float, float]:
        """By what d_pos is multiplied in the weights of γcat and γk, and the code of d_pos."""
        alpha = self.dissimilarity.alpha if self.alpha_weights else 1.0
        return float(alpha), float(self.dissimilarity.positional.code)

    def as_json(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "chance": self.chance.value,
            "precision": self.precision,
            "level": self.level,
            "alpha": self.dissimilarity.alpha,
            "beta": self.dissimilarity.beta,
            "distances": self.dissimilarity.distances.name,
            "forbid": self.dissimilarity.forbid,
            "position": self.dissimilarity.positional.name,
            "exponent": self.dissimilarity.positional.exponent,
            "interval": "bootstrap" if self.bootstrap else "log-t",
            "solver": self.solver or "auto",
            "seconds": self.seconds,
            "max_seconds": self.max_seconds,
            "spacing": self.spacing,
            "floor_mean": self.floor_mean,
            "alpha_weights": self.alpha_weights,
            "average": self.average.value,
        }
