"""Rounds close when everybody is done or somebody asks; nothing else opens the next one."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.plugin.platform import TaskState
from goldspan.plugin.service.rounds import (
    Round,
    Tally,
    begin,
    look,
    recount,
    tally,
)

TIMES = st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z", "2026-01-02T00:00:00Z"])
TASKS = st.lists(
    st.builds(TaskState, st.integers(1, 99), TIMES, TIMES, st.integers(0, 4)),
    unique_by=lambda task: task[0],
)


def tasks(*counts: int) -> Tally:
    """Tasks that were made one after another."""
    return tally([TaskState(n, f"0{n}:00Z", "t", count) for n, count in enumerate(counts)], 3)


@given(TASKS, st.integers(0, 5), st.randoms())
def test_the_order_of_tasks_does_not_matter(
    found: list[TaskState], wanted: int, random: Random
) -> None:
    shuffled = found.copy()
    random.shuffle(shuffled)

    assert tally(found, wanted, "c") == tally(shuffled, wanted, "c")


@given(TASKS.filter(bool), st.data())
def test_any_change_changes_the_fingerprint(found: list[TaskState], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(found) - 1))
    number, made, changed, count = found[place]
    others = found[:place] + found[place + 1 :]
    before = tally(found, 3, "config")

    assert tally(others, 3, "config").fingerprint != before.fingerprint
    edited = tally([*others, TaskState(number, made, changed + "!", count)], 3, "config")
    assert edited.fingerprint != before.fingerprint
    assert edited.counted == before.counted
    more = tally([*others, TaskState(number, made, changed, count + 1)], 3, "config")
    assert more.fingerprint != before.fingerprint
    assert more.counted != before.counted
    assert tally(found, 3, "renamed").fingerprint != before.fingerprint


def test_agreement_takes_two_even_where_the_project_wants_one() -> None:
    assert tally([TaskState(1, "", "t", 1)], 1).wanted == 2
    assert not tally([TaskState(1, "", "t", 1)], 1).is_complete
    assert tally([TaskState(1, "", "t", 2)], 0).is_complete


def test_a_project_without_tasks_is_not_complete() -> None:
    assert not tally([], 3).is_complete


@pytest.mark.parametrize("requested", [True, False])
def test_the_story_of_three_rounds(requested: bool) -> None:
    now, closes = look(Round(), tasks(3, 2), requested=False)
    assert (now.number, closes) == (1, False)
    now, closes = look(now, tasks(3, 3), requested=requested)
    assert (now.number, closes) == (1, True)
    now, closes = look(now, tasks(3, 3), requested=requested)
    assert (now.number, closes) == (1, True), "a correction belongs to its round"

    now, closes = look(now, tasks(3, 3, 0), requested=False)
    assert (now.number, closes) == (2, False), "new tasks are a new round"
    now, closes = look(now, tasks(3, 3, 2), requested=True)
    assert (now.number, closes) == (2, True), "a person may close it early"
    now, closes = look(now, tasks(3, 3, 2), requested=False)
    assert (now.number, closes) == (2, False), "nothing was annotated since"
    now, closes = look(now, tasks(3, 3, 3), requested=False)
    assert (now.number, closes) == (2, True)
    now, closes = look(now, tasks(3, 3, 3, 1), requested=True)
    assert (now.number, closes) == (3, True)


@given(st.lists(st.tuples(TASKS, st.booleans())))
def test_rounds_only_go_up_one_at_a_time(
    looks: list[tuple[list[TaskState], bool]],
) -> None:
    now = Round()
    for found, requested in looks:
        later, closes = look(now, tally(found, 2), requested=requested)
        assert later.number - now.number in {0, 1}
        assert later.number == now.number or now.closed
        assert closes == (requested or tally(found, 2).is_complete)
        assert later.closed or not closes
        now = later


def test_what_is_taken_away_and_done_again_belongs_to_its_round() -> None:
    now, _ = look(Round(), tasks(3, 3), requested=False)
    now, closes = look(now, tasks(3, 2), requested=False)
    assert (now.number, now.closed, closes) == (1, True, False)
    now, closes = look(now, tasks(3, 3), requested=False)
    assert (now.number, closes) == (1, True)

    now, _ = look(Round(), tasks(3, 1), requested=True)
    now, _ = look(now, tasks(3, 0), requested=False)
    now, closes = look(now, tasks(3, 1), requested=False)
    assert (now.number, now.closed, closes) == (1, True, False)
    now, closes = look(now, tasks(3, 2), requested=False)
    assert (now.number, closes) == (2, False), "more people than ever: they went on"


def test_a_person_begins_the_next_round() -> None:
    open_round = Round(4)
    closed, _ = look(open_round, tasks(3), requested=False)

    assert begin(open_round) == open_round
    assert begin(closed) == Round(5)


def test_new_tasks_begin_the_next_round_even_if_they_come_complete() -> None:
    first, closes = look(Round(), tasks(3, 3), requested=False)
    assert (first.number, closes) == (1, True)
    second, closes = look(first, tasks(3, 3, 3), requested=False)
    assert (second.number, second.closed, closes) == (2, True, True)
    # Fewer tasks, or more annotations of the same, are changes of the round that there is.
    for changed in (tasks(3, 3), tasks(3, 3, 4)):
        assert look(second, changed, requested=False)[0].number == 2


def test_our_own_annotations_are_recounted_and_tasks_that_came_meanwhile_are_not() -> None:
    now, _ = look(Round(), tasks(3, 3), requested=False)
    later = tasks(4, 4, 0)
    assert look(recount(now, later), later, requested=False)[0].number == 2
    without = tasks(4, 4)
    assert look(recount(now, without), without, requested=False)[0].number == 1


def test_a_batch_in_place_of_the_old_one_is_a_new_round() -> None:
    """Label Studio on SQLite gives a new task the number of a deleted one."""
    first = [
        TaskState(1, "2026-01-01T09:00:00Z", "t", 3),
        TaskState(2, "2026-01-01T09:00:00.25Z", "t", 3),
    ]
    now, _ = look(Round(), tally(first, 3), requested=False)
    second = [TaskState(1, "2026-01-01T09:00:00.5Z", "t", 0)]
    now, closes = look(now, tally(second, 3), requested=False)
    assert (now.number, closes) == (2, False)
