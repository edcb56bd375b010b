"""What is compared, on what, and what is to be reached."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.continua import Shape
from benchmarks.worst import WORST

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
    """A job that goldspan must finish within `most_mb`; `peer` is run as well where given.

    Where an earlier goldspan runs too, it must be `faster` than that by this factor.
    """

    job: Job
    material: Material
    most_mb: int
    peer: tuple[Job, Mode] | None = None
    faster: float = 0.0

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


@dataclass(frozen=True, slots=True)
class Worst:
    """A worst case that must be answered within `most_mb`, proved or with its gap."""

    case: str
    most_mb: int = 2048

    @property
    def name(self) -> str:
        return f"worst case: {self.case}"


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
    Growth("align", Shape(5, 2000), Shape(5, 20_000), 13),
    Reach("gamma", "5by100", 2048, peer=("align", "exact"), faster=3),
    Reach("gamma", Shape(8, 10), 2048, peer=("align", "exact")),
    Reach("gamma", Shape(8, 100), 2048, faster=8),
    Reach("gamma", Shape(10, 30), 2048, faster=8),
    Reach("gamma", Shape(15, 50), 2048),
    Reach("gamma", Shape(20, 10), 2048),
    Reach("align", Shape(6, 1000), 1024),
)


WORST_CASES = tuple(Worst(case) for case in WORST)


@dataclass(frozen=True, slots=True)
class Reading:
    """A script of this folder that runs goldspan alone and prints what it took.

    The figure that `pattern` finds in its words must lie between `least` and `most`. One that is
    `compared` is there only if the script runs an earlier goldspan as well.
    """

    script: str
    target: str
    pattern: str
    least: float = 0.0
    most: float = math.inf
    compared: bool = False

    def reached(self, said: str) -> bool:
        """Whether the words hold the figure, and it is good enough."""
        found = re.search(self.pattern, said)
        return found is not None and self.least <= float(found[1]) <= self.most


READINGS = (
    Reading("command_line", "score < 0.7 s", r"score ([\d.]+) s", most=0.7),
    Reading("command_line", "--help < 0.15 s", r"--help ([\d.]+) s", most=0.15),
    Reading("command_line", "compiling ≤ 6 s", r"compiles for ([\d.]+) s", most=6),
    Reading("adapters_label_studio", "≥ 20 MB/s", r"([\d.]+) MB/s, peak", least=20),
    Reading("adapters_label_studio", "< 1.5 GB", r"peak memory ([\d.]+) MB", most=1536),
    Reading("adapters_elan", "< 30 s", r"([\d.]+) s of one core", most=30),
    Reading(
        "label_studio_sync",
        "an unchanged re-sync makes ≤ 10 calls",
        r"unchanged re-sync [\d.]+ s in (\d+) calls",
        most=10,
    ),
    Reading(
        "label_studio_sync",
        "the first sync is ≥ 5 × faster than before",
        r"first sync is ([\d.]+) × faster",
        least=5,
        compared=True,
    ),
    Reading("label_studio_sync", "< 0.5 GB", r"peak memory ([\d.]+) MB", most=512),
    Reading("webhooks", "none lost", r"(\d+) lost", most=0),
    Reading("webhooks", "p99 < 100 ms", r"p99 ([\d.]+) ms", most=100),
    Reading("literature", "α < 2 s", r"coders: ([\d.]+) s", most=2),
    Reading("literature", "all ≤ 2.5 × γ", r"([\d.]+) times as long", most=2.5),
    Reading(
        "throughput",
        "10,000 small tasks ≥ 4 × faster than before",
        r"([\d.]+) × faster",
        least=4,
        compared=True,
    ),
    Reading("throughput", "100,000 tasks < 1 GB", r"peak memory ([\d.]+) MB", most=1024),
    Reading("throughput", "linear in time", r"([\d.]+) times as long a task", most=1.2),
    Reading(
        "workers",
        "two processes ≥ 1.7 × as fast as one, 8 annotators",
        r"8 × 100: [^;]*? ([\d.]+) times as fast",
        least=1.7,
    ),
    Reading("adjudicate_keys", "a key is answered in p95 < 50 ms", r"p95 ([\d.]+) ms", most=50),
    Reading(
        "open_latency",
        "the demo is redrawn coarse in p95 < 150 ms",
        r"demo\.json.*?coarse p50 \d+ ms, p95 (\d+) ms",
        most=150,
    ),
    Reading(
        "open_latency",
        "the demo is redrawn exactly in p95 < 1 s",
        r"demo\.json.*?exact p50 \d+ ms, p95 (\d+) ms",
        most=1000,
    ),
    Reading(
        "open_latency",
        "200 tasks × 3 × 20 in p95 < 5 s",
        r"many\.csv.*?exact p50 \d+ ms, p95 (\d+) ms",
        most=5000,
    ),
    Reading(
        "open_latency",
        "no task of the page > 200 ms",
        r"many\.csv.*longest task of the page (\d+) ms",
        most=200,
    ),
    Reading("merging", "merging takes ≤ 20 % of scoring", r"([\d.]+)% of it", most=20),
)
