"""Precision: γcat is known as precisely as was asked for, however few pairs a sample has."""

from __future__ import annotations

import numpy as np
import pytest

from engine.test_scoring import corpus
from goldspan.engine import score

pytestmark = pytest.mark.simulation

SETUPS = {
    "30 sparse tasks of 3 x 4": {"tasks": 30, "units": 4},
    "6 tasks of 3 x 8": {"tasks": 6, "units": 8},
    "12 tasks of 2 x 6": {"tasks": 12, "annotators": 2, "units": 6},
    "10 tasks of 4 x 6": {"tasks": 10, "annotators": 4, "units": 6},
    "8 tasks of 3 x 20": {"tasks": 8, "units": 20},
    "1 task of 3 x 30, shifted": {"tasks": 1, "units": 30},
}


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_the_spread_over_seeds_is_what_the_precision_allows(setup: dict[str, int]) -> None:
    """2 % at 95 % is a relative standard deviation of 1 % in what chance expects."""
    data = corpus(**setup, noise=0.5)
    figures = [score(data, seed=seed, pairs=False).gamma_cat for seed in range(40)]
    expected = [figure.expected or 0.0 for figure in figures]
    assert np.std(expected, ddof=1) / np.mean(expected) <= 0.012
    assert max(figure.error or 1.0 for figure in figures) <= 0.02
