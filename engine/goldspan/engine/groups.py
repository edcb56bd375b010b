"""Groups: the figures of some annotators of a corpus, as if the others had not been there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.base import Coefficient, Figures, figures, observe_tasks
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.measure import Measured, Run, Scheme, Task, measure, observe_all
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.model import Continuum, Corpus, Presence

if TYPE_CHECKING:
    from goldspan.engine.settings import Chance, Settings


@dataclass(frozen=True, slots=True)
class Groups:
    """How groups are measured: the scheme, the coefficients, the model of chance, and where."""

    scheme: Scheme
    coefficients: tuple[Coefficient, ...]
    chance: Chance
    run: Run

    def measure(
        self, tasks: Sequence[Task], blank: Sequence[Task], *, for_all: bool
    ) -> list[Measured]:
        """The best alignment of each task, and what chance expects."""
        observations = observe_all(tasks, self.scheme, self.run)
        return measure(observations, blank, self.scheme, self.chance, self.run, for_all=for_all)

    def figures(self, tasks: Sequence[Task], names: Iterable[str]) -> Figures | None:
        """The figures of these annotators alone; None if they marked nothing in a common task."""
        if self.run.deadline.is_over:
            return self.undefined(ReasonKind.OUT_OF_TIME)
        left = only(tasks, names)
        blank = [task for task in left if task.is_blank]
        marked = [task for task in left if not task.is_blank]
        if not marked:
            return None
        measured = self.measure(marked, blank, for_all=False)
        observed = observe_tasks(self.coefficients, measured, self.scheme, blank)
        return figures(self.coefficients, observed, measured, self.scheme, blank)

    def undefined(self, kind: ReasonKind) -> Figures:
        """Nothing but a reason, for every coefficient that has one figure for all labels."""
        figure = Figure.undefined(Reason.of(kind), self.scheme.settings.level)
        return {
            (one.key, label): figure
            for one in self.coefficients
            for label in one.labels((), self.scheme)
        }


def scheme_of(corpus: Corpus, tasks: Sequence[Task], settings: Settings) -> Scheme:
    """The categories that were used in these tasks of a corpus."""
    used = {u.category for t in tasks for u in t.continuum.units if u.annotator in t.annotators}
    return Scheme.of([c for c in corpus.categories if c in used], settings, corpus.scale)


def only(tasks: Sequence[Task], names: Iterable[str]) -> list[Task]:
    """The tasks as these annotators alone would leave them, where two or more took part."""
    kept = frozenset(names)
    left = []
    for task in tasks:
        annotators = tuple(name for name in task.annotators if name in kept)
        if len(annotators) >= 2:
            left.append(Task(task.continuum.only(annotators), annotators))
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
