"""Published numbers and behaviours, each named after its source."""

from __future__ import annotations

import numpy as np
import pytest

from engine.continua import continuum
from goldspan.engine import Continuum, Corpus, Measure, Unit, best_alignment, score
from goldspan.engine.chance.estimate import Estimate, sample_size

# Krippendorff 2011, p. 9: coders A to D, items 1 to 12, 7 values missing.
KRIPPENDORFF = {
    "A": "123321412...",
    "B": "123322412 5.3",
    "C": ".33323422 51.",
    "D": "123324412 51.",
}


def krippendorff() -> Continuum:
    """Each item as a unit of length 1."""
    rows = []
    for coder, values in KRIPPENDORFF.items():
        for item, value in enumerate(values.replace(" ", "")):
            if value != ".":
                rows.append((coder, item, item + 1, value))
    assert len(rows) == 4 * 12 - 7
    return continuum(*rows, length=12)


def test_mathet_2017_krippendorff_example_with_alpha_3() -> None:
    """Items align with themselves; α of the same data is 0.743."""
    result = score(Corpus((krippendorff(),)), alpha=3, precision=0.005, pairs=False)
    (task,) = result.tasks.values()
    assert task.gamma_cat.value is not None
    assert _observed_cat(task.alignment) == pytest.approx(0.2, abs=1e-9)
    assert 0.74 < task.gamma_cat.value < 0.76


def test_mathet_2017_krippendorff_example_with_alpha_1() -> None:
    """The true optimum joins B's lone item 12 to item 11."""
    assert _observed_cat(best_alignment(krippendorff())) == pytest.approx(0.2051, abs=5e-5)


def _observed_cat(alignment: object) -> float:
    """Algorithm 1 of the paper, written again."""
    disorder = weight = 0.0
    for one in alignment.unitary:  # type: ignore[attr-defined]
        for a, u in enumerate(one.units):
            for v in one.units[:a]:
                apart = (abs(u.start - v.start) + abs(u.end - v.end)) / (u.length + v.length)
                share = max(0.0, 1 - apart**2) / (len(one.units) - 1)
                weight += share
                disorder += share * (u.category != v.category)
    return disorder / weight


def test_mathet_2015_section_5_3_sample_size() -> None:
    """Cv = 0.040188 asks for 16 samples at 2 % and about 62 at 1 %."""
    estimate = Estimate(3.49, 0.040188, 30, 30)
    assert sample_size(estimate, 0.02, 0.95) == 16
    assert sample_size(estimate, 0.01, 0.95) == pytest.approx(62, abs=1)


def _sum(*rows: tuple[str, float, float, str]) -> float:
    """The sum of the unitary disorders, before it is divided by x̄."""
    return sum(one.disorder for one in best_alignment(continuum(*rows)).unitary)


def test_mathet_2015_figure_17_orphans_of_any_length_cost_the_same() -> None:
    agreed = [("a", 0, 10, "x"), ("b", 0, 10, "x")]
    long = _sum(*agreed, ("a", 20, 30, "x"))
    short = _sum(*agreed, ("a", 20, 21, "x"))
    two_short = _sum(*agreed, ("a", 20, 21, "x"), ("a", 25, 26, "x"))
    assert long == short
    assert two_short == 2 * long


def test_mathet_2015_figure_18_splits_cost_more_and_more() -> None:
    costs = []
    for pieces in (1, 2, 3, 4, 6):
        width = 24 // pieces
        rows = [("b", k * width, (k + 1) * width, "x") for k in range(pieces)]
        costs.append(best_alignment(continuum(("a", 0, 24, "x"), *rows)).disorder)
    assert costs[0] == 0
    assert costs == sorted(costs)
    assert len(set(costs)) == len(costs)


def test_mathet_2015_figure_19_responds_to_splits_beside_agreement() -> None:
    whole = [("a", 0, 10, "x"), ("a", 10, 20, "x"), ("b", 0, 10, "x"), ("b", 10, 20, "x")]
    split = [("a", 0, 20, "x"), ("b", 0, 10, "x"), ("b", 10, 20, "x")]
    assert best_alignment(continuum(*whole)).disorder == 0
    assert best_alignment(continuum(*split)).disorder > 0.5


def test_mathet_2015_figure_22_embedded_units_align_to_their_twins() -> None:
    rows = [(a, s, e, "x") for a in "ab" for s, e in ((0, 30), (10, 20))]
    found = best_alignment(continuum(*rows))
    assert found.disorder == 0
    for one in found.unitary:
        assert len({(u.start, u.end) for u in one.units}) == 1
        assert len(one.units) == 2


def _text(rng: np.random.Generator, task: str, annotators: int, units: int) -> Continuum:
    """Annotations that know nothing of each other."""
    rows = set()
    for a in range(annotators):
        for start in rng.integers(0, 970, units):
            rows.add(
                Unit(f"a{a}", int(start), int(start + rng.integers(5, 30)), "xyz"[rng.integers(3)])
            )
    return Continuum(task, tuple(rows), length=1000, measure=Measure.CHARACTER)


@pytest.mark.parametrize(("chance", "tasks"), [("corpus", 12), ("shift", 1)])
def test_random_annotations_give_0_on_average(chance: str, tasks: int) -> None:
    rng = np.random.default_rng(0)
    gammas, cats = [], []
    for _ in range(8 if tasks > 1 else 30):
        corpus = Corpus(tuple(_text(rng, f"t{k}", 3, 15) for k in range(tasks)))
        result = score(corpus, chance=chance, precision=0.1, pairs=False)
        gammas.append(result.gamma.value)
        cats.append(result.gamma_cat.value)
    assert np.mean(gammas) == pytest.approx(0, abs=0.05)
    assert np.mean(cats) == pytest.approx(0, abs=0.05)


def test_identical_annotations_give_exactly_1() -> None:
    spans = [(0, 5, "x"), (3, 9, "y"), (20, 30, "x"), (41, 44, "z")]
    c = continuum(*[(a, s, e, k) for a in "abc" for s, e, k in spans], length=50)
    result = score(Corpus((c,)))
    assert result.gamma.value == 1
    assert result.gamma_cat.value == 1
    assert {figure.value for figure in result.gamma_k.values()} == {1}
    assert [pair.gamma.value for pair in result.pairs] == [1, 1, 1]


def test_mathet_2017_false_negatives_only_give_gamma_cat_exactly_1() -> None:
    spans = [(k * 20, k * 20 + 8, "xyz"[k % 3]) for k in range(20)]
    rng = np.random.default_rng(4)
    rows = [(a, s, e, k) for a in "abc" for s, e, k in spans if rng.random() < 0.6]
    result = score(Corpus((continuum(*rows, length=420),)), pairs=False)
    assert result.gamma_cat.value == 1
    assert {figure.value for figure in result.gamma_k.values()} == {1}
    assert result.gamma.value is not None
    assert result.gamma.value < 0.9
