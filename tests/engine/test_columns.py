"""Columns of many tasks say what is said of each task by itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.engine import Continuum, Presence, Unit
from goldspan.engine.alignment.batch import unitaries
from goldspan.engine.alignment.batch.unitaries import borders_of, sums_between
from goldspan.engine.alignment.layout import lay_out
from goldspan.engine.chance import sampler
from goldspan.engine.coefficient.columns import TaskColumns
from goldspan.engine.coefficient.task import Task

CATEGORIES = {"z": 0, "x": 1, "y": 2}
NAMES = "ABCD"

places = st.one_of(st.integers(-9, 9), st.sampled_from((-2.5, -0.0, 0.0, 0.5, 1e-3, 7.25)))
marks = st.lists(
    st.tuples(st.sampled_from(NAMES), places, st.sampled_from((1, 2, 0.5)),
              st.sampled_from("xyz")),
    min_size=1, max_size=9, unique=True,
)  # fmt: skip
people = st.permutations(NAMES).flatmap(lambda names: st.sampled_from((names[:2], names)))


def task_of(number: int, drawn: list[tuple[str, float, float, str]], names: list[str]) -> Task:
    """A task in which only some of those who marked something count."""
    units = {Unit(name, start, start + length, label) for name, start, length, label in drawn}
    units.add(Unit(names[0], 1, 2, "x"))
    whole = Continuum(f"task {number}", tuple(units), dict.fromkeys(NAMES, Presence.DONE))
    return Task(whole, tuple(sorted(names)))


@given(st.lists(st.tuples(marks, people), min_size=1, max_size=4))
def test_columns_are_the_layouts_of_the_tasks(
    drawn: list[tuple[list[tuple[str, float, float, str]], list[str]]],
) -> None:
    tasks = [task_of(at, units, names) for at, (units, names) in enumerate(drawn)]
    columns = TaskColumns.of(tasks, CATEGORIES)
    for k, task in enumerate(tasks):
        layout, units = lay_out(task.continuum, task.annotators, CATEGORIES)
        own = slice(columns.begin[k], columns.begin[k + 1])
        found = columns.layouts(k, k + 1)[0]
        assert tuple(columns.units_of(k)) == units
        for name in ("annotator", "start", "end", "category"):
            assert getattr(found, name).tolist() == getattr(layout, name).tolist()
        assert [columns.names[at] for at in columns.name[own]] == [u.annotator for u in units]
        assert [columns.labels[at] for at in columns.label[own]] == [u.category for u in units]
        assert [columns.names[at] for at in columns.people[columns.person[own]]] == [
            unit.annotator for unit in units
        ]


@given(st.lists(st.tuples(marks, people), min_size=1, max_size=4), st.sets(st.sampled_from(NAMES)))
def test_what_annotators_share_is_counted_as_it_is_taken(
    drawn: list[tuple[list[tuple[str, float, float, str]], list[str]]], names: set[str]
) -> None:
    tasks = [task_of(at, units, people) for at, (units, people) in enumerate(drawn)]
    columns = TaskColumns.of(tasks, CATEGORIES)
    taken, _ = columns.only(names)
    assert columns.shared(names) == (len(taken), len(taken.start))


@given(st.lists(st.integers(1, 9), max_size=20), st.integers(1, 30))
def test_stretches_are_all_layouts_in_order_and_none_has_too_many_units(
    sizes: list[int], most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unitaries, "UNITS_AT_ONCE", most)
        found = list(unitaries.stretches(borders_of(np.array(sizes, dtype=np.int64))))
    assert [at for low, high in found for at in range(low, high)] == list(range(len(sizes)))
    for low, high in found:
        assert high - low <= 1 or sum(sizes[low:high]) <= most
        assert sum(sizes[low : high + 1]) > most or high == len(sizes)  # as many as there can be


@given(st.lists(st.lists(st.floats(0, 1e6), max_size=300), min_size=1, max_size=9))
def test_sums_between_borders_are_those_of_the_values_alone(parts: list[list[float]]) -> None:
    values = np.array([value for part in parts for value in part])
    found = sums_between(values, borders_of(np.array([len(part) for part in parts])))
    assert found.tolist() == [float(np.array(part).sum()) for part in parts]


@given(st.sampled_from((1, 7, 0.04, 1 / 3)), st.lists(st.integers(0, 60), min_size=2, unique=True))
def test_positions_on_a_grid_are_recognised_however_many_there_are(
    step: float, at: list[int]
) -> None:
    at = [*at, 61, 62]
    length = 80 * step
    few = sampler._grid(np.array(at) * step, length)
    assert math.isclose(few, step, rel_tol=1e-6)
    many = np.repeat(np.array(at) * step, sampler.MOST_SORTED_HERE)
    assert sampler._grid(many, length) == few
