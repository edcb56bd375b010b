"""Drawing: how boundaries of a crowd are learned and chosen."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.engine import Unit
from goldspan.engine.gold.drawing import Side, learn_drawing
from goldspan.engine.gold.sites import Site


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6), st.integers(0, 50), st.booleans())
def test_the_boundary_is_the_median_of_the_formula(
    drawn: list[int], seed: int, low_first: bool
) -> None:
    rng = np.random.default_rng(seed)
    names = [f"a{at}" for at in range(len(drawn))]
    length = 7.0
    skills = {name: (float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.05, 0.5))) for name in names}
    found = Side(skills).median(names, drawn, length, low_first=low_first)

    def p(value: int) -> float:
        total = 1.0
        for name, own in zip(names, drawn, strict=True):
            right, width = skills[name]
            apart = math.exp(-abs(own - value) / (length * width))
            total *= right * (own == value) + (1 - right) / length / (2 * width) * apart
        return total

    total = sum(map(p, set(drawn)))
    below = sum(p(value) for value in set(drawn) if value < found)
    above = sum(p(value) for value in set(drawn) if value > found)
    assert below <= total / 2 * (1 + 1e-6)
    assert above <= total / 2 * (1 + 1e-6)


def test_of_two_equals_the_request_decides() -> None:
    side = Side({"a": (0.5, 0.2), "b": (0.5, 0.2)})
    assert side.median(["a", "b"], [3, 5], 8, low_first=True) == 3
    assert side.median(["a", "b"], [3, 5], 8, low_first=False) == 5


@settings(deadline=None)
@given(st.integers(0, 5))
def test_the_exact_ones_are_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    right = {"a": 0.95, "b": 0.8, "c": 0.5, "d": 0.2}
    sites = []
    for task in range(300):
        units = []
        for name, p in right.items():
            start, end = 100, 120
            start += 0 if rng.random() < p else int(rng.integers(1, 8))
            end -= 0 if rng.random() < p else int(rng.integers(1, 8))
            units.append(Unit(name, start, end, "X"))
        sites.append(Site(str(task), tuple(units), tuple(right)))
    drawing = learn_drawing(sites, [1.0] * len(sites))
    assert drawing is not None
    for side in (drawing.start, drawing.end):
        for name, p in right.items():
            assert side.skills[name][0] == pytest.approx(p, abs=0.15)


def test_without_two_units_at_a_place_there_is_nothing_to_learn() -> None:
    alone = Site("t", (Unit("a", 0, 5, "X"),), ("a", "b", "c"))
    assert learn_drawing([alone], [1.0]) is None
