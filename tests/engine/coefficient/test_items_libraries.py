"""Coefficients of predefined items beside other libraries, on random data."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import masi_distance
from sklearn.metrics import cohen_kappa_score

from engine.coefficient.judged import places, random_rows, value, weighted
from goldspan.engine import Settings
from goldspan.engine.dissimilarity import Dissimilarity, Ordinal
from goldspan.engine.set_distances import jaccard, masi

SEEDS = range(6)
LEVELS = ["nominal", "ordinal", "interval", "ratio"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_that_of_krippendorff(level: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, int(rng.integers(2, 6)), 30, "12479", missing=0.25)
    matrix = [[np.nan if one is None else float(one) for one in row] for row in rows]
    expected = krippendorff.alpha(reliability_data=matrix, level_of_measurement=level)
    key = "alpha" if level == "nominal" else f"alpha_{level}"
    assert value(places(*rows), key) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_with_distances_is_that_of_krippendorff(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, 3, 30, "abc", missing=0.2)
    settings = weighted("abc", {"ab": 0.2, "bc": 0.7})
    distances = settings.dissimilarity.distances.between("abc")

    def metric(v1: np.ndarray, v2: np.ndarray, **_: object) -> np.ndarray:
        return np.asarray(distances[v1.astype(int), v2.astype(int)])

    matrix = [[np.nan if one is None else "abc".index(one) for one in row] for row in rows]
    expected = krippendorff.alpha(
        reliability_data=matrix, level_of_measurement=metric, value_domain=[0, 1, 2]
    )
    assert value(places(*rows), "alpha_weighted", settings=settings) == pytest.approx(expected)


def _nltk(rows: list[list[str]]) -> AnnotationTask:
    return AnnotationTask(
        [(c, i, label) for c, row in enumerate(rows) for i, label in enumerate(row)]
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("coders", [2, 3, 5])
def test_complete_data_gives_what_nltk_gives(coders: int, seed: int) -> None:
    rows = random_rows(np.random.default_rng(seed), coders, 25, "abcd")
    data, theirs = places(*rows, scale="abcd"), _nltk(rows)
    assert value(data, "observed_agreement") == pytest.approx(theirs.avg_Ao())
    assert value(data, "multi_pi") == pytest.approx(theirs.pi())
    assert value(data, "multi_kappa") == pytest.approx(theirs.multi_kappa())
    assert value(data, "alpha") == pytest.approx(theirs.alpha())
    if {label for row in rows for label in row} == set("abcd"):
        assert value(data, "s") == pytest.approx(theirs.S())


@pytest.mark.parametrize("seed", SEEDS)
def test_kappa_of_two_is_that_of_scikit_learn(seed: int) -> None:
    one, other = random_rows(np.random.default_rng(seed), 2, 40, "abcd")
    data = places(one, other)
    assert value(data, "kappa") == pytest.approx(cohen_kappa_score(one, other))
    linear = Settings(dissimilarity=Dissimilarity(distances=Ordinal(tuple("abcd"))))
    assert value(data, "weighted_kappa", settings=linear) == pytest.approx(
        cohen_kappa_score(one, other, labels=list("abcd"), weights="linear")
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_masi_is_that_of_nltk(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = (frozenset(rng.choice(list("abcdef"), rng.integers(1, 5))) for _ in range(2))
    # nltk rounds M to 0.33 and 0.67.
    assert float(masi(one, other)) == pytest.approx(masi_distance(one, other), abs=5e-3)
    assert float(jaccard(one, other)) == pytest.approx(1 - len(one & other) / len(one | other))


@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_of_sets_is_that_of_krippendorff(seed: int) -> None:
    """Each set as a number, and the distances of sets handed over as a table."""
    rng = np.random.default_rng(seed)
    sets = [("a",), ("b",), ("a", "b"), ("a", "b", "c"), ("c",)]
    drawn = random_rows(rng, 3, 30, "01234", missing=0.1)
    rows = [[None if one is None else sets[int(one)] for one in row] for row in drawn]
    distances = np.array([[float(masi(frozenset(a), frozenset(b))) for b in sets] for a in sets])

    def metric(v1: np.ndarray, v2: np.ndarray, **_: object) -> np.ndarray:
        return np.asarray(distances[v1.astype(int), v2.astype(int)])

    matrix = [[np.nan if one is None else float(one) for one in row] for row in drawn]
    expected = krippendorff.alpha(
        reliability_data=matrix, level_of_measurement=metric, value_domain=[0, 1, 2, 3, 4]
    )
    assert value(places(*rows), "alpha_masi") == pytest.approx(expected)
