"""Coefficients of continua: laws that hold for any data, brute force, and what is undefined."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from engine.coefficient.judged import figure, places, value
from engine.coefficient.marked import (
    Row,
    corpus,
    marked,
    of,
    random_masses,
    random_spans,
    reason,
    segments,
)
from engine.continua import continuum
from goldspan.engine import Continuum, Corpus, Unit, score
from goldspan.engine.coefficient.base import TaskCoefficient
from goldspan.engine.coefficient.continua.continuum_coefficient import ContinuumCoefficient
from goldspan.engine.coefficient.continua.earlier_alpha import expected_2013
from goldspan.engine.coefficient.continua.matching import best_matching
from goldspan.engine.coefficient.continua.span_matches import F1, SlotErrors
from goldspan.engine.coefficient.continua.spans import Spans, intersections
from goldspan.engine.coefficient.registry import LITERATURE, known_coefficients
from goldspan.engine.facts import ReasonKind
from goldspan.engine.literature import agreement

KEYS = [one.key for one in known_coefficients().values() if isinstance(one, ContinuumCoefficient)]
SEGMENTS = [
    "p_k", "window_diff", "ghd", "segmentation_similarity", "boundary_similarity", "pi_b", "pi_s",
    "kappa_b",
]  # fmt: skip
BY_LABEL = ["k_alpha", "alpha_u_k", "f1_k"]
SPANS = [key for key in KEYS if key not in (*SEGMENTS, *BY_LABEL)]
PAIRED = [
    "f1", "f1_overlap", "f1_iou", "f1_blind", "f1_overlap_blind", "f1_atoms", "ser", "iou",
    "overlap_ratio",
]  # fmt: skip
"""Those that are the mean over pairs of annotators."""
POOLED = ["u_alpha", "bar_u_alpha", "cu_alpha", "kappa_d", "f1", "ser", "iou", "f1_atoms"]
"""Those to which several tasks are one long continuum."""


def drawn(rng: np.random.Generator, annotators: int = 3) -> list[Row]:
    """Spans that know nothing of each other, with number-like labels."""
    names = [f"a{k}" for k in range(annotators)]
    return [row for name in names for row in random_spans(rng, name, 6, 60, "123")]


def renamed(rows: list[Row], names: dict[str, str]) -> list[Row]:
    return [(names[name], start, end, label) for name, start, end, label in rows]


@pytest.mark.parametrize("key", SPANS)
def test_names_of_annotators_change_nothing(key: str) -> None:
    rng = np.random.default_rng(1)
    rows = drawn(rng)
    mixed = renamed(rows, {"a0": "x", "a1": "b", "a2": "a"})
    one, other = of(key, *rows, length=60), of(key, *mixed, length=60)
    assert one == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("key", SPANS)
def test_a_mirror_changes_nothing(key: str) -> None:
    rows = drawn(np.random.default_rng(2))
    mirrored = [(name, 60 - end, 60 - start, label) for name, start, end, label in rows]
    one, other = of(key, *rows, length=60), of(key, *mirrored, length=60)
    assert one == pytest.approx(other, abs=1e-12)


STEPPED = ("alpha_u", "u_alpha_2013", "u_alpha", "bar_u_alpha")


@pytest.mark.parametrize("key", [key for key in SPANS if key not in STEPPED])
def test_scale_changes_nothing(key: str) -> None:
    """α of lengths corrects for the step of the continuum, so it is left out."""
    rows = drawn(np.random.default_rng(3))
    larger = [(name, 7 * start, 7 * end, label) for name, start, end, label in rows]
    one, other = of(key, *rows, length=60), of(key, *larger, length=420)
    assert one == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("key", SPANS)
def test_perfect_agreement_is_1(key: str) -> None:
    own = random_spans(np.random.default_rng(4), "a", 6, 60, "123")
    rows = [row for name in "abc" for row in renamed(own, {"a": name})]
    assert of(key, *rows, length=60) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("key", BY_LABEL)
def test_perfect_agreement_is_1_for_each_label(key: str) -> None:
    rows: list[Row] = [(a, s, s + 5, k) for a in "abc" for s, k in ((0, "x"), (9, "y"), (20, "x"))]
    assert [of(key, *rows, length=30, label=label) for label in "xy"] == [1, 1]


@pytest.mark.parametrize("key", SEGMENTS)
def test_perfect_agreement_on_segments_is_1(key: str) -> None:
    assert value(Corpus((segments((2, 3, 6), (2, 3, 6), (2, 3, 6)),)), key) == 1


@pytest.mark.parametrize("key", PAIRED)
def test_several_annotators_are_the_plain_mean_over_pairs(key: str) -> None:
    """However many units a pair has; annotators who shared no task are no pair."""
    rng = np.random.default_rng(20)
    tasks = [
        [row for name, count in who for row in random_spans(rng, name, count, 60, "12")]
        for who in (
            (("a", 3), ("b", 9)), (("a", 8), ("b", 3), ("c", 5)), (("a", 4), ("d", 6)),
        )
    ]  # fmt: skip
    continua = [continuum(*rows, length=60, task=f"t{at}") for at, rows in enumerate(tasks)]
    data = Corpus(tuple(continua))
    pairs = [
        Corpus(tuple(one.only(pair) for one in continua if {*pair} <= {*one.annotators}))
        for pair in (("a", "b"), ("a", "c"), ("b", "c"), ("a", "d"))
    ]
    expected = np.mean([value(pair, key) for pair in pairs])
    assert value(data, key) == pytest.approx(expected, abs=1e-12)
    assert len(figure(data, key).sums or ()) == 2 * (8 if key == "ser" else 4)


@pytest.mark.parametrize(
    "key", ["p_k", "window_diff", "ghd", "segmentation_similarity", "boundary_similarity"]
)
def test_several_segmentations_are_the_plain_mean_over_pairs(key: str) -> None:
    rng = np.random.default_rng(21)
    own = [random_masses(rng, 40) for _ in range(4)]
    pairs = [value(Corpus((segments(a, b),)), key) for a, b in permutations(own, 2)]
    assert value(Corpus((segments(*own),)), key) == pytest.approx(np.mean(pairs), abs=1e-12)


@pytest.mark.parametrize("key", POOLED)
def test_tasks_are_one_long_continuum(key: str) -> None:
    rng = np.random.default_rng(5)
    tasks = [drawn(rng) for _ in range(3)]
    apart = Corpus(
        tuple(continuum(*rows, length=60, task=f"t{at}") for at, rows in enumerate(tasks))
    )
    joined = [
        (name, 60 * at + start, 60 * at + end, label)
        for at, rows in enumerate(tasks)
        for name, start, end, label in rows
    ]
    together = continuum(*joined, length=180)
    assert value(apart, key) == pytest.approx(value(Corpus((together,)), key), abs=1e-12)


@pytest.mark.parametrize("key", ["u_alpha", "bar_u_alpha", "u_alpha_2013", "kappa_d"])
def test_places_that_know_nothing_of_each_other_average_0(key: str) -> None:
    """On long continua: near the ends there are gaps more often, on which all agree."""
    rng = np.random.default_rng(6)
    found = []
    for _ in range(60):
        rows = [row for name in "ab" for row in random_spans(rng, name, 80, 1000, "123")]
        found.append(of(key, *rows, length=1000))
    assert np.mean(found) == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("key", ["cu_alpha", "cu_alpha_interval"])
def test_labels_that_know_nothing_of_each_other_average_0(key: str) -> None:
    rng = np.random.default_rng(7)
    found = []
    for _ in range(150):
        spans = random_spans(rng, "a", 15, 200, "1123")
        labels = rng.choice(list("1123"), len(spans))
        rows = [
            *spans,
            *(("b", s, e, str(k)) for (_, s, e, _), k in zip(spans, labels, strict=True)),
        ]
        found.append(of(key, *rows, length=200))
    assert np.mean(found) == pytest.approx(0, abs=0.04)


def test_kappa_d_is_multi_kappa_of_atoms() -> None:
    rng = np.random.default_rng(8)
    rows = drawn(rng)
    atoms = {name: ["blank"] * 60 for name in ("a0", "a1", "a2")}
    for name, start, end, label in rows:
        atoms[name][int(start) : int(end)] = [label] * int(end - start)
    expected = value(places(*atoms.values()), "multi_kappa")
    assert of("kappa_d", *rows, length=60) == pytest.approx(expected)


def test_binary_u_alpha_is_u_alpha_of_one_label() -> None:
    rows = drawn(np.random.default_rng(9))
    alike = [(name, start, end, "x") for name, start, end, _ in rows]
    binary = of("bar_u_alpha", *rows, length=60)
    assert of("bar_u_alpha", *alike, length=60) == pytest.approx(binary)
    assert of("u_alpha", *alike, length=60) == pytest.approx(binary)


def test_expected_squares_are_those_of_all_offsets() -> None:
    """uDₑ of 2013, by sliding every section along every other one."""
    task = marked(continuum(*drawn(np.random.default_rng(10), 2), length=60))
    sections = [
        (float(length), int(kind))
        for own in task.sections
        for length, kind in zip(own.length, own.value, strict=True)
    ]
    total = 0
    for (a, u), (b, v) in permutations(sections, 2):
        for offset in range(-int(a) + 1, int(b)) if u != v else ():
            total += (min(a + offset, b) - max(offset, 0)) ** 2
    room = (2 * 60) ** 2 - sum(length**2 for length, _ in sections)
    assert expected_2013(task) == pytest.approx(total / room)


@pytest.mark.parametrize("seed", range(30))
def test_intersections_are_those_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = (_overlapping(rng) for _ in range(2))
    expected = {
        (a, b): float(shared)
        for a in range(len(one))
        for b in range(len(other))
        if (shared := min(one.end[a], other.end[b]) - max(one.start[a], other.start[b])) > 0
    }
    a, b, shared = intersections(one, other)
    assert (
        dict(zip(zip(a.tolist(), b.tolist(), strict=True), shared.tolist(), strict=True))
        == expected
    )


def _overlapping(rng: np.random.Generator) -> Spans:
    start = np.sort(rng.integers(0, 40, rng.integers(0, 9))).astype(float)
    return Spans(start, start + rng.integers(1, 15, len(start)), np.zeros(len(start), np.int64))


@pytest.mark.parametrize("seed", range(30))
def test_matchings_are_the_best_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = np.argwhere(rng.random((5, 5)) < 0.4)
    if not len(cells):
        return
    one, other = cells.T
    weight = rng.integers(1, 9, len(cells)).astype(float)
    chosen = best_matching(one, other, weight)
    assert len(set(one[chosen].tolist())) == len(set(other[chosen].tolist())) == len(chosen)
    table = np.zeros((5, 5))
    table[one, other] = weight
    best = max(
        sum(table[row, column] for row, column in enumerate(p)) for p in permutations(range(5))
    )
    assert weight[chosen].sum() == best


def test_a_blank_task_counts_where_gaps_count() -> None:
    rows = drawn(np.random.default_rng(11))
    task, blank = (
        continuum(*rows, length=60),
        continuum(length=60, task="u", empty=("a0", "a1", "a2")),
    )
    for key, more in (("u_alpha", True), ("kappa_d", True), ("cu_alpha", False), ("f1", False)):
        alone, both = value(Corpus((task,)), key), value(Corpus((task, blank)), key)
        assert (both > alone) == more
        found = score(Corpus((task, blank)), coefficients=[key], precision=0.3, pairs=False)
        assert found.figures[key, ""].value == pytest.approx(both)
        assert found.tasks["t"].figures[key, ""].value == pytest.approx(alone)


OVERLAPPING: list[Row] = [
    ("a", 0, 10, "x"),
    ("a", 5, 15, "y"),
    ("b", 0, 10, "x"),
    ("b", 12, 15, "y"),
]


@pytest.mark.parametrize("key", ["u_alpha", "bar_u_alpha", "u_alpha_2013", "kappa_d", "f1_atoms"])
def test_overlap_is_refused_where_a_place_has_one_value(key: str) -> None:
    found = figure(corpus(*OVERLAPPING, length=20), key)
    assert found.value is None
    assert found.reason is not None
    assert found.reason.kind is ReasonKind.OVERLAP
    assert "'a'" in str(found.reason)


@pytest.mark.parametrize("key", ["cu_alpha", "f1", "ser", "alpha_u", "iou", "overlap_ratio"])
def test_overlap_is_fine_for_the_others(key: str) -> None:
    assert of(key, *OVERLAPPING, length=20) < 1


def test_alpha_u_refuses_overlap_within_a_label() -> None:
    rows: list[Row] = [("a", 0, 10, "x"), ("a", 5, 15, "x"), ("b", 0, 10, "x")]
    assert reason(corpus(*rows, length=20), "alpha_u") is ReasonKind.OVERLAP


@pytest.mark.parametrize("key", SEGMENTS)
def test_segments_leave_no_gap_and_do_not_overlap(key: str) -> None:
    covered: list[Row] = [("a", 0, 10, "x"), ("a", 10, 20, "x")]
    gap = corpus(*covered, ("b", 0, 8, "x"), ("b", 10, 20, "x"), length=20)
    overlap = corpus(*covered, ("b", 0, 12, "x"), ("b", 10, 20, "x"), length=20)
    half = corpus(*covered, ("b", 0, 9.5, "x"), ("b", 9.5, 20, "x"), length=20)
    assert reason(gap, key) is ReasonKind.GAPS
    assert reason(overlap, key) is ReasonKind.OVERLAP
    assert reason(half, key) is ReasonKind.FRACTIONS


@pytest.mark.parametrize("key", ["ghd", "boundary_similarity", "pi_b"])
def test_no_boundary_is_undefined(key: str) -> None:
    assert reason(Corpus((segments((9,), (9,)),)), key) is ReasonKind.NO_BOUNDARY


@pytest.mark.parametrize("key", ["u_alpha", "bar_u_alpha", "u_alpha_2013", "kappa_d", "cu_alpha"])
def test_one_value_that_covers_all_is_undefined(key: str) -> None:
    rows: list[Row] = [("a", 0, 20, "x"), ("b", 0, 20, "x")]
    assert reason(corpus(*rows, length=20), key) is ReasonKind.ONE_CATEGORY


def test_units_that_never_meet_have_no_labels_to_compare() -> None:
    rows: list[Row] = [("a", 0, 5, "x"), ("b", 10, 15, "y")]
    assert reason(corpus(*rows, length=20), "cu_alpha") is ReasonKind.NOTHING_SHARED
    met: list[Row] = [*rows, ("a", 10, 15, "y"), ("a", 16, 18, "y"), ("b", 16, 18, "z")]
    assert reason(corpus(*met, length=20), "k_alpha", "x") is ReasonKind.LABEL_NOT_SHARED


def test_a_label_that_everybody_gave_everywhere_is_undefined() -> None:
    rows: list[Row] = [(name, s, s + 5, "x") for name in "ab" for s in (0, 10)]
    assert reason(corpus(*rows, length=20), "cu_alpha") is ReasonKind.ONE_CATEGORY
    assert reason(corpus(*rows, length=20), "k_alpha", "x") is ReasonKind.ONE_CATEGORY


def test_annotators_of_different_tasks_are_incomplete_for_kappa_d() -> None:
    one = continuum(("a", 0, 5, "x"), ("b", 0, 6, "x"), length=20)
    other = continuum(("a", 0, 5, "x"), ("c", 0, 6, "x"), length=20, task="u")
    assert reason(Corpus((one, other)), "kappa_d") is ReasonKind.INCOMPLETE


def test_a_reference_that_is_missing() -> None:
    data = corpus(("a", 0, 5, "x"), ("b", 0, 6, "x"), length=20)
    (found,) = agreement(data, [F1("gold")]).values()
    assert found.reason is not None
    assert found.reason.kind is ReasonKind.NO_REFERENCE


def test_a_reference_without_a_unit_is_undefined_for_slot_errors() -> None:
    data = corpus(("a", 0, 5, "x"), length=20, empty=("gold",))
    (found,) = agreement(data, [SlotErrors("gold")]).values()
    assert found.value is None
    assert found.reason is not None
    assert found.reason.kind is ReasonKind.NO_REFERENCE


def test_slot_errors_can_be_below_0() -> None:
    rows: list[Row] = [("gold", 0, 5, "x"), *(("a", s, s + 1, "x") for s in range(6, 12))]
    (found,) = agreement(corpus(*rows, length=20), [SlotErrors("gold")]).values()
    assert found.value == pytest.approx(1 - 7)


def test_f1_of_looser_matches_is_never_lower() -> None:
    for seed in range(10):
        rows = drawn(np.random.default_rng(seed), 2)
        strict, wide, any_overlap = (of(key, *rows) for key in ("f1", "f1_iou", "f1_overlap"))
        assert strict <= wide <= any_overlap <= of("f1_overlap_blind", *rows)
        assert strict <= of("f1_blind", *rows)


def test_coverage_of_cu_alpha_is_the_part_where_units_meet() -> None:
    rows: list[Row] = [("a", 0, 10, "x"), ("b", 5, 15, "y"), ("a", 16, 18, "x"), ("b", 16, 18, "x")]
    found = figure(corpus(*rows, length=20), "cu_alpha")
    assert found.coverage == pytest.approx(2 * (5 + 2) / (2 * 20))
    assert figure(corpus(*rows, length=20), "u_alpha").coverage == 1


def test_intervals_over_tasks() -> None:
    rng = np.random.default_rng(12)
    data = Corpus(tuple(continuum(*drawn(rng), length=60, task=f"t{at}") for at in range(8)))
    for key in SPANS:
        found = figure(data, key)
        assert found.value is not None
        assert found.low is not None, key
        assert found.high is not None, key
        assert found.low < found.value < found.high, key


def test_segments_of_several_tasks() -> None:
    rng = np.random.default_rng(13)
    data = Corpus(
        tuple(
            segments(*(random_masses(rng, 30) for _ in range(3)), task=f"t{at}") for at in range(6)
        )
    )
    for key in SEGMENTS:
        found = figure(data, key)
        assert found.value is not None
        assert found.low is not None, key
        assert found.value < 1


def test_every_coefficient_of_the_literature_is_registered_once() -> None:
    named = [name for classes in LITERATURE.values() for name in classes]
    assert len(named) == len(set(named))
    literature = [one for one in known_coefficients().values() if isinstance(one, TaskCoefficient)]
    assert len(literature) == len(named)


def test_two_who_agree_and_one_who_is_empty() -> None:
    units = tuple(Unit(name, *own) for name in "ab" for own in ((0, 5, "x"), (6, 9, "y")))
    one = Continuum("t", units, {"c": "empty"}, 20)
    found = agreement(Corpus((one,)), ["f1", "ser", "u_alpha", "cu_alpha", "kappa_d"])
    assert found["f1", ""].value == pytest.approx(1 / 3)
    assert found["ser", ""].value == pytest.approx(1 / 2), "the empty one is no reference"
    assert found["cu_alpha", ""].value == 1
    assert all(figure.value is not None and figure.value < 1
               for key, figure in found.items() if key[0] != "cu_alpha")  # fmt: skip
