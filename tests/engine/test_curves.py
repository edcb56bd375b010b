"""The papers' experiments: what the papers say of their curves holds, on a reduced run.

Mathet et al. 2015 (§6.3) and Mathet 2017 (§5). The ranges are for 40 sets; 16 keep inside of them.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache

import pytest

from goldspan.engine import SettingsError
from goldspan.engine.parallel import Compute
from goldspan.engine.simulation.curves import CurvesRequest, desiderata, measure_points
from goldspan.engine.simulation.error_model import Errors
from goldspan.engine.simulation.experiment import Experiment, magnitudes
from goldspan.engine.simulation.papers import FIGURES, paper_figure, without_gaps
from goldspan.engine.simulation.point import (
    Mean,
    Point,
    PointRequest,
    measure_point,
    shuffled_sets,
)
from goldspan.engine.simulation.reference import DENSE

SETS = 16


@cache
def means(figure: str, magnitude: float, number: int = 0) -> dict[tuple[str, str], float]:
    experiment = FIGURES[figure].experiments[number]
    point = measure_point(PointRequest(experiment, magnitude, SETS, precision=0.04))
    return {key: mean.value for key, mean in point.means.items()}


def value(figure: str, magnitude: float, measure: str, label: str = "", number: int = 0) -> float:
    return means(figure, magnitude, number)[measure, label]


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_every_curve_starts_at_1(figure: str) -> None:
    for experiment in FIGURES[figure].experiments:
        point = measure_point(PointRequest(experiment, 0.0, 3))
        assert all(mean.value == pytest.approx(1) for mean in point.means.values())


@pytest.mark.parametrize(
    ("figure", "magnitude", "measure", "low", "high"),
    [
        ("2015:25", 1.0, "ser", 0.6, 1.0),
        ("2015:25", 1.0, "kappa_d", 0.3, 1.0),
        ("2015:26a", 0.05, "ser", 0.49, 0.52),
        ("2015:26a", 1.0, "gamma", 0.05, 0.2),
        ("2015:26b", 1.0, "gamma", -0.05, 0.12),
        ("2015:27", 1.0, "gamma", 0.15, 0.25),
        ("2015:28b", 0.95, "gamma", -0.08, 0.1),
        ("2017:11", 0.55, "gamma_cat", 0.98, 1.0),
        ("2017:11", 0.8, "gamma_cat", 0.9, 1.0),
        ("2017:11", 0.8, "cu_alpha", 0.45, 0.65),
        ("2017:12", 1.0, "gamma", 0.3, 0.4),
        ("2017:15", 1.0, "gamma_cat", 0.28, 0.38),
    ],
)
def test_stated_values(
    figure: str, magnitude: float, measure: str, low: float, high: float
) -> None:
    assert low <= value(figure, magnitude, measure) <= high


def test_2015_figure_25_without_gaps_kappa_d_reaches_0() -> None:
    point = measure_point(PointRequest(without_gaps(), 1.0, SETS))
    assert point.means["kappa_d", ""].value < 0.1


def test_2015_figure_25_gamma_is_about_cu_alpha() -> None:
    for magnitude in (0.3, 0.6, 1.0):
        assert (
            abs(value("2015:25", magnitude, "gamma") - value("2015:25", magnitude, "cu_alpha"))
            < 0.06
        )


@pytest.mark.parametrize("figure", ["2015:26a", "2015:26b", "2015:28b"])
def test_gamma_decreases(figure: str) -> None:
    """With common random numbers, each of these steps is down."""
    found = [value(figure, m, "gamma") for m in (0.05, 0.2, 0.4, 0.6, 0.95)]
    assert all(one > other for one, other in itertools.pairwise(found))


def test_2015_figure_27_three_measures_do_not_see_splits() -> None:
    for measure in ("u_alpha_2013", "cu_alpha", "kappa_d"):
        assert value("2015:27", 1.0, measure) == pytest.approx(1)
    assert value("2015:27", 1.0, "ser") < 0


def test_2015_figure_28b_labels_of_what_is_left_are_right() -> None:
    assert value("2015:28b", 0.6, "cu_alpha") == pytest.approx(1)
    assert value("2015:28b", 0.6, "gamma_cat") == pytest.approx(1)
    assert value("2015:28b", 0.6, "ser") < 0


def test_2015_figure_24_gamma_uses_the_whole_range() -> None:
    assert value("2015:24a", 0.95, "gamma") < 0.1
    assert value("2015:24b", 1.0, "gamma") < 0.15
    assert value("2015:24b", 1.0, "window_diff") == pytest.approx(0.4, abs=0.12)
    assert value("2015:24b", 1.0, "ghd") == pytest.approx(0.4, abs=0.12)


def test_2015_figures_28a_and_30_all_respond_to_false_positives() -> None:
    for figure in ("2015:28a", "2015:30"):
        assert value(figure, 0.1, "gamma") < 0.95
        assert value(figure, 0.1, "cu_alpha") > value(figure, 0.1, "gamma")


def test_2017_figure_12_gamma_cat_is_about_cu_alpha() -> None:
    for magnitude in (0.4, 0.8, 1.0):
        assert (
            abs(value("2017:12", magnitude, "gamma_cat") - value("2017:12", magnitude, "cu_alpha"))
            <= 0.05
        )


def test_2017_figure_13_cu_alpha_is_lower_than_gamma_cat() -> None:
    found = [
        value("2017:13", m, "gamma_cat") - value("2017:13", m, "cu_alpha")
        for m in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    ]
    assert 0.02 <= max(found) <= 0.12


def test_2017_figure_14_long_units_raise_cu_alpha_only() -> None:
    assert 0.48 <= value("2017:14", 1.0, "cu_alpha", number=1) <= 0.58
    assert 0.2 <= value("2017:14", 1.0, "gamma_cat", number=1) <= 0.36
    assert value("2017:14", 1.0, "cu_alpha") == pytest.approx(1 / 3, abs=0.05)


def test_2017_figure_15_labels_apart() -> None:
    assert value("2017:15", 1.0, "gamma_k", "D") == pytest.approx(1)
    for label in "ABC":
        assert 0 <= value("2017:15", 1.0, "gamma_k", label) <= 0.15


def test_the_same_random_numbers_at_every_magnitude() -> None:
    (experiment,) = FIGURES["2015:28b"].experiments
    few, many = (shuffled_sets(PointRequest(experiment, m, 3)) for m in (0.3, 0.6))
    for one, other in zip(few, many, strict=True):
        assert set(other.units) <= set(one.units)


def test_points_are_the_same_for_any_number_of_workers() -> None:
    requests = CurvesRequest(step=0.5, sets=3).points(FIGURES["2017:12"].experiments)
    one = measure_points(requests)
    two = measure_points(requests, Compute(workers=2))
    assert [replace(p, seconds=0) for p in one] == [replace(p, seconds=0) for p in two]


def test_known_points_are_not_measured_again() -> None:
    requests = CurvesRequest(step=0.5, sets=2).points(FIGURES["2017:12"].experiments)
    known = {at: Point("2017:12", at / 2, {}, 0.0) for at in (0, 1, 2)}
    assert measure_points(requests, known=known) == [known[0], known[1], known[2]]


def marks(*values: float) -> tuple[bool | None, ...]:
    curve = [(at / 10, Mean(one, None, None, 1)) for at, one in enumerate(values)]
    found = desiderata(curve)
    assert found is not None
    return found.starts_at_1, found.reaches_0, found.never_below_0, found.decreasing


def test_desiderata() -> None:
    assert marks(1.0, 0.6, 0.3, 0.1, 0.0) == (True, True, True, True)
    assert marks(0.9, 0.6, 0.3, 0.1, -0.2) == (False, True, False, True)
    assert marks(1.0, 1.0, 1.0, 1.0, 1.0) == (True, False, True, False)
    assert marks(1.0, 0.3, 0.5, 0.2, 0.1)[3] is False
    assert desiderata([]) is None


def test_bad_settings() -> None:
    with pytest.raises(SettingsError, match="there is no figure '2015:99'; there are 2015:24a"):
        paper_figure("2015:99")
    with pytest.raises(SettingsError, match="the step of magnitudes is 0"):
        magnitudes(0)
    with pytest.raises(SettingsError, match="number of annotators is 1"):
        Experiment("x", ("position",), DENSE, annotators=1)
    with pytest.raises(SettingsError, match="there is no error 'typos'"):
        Experiment("x", ("typos",), DENSE)
    with pytest.raises(SettingsError, match=r"the magnitude is 1\.5"):
        PointRequest(Experiment("x", ("position",), DENSE, Errors()), 1.5)
