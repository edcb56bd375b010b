"""Plans: the width that was asked for is reached in as many new rounds as were promised."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from goldspan.engine import InputError, SettingsError, score
from goldspan.engine.coefficient.resampling import IntervalMethod, Sums, interval_of, ratio_value
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.engine.planning import (
    AnnotatorPart,
    Pilot,
    Target,
    annotator_part,
    outlooks,
    pilot_of,
    plan,
    plan_figure,
    thinned,
)
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
    fewer = [score(one, pairs=False, precision=0.1) for one in thinned(corpus)]
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
    needed = dict(gamma.by_annotators)
    assert set(needed) == {-1, 0, 1, 2, 4}
    assert needed[0] == gamma.tasks
    assert all(
        needed[more] is not None and needed[more] <= needed[fewer]  # type: ignore[operator]
        for fewer, more in itertools.pairwise(sorted(needed))
    )
    widths = [width for _, width in gamma.widths]
    assert widths[-1] < widths[0]
    labels = {one.key[1] for one in found.figures if one.key[0] == "gamma_k"}
    assert labels <= {"A", "B", "C", "D"}
    assert all(one.with_another is None for one in plan(whole, Target()).figures)


def test_thinned_tasks_lose_each_annotator_once() -> None:
    own = Errors().at(0.2, "position")
    corpus = shuffle_corpus(Blueprint().corpus(6, 1), dict.fromkeys("abc", own), 2)
    turns = list(thinned(corpus, 3))
    for at, task in enumerate(corpus):
        left = Counter(name for turn in turns for name in turn.continua[at].annotators)
        assert left == {"a": 2, "b": 2, "c": 2}
        assert all(turn.continua[at].id == task.id for turn in turns)
    two = shuffle_corpus(Blueprint().corpus(6, 1), dict.fromkeys("ab", own), 2)
    assert list(thinned(two)) == []


def test_more_annotators_leave_the_part_of_the_tasks() -> None:
    """a + b/n, with a different number of annotators for each task."""
    part = AnnotatorPart(0.6, (3, 3, 6))
    assert part.share(0) == pytest.approx(1)
    now, then = (1 / 3 + 1 / 3 + 1 / 6) / 3, (1 / 4 + 1 / 4 + 1 / 7) / 3
    assert part.share(1) == pytest.approx(0.4 + 0.6 * then / now)
    assert part.share(10**6) == pytest.approx(0.4, abs=1e-4)
    assert AnnotatorPart(0.0, (3, 3)).share(4) == pytest.approx(1)
    # As if three annotators had 1/3 more variance than four: all of it is theirs.
    assert AnnotatorPart(1.0, (4, 4)).share(-1) == pytest.approx(4 / 3)


@pytest.mark.simulation
def test_the_variance_with_more_annotators_is_foreseen() -> None:
    """From three of five annotators; the extrapolation may be off by a quarter of the width."""
    own = Errors(shift=2, extra=1).at(0.2, *MIXED)
    corpus = shuffle_corpus(Blueprint().corpus(60, 4), dict.fromkeys("abcde", own), 5)
    three = replace(corpus, continua=tuple(one.only("abc") for one in corpus))
    result = score(three, pairs=False, precision=0.1)
    others = [score(one, pairs=False, precision=0.1) for one in thinned(three)]
    part = annotator_part(result, GAMMA, others)
    assert part is not None
    own_variance = pilot_of(result, GAMMA).variance
    five = pilot_of(score(corpus, pairs=False, precision=0.1), GAMMA).variance
    assert own_variance is not None
    assert five is not None
    foreseen = own_variance * part.share(2)
    assert (foreseen / five) ** 0.5 == pytest.approx(1, abs=0.25)


def test_a_large_pilot_plans_as_a_small_one_with_the_same_tasks() -> None:
    """Sums over many tasks are drawn as normal ones there."""
    rows = pilot_of(population(), GAMMA).rows
    # As if the population were known: the small pilot is the largest whose tasks are drawn one by
    # one, the large one has each of them five times.
    small = plan_figure(GAMMA, Pilot(rows[:199]), Target(half_width=0.03)).tasks
    large = plan_figure(GAMMA, Pilot(np.tile(rows[:199], (5, 1))), Target(half_width=0.03)).tasks
    assert small is not None
    assert large is not None
    assert 0.8 * small < large <= small


def test_the_outlook_of_a_report() -> None:
    result = population()
    gamma, gamma_cat = outlooks(result)
    assert (gamma.key, gamma_cat.key) == (GAMMA, GAMMA_CAT)
    figure = result.figures[GAMMA]
    assert figure.low is not None
    assert figure.high is not None
    first = gamma.widths[0]
    assert first.tasks == len(result.tasks)
    assert first.half == pytest.approx((figure.high - figure.low) / 2, rel=0.02)
    for one, other in itertools.pairwise(gamma.widths):
        assert other.half < one.half
    assert all(one.low < one.half < one.high for one in gamma.widths)


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


def test_tasks_that_do_not_differ_have_no_outlook() -> None:
    """Nobody shares a span, by chance neither: every task adds the same."""
    tasks = tuple(
        Continuum(
            f"t{at}",
            (
                Unit("a", 200 + 1000 * at, 205 + 1000 * at, "X"),
                Unit("b", 700 + 1000 * at, 705 + 1000 * at, "X"),
            ),
            length=6500,
        )
        for at in range(6)
    )
    assert outlooks(score(Corpus(tasks), pairs=False)) == ()


def test_small_rounds_in_which_nobody_differs_do_not_count_as_precise() -> None:
    """Two of 130 tasks differ: most rounds of six tasks have no difference, and no width either."""
    rows = np.tile([0.0, 1.0], (130, 1))
    rows[:2, 0] = 0.4
    found = plan_figure(GAMMA, Pilot(rows, 0.0), Target())
    assert found.tasks is not None
    assert found.low is not None
    assert found.tasks >= found.low > 20
