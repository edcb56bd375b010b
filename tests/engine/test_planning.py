"""Plans: the width that was asked for is reached in as many new rounds as were promised."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from goldspan.engine import InputError, SettingsError, score
from goldspan.engine.coefficient.resampling import IntervalMethod, Sums, interval_of, ratio_value
from goldspan.engine.planning import Pilot, Target, pilot_of, plan, plan_figure
from goldspan.engine.result import Result
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus

MIXED = ("position", "category", "false_negatives", "false_positives")
GAMMA, GAMMA_CAT = ("gamma", ""), ("gamma_cat", "")


@cache
def population(tasks: int = 200) -> Result:
    own = Errors(shift=2, extra=1).at(0.2, *MIXED)
    corpus = shuffle_corpus(Blueprint().corpus(tasks, 1), dict.fromkeys("abc", own), 2)
    return score(corpus, pairs=False, precision=0.1)


def half_width(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """Of the interval that scoring these tasks would give."""
    sums = [Sums(tuple(row), 1) for row in rows.tolist()]
    ends = interval_of(rows, 0.0, sums[0], ratio_value, IntervalMethod(), is_ratio=True)
    assert ends.low is not None
    assert ends.high is not None
    return (ends.high - ends.low) / 2


@pytest.mark.parametrize("key", [GAMMA, GAMMA_CAT])
@pytest.mark.parametrize("size", [8, 20])
def test_the_planned_width_is_reached_in_nine_of_ten_new_rounds(
    key: tuple[str, str], size: int
) -> None:
    """Over 40 pilots, with 10 new rounds each: the share errs by about .03."""
    pool = pilot_of(population(), key).rows
    rng = np.random.default_rng(7)
    reached = []
    for _ in range(40):
        pilot = Pilot(pool[rng.integers(len(pool), size=size)], 0.0)
        tasks = plan_figure(key, pilot, Target()).tasks
        assert tasks is not None
        reached += [
            half_width(pool[rng.integers(len(pool), size=tasks)]) <= 0.05 for _ in range(10)
        ]
    assert np.mean(reached) >= 0.85


def test_more_tasks_and_another_annotator_make_it_narrower() -> None:
    own = Errors(shift=2, extra=1).at(0.2, *MIXED)
    corpus = shuffle_corpus(Blueprint().corpus(12, 1), dict.fromkeys("abc", own), 2)
    whole = score(corpus, pairs=False, precision=0.1)
    fewer = [
        score(type(corpus)(tuple(one.only(pair) for one in corpus)), pairs=False, precision=0.1)
        for pair in ("ab", "ac", "bc")
    ]
    found = plan(whole, Target(), fewer)
    by_key = {one.key: one for one in found.figures}
    gamma = by_key[GAMMA]
    assert gamma.value == pytest.approx(whole.gamma.value)
    figure = whole.figures[GAMMA]
    assert figure.low is not None
    assert figure.high is not None
    assert gamma.now == pytest.approx((figure.high - figure.low) / 2, rel=0.02)
    assert gamma.with_more < gamma.now
    assert gamma.with_another is not None
    assert gamma.with_another <= gamma.now
    assert gamma.tasks is not None
    assert gamma.low is not None
    assert gamma.tasks >= gamma.low
    widths = [width for _, width in gamma.widths]
    assert widths[-1] < widths[0]
    labels = {one.key[1] for one in found.figures if one.key[0] == "gamma_k"}
    assert labels <= {"A", "B", "C", "D"}
    assert all(one.with_another is None for one in plan(whole, Target()).figures)


def test_a_wider_interval_needs_fewer_tasks() -> None:
    pilot = Pilot(pilot_of(population(), GAMMA).rows[:20], 0.0)
    wide, narrow = (plan_figure(GAMMA, pilot, Target(half_width=w)).tasks for w in (0.1, 0.03))
    assert wide is not None
    assert narrow is not None
    assert wide < narrow


def test_a_width_that_chance_alone_exceeds_is_not_planned() -> None:
    rows = np.column_stack((np.linspace(0.2, 0.6, 20), np.ones(20)))
    found = plan_figure(GAMMA, Pilot(rows, noise=0.01), Target(half_width=0.01))
    assert (found.tasks, found.low, found.high) == (None, None, None)


def test_a_pilot_of_few_tasks_is_refused() -> None:
    made = Blueprint().corpus(4, 1)
    corpus = shuffle_corpus(made, dict.fromkeys("ab", Errors().at(0.1, "position")), 1)
    with pytest.raises(InputError, match=r"the pilot has 4 tasks .* needs 5 or more"):
        plan(score(corpus, pairs=False, precision=0.1), Target())


def test_bad_targets() -> None:
    for wrong in ({"half_width": 0}, {"assurance": 1}, {"more": 0}, {"level": 1}):
        with pytest.raises(SettingsError, match="it must be"):
            Target(**wrong)  # type: ignore[arg-type]
