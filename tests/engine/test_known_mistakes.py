"""Mistakes that public implementations make, and this one must not."""

from __future__ import annotations

import numpy as np
import pytest

from engine.continua import continuum, known
from goldspan.engine import Continuum, Corpus, Ordinal, Unit, score


def spoken(seed: int = 1, shift: float = 0, scale: float = 1, units: int = 40) -> Continuum:
    """Three annotators of one recording, moved and stretched at will."""
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(units):
        start, end = k * 50 + 10, k * 50 + 10 + int(rng.integers(10, 30))
        for a in "abc":
            if rng.random() < 0.9:
                s, e = start + int(rng.integers(-4, 5)), end + int(rng.integers(-4, 5))
                label = "pqr"[k % 3] if rng.random() < 0.8 else "p"
                rows.append((a, s * scale + shift, e * scale + shift, label))
    return continuum(*rows)


@pytest.mark.parametrize("chance", ["shift", "statistical"])
@pytest.mark.parametrize(("shift", "scale"), [(1e4, 1), (1e8, 1), (0, 0.01), (1e4, 0.01)])
def test_neither_origin_nor_scale_changes_gamma(chance: str, shift: float, scale: float) -> None:
    """Chance from normal distributions, integer pivots and float32 all break here."""
    plain = score(Corpus((spoken(),)), chance=chance, pairs=False)
    moved = score(Corpus((spoken(shift=shift, scale=scale),)), chance=chance, pairs=False)
    assert known(moved.gamma) == pytest.approx(known(plain.gamma), abs=0.02)
    assert known(moved.gamma_cat) == pytest.approx(known(plain.gamma_cat), abs=0.05)


def test_300_categories() -> None:
    """Categories in one byte go wrong above 127."""
    rows = [
        (a, k * 10, k * 10 + 6, f"label {k if a == 'a' or k % 4 else (k + 128) % 300:03}")
        for k in range(300)
        for a in "ab"
    ]
    result = score(Corpus((continuum(*rows, length=3000),)), pairs=False)
    assert len(result.gamma_k) == 300
    wrong = sum(p.count for kind, p in result.disagreements.items() if kind == "label")
    assert wrong == 75
    assert result.gamma_k["label 001"].value == 1


def test_ordinal_labels_in_any_order() -> None:
    """Ranks come from the scale given, not from the alphabet."""

    def one_step_apart(labels: tuple[str, str]) -> Corpus:
        rows = [
            (a, k * 20, k * 20 + 9, labels[0] if a == "a" or k % 3 else labels[1])
            for k in range(30)
            for a in "ab"
        ]
        rows.append(("a", 700, 709, "zero"))
        return Corpus((continuum(*rows, length=800),))

    scale = Ordinal(("zero", "few", "many"))
    near = score(one_step_apart(("zero", "few")), distances=scale, pairs=False)
    far = score(one_step_apart(("zero", "many")), distances=scale, pairs=False)
    (near_task,), (far_task,) = near.tasks.values(), far.tasks.values()
    assert near_task.alignment.disorder < far_task.alignment.disorder


def test_a_category_that_no_aligned_pair_touches_has_no_gamma_k() -> None:
    rows = [(a, k * 20, k * 20 + 9, "xy"[k % 2]) for k in range(10) for a in "ab"]
    result = score(Corpus((continuum(*rows, ("a", 15, 17, "lonely"), length=200),)), pairs=False)
    figure = result.gamma_k["lonely"]
    assert figure.value is None
    assert figure.n == 0
    assert "'lonely'" in (figure.remark or "")


def test_one_category_has_no_gamma_cat() -> None:
    rows = [(a, k * 20, k * 20 + 9 + (a == "b"), "x") for k in range(10) for a in "ab"]
    result = score(Corpus((continuum(*rows, length=200),)), pairs=False)
    assert result.gamma_cat.value is None
    assert "one category" in (result.gamma_cat.remark or "")


def test_the_mean_number_of_units_is_not_floored() -> None:
    rows = [("a", 0, 9, "x"), ("a", 20, 29, "x"), ("b", 0, 9, "x")]
    result = score(Corpus((continuum(*rows, length=90),)), pairs=False)
    (task,) = result.tasks.values()
    assert task.alignment.disorder == pytest.approx(1 / 1.5)


def test_the_sample_size_rule_is_on() -> None:
    short = [
        Continuum(
            f"t{k}",
            tuple(
                Unit(a, start, start + 5 + k % 4 + (a == "b"), "xy"[(k + j) % 2])
                for a in "ab"
                for j in range(2)
                for start in [k % 7 * 10 + j * 23]
            ),
            length=120,
        )
        for k in range(12)
    ]
    coarse = score(Corpus(tuple(short)), precision=0.2, pairs=False)
    fine = score(Corpus(tuple(short)), precision=0.02, pairs=False)
    assert 30 <= coarse.n_samples < fine.n_samples / 10
    assert fine.n_samples > 60


def test_names_in_any_script() -> None:
    rows = [
        (a, k * 20, k * 20 + 9, c)
        for k, c in enumerate(["名詞", "فعل", "прил", "🙂"] * 5)
        for a in ("Ελένη", "محمد", "花子")
    ]
    result = score(Corpus((continuum(*rows, length=400),)))
    assert result.gamma.value == 1
    assert set(result.gamma_k) == {"名詞", "فعل", "прил", "🙂"}
