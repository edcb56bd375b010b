"""ContinuumCoefficient: what all coefficients of continua share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from goldspan.engine.coefficient.base import TaskCoefficient
from goldspan.engine.coefficient.continua.spans import MarkedTask
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.coefficient.resampling import Sums
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task


@dataclass(frozen=True, eq=False)
class ContinuumCoefficient(TaskCoefficient):
    """A coefficient of a task's spans, one task at a time."""

    allows_overlap: ClassVar[bool] = True
    """Whether units of one annotator may overlap."""

    @abstractmethod
    def observe_spans(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        """What a task adds; or the reason why it adds nothing."""

    def observe_tasks(
        self, tasks: Sequence[Task], scheme: Scheme, label: str
    ) -> Sequence[Sums | Reason]:
        key = self, label
        for task in tasks:
            if key not in task.memo:
                task.memo[key] = self._observe(MarkedTask.of(task, scheme), scheme, label)
        return [task.memo[key] for task in tasks]

    def _observe(self, task: MarkedTask, scheme: Scheme, label: str) -> Sums | Reason:
        if task.length <= 0:
            return Reason.of(ReasonKind.NO_UNIT)
        if not self.allows_overlap and task.overlapping is not None:
            return Reason.of(ReasonKind.OVERLAP, annotator=task.overlapping)
        return self.observe_spans(task, scheme, label)


class LabelCoefficient(ContinuumCoefficient):
    """A coefficient with a figure for each label that somebody used."""

    def labels_of(self, tasks: Sequence[Task], scheme: Scheme) -> Sequence[str]:
        used = {
            unit.category
            for task in tasks
            for unit in task.continuum.units
            if unit.annotator in task.annotators
        }
        return [category for category in scheme.categories if category in used]


class StretchCoefficient(ContinuumCoefficient):
    """A coefficient of stretches: its extent is every annotator's length of the continuum."""

    def extent(self, task: Task) -> float:
        low, high = task.continuum.bounds
        return (high - low) * len(task.annotators)
