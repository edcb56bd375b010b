"""Annotators as people: laws, published intervals, and planted habits that must be found."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine import Continuum, Corpus, Presence, Settings, Unit, score
from goldspan.engine.annotators import wording
from goldspan.engine.annotators.estimates import (
    Usual,
    change_of_means,
    change_of_rates,
    is_beyond,
    mean,
    rate,
)
from goldspan.engine.annotators.matter import Matter
from goldspan.engine.annotators.outcome import Span, Version, compare
from goldspan.engine.annotators.profile import AnnotatorProfiles
from goldspan.engine.annotators.profiling import profile
from goldspan.engine.annotators.worktime import Times, WorkTime, duration, moment

LABELS = "XYZ"
NAMES = ("ann", "bob", "cyd", "dan", "eve")
Worker = Callable[[random.Random, int, Span], Span | None]
"""What somebody makes of a true span in a task; None for nothing."""


def plain(rng: random.Random, _task: int, span: Span) -> Span | None:
    """Misses one in twenty, and is a character off now and then."""
    if rng.random() < 0.05:
        return None
    moves = (0, 0, 0, 0, 1, -1)
    return Span(span.start + rng.choice(moves), span.end + rng.choice(moves), span.label)


def early(rng: random.Random, task: int, span: Span) -> Span | None:
    found = plain(rng, task, span)
    return found and found._replace(start=found.start - 2)


def cuts(rng: random.Random, task: int, span: Span) -> Span | None:
    found = plain(rng, task, span)
    return found and found._replace(start=found.start + 2, end=found.end - 2)


def confused(rng: random.Random, task: int, span: Span) -> Span | None:
    found = plain(rng, task, span)
    return found and found._replace(label="Y") if span.label == "X" else found


def blind(rng: random.Random, task: int, span: Span) -> Span | None:
    return None if span.label == "Z" and rng.random() < 0.6 else plain(rng, task, span)


def tired(rng: random.Random, task: int, span: Span) -> Span | None:
    return None if task >= 20 and rng.random() < 0.4 else plain(rng, task, span)


def perfect(_rng: random.Random, _task: int, span: Span) -> Span | None:
    return span


def made(
    seed: int, workers: Mapping[str, Worker], tasks: int = 40, each: int | None = None
) -> tuple[Corpus, Corpus]:
    """A corpus of these workers, of whom `each` do a task, and the truth."""
    rng = random.Random(seed)
    continua, truth = [], []
    for task in range(tasks):
        spans = [
            Span(start, start + rng.randint(8, 20), rng.choice(LABELS))
            for start in range(20, 400, 55)
        ]
        names = list(workers) if each is None else rng.sample(list(workers), each)
        units = [
            Unit(name, *found)
            for name in names
            for span in spans
            if (found := workers[name](rng, task, span)) is not None
        ]
        presence = dict.fromkeys(names, Presence.DONE)
        continua.append(Continuum(f"t{task:02}", tuple(units), presence, length=500))
        own = tuple(Unit("truth", *span) for span in spans)
        truth.append(Continuum(f"t{task:02}", own, length=500))
    return Corpus(tuple(continua)), Corpus(tuple(truth))


def daily(corpus: Corpus, seconds: Callable[[str], float] = lambda _: 20.0) -> Times:
    """A task a day, for everybody."""
    return {
        (task.id, name): WorkTime(seconds(name) + day % 3, 86_400.0 * day)
        for day, task in enumerate(corpus, start=1)
        for name in task.annotators
    }


def profiled(corpus: Corpus, **more: object) -> AnnotatorProfiles:
    result = score(corpus, settings=Settings(precision=0.5), pairs=False)
    return profile(corpus, result, **more)  # type: ignore[arg-type]


@cache
def team() -> AnnotatorProfiles:
    """Everybody but ann has a weakness."""
    workers = dict(zip(NAMES, (plain, early, confused, blind, tired), strict=True))
    corpus, _ = made(1, workers)
    return profiled(corpus, times=daily(corpus))


def advice_of(profiles: AnnotatorProfiles, name: str) -> list[tuple[str, str, str]]:
    return [(str(one.matter), one.label, one.given) for one in profiles[name].advice]


def renamed(corpus: Corpus, names: Mapping[str, str]) -> Corpus:
    return Corpus(
        tuple(
            replace(
                task,
                units=tuple(replace(unit, annotator=names[unit.annotator]) for unit in task.units),
                presence={names[name]: state for name, state in task.presence.items()},
            )
            for task in corpus
        )
    )


@pytest.mark.parametrize("each", [None, 3])
def test_new_names_change_nothing(each: int | None) -> None:
    """In a team, and in a crowd of which each task has three."""
    names = NAMES if each is None else tuple(f"w{number}" for number in range(8))
    kinds: Sequence[Worker] = (plain, early, confused, blind)
    workers = {name: kinds[at % 4] for at, name in enumerate(names)}
    corpus, truth = made(2, workers, tasks=24, each=each)
    new = dict(zip(names, reversed(names), strict=True))
    one = profiled(corpus, adjudicated=truth, times=daily(corpus)).as_json()
    again = renamed(corpus, new)
    other = profiled(again, adjudicated=truth, times=daily(again)).as_json()
    for person in one["annotators"]:
        person["name"] = new[person["name"]]
    one["annotators"].sort(key=lambda person: person["name"])
    assert rounded(one) == rounded(other)


def rounded(value: object) -> object:
    """Sums over annotators in another order differ in the last digits."""
    return json.loads(json.dumps(value), parse_float=lambda text: round(float(text), 7) + 0.0)


spans_of_a_task = st.lists(
    st.builds(
        lambda start, length, label: Span(start, start + length, label),
        st.integers(0, 300),
        st.integers(1, 40),
        st.sampled_from(LABELS),
    ),
    max_size=12,
    unique=True,
)


@given(spans_of_a_task)
def test_a_perfect_annotator_finds_everything(spans: list[Span]) -> None:
    """Also where spans are nested, overlap, or share a place with different labels."""
    found = compare("t", [Unit("a", *span) for span in spans], Version(tuple(spans)))
    assert sorted(found.found) == sorted((span, span) for span in spans)
    assert (found.missed, found.spurious, found.joined, found.split) == ((), (), 0, 0)


@given(spans_of_a_task, spans_of_a_task)
def test_every_span_and_unit_is_counted_once(spans: list[Span], units: list[Span]) -> None:
    found = compare("t", [Unit("a", *unit) for unit in units], Version(tuple(spans)))
    assert sorted([span for span, _ in found.found] + list(found.missed)) == sorted(spans)
    assert sorted([unit for _, unit in found.found] + list(found.spurious)) == sorted(units)
    assert all(span.start < unit.end and unit.start < span.end for span, unit in found.found)


def test_a_perfect_annotator_has_recall_1_against_the_truth() -> None:
    workers = dict.fromkeys(NAMES[1:], plain) | {"ann": perfect}
    corpus, truth = made(3, workers)
    found = profiled(corpus, adjudicated=truth)
    best = found["ann"].adjudicated
    assert best is not None
    assert best.overall.recall.value == best.overall.precision.value == best.exact.value == 1
    assert all(skill.recall.value == 1 for skill in best.labels)
    assert found["ann"].advice == ()
    others = [found[name].adjudicated for name in NAMES[1:]]
    assert all(one is not None and (one.overall.recall.value or 0) < 1 for one in others)


def test_perfect_annotators_have_recall_1_beside_each_other() -> None:
    corpus, _ = made(4, dict.fromkeys(NAMES[:4], perfect), tasks=10)
    for person in profiled(corpus).people:
        assert person.gold is not None
        assert person.gold.overall.recall.value == person.gold.overall.precision.value == 1


def test_a_planted_habit_is_found_and_nobody_else_has_one() -> None:
    found = team()
    bob = found["bob"].gold
    assert bob is not None
    assert bob.start is not None
    assert bob.start.is_clear
    assert bob.start.offset.value == pytest.approx(-2, abs=0.3)
    (said,) = wording.habits(bob, found.measure)
    assert re.match(r"starts (1\.9|2|2\.1) characters early on average \(", said)
    assert f"n = {bob.start.offset.n})" in said
    for name in ("ann", "cyd", "dan", "eve"):
        other = found[name].gold
        assert other is not None
        assert list(wording.habits(other, found.measure)) == []


def test_units_cut_short_on_both_sides_are_said_to_be() -> None:
    corpus, truth = made(5, dict.fromkeys(NAMES[1:4], plain) | {"ann": cuts}, tasks=20)
    found = profiled(corpus, adjudicated=truth)
    for one in (found["ann"].gold, found["ann"].adjudicated):
        assert one is not None
        assert "so units are cut short on both sides" in wording.habits(one, found.measure)


def test_planted_weaknesses_are_what_to_train() -> None:
    found = team()
    assert advice_of(found, "ann") == []
    assert advice_of(found, "bob") == [("start", "", "")]
    assert advice_of(found, "cyd") == [("confuses", "X", "Y")]
    assert advice_of(found, "dan")[0] == ("misses", "Z", "")
    assert ("recall", "", "") in advice_of(found, "eve")
    (first, *_) = found["cyd"].advice
    assert wording.advice(first, found.measure).startswith("label 'X': gives 'Y' instead (")


def test_planted_drift_is_found_and_nobody_else_has_one() -> None:
    found = team()
    for person in found.people:
        assert person.gold is not None
        clear = [one for one in person.gold.drifts if one.is_clear]
        assert [one.matter for one in clear] == ([Matter.RECALL] if person.name == "eve" else [])
    assert found["eve"].gold is not None
    (fell,) = (one for one in found["eve"].gold.drifts if one.is_clear)
    assert fell.change.first > 0.9
    assert fell.change.second < 0.75
    assert fell.since == 21 * 86_400
    assert "recall fell from 0.9" in wording.drift(fell, found.measure)
    assert "since 1970-01-22" in wording.drift(fell, found.measure)


def test_without_times_there_is_no_drift_and_no_speed() -> None:
    corpus, _ = made(1, dict.fromkeys(NAMES[:3], plain), tasks=12)
    same = {(task.id, name): WorkTime(when=5.0) for task in corpus for name in task.annotators}
    for times in ({}, same):
        for person in profiled(corpus, times=times).people:
            assert person.gold is not None
            assert person.gold.drifts == ()
            assert person.speed is None


def test_a_slow_annotator_is_slow_beside_the_others() -> None:
    corpus, _ = made(6, dict.fromkeys(NAMES[:4], plain), tasks=12)
    times = daily(corpus, lambda name: 60.0 if name == "ann" else 20.0)
    speed = profiled(corpus, times=times)["ann"].speed
    assert speed is not None
    assert speed.ratio is not None
    assert speed.median == 61
    assert speed.n_tasks == speed.tasks_shared == 12
    assert speed.ratio.low is not None
    assert 2.5 < speed.ratio.low <= speed.ratio.value < 3.1


def test_what_only_one_marked_is_not_in_the_gold_they_are_compared_with() -> None:
    """Nobody is measured with their own work."""
    corpus, _ = made(7, dict.fromkeys(NAMES[:4], perfect), tasks=12)
    more = tuple(replace(task, units=(*task.units, Unit("ann", 450, 460, "X"))) for task in corpus)
    ann = profiled(Corpus(more))["ann"].gold
    assert ann is not None
    assert ann.overall.spurious.count == 12
    assert ann.overall.recall.value == 1


def test_two_annotators_are_compared_with_adjudicated_work_alone() -> None:
    corpus, truth = made(8, {"ann": plain, "bob": early}, tasks=12)
    found = profiled(corpus, adjudicated=truth)
    assert found.two_or_fewer == 12
    assert all(one.gold is None and one.adjudicated is not None for one in found.people)
    assert advice_of(found, "bob") == [("start", "", "")]


def test_nobody_is_compared_with_their_own_adjudicated_work() -> None:
    corpus, truth = made(9, dict.fromkeys(NAMES[:3], plain), tasks=6)
    chosen = tuple(
        replace(
            task,
            units=tuple(replace(unit, annotator="ann") for unit in task.units),
            presence={"ann": Presence.DONE},
        )
        for task in truth
    )
    found = profiled(corpus, adjudicated=Corpus(chosen))
    assert found["ann"].adjudicated is None
    assert found["bob"].adjudicated is not None


def test_adjudicated_tasks_with_another_text_are_left_out() -> None:
    task = Continuum("t", (Unit("ann", 0, 3, "X"), Unit("bob", 0, 3, "X")), text="Ada met Bob.")
    other = Continuum("t", (Unit("truth", 0, 3, "X"),), text="Ada and Bob.")
    found = profiled(Corpus((task,)), adjudicated=Corpus((other,)))
    assert (found.other_text, found.adjudicated_tasks) == (1, 0)
    assert all(one.adjudicated is None for one in found.people)


def test_a_unit_over_two_spans_is_joined_and_two_in_one_are_split() -> None:
    version = Version((Span(0, 10, "X"), Span(12, 20, "X"), Span(40, 60, "X")))
    units = [Unit("a", 0, 20, "X"), Unit("a", 40, 48, "X"), Unit("a", 50, 60, "X")]
    found = compare("t", units, version)
    assert (found.joined, found.split) == (1, 1)


def test_units_where_the_others_disagree_are_neither_right_nor_wrong() -> None:
    found = compare("t", [Unit("a", 5, 9, "X")], Version((), ((0, 6),)))
    assert (found.unsettled, found.spurious) == (1, ())


def test_what_most_annotators_get_wrong_is_for_the_guidelines() -> None:
    corpus, truth = made(10, dict.fromkeys(NAMES[:3], confused), tasks=12)
    found = profiled(corpus, adjudicated=truth)
    assert [(one.matter, one.label, one.given) for one in found.everybody] == [
        (Matter.CONFUSES, "X", "Y")
    ]
    assert not any(one.label for person in found.people for one in person.advice)


def test_characters_and_milliseconds_have_no_mean() -> None:
    corpus, _ = made(11, dict.fromkeys(NAMES[:3], plain) | {"eve": early}, tasks=12)
    mixed = tuple(
        replace(task, measure="millisecond" if at % 2 else "character")
        for at, task in enumerate(corpus)
    )
    found = profiled(Corpus(mixed))
    assert found.measure == ""
    assert all(one.gold is not None and one.gold.start is None for one in found.people)


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
     (1, 29, 0.0061, 0.1718)],
)  # fmt: skip
def test_newcombe_1998_single_proportion(count: int, n: int, low: float, high: float) -> None:
    """Table I, method 3 (Wilson)."""
    found = rate([(count, n)], 0.95)
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_newcombe_1998_difference() -> None:
    """Table II, method 10: 56/70 - 48/80."""
    found = change_of_rates(rate([(48, 80)], 0.95), rate([(56, 70)], 0.95))
    assert found is not None
    assert found.low == pytest.approx(0.0524, abs=5e-5)
    assert found.high == pytest.approx(0.3339, abs=5e-5)


def test_welch_is_students_for_equal_halves() -> None:
    """Ten tasks of one value each: the means differ by 2, both variances are 2.5."""
    found = change_of_means(
        [[1.0 * n] for n in range(1, 6)], [[2.0 + n] for n in range(1, 6)], 0.95
    )
    assert found is not None
    assert found.value == 2
    assert found.high - 2 == pytest.approx(2.306004135204166 * 1.0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=8))
def test_an_interval_holds_its_rate_and_tasks_never_narrow_it(pairs: list[tuple[int, int]]) -> None:
    by_task = [(min(pair), max(pair)) for pair in pairs]
    found = rate(by_task, 0.95)
    assert 0 <= found.low <= (found.value or 0.0) <= found.high <= 1
    single = rate([(found.count, found.n)], 0.95)
    assert found.high - found.low >= single.high - single.low - 1e-12


def test_a_mean_of_few_values_has_no_interval() -> None:
    assert mean([], 0.95) is None
    few = mean([[1.0, 2.0], [3.0]], 0.95)
    assert few is not None
    assert (few.value, few.low, few.high) == (2.0, None, None)
    assert not is_beyond(few, Usual())


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1970-01-01T00:00:10Z", 10.0), ("1970-01-01T01:00:10+01:00", 10.0), ("1970-01-01", 0.0),
     ("yesterday", None), ("", None)],
)  # fmt: skip
def test_moments(text: str, seconds: float | None) -> None:
    assert moment(text) == seconds


@pytest.mark.parametrize("value", [0, -1, True, None, "5", float("nan"), float("inf")])
def test_what_is_not_a_duration(value: object) -> None:
    assert duration(value) is None
