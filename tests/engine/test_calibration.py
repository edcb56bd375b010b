"""Calibration: what it learns, what it refuses, and that it is what the formula says."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from goldspan.engine import Continuum, Corpus, Gold, GoldSpan, InputError, SettingsError, Unit
from goldspan.engine.gold.calibration import (
    PAIR_PRIORS,
    Calibration,
    Judged,
    calibrate,
    fit,
    judge_spans,
    match,
    pair_rate,
    sample_tasks,
)
from goldspan.engine.gold.gold import Evidence, Grade

probabilities = st.floats(0.01, 0.999)


def span(
    start: int, end: int, p: float = 0.8, category: str = "A", grade: Grade = Grade.MAJORITY,
    seen: int = 3,
) -> GoldSpan:  # fmt: skip
    evidence = Evidence(p, 1.0, 1.0)
    return GoldSpan(start, end, category, p, (), seen, grade, evidence)


def judged(p: float, right: bool, **options: object) -> Judged:
    return Judged("t", span(0, 5, p, **options), right)  # type: ignore[arg-type]


@given(st.lists(st.tuples(probabilities, st.booleans()), min_size=1, max_size=40))
def test_slope_and_intercept_minimise_the_penalised_likelihood(
    rows: list[tuple[float, bool]],
) -> None:
    def loss(theta: np.ndarray) -> float:  # type: ignore[type-arg]
        a, b = theta
        z = np.array([a * math.log(p / (1 - p)) + b for p, _ in rows])
        y = np.array([right for _, right in rows])
        return float(np.logaddexp(0, np.where(y, -z, z)).sum() + 4 * (a - 1) ** 2 + b**2 / 2)

    found = fit([judged(p, right) for p, right in rows], "reliability")
    best = minimize(loss, [1.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-10})
    assert loss(np.array([found.slope, found.intercept])) <= best.fun + 1e-6
    assert found.judged == len(rows)


@given(st.lists(st.tuples(probabilities, st.booleans()), max_size=30), probabilities, probabilities)
def test_more_evidence_never_means_less_confidence(
    rows: list[tuple[float, bool]], one: float, other: float
) -> None:
    """Unless the judgements leave it open whether the slope is above 0."""
    found = fit([judged(p, right) for p, right in rows], "reliability")
    low, high = (found.confidence(p, Grade.MAJORITY, 3) for p in sorted((one, other)))
    assert 0 <= low <= 1
    assert low <= high + 1e-12 or found.slope < math.sqrt(found.covariance[0])


@given(st.lists(st.tuples(probabilities, st.booleans()), min_size=1, max_size=30), probabilities)
def test_what_is_stated_is_a_standard_error_below_the_best_estimate(
    rows: list[tuple[float, bool]], p: float
) -> None:
    """The standard error is that of the normal approximation, by numerical differences."""
    found = fit([judged(p, right) for p, right in rows], "reliability")
    x = np.array([math.log(p / (1 - p)) for p, _ in rows])
    y = np.array([right for _, right in rows], dtype=float)
    best = np.array([found.slope, found.intercept])

    def loss(theta: np.ndarray) -> float:  # type: ignore[type-arg]
        z = theta[0] * x + theta[1]
        fitted = float((np.logaddexp(0, z) - y * z).sum())
        return fitted + float(4 * (theta[0] - 1) ** 2 + theta[1] ** 2 / 2)

    step = 1e-3 * np.eye(2)
    curvature = np.array(
        [
            [
                (loss(best + i + j) - loss(best + i - j) - loss(best - i + j) + loss(best - i - j))
                / 4e-6
                for j in step
            ]
            for i in step
        ]
    )
    at = np.array([math.log(p / (1 - p)), 1.0])
    z = float(best @ at) - math.sqrt(float(at @ np.linalg.inv(curvature) @ at))
    assert found.confidence(p, Grade.MAJORITY, 3) == pytest.approx(1 / (1 + math.exp(-z)), abs=1e-3)


def test_more_judgements_leave_less_doubt() -> None:
    few = [judged(0.95, at > 0) for at in range(10)]
    stated = [fit(few * times, "reliability").confidence(0.95, Grade.MAJORITY, 3)
              for times in (1, 3, 10, 100)]  # fmt: skip
    assert stated == sorted(stated)
    assert stated[0] < 0.85
    assert stated[-1] == pytest.approx(0.9, abs=0.01)


def sampled(
    raw: np.ndarray, rate: np.ndarray, seed: int  # type: ignore[type-arg]
) -> tuple[list[float], list[bool]]:  # fmt: skip
    """Stated confidences of 1000 spans after 100 others were judged, and which are right."""
    rng = np.random.default_rng(seed)
    at = rng.integers(len(raw), size=1100)
    right = (rng.random(1100) < rate[at]).tolist()
    found = fit([judged(float(raw[i]), ok) for i, ok in zip(at[:100], right, strict=False)], "x")
    stated = {float(p): found.confidence(float(p), Grade.MAJORITY, 3) for p in raw}
    return [stated[float(raw[i])] for i in at[100:]], right[100:]


@pytest.mark.parametrize("slope", [0.7, 1.0, 1.4])
@pytest.mark.parametrize("intercept", [-0.8, 0.0, 0.8])
def test_after_100_judgements_the_sure_ones_are_right(slope: float, intercept: float) -> None:
    """Raw confidences that are wrong by what the penalties allow for: spans from .9 on are right
    in 88 % or more, and what is stated is neither above the rate nor far below it.
    """
    raw = np.linspace(0.3, 0.998, 40)
    rate = 1 / (1 + np.exp(-(slope * np.log(raw / (1 - raw)) + intercept)))
    drawn = [sampled(raw, rate, seed) for seed in range(40)]
    sure = [(p, ok) for ps, oks in drawn for p, ok in zip(ps, oks, strict=True) if p >= 0.9]
    assert len(sure) > 300
    right = sum(ok for _, ok in sure) / len(sure)
    stated = sum(p for p, _ in sure) / len(sure)
    assert right >= 0.88
    assert right - 0.05 < stated <= right + 0.01


def test_a_plateau_below_nine_tenths_is_seldom_called_sure() -> None:
    """Half of all spans look alike and are right in 87 %: a lucky sample must not lift them."""
    raw = np.array([0.4, 0.6, 0.88, 0.88])
    rate = np.array([0.4, 0.6, 0.87, 0.87])
    lucky = sum(max(sampled(raw, rate, seed)[0]) >= 0.9 for seed in range(100))
    assert lucky <= 5


def test_overconfidence_is_mended() -> None:
    """Spans at .99 that are right four times in five."""
    found = fit([judged(0.99, at % 5 > 0) for at in range(100)], "reliability")
    assert found.confidence(0.99, Grade.MAJORITY, 3) == pytest.approx(0.8, abs=0.04)


def test_without_judgements_nothing_changes() -> None:
    found = fit([], "reliability")
    assert found.confidence(0.7, Grade.MAJORITY, 3) == pytest.approx(0.7)


def test_two_annotators_have_a_rate_for_each_class() -> None:
    exact = {"grade": Grade.EXACT, "seen": 2}
    found = fit([judged(0.9, at < 15, **exact) for at in range(20)], "reliability")
    assert found.pairs == {Grade.EXACT: (15, 5)}
    assert found.confidence(0.9, Grade.EXACT, 2) == pytest.approx((9 + 15) / 30)
    assert found.confidence(0.9, Grade.OVERLAP, 2) == pytest.approx(0.9)
    assert (found.slope, found.intercept) == (1.0, 0.0)
    assert all(0 < pair_rate(grade) < 1 for grade in PAIR_PRIORS)


@given(
    st.floats(-5, 5),
    st.floats(-5, 5),
    st.integers(0, 999),
    st.dictionaries(
        st.sampled_from(list(PAIR_PRIORS)), st.tuples(st.integers(0, 9), st.integers(0, 9))
    ),
    st.tuples(st.floats(0, 1), st.floats(-1, 1), st.floats(0, 1)),
)
def test_a_stored_calibration_comes_back(
    slope: float,
    intercept: float,
    n: int,
    pairs: dict[Grade, tuple[int, int]],
    covariance: tuple[float, float, float],
) -> None:
    made = Calibration("reliability", slope, intercept, n, pairs, covariance)
    assert Calibration.from_json(json.loads(json.dumps(made.as_json())), "f.json") == made


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], "not a calibration of goldspan"),
        ({}, "not a calibration of goldspan"),
        ({"schema": 2}, "the schema is 2, not 1"),
        ({**Calibration("vote").as_json(), "pairs": {"fine": [1, 2]}}, "not a calibration"),
        ({**Calibration("vote").as_json(), "slope": "steep"}, "not a calibration of goldspan"),
        ({**Calibration("vote").as_json(), "slope": math.inf}, "not finite"),
        ({**Calibration("vote").as_json(), "covariance": [1, math.nan, 1]}, "not finite"),
        ({**Calibration("vote").as_json(), "covariance": [1, 1]}, "not a calibration of goldspan"),
    ],
)
def test_what_is_no_calibration(value: object, sentence: str) -> None:
    with pytest.raises(InputError, match=f"f.json: .*{sentence}"):
        Calibration.from_json(value, "f.json")


def truth(*units: tuple[int, int, str], task: str = "t", who: str = "x") -> Corpus:
    made = tuple(Unit(who, *unit) for unit in units)
    return Corpus((Continuum(task, made, length=100),))


def gold(*spans: GoldSpan, task: str = "t", text: str | None = None) -> Gold:
    corpus = Corpus((Continuum(task, (), length=100 if text is None else None, text=text),))
    return Gold(corpus, {task: spans}, "reliability")


def test_a_span_is_right_when_it_shares_half_and_the_category() -> None:
    spans = (span(0, 10), span(20, 30), span(40, 50), span(60, 70, category="B"))
    found = match(
        "t", spans, [Unit("x", 0, 12, "A"), Unit("x", 26, 40, "A"), Unit("x", 60, 70, "A")]
    )
    assert [one.right for one in found] == [True, False, False, False]


def test_one_true_span_makes_one_suggestion_right() -> None:
    found = match("t", (span(0, 10), span(0, 9)), [Unit("x", 0, 10, "A")])
    assert [one.right for one in found] == [True, False]


def test_what_adjudication_tells() -> None:
    found, notes = calibrate(gold(span(0, 10), span(20, 30, category="Q")), truth((0, 10, "A")))
    assert found.judged == 2
    said = " ".join(note.message for note in notes)
    assert "the category 'Q' is unknown to the adjudicated file" in said
    assert "only 2 spans were adjudicated" in said


def test_tasks_that_were_not_adjudicated_are_not_judged() -> None:
    both = Corpus((Continuum("t", length=100), Continuum("u", length=100)))
    made = Gold(both, {"t": (span(0, 10),), "u": (span(0, 10),)}, "reliability")
    here, elsewhere = truth((0, 10, "A")), truth((0, 5, "A"), task="else")
    rows, notes = judge_spans(made, Corpus((*here.continua, *elsewhere.continua)))
    assert [(one.task, one.right) for one in rows] == [("t", True)]
    assert [note.message for note in notes] == ["the adjudicated task 'else' is not in the corpus"]


@pytest.mark.parametrize(
    ("adjudicated", "sentence"),
    [
        (truth((0, 10, "A"), task="u"), "no adjudicated task is a task of this corpus"),
        (truth((0, 10, "Z")), "have nothing in common"),
        (
            Corpus((Continuum("t", (Unit("x", 0, 5, "A"), Unit("y", 0, 6, "A")), length=100),)),
            "task 't': the adjudications by 'x' and 'y' contradict each other",
        ),
        (Corpus(()), "no adjudicated task"),
    ],
)
def test_adjudications_that_cannot_be_used(adjudicated: Corpus, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        calibrate(gold(span(0, 10)), adjudicated)


def test_two_adjudicators_may_agree() -> None:
    both = (Unit("x", 0, 10, "A"), Unit("y", 0, 10, "A"))
    found, _ = calibrate(gold(span(0, 10)), Corpus((Continuum("t", both, length=100),)))
    assert found.judged == 1


def test_another_text_is_refused() -> None:
    other = Corpus((Continuum("t", (Unit("x", 0, 5, "A"),), text="bravo"),))
    with pytest.raises(InputError, match="is not the text of the corpus"):
        calibrate(gold(span(0, 5), text="alpha"), other)


def test_no_suggestion_in_the_adjudicated_tasks() -> None:
    with pytest.raises(InputError, match="hold no suggested span"):
        calibrate(gold(), truth((0, 10, "A")))


def test_samples_are_whole_tasks_with_as_many_spans_as_asked() -> None:
    names = [f"t{at}" for at in range(20)]
    corpus = Corpus(tuple(Continuum(name, length=100) for name in names))
    made = Gold(corpus, {name: (span(0, 5), span(9, 15)) for name in names}, "reliability")
    picked = sample_tasks(made, 7, seed=3)
    assert len(picked) == 4
    assert list(picked) == [name for name in names if name in picked]
    assert sample_tasks(made, 7, seed=3) == picked
    assert len({sample_tasks(made, 7, seed=seed) for seed in range(9)}) > 1
    assert len(sample_tasks(made, 1000, seed=3)) == 20
    assert made.only(picked).n_spans == 8
    with pytest.raises(SettingsError, match="1 or more"):
        sample_tasks(made, 0, seed=3)
    with pytest.raises(InputError, match="no suggested span to adjudicate"):
        sample_tasks(gold(), 3, seed=3)
