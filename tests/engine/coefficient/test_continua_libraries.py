"""Coefficients of continua beside other libraries, on random data."""

from __future__ import annotations

import numpy as np
import pytest
import segeval
from nltk.metrics.segmentation import ghd, pk, windowdiff
from segeval.agreement.kappa import fleiss_kappa_linear
from segeval.agreement.pi import fleiss_pi_linear
from seqeval.metrics import f1_score
from seqeval.scheme import IOB2

from engine.coefficient.judged import value
from engine.coefficient.marked import (
    Row,
    corpus,
    of,
    random_masses,
    random_spans,
    segments,
)
from engine.coefficient.test_continua_published import FIGURE_5
from goldspan.engine import Corpus
from goldspan.engine.coefficient.continua.boundaries import (
    boundary_edits,
    differing_windows,
    hamming_cost,
)
from goldspan.engine.literature import agreement

SEEDS = range(20)


def _pair(seed: int) -> tuple[int, list[int], list[int]]:
    rng = np.random.default_rng(seed)
    length = int(rng.integers(12, 60))
    return length, random_masses(rng, length), random_masses(rng, length)


def _places(masses: list[int]) -> np.ndarray:
    return np.cumsum(masses)[:-1]


def _string(masses: list[int], length: int) -> str:
    places = set(_places(masses).tolist())
    return "".join("1" if at in places else "0" for at in range(1, length))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_windows_are_those_of_nltk(seed: int, size: int) -> None:
    length, one, other = _pair(seed)
    strings = _string(one, length), _string(other, length)
    for counting, theirs in ((False, pk(*strings, k=size)), (True, windowdiff(*strings, k=size))):
        differ, windows = differing_windows(
            _places(one), _places(other), length, size, counting=counting
        )
        assert differ / windows == pytest.approx(theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_pk_is_that_of_segeval(seed: int) -> None:
    length, one, other = _pair(seed)
    expected = segeval.pk(other, one, window_size=3)
    differ, windows = differing_windows(_places(one), _places(other), length, 3, counting=False)
    assert differ / windows == pytest.approx(float(expected))


@pytest.mark.parametrize("seed", SEEDS)
def test_hamming_distance_is_that_of_nltk(seed: int) -> None:
    length, one, other = _pair(seed)
    expected = ghd(_string(one, length), _string(other, length), 1.0, 1.0, 0.3)
    assert hamming_cost(_places(one), _places(other), 1.0, 1.0, 0.3) == pytest.approx(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_boundary_edits_are_those_of_segeval(seed: int) -> None:
    _, one, other = _pair(seed)
    found = boundary_edits(_places(one), _places(other))
    theirs = segeval.boundary_statistics(one, other)
    assert found.matches == len(theirs["matches"])
    assert found.additions == len(theirs["additions"])
    assert found.near_misses == len(theirs["transpositions"])
    assert found.cost == pytest.approx(float(theirs["count_edits"]))


@pytest.mark.parametrize("seed", SEEDS)
def test_similarities_are_those_of_segeval(seed: int) -> None:
    _, one, other = _pair(seed)
    data = Corpus((segments(one, other),))
    assert value(data, "boundary_similarity") == pytest.approx(
        float(segeval.boundary_similarity(one, other))
    )
    assert value(data, "segmentation_similarity") == pytest.approx(
        float(segeval.segmentation_similarity(one, other))
    )


@pytest.mark.parametrize("seed", range(6))
def test_several_tasks_and_coders_are_those_of_segeval(seed: int) -> None:
    """All tasks are equally long: segeval takes the mean of boundaries by place over tasks."""
    rng = np.random.default_rng(seed)
    tasks = [[random_masses(rng, 30) for _ in range(4)] for _ in range(6)]
    data = Corpus(tuple(segments(*own, task=f"t{at}") for at, own in enumerate(tasks)))
    theirs = {
        f"t{at}": {f"a{number}": tuple(masses) for number, masses in enumerate(own)}
        for at, own in enumerate(tasks)
    }
    assert value(data, "pi_b") == pytest.approx(float(fleiss_pi_linear(theirs)))
    assert value(data, "kappa_b") == pytest.approx(float(fleiss_kappa_linear(theirs)))


def _nervaluate(rows: list[Row]) -> dict[str, float]:
    nervaluate = pytest.importorskip("nervaluate", reason="it needs Python 3.11")
    # Its ends are inclusive.
    first, second = (
        [
            {"label": label, "start": start, "end": end - 1}
            for a, start, end, label in rows
            if a == name
        ]
        for name in sorted({name for name, *_ in rows})
    )
    found = nervaluate.Evaluator([first], [second], tags=["A", "B", "C"], loader="dict").evaluate()
    return {name: one.f1 for name, one in found["overall"].items()}


def test_mathet_2015_figure_5_by_nervaluate() -> None:
    theirs = _nervaluate(list(FIGURE_5))
    assert of("f1", *FIGURE_5) == pytest.approx(theirs["strict"]) == pytest.approx(0.2)
    assert of("f1_blind", *FIGURE_5) == pytest.approx(theirs["exact"]) == pytest.approx(0.4)
    assert of("f1_overlap", *FIGURE_5) == pytest.approx(theirs["ent_type"]) == pytest.approx(0.4)


@pytest.mark.parametrize("seed", SEEDS)
def test_f1_is_that_of_nervaluate(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shared = random_spans(rng, "a", 6, 60, "ABC")
    rows = [
        *shared,
        *(("b", low, high, str(rng.choice(list("ABC")))) for _, low, high, _ in shared[::2]),
        *((name, 100 + low, 100 + high, label)
          for name in "ab" for _, low, high, label in random_spans(rng, name, 5, 20, "AB")),
    ]  # fmt: skip
    theirs = _nervaluate(rows)
    assert of("f1", *rows) == pytest.approx(theirs["strict"])
    assert of("f1_blind", *rows) == pytest.approx(theirs["exact"])


@pytest.mark.parametrize("seed", SEEDS)
def test_f1_is_that_of_seqeval(seed: int) -> None:
    """On tokens: units that do not overlap, as IOB2."""
    rng = np.random.default_rng(seed)
    rows = [row for name in "ab" for row in random_spans(rng, name, 5, 16, "AB")]
    tags = {name: ["O"] * 16 for name in "ab"}
    for name, low, high, label in rows:
        tags[name][int(low) : int(high)] = [f"B-{label}"] + [f"I-{label}"] * int(high - low - 1)
    expected = f1_score([tags["a"]], [tags["b"]], mode="strict", scheme=IOB2, zero_division=0)
    assert of("f1", *rows) == pytest.approx(expected)


def test_seqeval_example() -> None:
    """B-A I-A O B-B against B-A O O B-B."""
    rows: list[Row] = [("a", 0, 2, "A"), ("a", 3, 4, "B"), ("b", 0, 1, "A"), ("b", 3, 4, "B")]
    found = agreement(corpus(*rows, length=4), ["f1", "f1_overlap", "f1_k"])
    assert found["f1", ""].value == pytest.approx(0.5)
    assert found["f1_overlap", ""].value == 1
    assert found["f1_k", "A"].value == 0
    assert found["f1_k", "B"].value == 1
