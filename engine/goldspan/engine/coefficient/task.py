"""Task: a continuum that is measured, and who of its annotators count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import InputError
from goldspan.engine.model import Continuum, Presence

if TYPE_CHECKING:
    from goldspan.engine.model import Measure, Position, Unit

_FEW = 3
"""Tasks keep what some of their annotators leave if they have this many at most."""


@dataclass(frozen=True, slots=True)
class Task:
    """A continuum that two annotators or more worked on; without a unit it is blank.

    `memo` keeps what coefficients made of it, so that the next one need not make it again. It stays
    behind when a task travels to another process, as does the text.
    """

    continuum: Continuum
    annotators: tuple[str, ...]
    memo: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        one = self.continuum
        return _arrive, (one.id, one.units, dict(one.presence), one.length, one.measure,
                         self.annotators)  # fmt: skip

    def only(self, annotators: tuple[str, ...]) -> Task:
        """The task as if just these of its annotators had worked on it."""
        if annotators == self.annotators:
            return self
        found: Task | None = self.memo.get(annotators)
        if found is None:
            found = Task(self.continuum.only(annotators), annotators)
            found.memo[Task] = self
            if len(self.annotators) <= _FEW:
                self.memo[annotators] = found
        return found

    @property
    def whole(self) -> Task | None:
        """The task that these annotators are only some of."""
        return self.memo.get(Task)

    @property
    def is_blank(self) -> bool:
        return not any(unit.annotator in self.annotators for unit in self.continuum.units)


def _arrive(
    name: str,
    units: tuple[Unit, ...],
    presence: Mapping[str, Presence],
    length: Position | None,
    measure: Measure,
    annotators: tuple[str, ...],
) -> Task:
    """A task that travelled: nothing that is measured depends on the text."""
    return Task(Continuum(name, units, presence, length, measure), annotators)


def only(tasks: Sequence[Task], names: Iterable[str]) -> list[Task]:
    """The tasks as these annotators alone would leave them, where two or more took part."""
    kept = frozenset(names)
    left = []
    for task in tasks:
        annotators = tuple(name for name in task.annotators if name in kept)
        if len(annotators) >= 2:
            left.append(task.only(annotators))
    return left


def check_presence(continuum: Continuum) -> None:
    """Refuse a task if nothing says whether an annotator saw it."""
    unknown = [n for n, state in continuum.presence.items() if state is Presence.UNKNOWN]
    if unknown:
        raise InputError(
            f"nothing tells whether '{unknown[0]}' saw this task and marked nothing, or never "
            "saw it; say it with an assignments file (--assignments FILE), or for all at "
            "once with --empty seen or --empty unseen",
            where=f"task '{continuum.id}'",
        )
