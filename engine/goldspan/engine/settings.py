"""Settings: everything that determines a result, except the corpus."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from goldspan.engine.dissimilarity import Dissimilarity
from goldspan.engine.errors import SettingsError


class Chance(str, Enum):
    """The model of chance. `auto` is `corpus` where there are enough tasks, else `shift`."""

    AUTO = "auto"
    SHIFT = "shift"
    CORPUS = "corpus"
    STATISTICAL = "statistical"

    def __str__(self) -> str:
        return self.value

    @classmethod
    def named(cls, name: str) -> Chance:
        """The model of this name; an unknown name is an error that lists the known ones."""
        known = [one.value for one in cls]
        if name not in known:
            raise SettingsError(f"there is no chance model '{name}'; use one of {', '.join(known)}")
        return cls(name)


@dataclass(frozen=True, slots=True)
class Settings:
    """How agreement is measured; two runs with the same settings give the same figures.

    `precision` is the relative error allowed in the expected disorder, at `level`, which is also
    the level of the intervals. `solver` is a PuLP solver's name; `seconds` limits each alignment,
    `max_seconds` the whole run. Both may make figures depend on the machine; results say so.
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "chance", Chance.named(self.chance))  # its name will do
        if self.seed < 0:
            raise SettingsError(f"the seed is {self.seed}; it must be 0 or more")
        if not (math.isfinite(self.precision) and 0 < self.precision < 1):
            raise SettingsError(f"the precision is {self.precision}; it must be between 0 and 1")
        if not 0 < self.level < 1:
            raise SettingsError(f"the level is {self.level}; it must be between 0 and 1")
        for limit in (self.seconds, self.max_seconds):
            if limit is not None and not limit > 0:
                raise SettingsError(f"the time limit is {limit}; it must be above 0")

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
            "interval": "bootstrap" if self.bootstrap else "log-t",
            "solver": self.solver or "auto",
            "seconds": self.seconds,
            "max_seconds": self.max_seconds,
        }
