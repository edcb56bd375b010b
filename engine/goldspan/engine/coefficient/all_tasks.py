"""All tasks: one thing of every task of a result, as a report or a merge asks for it.

Results of tasks are values, or they are made from columns. Columns give one thing of many tasks
much faster than of one task after the other.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment
    from goldspan.engine.coefficient.base import Key
    from goldspan.engine.coefficient.observation import Observations
    from goldspan.engine.disagreement import Disagreements
    from goldspan.engine.result import TaskResult


class MadeTogether(Mapping[str, Any]):
    """Results of tasks that are made from columns."""

    observations: Observations

    @abstractmethod
    def all_sums(self, key: Key) -> Iterator[Sequence[float] | None]:
        """The sums of one figure of each task."""

    @abstractmethod
    def all_disagreements(self) -> Iterator[Disagreements]:
        """What the differences of each task add up to."""

    @abstractmethod
    def all_alignments(self) -> Iterator[Alignment]:
        """The alignment of each task."""


def sums_of(tasks: Mapping[str, TaskResult], key: Key) -> Iterator[Sequence[float] | None]:
    """The sums of one figure of each task, in order; None for a task that has none."""
    if isinstance(tasks, MadeTogether):
        return tasks.all_sums(key)
    figures = (task.figure(key) for task in tasks.values())
    return (None if one is None else one.sums for one in figures)


def disagreements_of(tasks: Mapping[str, TaskResult]) -> Iterator[Disagreements]:
    """What the differences of each task add up to, in order."""
    if isinstance(tasks, MadeTogether):
        return tasks.all_disagreements()
    return (task.disagreements for task in tasks.values())


def alignments_of(tasks: Mapping[str, TaskResult], names: Sequence[str]) -> Iterator[Alignment]:
    """The alignments of these tasks."""
    if isinstance(tasks, MadeTogether) and names == list(tasks):
        return tasks.all_alignments()
    return (tasks[name].alignment for name in names)


def observations_of(tasks: Mapping[str, TaskResult], names: Sequence[str]) -> Observations | None:
    """The columns that these tasks are made from, if they are all of them, in order."""
    if isinstance(tasks, MadeTogether) and names == list(tasks):
        return tasks.observations
    return None
