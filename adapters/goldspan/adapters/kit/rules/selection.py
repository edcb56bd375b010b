"""Selection: the tasks and labels that the options leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.naming import listed, spelled
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note

if TYPE_CHECKING:
    from goldspan.adapters.adapter import ReadOptions
    from goldspan.engine.model import Unit


class Selection:
    """What the options leave out of one reading, and how much that was."""

    def __init__(self, options: ReadOptions) -> None:
        self._tasks = frozenset(spelled(name) for name in options.exclude_tasks)
        self._labels = frozenset(options.exclude_labels)
        self._left_out: set[str] = set()
        self._any_left = False
        self._spans: Counter[str] = Counter()

    def has_task(self, task: str) -> bool:
        """Whether a task stays."""
        if task in self._tasks:
            self._left_out.add(task)
            return False
        self._any_left = True
        return True

    def units(self, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """The units whose label stays."""
        if not self._labels:
            return units
        self._spans.update(unit.category for unit in units if unit.category in self._labels)
        return tuple(unit for unit in units if unit.category not in self._labels)

    def notes(self) -> Iterator[Note]:
        """What was left out, and names in the options that nothing has. It is an error if no task
        is left.
        """
        if self._left_out and not self._any_left:
            raise InputError("--exclude-task leaves out every task; keep one")
        if self._left_out:
            yield Note.of(FormatFact.EXCLUDED_TASKS, count=len(self._left_out))
        for label, count in sorted(self._spans.items()):
            yield Note.of(FormatFact.EXCLUDED_LABEL, count=count, label=label)
        if unknown := self._tasks - self._left_out:
            yield Note.of(FormatFact.UNKNOWN_TASK, names=listed(unknown))
        if unknown := self._labels - self._spans.keys():
            yield Note.of(FormatFact.UNKNOWN_LABEL, names=listed(unknown))
