"""Presets: figures that are comparable with other software, and the settings they are made of."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from engine.continua import continuum, known, public
from engine.test_published import krippendorff
from goldspan.engine import (
    Chance,
    Continuum,
    Corpus,
    Dissimilarity,
    Settings,
    SettingsError,
    best_alignment,
    score,
)
from goldspan.engine.chance.estimate import Estimate
from goldspan.engine.chance.normal import Normal
from goldspan.engine.chance.sampler import observed_task
from goldspan.engine.chance.shift import Shift
from goldspan.engine.settings import PRESETS, Average


def test_presets_only_fill_settings_that_can_be_given_one_by_one() -> None:
    assert Settings.of("authors") == Settings(
        dissimilarity=Dissimilarity(3.0), chance=Chance.SHIFT, spacing=0.5, floor_mean=True,
        alpha_weights=True, average=Average.SAMPLES,
    )  # fmt: skip
    assert Settings.of("pygamma") == Settings(chance=Chance.NORMAL, average=Average.SAMPLES)
    assert Settings.of() == Settings()
    assert Settings.of("authors", alpha=1, floor_mean=False, chance="corpus", seed=4) == replace(
        Settings.of("authors"), seed=4, dissimilarity=Dissimilarity(1), floor_mean=False,
        chance=Chance.CORPUS,
    )  # fmt: skip


def test_every_setting_is_in_the_json() -> None:
    named = {field.name for field in fields(Settings)} - {"dissimilarity", "bootstrap"}
    assert named | {"alpha", "position", "exponent", "interval"} <= set(Settings().as_json())
    assert all(set(PRESETS[name]) <= set(Settings().as_json()) for name in PRESETS)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"preset": "java"}, "there is no preset 'java'; use one of authors, pygamma"),
        ({"average": "median"}, "there is no average 'median'; use one of sums, samples"),
        ({"spacing": -1.0}, "the spacing is -1.0; it must be a finite number from 0 up"),
        ({"spacing": float("nan")}, "the spacing is nan"),
        ({"alpha": 0, "beta": 0}, "alpha and beta are both 0"),
        ({"position": "iou", "exponent": 1}, "'iou' has no exponent"),
    ],
)
def test_bad_settings(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        Settings.of(**given)


def test_gamma_software_sample_alex_paul_suzan() -> None:
    """pygamma's tests, with α = 3 and shifts, have: disorder .96, 6 groups, γ .44 to .47, and γcat
    .38 to .42. The .96 is divided by x̄ = 5.33; floored, to 5, it is 1.02. Two units that stand
    alone could be one group at the same cost, which makes 6 of 7. The γcat counts empty slots as
    disagreement, which the paper's algorithm does not; without them it is .66 to .70, as pygamma's
    tests had before.
    """
    sample = public("AlexPaulSuzan")
    result = score(Corpus((sample,)), settings=Settings.of("authors", precision=0.005), pairs=False)
    (task,) = result.tasks.values()
    assert best_alignment(sample, Dissimilarity(3)).disorder == pytest.approx(0.96, abs=0.001)
    assert task.alignment.disorder == pytest.approx(0.960625 * (16 / 3) / 5)
    alone = [one.units[0] for one in task.alignment.unitary if len(one.units) == 1]
    assert len(task.alignment.unitary) == 7
    assert Dissimilarity(3).between(*alone) == pytest.approx(4)  # 1 + 1 = (4 + 2)/3: a tie
    assert 0.44 < known(result.gamma) < 0.47
    assert 0.66 < known(result.gamma_cat) < 0.70


def test_mathet_2017_krippendorff_example_with_the_authors_preset() -> None:
    corpus = Corpus((krippendorff(),))
    result = score(corpus, settings=Settings.of("authors", precision=0.005), pairs=False)
    assert result.gamma_cat.observed is not None
    (task,) = result.tasks.values()
    pairs = [
        (one, other, len(group.units) - 1)
        for group in task.alignment.unitary
        for one, other in combinations(group.units, 2)
    ]
    assert {one.start == other.start for one, other, _ in pairs} == {True}
    differing = sum((one.category != other.category) / size for one, other, size in pairs)
    assert differing / sum(1 / size for *_, size in pairs) == pytest.approx(0.2)
    assert 0.74 < known(result.gamma_cat) < 0.76


@pytest.mark.parametrize("floored", [False, True])
def test_a_floored_mean_divides_by_whole_units(floored: bool) -> None:
    c = continuum(("a", 0, 5, "x"), ("a", 20, 25, "y"), ("a", 40, 45, "x"), ("b", 1, 5, "x"),
                  ("b", 41, 45, "y"), length=90)  # fmt: skip
    settings = Settings(floor_mean=floored, chance=Chance.SHIFT, precision=0.1)
    result = score(Corpus((c,)), settings=settings, pairs=False)
    (task,) = result.tasks.values()
    cost = sum(one.disorder for one in task.alignment.unitary)
    assert task.alignment.disorder == pytest.approx(cost / (2 if floored else 2.5))
    assert result.expected_disorder is not None
    expected = 1 - task.alignment.disorder / result.expected_disorder
    assert result.gamma.value == pytest.approx(expected)


def test_a_mean_below_one_is_floored_to_one() -> None:
    assert Settings(floor_mean=True).mean_units(2, 3) == 1
    assert Settings(floor_mean=True).mean_units(16, 3) == 5
    assert Settings().mean_units(16, 3) == 16 / 3


@pytest.mark.parametrize(("alpha_weights", "weight"), [(False, 8 / 9), (True, 1 - 3 / 9)])
def test_weights_with_alpha(alpha_weights: bool, weight: float) -> None:
    rows = [("a", 0, 10, "x"), ("b", 0, 5, "y"), ("a", 30, 40, "y"), ("b", 30, 40, "y")]
    settings = Settings.of(alpha=3, alpha_weights=alpha_weights, precision=0.3)
    found = score(Corpus((continuum(*rows, length=60),)), settings=settings, pairs=False)
    assert found.gamma_cat.observed == pytest.approx(weight)


def test_half_the_spacing_leaves_room_for_twice_as_many() -> None:
    source = observed_task(
        continuum(("a", 0, 10, "x"), ("b", 0, 10, "x"), length=30), ("a", "b"), {"x": 0}
    )
    assert Shift(source).has_room(3)
    assert not Shift(source).has_room(4)
    assert Shift(source, spacing=0.5).has_room(6)
    assert not Shift(source, spacing=0.5).has_room(7)
    gaps = []
    for seed in range(200):
        starts = np.sort(Shift(source, 0.5).draw(np.random.default_rng(seed), 3).start)
        gaps.append(np.diff(np.append(starts, starts[0] + 30)).min())
    assert 5 <= min(gaps) < 10


def test_the_mean_of_ratios_and_the_ratio_of_sums() -> None:
    cost, units = np.array([1.0, 6.0, 9.0]), np.array([1.0, 3.0, 0.0])
    sums, means = Estimate.of(cost, units), Estimate.of_ratios(cost, units)
    assert sums is not None
    assert means is not None
    assert sums.mean == pytest.approx(16 / 4)
    assert means.mean == pytest.approx((1 + 2) / 2)
    assert means.telling == 2
    assert Estimate.of_ratios(cost, np.zeros(3)) is None


def lonely() -> Continuum:
    rows = [("a", 10, 14, "x"), ("a", 20, 26, "y"), ("b", 11, 14, "x"), ("b", 30, 33, "x")]
    return continuum(*rows)


def test_normal_draws_the_observed_means() -> None:
    """Gaps 0, 6, 16, and 10 and 11 from 0 to the first units; lengths 4, 6, 3, 3."""
    source = observed_task(lonely(), ("a", "b"), {"x": 0, "y": 1})
    layouts = [Normal(source).draw(np.random.default_rng(seed), 2) for seed in range(3000)]
    assert {layout.size for layout in layouts} == {4}
    lengths = np.concatenate([layout.end - layout.start for layout in layouts])
    firsts = [layout.start[layout.annotator == 0].min() for layout in layouts]
    shares = np.concatenate([layout.category for layout in layouts]).mean()
    assert lengths.mean() == pytest.approx(4, abs=0.1)
    assert lengths.std() == pytest.approx(np.std([4, 6, 3, 3]), abs=0.1)
    assert np.mean(firsts) == pytest.approx(np.mean([0, 6, 16, 10, 11]), abs=0.5)
    assert shares == pytest.approx(0.25, abs=0.02)


def test_normal_depends_on_where_zero_is_and_the_others_do_not() -> None:
    moved = replace(
        lonely(),
        units=tuple(replace(u, start=u.start + 500, end=u.end + 500) for u in lonely().units),
    )
    for chance, same in (("normal", False), ("shift", True), ("statistical", True)):
        one, other = (score(Corpus((c,)), chance=chance, pairs=False) for c in (lonely(), moved))
        assert (one.expected_disorder == other.expected_disorder) is same
