"""Made-up continua of any size: a reference, and annotators who each get some of it wrong."""

from __future__ import annotations

import csv
import random
from dataclasses import dataclass
from pathlib import Path

LABELS = ("Noun", "Verb", "Adj", "Prep")
MISSES = 0.10
MISLABELS = 0.15
SHAKE = 0.2
"""The most a boundary moves, as a part of the unit's length."""

Row = tuple[str, str, int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """How many annotators, and how many units each of them has."""

    annotators: int
    units: int

    def __str__(self) -> str:
        return f"{self.annotators} × {self.units}"


def generate(shape: Shape, seed: int = 1) -> list[Row]:
    """Annotator, label, start and end of each unit; the same ones for the same seed.

    Units that an annotator missed are replaced by as many that nobody else saw, so that each has
    exactly `shape.units`.
    """
    rng = random.Random(seed)  # noqa: S311 - made-up mistakes, no secrets
    reference: list[tuple[int, int, str]] = []
    position = 0
    for _ in range(shape.units):
        start = position + rng.randint(5, 15)
        position = start + rng.randint(5, 15)
        reference.append((start, position, rng.choice(LABELS)))
    rows: list[Row] = []
    for number in range(1, shape.annotators + 1):
        units: set[tuple[int, int, str]] = set()
        for start, end, label in reference:
            if rng.random() >= MISSES:
                units.add(_copy(rng, start, end, label))
        while len(units) < shape.units:
            start = rng.randint(0, position)
            units.add((start, start + rng.randint(5, 15), rng.choice(LABELS)))
        rows += [(f"annotator_{number}", label, s, e) for s, e, label in sorted(units)]
    return rows


def write(shape: Shape, folder: Path) -> Path:
    """The file annotator,label,start,end, as both tools read it."""
    path = folder / f"{shape.annotators}x{shape.units}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(generate(shape))
    return path


def _copy(rng: random.Random, start: int, end: int, label: str) -> tuple[int, int, str]:
    most = round(SHAKE * (end - start))
    moved = start + rng.randint(-most, most), end + rng.randint(-most, most)
    return *moved, rng.choice(LABELS) if rng.random() < MISLABELS else label
