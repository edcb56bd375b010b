"""Worst cases: continua on which an exact search could take for ever."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.continua import Row, Shape, generate


def same_span(annotators: int, labels: int) -> list[Row]:
    """Everybody marks one span with each label."""
    return [(f"a{a}", f"label {k}", 0, 100) for a in range(annotators) for k in range(labels)]


def nested(annotators: int, units: int) -> list[Row]:
    """Each unit lies within the one before; ends differ by annotator."""
    return [
        (f"a{a}", "x", k, 2 * units + 1 - k + a) for a in range(annotators) for k in range(units)
    ]


def staircase(annotators: int, units: int) -> list[Row]:
    """Each unit begins a little after the one before, and overlaps fifty of them."""
    return [
        (f"a{a}", "x", 10 * k + a, 10 * k + 500 + a)
        for a in range(annotators)
        for k in range(units)
    ]


def near_one_place(annotators: int, units: int) -> list[Row]:
    """Units with four labels that begin and end within a tenth of their length of one place."""
    rng = random.Random(1)  # noqa: S311 - made-up mistakes, no secrets
    rows: list[Row] = []
    for a in range(annotators):
        made: set[tuple[int, int, str]] = set()
        while len(made) < units:
            made.add((rng.randint(90, 110), rng.randint(190, 210), f"label {rng.randint(1, 4)}"))
        rows += [(f"a{a}", label, start, end) for start, end, label in sorted(made)]
    return rows


def identical(annotators: int, units: int) -> list[Row]:
    """Everybody marks the same spans, far apart."""
    return [
        (f"a{a}", "x", 1000 * k, 1000 * k + 20) for a in range(annotators) for k in range(units)
    ]


WORST: Mapping[str, Callable[[], list[Row]]] = {
    "same span × 60 labels, 3 annotators": lambda: same_span(3, 60),
    "nested, 3 × 200": lambda: nested(3, 200),
    "staircase, 3 × 200": lambda: staircase(3, 200),
    "staircase, 5 × 50": lambda: staircase(5, 50),
    "near one place, 5 × 60": lambda: near_one_place(5, 60),
    "near one place, 10 × 10": lambda: near_one_place(10, 10),
    "identical, 50 × 10": lambda: identical(50, 10),
    "ordinary, 50 × 400": lambda: generate(Shape(50, 400)),
    "ordinary, 2 × 500,000": lambda: generate(Shape(2, 500_000)),
}


def write(name: str, folder: Path) -> Path:
    """The file annotator,label,start,end of a worst case."""
    path = folder / f"worst-{list(WORST).index(name)}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(WORST[name]())
    return path
