"""Task results: what was measured of each task, made from columns when somebody looks.

A corpus of 100,000 tasks has millions of units in alignments and differences between them. Nobody
looks at all of them at once, so a task's result keeps its number, and makes what is asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import fields
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from goldspan.engine.coefficient.all_tasks import MadeTogether
from goldspan.engine.coefficient.difference_columns import DifferenceColumns
from goldspan.engine.result import TaskResult

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment
    from goldspan.engine.chance.expectation import Expectation
    from goldspan.engine.coefficient.base import Figures, Key
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.coefficient.measured import MeasuredTasks
    from goldspan.engine.coefficient.task import Task
    from goldspan.engine.coefficient.task_figures import FiguresOfEach
    from goldspan.engine.disagreement import Difference, Disagreements
    from goldspan.engine.settings import Chance

Made = TypeVar("Made")

TASKS_AT_ONCE = 100
"""What is asked of all tasks is made for so many at a time."""


class TaskResults(MadeTogether):
    """The results of many tasks by their ids, in order."""

    def __init__(self, measured: MeasuredTasks, figures: FiguresOfEach) -> None:
        self.measured, self.figures = measured, figures
        self.observations = measured.observations
        self.tasks = measured.observations.columns.tasks
        self._number = {task.continuum.id: at for at, task in enumerate(self.tasks)}

    def __getitem__(self, name: str) -> TaskResult:
        return _MadeResult(self, self._number[name])

    def __contains__(self, name: object) -> bool:
        return name in self._number

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def __len__(self) -> int:
        return len(self._number)

    def values(self) -> ValuesView[TaskResult]:
        return _Values(self)

    def between(self, low: int, high: int) -> list[TaskResult]:
        """Those from number `low` on, up to `high`, made together: that is faster when everything
        in them is looked at.
        """
        numbers = range(len(self))[low:high]
        together = zip(
            self.figures.between(numbers.start, numbers.stop),
            self.observations.alignments(numbers.start, numbers.stop),
            self.differences.parts_of_tasks(numbers.start, numbers.stop),
            strict=True,
        )
        return [_MadeResult(self, at, *kept) for at, kept in zip(numbers, together, strict=True)]

    def all_sums(self, key: Key) -> Iterator[Sequence[float] | None]:
        return self.figures.sums(key)

    def all_disagreements(self) -> Iterator[Disagreements]:
        for low, high in self._some():
            yield from self.differences.parts_of_tasks(low, high)

    def all_alignments(self) -> Iterator[Alignment]:
        for low, high in self._some():
            yield from self.observations.alignments(low, high)

    def _some(self) -> Iterator[tuple[int, int]]:
        """The numbers of all tasks, some at a time."""
        size = len(self)
        return ((low, min(low + TASKS_AT_ONCE, size)) for low in range(0, size, TASKS_AT_ONCE))

    def __reduce__(self) -> tuple[object, ...]:
        # The columns stay behind: what arrives are plain values.
        return dict, (list(self.items()),)

    @cached_property
    def differences(self) -> DifferenceColumns:
        """What annotators differ in, of all tasks."""
        return DifferenceColumns.of(self.measured.observations)


def together(tasks: Mapping[str, TaskResult], size: int) -> Iterator[list[TaskResult]]:
    """The results of tasks in order, so many at a time."""
    if isinstance(tasks, TaskResults):
        yield from (tasks.between(low, low + size) for low in range(0, len(tasks), size))
        return
    values = iter(tasks.values())
    while some := list(islice(values, size)):
        yield some


class _Values(ValuesView[TaskResult]):
    """The results in order, without looking for each by its id."""

    _mapping: TaskResults

    def __iter__(self) -> Iterator[TaskResult]:
        return (_MadeResult(self._mapping, at) for at in range(len(self._mapping)))


class _MadeResult(TaskResult):
    """A task's result that is made from columns; what was made once stays with it."""

    __slots__ = ("_alignment", "_among", "_disagreements", "_figures", "_number")
    _alignment: Alignment | None
    _among: TaskResults
    _disagreements: Disagreements | None
    _figures: Figures | None
    _number: int

    def __init__(
        self,
        among: TaskResults,
        number: int,
        figures: Figures | None = None,
        alignment: Alignment | None = None,
        disagreements: Disagreements | None = None,
    ) -> None:
        # The slots' own setters, as in `Unit`: a run makes results of all tasks many times.
        set_alignment, set_among, set_disagreements, set_figures, set_number = _SETTERS
        set_alignment(self, alignment)
        set_among(self, among)
        set_disagreements(self, disagreements)
        set_figures(self, figures)
        set_number(self, number)

    def __reduce__(self) -> tuple[object, ...]:
        return _plain, (self._values(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TaskResult):
            return NotImplemented
        return all(getattr(other, name) == value for name, value in self._values().items())

    def __hash__(self) -> int:
        return hash(self.id)

    def _values(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def _task(self) -> Task:
        return self._among.tasks[self._number]

    @property
    def id(self) -> str:
        return self._task.continuum.id

    @property
    def annotators(self) -> tuple[str, ...]:
        return self._task.annotators

    @property
    def n_units(self) -> int:
        return self._among.observations.columns.sizes.item(self._number)

    @property
    def text_sha256(self) -> str | None:
        text = self._task.continuum.text
        if text is None:
            return None
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def chance(self) -> Chance:
        return self._among.measured.chance

    @property
    def figures(self) -> Figures:
        return self._kept("_figures", self._among.figures.of)

    def figure(self, key: Key) -> Figure | None:
        if self._figures is None:
            return self._among.figures.figure(key, self._number)
        return self._figures.get(key)

    def value(self, key: Key) -> float | None:
        return self._among.figures.values(key)[self._number]

    def labels_of(self, key: str) -> tuple[str, ...]:
        if self._figures is None:
            return self._among.figures.labels_of(key, self._number)
        return super().labels_of(key)

    @property
    def _expectation(self) -> Expectation | None:
        which = self._among.measured.which.item(self._number)
        return self._among.measured.expectations[which] if which >= 0 else None

    @property
    def expected_disorder(self) -> float | None:
        expectation = self._expectation
        if expectation is None:
            return None
        weight = self._among.observations.mean_units.item(self._number)
        return weight * expectation.disorder.mean / weight

    @property
    def n_samples(self) -> int:
        expectation = self._expectation
        return 0 if expectation is None else expectation.samples

    @property
    def alignment(self) -> Alignment:
        return self._kept("_alignment", self._among.observations.alignment)

    @property
    def observed_disorder(self) -> float:
        return self._among.observations.disorder.item(self._number)

    @property
    def lower_bound(self) -> float:
        return self._among.observations.lower_bound.item(self._number)

    @property
    def optimal(self) -> bool:
        return self._among.observations.best.optimal.item(self._number)

    @property
    def n_unitary(self) -> int:
        return self._among.observations.n_unitary.item(self._number)

    @property
    def differences(self) -> tuple[Difference, ...]:
        return self._among.differences.of_task(self._number)

    @property
    def costs_of_pairs(self) -> dict[tuple[str, str], float]:
        return self._among.differences.costs_of_pairs(self._number)

    @property
    def disagreements(self) -> Disagreements:
        return self._kept("_disagreements", self._among.differences.parts_of_task)

    def _kept(self, slot: str, make: Callable[[int], Made]) -> Made:
        """What a slot keeps; made the first time."""
        found: Made | None = getattr(self, slot)
        if found is None:
            found = make(self._number)
            object.__setattr__(self, slot, found)
        return found


_SETTERS = tuple(vars(_MadeResult)[name].__set__ for name in _MadeResult.__slots__)


def _plain(values: Mapping[str, Any]) -> TaskResult:
    return TaskResult(**values)
