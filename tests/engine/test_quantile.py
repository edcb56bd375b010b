"""Quantiles: our own is SciPy's, double by double."""

from __future__ import annotations

import subprocess
import sys

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri, stdtrit

from goldspan.engine.quantile import normal_quantile, student_quantile


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_the_normal_quantile_is_that_of_scipy(p: float) -> None:
    assert normal_quantile(p) == pytest.approx(float(ndtri(p)), rel=1e-15, abs=1e-300)


@pytest.mark.parametrize("p", [1e-300, 1e-20, 0.005, 0.13, 0.14, 0.5, 0.9, 0.95, 0.975, 0.995])
def test_the_normal_quantile_is_the_same_double_where_levels_are(p: float) -> None:
    assert normal_quantile(p) == float(ndtri(p))


def test_the_quantile_of_t_is_that_of_scipy() -> None:
    """The table has 99 of them, as SciPy 1.17 gives them; earlier ones are off by up to 5e-11."""
    off = 0.0 if tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 17) else 1e-10
    assert student_quantile(0.975, 9) == pytest.approx(2.262157)
    for freedom in [*range(1, 120), 3.5]:
        for p in (0.975, 0.95):
            expected = float(stdtrit(freedom, p))
            assert abs(student_quantile(p, freedom) - expected) <= off * expected, (p, freedom)


def test_an_interval_that_needs_no_t_loads_no_scipy() -> None:
    script = (
        "import sys; from goldspan.engine import Continuum, Corpus, Unit, score;"
        "one = Continuum('t', (Unit('a', 0, 5, 'X'), Unit('b', 1, 5, 'X'), Unit('b', 7, 9, 'Y')),"
        " length=20); score(Corpus((one,))); print('scipy.special' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )  # fmt: skip
    assert done.stdout == "False\n"
