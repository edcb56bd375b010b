"""What is compared, on what, and what is to be reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.continua import Shape

Job: TypeAlias = Literal["align", "gamma", "command"]
Mode: TypeAlias = Literal["exact", "fast"]
Material: TypeAlias = str | Shape
"""One of the peer's own test continua by name, or the shape of a made-up one."""

WHAT = {"align": "best alignment", "gamma": "γ, γcat, γk", "command": "command line"}


@dataclass(frozen=True, slots=True)
class Race:
    """Both tools on the same file: the peer's CPU seconds over ours must be `factor` or more."""

    job: Job
    material: Material
    mode: Mode
    factor: float

    @property
    def name(self) -> str:
        return f"{WHAT[self.job]}, {self.material}"


@dataclass(frozen=True, slots=True)
class Reach:
    """A job that goldspan must finish within `most_mb`; `peer` is run as well where given."""

    job: Job
    material: Material
    most_mb: int
    peer: tuple[Job, Mode] | None = None

    @property
    def name(self) -> str:
        return f"{WHAT[self.job]}, {self.material}"


@dataclass(frozen=True, slots=True)
class Growth:
    """The CPU seconds for `large` must be at most `factor` times those for `small`."""

    job: Job
    small: Shape
    large: Shape
    factor: float

    @property
    def name(self) -> str:
        return f"{WHAT[self.job]}, {self.small} to {self.large}"


Cell: TypeAlias = Race | Reach | Growth

CELLS: tuple[Cell, ...] = (
    Race("align", "3by100", "exact", 20),
    Race("align", "3by500", "exact", 200),
    Race("align", "2by5000", "exact", 50),
    Race("gamma", "3by100", "exact", 40),
    Race("gamma", "3by500", "fast", 10),
    Race("gamma", "5by100", "fast", 10),
    Race("gamma", "2by5000", "fast", 10),
    Race("command", "AlexPaulSuzan", "exact", 5),
    Growth("align", Shape(3, 300), Shape(3, 3000), 15),
    Reach("gamma", "5by100", 2048, peer=("align", "exact")),
    Reach("gamma", Shape(8, 10), 2048, peer=("align", "exact")),
    Reach("gamma", Shape(8, 100), 2048),
    Reach("gamma", Shape(10, 30), 2048),
    Reach("align", Shape(6, 1000), 1024),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A script of this folder that reads large made-up exports and prints what it took."""

    script: str
    target: str


READINGS = (
    Reading("adapters_label_studio", "20 MB/s or more, under 1.5 GB"),
    Reading("adapters_elan", "1,000 files of 100 KB in less than 30 s"),
)
