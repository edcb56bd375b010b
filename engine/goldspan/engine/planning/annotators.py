"""Annotators: how much of the variance between tasks is theirs, and what more of them would leave.

The variance between tasks is taken as a + b/n for a task with n annotators: b is that of the
annotators, who err independently of each other, and a is that of the tasks. It is known for the
pilot as it is, and for the pilot without one annotator in each task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.coefficient.resampling import LEAST_TASKS
from goldspan.engine.planning.pilot import pilot_of

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Key
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

TURNS = 3
THINNED_TASKS = 200
"""So many tasks are measured without an annotator, so many times at most; each time without another
one.
"""

FEWEST = 2
"""Annotators for each task; one alone agrees with nobody."""


def thinned(corpus: Corpus, seed: int = 0) -> Iterator[Corpus]:
    """The tasks with three annotators or more, each without one of them; each time another one."""
    rng = np.random.default_rng(seed)
    tasks = [one for one in corpus if len(one.annotators) > FEWEST and one.units]
    if len(tasks) > THINNED_TASKS:
        chosen = sorted(rng.choice(len(tasks), THINNED_TASKS, replace=False).tolist())
        tasks = [tasks[at] for at in chosen]
    first = rng.integers(1 << 30, size=len(tasks)).tolist()
    for turn in range(TURNS if len(tasks) >= LEAST_TASKS else 0):
        left = []
        for task, at in zip(tasks, first, strict=True):
            names = sorted(task.annotators)
            names.pop((at + turn) % len(names))
            left.append(task.only(names))
        yield replace(corpus, continua=tuple(left), layers={})


@dataclass(frozen=True, slots=True)
class AnnotatorPart:
    """The part of the variance between tasks that is the annotators', from 0 to 1, in a pilot with
    so many annotators for each task.
    """

    part: float
    counts: tuple[int, ...]

    @property
    def mean(self) -> float:
        """Annotators for each task."""
        return fmean(self.counts)

    def share(self, more: int) -> float:
        """The part of the variance that is left with so many more annotators for each task; fewer
        if it is below 0.
        """
        now = fmean(1 / one for one in self.counts)
        then = fmean(1 / max(one + more, FEWEST) for one in self.counts)
        return 1 - self.part + self.part * then / now


def annotator_part(result: Result, key: Key, others: Sequence[Result]) -> AnnotatorPart | None:
    """By a figure's variance in the pilot and in the `thinned` corpora; None if they do not tell
    it.
    """
    slopes, own_parts = [], []
    for other in others:
        names = [name for name in other.tasks if name in result.tasks]
        if not names or key not in other.figures:
            continue
        own = pilot_of(result, key, set(names)).variance
        fewer = pilot_of(other, key, set(names)).variance
        now, then = (
            fmean(1 / len(one.tasks[name].annotators) for name in names) for one in (result, other)
        )
        if own is not None and fewer is not None and then > now:
            slopes.append((fewer - own) / (then - now))
            own_parts.append(own / now)
    whole = fmean(own_parts) if own_parts else 0.0
    if whole <= 0:  # tasks that do not differ tell nothing about annotators
        return None
    part = min(max(fmean(slopes) / whole, 0.0), 1.0)
    return AnnotatorPart(part, tuple(len(task.annotators) for task in result.tasks.values()))
