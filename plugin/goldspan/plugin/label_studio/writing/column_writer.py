"""Column writer: the wanted columns into the tasks' data, in few calls.

There are two ways. A change of one task replaces all of its data, so the data is read right before.
An action of the Data Manager sets one field of many tasks to one value and leaves the rest of their
data as it is. It cannot remove a field. The writer takes the cheaper way for each task.

A sync may be killed between two calls. A task that has no columns yet gets the mark `PENDING` first
and loses it last, so that the next snapshot knows the columns in between as goldspan's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from goldspan.adapters.label_studio.provenance import COEFFICIENTS, column
from goldspan.plugin.label_studio.columns import DIFFER, PENDING, Columns, merged, ours
from goldspan.plugin.label_studio.server import Server, ServerError

if TYPE_CHECKING:
    from goldspan.plugin.platform import Progress

FIELD_SECONDS = 0.25
"""To set a field of one task or of ten (measured: 0.244 and 0.256 s)."""

TASK_SECONDS = 0.88
"""To read a task's data and replace it (measured in the same run: 0.21 and 0.67 s)."""

FEW_TASKS = 20
"""So many tasks are written one by one: the other way would save seconds at most."""

MOST_TASKS = 500
"""Tasks of one call: a second of work for the server."""

WHAT = "writing columns"


class Step(NamedTuple):
    """One call: a field, its value, and the tasks that get it."""

    name: str
    value: Any
    tasks: Sequence[int]


@dataclass(frozen=True, slots=True)
class Division:
    """Which tasks are written field by field, in `steps`, and which `singles` on their own."""

    steps: Sequence[Step]
    singles: Sequence[int]


def write_columns(
    server: Server, project: int, wanted: Mapping[int, Columns], gone: set[int], tell: Progress
) -> None:
    """Give every task its wanted columns and no other of ours; `gone` gets the tasks that are no
    longer there.
    """
    stored = _stored(server, project, [task for task, some in wanted.items() if some])
    division = divide(stored, wanted)
    singles = list(division.singles)
    done = 0
    for step in division.steps:
        try:
            server.set_field(project, step.tasks, step.name, step.value)
        except ServerError as error:
            if error.status is None:
                raise
            # This server does not have the action, or does not let this user use it.
            break
        done += 1
        tell(WHAT, done, len(division.steps) + len(singles))
    if division.steps:
        # Whatever is not as it should be by now is written in the other way.
        grouped = dict.fromkeys(task for step in division.steps for task in step.tasks)
        now = _stored(server, project, grouped)
        singles += [one for one in grouped if one not in now or _differs(now[one], wanted[one])]
    total = done + len(singles)
    for task in singles:
        _write_one(server, project, task, wanted[task], gone)
        done += 1
        tell(WHAT, done, total)


def divide(stored: Mapping[int, Columns], wanted: Mapping[int, Columns]) -> Division:
    """The cheaper way for each task. What is not in `stored` is written on its own; a task that has
    its columns already, in neither way.
    """
    fields = {task: _fields(found, wanted[task]) for task, found in stored.items()}
    grouped = _grouped({task: found for task, found in fields.items() if found})
    singles = [
        task
        for task, some in wanted.items()
        if task not in grouped and (task not in stored or _differs(stored[task], some))
    ]
    return Division(list(_steps(grouped, stored)), singles)


def _grouped(fields: Mapping[int, Mapping[str, Any]]) -> Mapping[int, Mapping[str, Any]]:
    """The tasks to write field by field, and the fields of each. A task is not among them if the
    values that no other of them gets take longer than the task on its own.
    """
    grouped = dict(fields)
    sizes = Counter(pair for found in grouped.values() for pair in found.items())
    while len(grouped) > FEW_TASKS:
        lonely = [
            task
            for task, found in grouped.items()
            if sum(sizes[pair] == 1 for pair in found.items()) * FIELD_SECONDS > TASK_SECONDS
        ]
        if not lonely:
            return grouped
        for task in lonely:
            sizes -= Counter(grouped.pop(task).items())
    return {}


def _fields(stored: Columns, wanted: Columns) -> dict[str, Any]:
    """The fields to set. None if there is nothing to write, or if a field has to be removed."""
    new = merged(stored, wanted)
    if stored.keys() - new.keys():
        return {}
    mine = ours(new)
    return {name: mine[name] for name in mine if name not in stored or stored[name] != mine[name]}


def _differs(stored: Columns, wanted: Columns) -> bool:
    return merged(stored, wanted) != stored


def _steps(
    fields: Mapping[int, Mapping[str, Any]], stored: Mapping[int, Columns]
) -> Iterator[Step]:
    """First the mark, then the list of coefficients, the figures, and what replaces the mark."""
    groups: dict[tuple[str, Any], list[int]] = {}
    for task, found in fields.items():
        if not ours(stored[task]):
            groups.setdefault((DIFFER, PENDING), []).append(task)
        for pair in found.items():
            groups.setdefault(pair, []).append(task)
    for name, value in sorted(groups, key=_turn):
        tasks = groups[name, value]
        for start in range(0, len(tasks), MOST_TASKS):
            yield Step(name, value, tasks[start : start + MOST_TASKS])


def _turn(pair: tuple[str, Any]) -> tuple[int, str]:
    name, value = pair
    if name == DIFFER:
        return (0 if value == PENDING else 3), name
    return (1 if name == COEFFICIENTS else 2), name


def _stored(server: Server, project: int, tasks: Iterable[int]) -> dict[int, Columns]:
    """The part of tasks' data that has names like goldspan's, as it is now. Tasks that are gone are
    not in it.
    """
    prefix = column("")
    return {
        task: {name: value for name, value in data.items() if name.startswith(prefix)}
        for task, data in server.data_of(project, tasks)
    }


def _write_one(server: Server, project: int, task: int, wanted: Columns, gone: set[int]) -> None:
    # Read right before writing: data that is not sent along would be lost.
    data = next((data for _, data in server.data_of(project, [task])), None)
    if data is None:
        # The slow way is the one that says for sure.
        data = server.data(task)
    if data is None:
        gone.add(task)
    elif (new := merged(data, wanted)) != data:
        server.change_data(task, new)
