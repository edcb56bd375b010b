"""How columns get into the tasks' data: nothing else is touched, wherever it is cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.plugin.label_studio.columns import (
    ANNOTATORS,
    DIFFER,
    GAMMA,
    PENDING,
    TO_DECIDE,
    Columns,
    ours,
    taken,
)
from goldspan.plugin.label_studio.server import Server, ServerError
from goldspan.plugin.label_studio.writing import column_writer
from goldspan.plugin.label_studio.writing.column_writer import FEW_TASKS, divide, write_columns

MANY = FEW_TASKS + 10


class Tasks(Server):
    """Tasks' data in memory; the server dies after so many changes, or lacks the action."""

    def __init__(self, data: Mapping[int, Columns], *, has_action: bool = True) -> None:
        super().__init__("http://localhost", "a-token")
        self.stored = {task: dict(found) for task, found in data.items()}
        self.has_action = has_action
        self.changes: list[str] = []
        self.left = 10_000

    def data_of(self, number: int, tasks: Iterable[int]) -> Iterator[tuple[int, Any]]:
        del number
        return ((task, dict(self.stored[task])) for task in tasks if task in self.stored)

    def data(self, task: int) -> Any:
        return self.stored.get(task)

    def change_data(self, task: int, data: Mapping[str, Any]) -> None:
        self._count("task")
        self.stored[task] = dict(data)

    def set_field(self, number: int, tasks: Sequence[int], name: str, value: str | float) -> None:
        del number
        if not self.has_action:
            raise ServerError("no such action", status=500, passing=True)
        self._count(f"{name}={value}")
        for task in tasks:
            if task in self.stored:
                self.stored[task][name] = value if isinstance(value, str) else float(value)

    def _count(self, what: str) -> None:
        if not self.left:
            raise ServerError("cannot be reached", passing=True)
        self.left -= 1
        self.changes.append(what)


def wanted(number: int, **more: Any) -> Columns:
    return {
        ANNOTATORS: 3, TO_DECIDE: number % 3, DIFFER: f"{number % 5} missed",
        GAMMA: number % 10 / 10, **more,
    }  # fmt: skip


def written(server: Tasks, columns: Mapping[int, Columns]) -> set[int]:
    gone: set[int] = set()
    write_columns(server, 5, columns, gone, lambda _what, _done, _total: None)
    return gone


def own(number: int) -> Columns:
    """What a person has in a task, NaN and names like ours among it."""
    return {"text": f"text {number}", "goldspan_weight": float("nan"), "n": [number]}


def known(state: str, number: int) -> Columns:
    """What a task may have when a sync begins."""
    found = {"same": wanted(number), "other": wanted(number + 1), "taken": {GAMMA: 0.5}}
    return found.get(state, {})


def test_many_tasks_take_a_call_for_each_value() -> None:
    server = Tasks({number: own(number) for number in range(300)})
    asked = {number: wanted(number) for number in range(300)}
    assert written(server, asked) == set()
    assert {task: ours(data) for task, data in server.stored.items()} == asked
    # The mark, one number of annotators, three of decisions, ten γ and five texts.
    assert len(server.changes) == 1 + 1 + 3 + 10 + 5
    assert "task" not in server.changes


def test_few_tasks_and_fields_to_remove_are_written_task_by_task() -> None:
    server = Tasks({number: own(number) for number in range(FEW_TASKS)})
    written(server, {number: wanted(number) for number in range(FEW_TASKS)})
    assert server.changes == ["task"] * FEW_TASKS
    extra = {"goldspan_a": 0.5, "goldspan_coefficients": "measured by goldspan: a"}
    server = Tasks({number: own(number) | wanted(number, **extra) for number in range(MANY)})
    written(server, {number: wanted(number) for number in range(MANY)})
    assert server.changes == ["task"] * MANY


def test_values_that_no_other_task_gets_are_not_worth_a_call_each() -> None:
    asked = {number: wanted(0) for number in range(MANY)}
    lonely = {f"goldspan_{key}": 0.123 for key in "abcd"}
    asked[7] |= lonely | {"goldspan_coefficients": "measured by goldspan: a, b, c, d"}
    found = divide({number: {} for number in asked}, asked)
    assert found.singles == [7]
    assert all(7 not in step.tasks for step in found.steps)


@pytest.mark.parametrize("has_action", [True, False])
def test_without_the_action_every_task_is_written_all_the_same(has_action: bool) -> None:
    server = Tasks({number: own(number) for number in range(MANY)}, has_action=has_action)
    del server.stored[3]
    asked = {number: wanted(number) for number in range(MANY)}
    assert written(server, asked) == {3}
    del asked[3]
    assert {task: ours(data) for task, data in server.stored.items()} == asked
    assert ("task" in server.changes) is not has_action


def test_a_field_of_a_person_stays_and_the_task_gets_no_columns() -> None:
    server = Tasks({number: own(number) | {GAMMA: "mine"} for number in range(MANY)})
    written(server, {number: wanted(number) for number in range(MANY)})
    assert server.changes == []


@given(
    st.lists(st.sampled_from(["none", "same", "other", "taken"]), min_size=MANY, max_size=MANY),
    st.lists(st.integers(0, 30), max_size=3),
    st.booleans(),
)
def test_wherever_it_is_cut_off_it_can_be_repeated_and_undone(
    states: list[str], cuts: list[int], undone: bool
) -> None:
    """Law: whatever was written and whenever the server dies, a repetition ends with the wanted
    columns, an undo with none, and nobody's own fields differ from before.
    """
    asked = {number: wanted(number) for number in range(MANY)}
    server = Tasks({number: own(number) | known(state, number)
                    for number, state in enumerate(states)})  # fmt: skip
    for cut in cuts:
        server.left = cut
        try:
            written(server, asked)
        except ServerError:
            continue
    server.left = 10_000
    for number, state in enumerate(states):
        assert bool(taken(server.stored[number])) == (state == "taken")
    end = {number: {} for number in asked} if undone else asked
    written(server, end)
    for number, state in enumerate(states):
        theirs = own(number) | ({GAMMA: 0.5} if state == "taken" else {})
        mine = {} if state == "taken" else end[number]
        assert ours(server.stored[number]) == mine
        assert repr({k: v for k, v in server.stored[number].items() if k not in mine}) == repr(
            theirs
        )
    server.changes.clear()
    written(server, end)
    assert server.changes == []


def test_a_task_is_marked_before_and_until_it_has_all_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(column_writer, "MOST_TASKS", 20)
    extra = {"goldspan_a": 0.5, "goldspan_coefficients": "measured by goldspan: a"}
    asked = {number: wanted(number, **extra) for number in range(MANY)}
    names = [(step.name, step.value) for step in divide({n: {} for n in asked}, asked).steps]
    assert names[:2] == [(DIFFER, PENDING)] * 2
    assert names[2][0] == "goldspan_coefficients"
    assert [name for name, _ in names[-5:]] == [DIFFER] * 5
    again = {number: wanted(number) | {GAMMA: 0.1} for number in range(MANY)}
    steps = divide({number: wanted(number) for number in range(MANY)}, again).steps
    assert {step.name for step in steps} == {GAMMA}
