"""Literature: its coefficients by themselves, without γ and its chance samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.base import Coefficient, Key, TaskCoefficient, figures_of_tasks
from goldspan.engine.coefficient.measure import scheme_of
from goldspan.engine.coefficient.registry import found_coefficients
from goldspan.engine.coefficient.task import Task
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.settings import Settings

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.model import Corpus


def agreement(
    corpus: Corpus,
    coefficients: Iterable[str | Coefficient],
    *,
    settings: Settings | None = None,
) -> dict[Key, Figure]:
    """The figures of these coefficients, by key and label; nothing is aligned, nothing sampled.

    Coefficients that need alignments or chance samples are measured by `score`.
    """
    settings = settings or Settings()
    found = (Task(one, one.annotators) for one in corpus)
    tasks = [task for task in found if len(task.annotators) >= 2]
    if not tasks:
        raise InputError("no task can be measured: agreement needs a task with two annotators")
    scheme = scheme_of(corpus, tasks, settings)
    wanted = list(_direct(found_coefficients(coefficients), tasks, scheme))
    return figures_of_tasks(wanted, tasks, scheme)


def _direct(
    coefficients: Iterable[Coefficient], tasks: Sequence[Task], scheme: Scheme
) -> Iterator[TaskCoefficient]:
    for one in coefficients:
        bound = one.bind(tasks, scheme)
        if not isinstance(bound, TaskCoefficient) or bound.needs_alignment:
            raise SettingsError(
                f"the coefficient '{one.key}' looks at alignments or chance; use score()"
            )
        yield bound
