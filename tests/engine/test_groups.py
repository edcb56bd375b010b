"""Groups of annotators: the figures of some of them, wherever they are measured."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.continua import continua, continuum
from goldspan.engine import Continuum, Corpus, Measure, Settings, Unit, score
from goldspan.engine.alignment.budget import Deadline
from goldspan.engine.coefficient.columns import TaskColumns
from goldspan.engine.coefficient.measure import (
    Groups,
    MeasureGroup,
    Run,
    model_of_chance,
    scheme_of,
    silent,
)
from goldspan.engine.coefficient.registry import chosen
from goldspan.engine.coefficient.task import Task
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.parallel import Compute


def _travelled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own


class CountingMap:
    """A `map` that notes what it was called with, and sends everything through a pickle."""

    def __init__(self) -> None:
        self.worked: list[str] = []

    def __call__(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        self.worked.append(type(function).__name__)
        for item in items:
            there, own = _travelled((function, item))
            yield _travelled(there(own))


def setting(
    tasks: Iterable[Continuum], run: Run, also: Iterable[str] = ()
) -> tuple[Groups, TaskColumns, list[Task]]:
    """The groups of a corpus, its columns, and its blank tasks."""
    corpus = Corpus(tuple(tasks))
    all_tasks = [Task(one, one.annotators) for one in corpus]
    marked = [one for one in all_tasks if not one.is_blank]
    blank = [one for one in all_tasks if one.is_blank]
    scheme = scheme_of(corpus, marked, Settings.of(precision=0.2))
    model = model_of_chance(scheme.settings.chance, marked)
    wanted = tuple(one.bind(all_tasks, scheme) for one in chosen(also))
    groups = Groups(scheme, wanted, model, run)
    return groups, TaskColumns.of(marked, scheme.index), blank


def groups_of(columns: TaskColumns) -> list[frozenset[str]]:
    return [frozenset(some) for size in (2, 3) for some in combinations(columns.names, size)]


def long(annotators: str) -> Continuum:
    """A task that is long enough for an interval within it, which one annotator left unfinished;
    only the second one has the label y.
    """
    rows = [
        Unit(name, 20 * at + turn, 20 * at + 10, "y" if turn == 1 and at == 3 else "x")
        for turn, name in enumerate(annotators)
        for at in range(32 if turn else 6)
        if (at + turn) % 7
    ]
    return Continuum("long", tuple(rows), measure=Measure.STEP)


HAND_MADE = [
    long("abcd"),
    continuum(("a", 0, 5, "x"), ("b", 1, 6, "x"), empty=("c", "d"), task="of two"),
    continuum(("d", 3, 5, "z"), empty=("a", "b", "c"), task="blank for most"),
    continuum(empty=("a", "b", "c", "d"), length=40, task="blank"),
    continuum(("a", 0, 5, "x"), ("c", 0, 5, "z"), length=30, task="disjoint"),
]


@pytest.mark.parametrize("tasks", [HAND_MADE, HAND_MADE[:1], HAND_MADE[1:], HAND_MADE[:2]])
def test_a_group_has_the_same_figures_wherever_it_is_measured(tasks: list[Continuum]) -> None:
    here, columns, blank = setting(tasks, Run(map, silent, Deadline()))
    there = CountingMap()
    apart, _, _ = setting(tasks, Run(there, silent, Deadline(), 2))
    wanted = groups_of(columns)
    found = apart.figures_of_each(columns, blank, wanted, "comparing")
    assert there.worked == ["MeasureGroup"]
    assert list(found) == wanted
    assert found == {one: here.figures(columns, blank, one) for one in wanted}


def test_the_cases_above_look_at_unitary_alignments_and_at_who_used_a_label() -> None:
    groups, columns, blank = setting(HAND_MADE[:1], Run(map, silent, Deadline()))
    found = groups.figures(columns.outlined(), blank, frozenset("bc"))
    assert found is not None
    assert found["gamma", ""].method == "bootstrap over blocks of unitary alignments"
    assert found["gamma_k", "y"].reason == Reason.of(ReasonKind.ONE_USER, annotator="b")


@settings(max_examples=8)
@given(st.lists(continua(), min_size=1, max_size=3))
def test_any_group_has_the_same_figures_wherever_it_is_measured(drawn: list[Continuum]) -> None:
    tasks = [
        Continuum(f"task {at}", one.units, one.presence, one.length, one.measure)
        for at, one in enumerate(drawn)
        if len(one.annotators) > 1
    ]
    if not any(one.units for one in tasks):
        return
    here, columns, blank = setting(tasks, Run(map, silent, Deadline()))
    work = _travelled(MeasureGroup.of(here, columns.outlined(), blank))
    for group in groups_of(columns):
        assert work(group) == here.figures(columns, blank, group)


@pytest.mark.parametrize(
    ("processes", "also", "kind"),
    [(1, (), "AlignTasks"), (6, (), "AlignTasks"), (5, (), "MeasureGroup"),
     (2, ("alpha",), "AlignTasks")],
)  # fmt: skip
def test_whole_groups_travel_where_there_are_enough_and_columns_say_it_all(
    processes: int, also: tuple[str, ...], kind: str
) -> None:
    there = CountingMap()
    groups, columns, blank = setting(HAND_MADE, Run(there, silent, Deadline(), processes), also)
    groups.figures_of_each(columns, blank, groups_of(columns)[:5], "comparing")
    assert there.worked[0] == kind


def test_progress_counts_groups() -> None:
    heard: list[tuple[str, int, int]] = []

    def hear(*one: Any) -> None:
        heard.append(one)

    groups, columns, blank = setting(HAND_MADE, Run(CountingMap(), hear, Deadline(), 2))
    groups.figures_of_each(columns, blank, groups_of(columns), "comparing")
    count = len(groups_of(columns))
    assert heard == [("comparing", done, count) for done in range(count + 1)]


def test_processes_take_whole_groups_where_pieces_need_not_be_the_same() -> None:
    assert Compute(3).processes == 3
    assert Compute(3, keep=lambda run: run).processes == 1


def test_processes_that_take_whole_groups_give_the_same_result() -> None:
    corpus = Corpus((long("abcd"), *(one for one in HAND_MADE[1:] if one.units)))
    assert score(corpus, workers=2).as_json() == score(corpus).as_json()
