"""Measure: the best alignment of each task, what chance expects of it, and what any annotators of a
corpus add up to, as if the others had not been there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.partition import Partitions, best_partitions
from goldspan.engine.chance.expectation import (
    SETTLED_STEPS,
    Expectation,
    Precision,
    SampleAligner,
    SampleStream,
    expect,
)
from goldspan.engine.chance.mosaic import Mosaic
from goldspan.engine.chance.normal import Normal
from goldspan.engine.chance.pool import Pool
from goldspan.engine.chance.sampler import observed_task
from goldspan.engine.chance.shift import Shift
from goldspan.engine.chance.statistical import Statistical
from goldspan.engine.coefficient.base import (
    Coefficient,
    ColumnCoefficient,
    Figures,
    figures,
    observe_tasks,
)
from goldspan.engine.coefficient.columns import TaskColumns
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.measured import MeasuredTasks
from goldspan.engine.coefficient.observation import Observations
from goldspan.engine.coefficient.scheme import Scheme
from goldspan.engine.coefficient.task import Task, only
from goldspan.engine.errors import failure_in
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.parallel import blame
from goldspan.engine.settings import Chance, Settings

if TYPE_CHECKING:
    from goldspan.engine.alignment.batch.layouts import Layouts
    from goldspan.engine.alignment.budget import Deadline
    from goldspan.engine.alignment.clusters import Ints
    from goldspan.engine.model import Corpus
    from goldspan.engine.parallel import Map

BATCH_TASKS = 100
BATCH_UNITS = 1_000
"""Tasks are aligned so many at a time, or as many as have so many units; large ones alone."""

OF_ONE_TASK = (Chance.SHIFT, Chance.NORMAL)
"""The models that draw the samples of each task from that task alone."""

Progress = Callable[[str, int, int], None]
"""progress(what, done, total)."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True)
class Run:
    """Where work is done, who hears of it, and when it has to end. `processes` is how many of them
    can take a whole group of annotators each; 1 where pieces of a group travel.
    """

    map: Map
    progress: Progress
    deadline: Deadline
    processes: int = 1


def observe_all(columns: TaskColumns, scheme: Scheme, run: Run) -> Observations:
    """The best alignment of each task, in order."""
    batches = [
        TaskBatch(columns.ids(low, high), columns.layouts(low, high))
        for low, high in pairwise(_edges(columns.sizes))
    ]
    found: list[Partitions] = []
    done = 0
    with blame(lambda: _named(batches[len(found)].ids if len(found) < len(batches) else ())):
        for part in run.map(AlignTasks(scheme, run.deadline), batches):
            found.append(part)
            done += len(part.cost)
            run.progress("aligning", done, len(columns))
    return Observations(columns, scheme, Partitions.join(found))


def _edges(sizes: Ints) -> list[int]:
    """Where batches begin and end, for tasks with so many units."""
    edges, units = [0], 0
    for at, size in enumerate(sizes.tolist()):
        if at > edges[-1] and (units + size > BATCH_UNITS or at - edges[-1] == BATCH_TASKS):
            edges.append(at)
            units = 0
        units += size
    return [*edges, len(sizes)]


def _named(ids: Sequence[str]) -> str:
    """The ids of some tasks, for an error."""
    names = ", ".join(f"'{one}'" for one in ids)
    return f"the tasks {names}, or later ones" if names else "the last tasks"


@dataclass(frozen=True, slots=True)
class TaskBatch:
    """The layouts of some tasks, and the tasks' ids; what travels to where the work is done."""

    ids: tuple[str, ...]
    layouts: Layouts


@dataclass(frozen=True, slots=True)
class AlignTasks:
    """Aligns tasks; a value, so that it can travel to where the work is done."""

    scheme: Scheme
    deadline: Deadline

    def __call__(self, batch: TaskBatch) -> Partitions:
        """The best alignments; an error says in which task it was."""
        try:
            return self._align(batch.layouts)
        except Exception as error:
            if len(batch.ids) == 1:
                raise failure_in(batch.ids[0], error) from error
        # One by one, each is right or has the error.
        return Partitions.join(
            [
                self(TaskBatch((name,), batch.layouts.between(k, k + 1)))
                for k, name in enumerate(batch.ids)
            ]
        )

    def _align(self, layouts: Layouts) -> Partitions:
        settings, dissimilarity = self.scheme.settings, self.scheme.settings.dissimilarity
        return best_partitions(
            layouts, dissimilarity.alpha, dissimilarity.beta * self.scheme.categorial,
            positional=dissimilarity.positional, solver=settings.solver, seconds=settings.seconds,
            deadline=self.deadline,
        )  # fmt: skip


def measure(
    observations: Observations,
    blank: Sequence[Task],
    chance: Chance,
    run: Run,
    *,
    for_all: bool = True,
) -> MeasuredTasks:
    """Each observation with what chance expects; tasks that share an expectation get the same.

    The `blank` tasks have no disorder, but annotators who mark nothing are part of what chance
    draws from.
    """
    scheme = observations.scheme
    model = _Model.of(observations.columns, blank, scheme, chance)
    settled = observations.are_settled
    settings, steps = scheme.settings, SETTLED_STEPS if settled else None
    aligner = SampleAligner(settings, scheme.categorial, run.deadline, steps)
    differ = bool(scheme.categorial.any())
    precision = Precision(settings.precision, settings.level, for_all, differ, settled)
    known: dict[tuple[int, ...], int] = {}
    expectations: list[Expectation] = []
    reasons = {}
    which = np.full(len(observations), -1)
    for number, n in enumerate(observations.columns.n.tolist()):
        reason = model.reason(number, n)
        if reason is not None:
            reasons[number] = reason
            continue
        key = model.key(number, n)
        if key not in known:
            known[key] = len(expectations)
            with blame(lambda: "chance samples"):
                one = expect(
                    model.stream(number, n),
                    aligner,
                    precision,
                    run.map,
                    lambda done, total: run.progress("drawing chance samples", done, total),
                )
            expectations.append(one)
        which[number] = known[key]
    return MeasuredTasks(observations, chance, tuple(expectations), which, reasons)


def model_of_chance(chance: Chance, tasks: Sequence[Task]) -> Chance:
    """The model that is used for all of these tasks: what was asked for, unless it is `auto`."""
    if chance is not Chance.AUTO:
        return chance
    largest = max(len(task.annotators) for task in tasks)
    return Chance.CORPUS if len(tasks) >= largest else Chance.SHIFT


@dataclass(frozen=True, slots=True)
class _Model:
    """Chance for a set of tasks, so many as `count` says. `pool` has each of them as chance sees
    it; where chance draws from all, also the blank ones, in the order of their content.
    """

    chance: Chance
    count: int
    pool: Pool
    settings: Settings

    @classmethod
    def of(
        cls, columns: TaskColumns, blank: Sequence[Task], scheme: Scheme, chance: Chance
    ) -> _Model:
        pool = columns.pool()
        if chance not in OF_ONE_TASK:
            empty = Pool.of(observed_task(t.continuum, t.annotators, scheme.index) for t in blank)
            pool = pool.joined(empty).sorted()
        return cls(chance, len(columns), pool, scheme.settings)

    def reason(self, number: int, n: int) -> Reason | None:
        """Why chance cannot be drawn for n annotators of a task, if so."""
        if self.chance is Chance.CORPUS and self.count < n:
            return too_few_tasks(self.count, n)
        if self.chance is Chance.SHIFT and not self._shift(number).has_room(n):
            return _no_room(self._shift(number), n)
        return None

    def _shift(self, number: int) -> Shift:
        return Shift(self.pool[number], self.settings.spacing)

    def key(self, number: int, n: int) -> tuple[int, ...]:
        """What the expectation is of: a task by itself, or n annotators of any task."""
        return (n, number) if self.chance in OF_ONE_TASK else (n,)

    def stream(self, number: int, n: int) -> SampleStream:
        """Samples whose random sequence is numbered by the data that they are drawn from."""
        seed = self.settings.seed
        if self.chance in OF_ONE_TASK:
            own = self.pool[number]
            source = Pool.of([own]).fingerprint()
            if self.chance is Chance.SHIFT:
                return SampleStream(self._shift(number), n, seed, (1, n, *source))
            return SampleStream(Normal(own), n, seed, (4, n, *source))
        source = self.pool.fingerprint()
        if self.chance is Chance.CORPUS:
            return SampleStream(Mosaic(self.pool), n, seed, (2, n, *source))
        return SampleStream(Statistical(self.pool), n, seed, (3, n, *source))


def too_few_tasks(tasks: int, n: int) -> Reason:
    """Why chance cannot come from the corpus."""
    return Reason.of(ReasonKind.FEW_TASKS_FOR_CHANCE, tasks=tasks, annotators=n)


def _no_room(shift: Shift, n: int) -> Reason:
    length, needed = float(shift.task.length), float(n * shift.least)
    return Reason.of(ReasonKind.NO_ROOM, length=length, annotators=n, needed=needed)


def expected_disorder(measured: MeasuredTasks) -> tuple[float | None, int]:
    """δ_e over these tasks, weighted by units, and how many chance samples it rests on."""
    known = measured.which >= 0
    weights = measured.observations.mean_units[known]
    means = np.array([one.disorder.mean for one in measured.expectations])
    total = math.fsum((weights * means[measured.which[known]]).tolist()) if len(weights) else 0.0
    weight = math.fsum(weights.tolist())
    samples = sum(one.samples for one in measured.expectations)
    return (total / weight if weight else None), samples


@dataclass(frozen=True, slots=True)
class Groups:
    """How groups are measured: the scheme, the coefficients, the model of chance, and where."""

    scheme: Scheme
    coefficients: tuple[Coefficient, ...]
    chance: Chance
    run: Run

    def measure(
        self, tasks: Sequence[Task], blank: Sequence[Task], *, for_all: bool
    ) -> MeasuredTasks:
        """The best alignment of each task, and what chance expects."""
        columns = TaskColumns.of(tasks, self.scheme.index)
        return self._measure(columns, blank, for_all=for_all)

    def _measure(
        self, columns: TaskColumns, blank: Sequence[Task], *, for_all: bool
    ) -> MeasuredTasks:
        observations = observe_all(columns, self.scheme, self.run)
        return measure(observations, blank, self.chance, self.run, for_all=for_all)

    def figures(
        self, columns: TaskColumns, blank: Sequence[Task], names: Iterable[str]
    ) -> Figures | None:
        """The figures of these annotators alone; None if they marked nothing in a common task.
        `blank` are more tasks, in which nobody marked a unit.
        """
        if self.run.deadline.is_over:
            return self.undefined(ReasonKind.OUT_OF_TIME)
        kept = frozenset(names)
        marked, without_unit = columns.only(kept)
        if not len(marked):
            return None
        empty = [*without_unit, *only(blank, kept)]
        measured = self._measure(marked, empty, for_all=False)
        observed = observe_tasks(self.coefficients, measured, self.scheme, empty)
        return figures(self.coefficients, observed, measured, self.scheme, empty)

    def figures_of_each(
        self,
        columns: TaskColumns,
        blank: Sequence[Task],
        groups: Sequence[frozenset[str]],
        what: str,
    ) -> dict[frozenset[str], Figures | None]:
        """The same for each of these groups; `what` names the work to those who see the progress.

        Where there are as many groups as processes, each process measures whole groups; else the
        tasks of one group after the other are divided among them.
        """
        in_columns = all(isinstance(one, ColumnCoefficient) for one in self.coefficients)
        if in_columns and 1 < self.run.processes <= len(groups):
            # The largest groups take longest, and the process that is ready last decides.
            order = sorted(groups, key=len, reverse=True)
            results = self.run.map(MeasureGroup.of(self, columns.outlined(), blank), order)
        else:
            order = list(groups)
            results = (self.figures(columns, blank, one) for one in order)
        found: dict[frozenset[str], Figures | None] = {}
        self.run.progress(what, 0, len(groups))
        with blame(lambda: f"the figures of {', '.join(sorted(order[len(found)]))}"):
            for group, figures in zip(order, results, strict=True):
                found[group] = figures
                self.run.progress(what, len(found), len(groups))
        return {group: found[group] for group in groups}

    def undefined(self, kind: ReasonKind) -> Figures:
        """Nothing but a reason, for every coefficient that has one figure for all labels."""
        figure = Figure.undefined(Reason.of(kind), self.scheme.settings.level)
        return {
            (one.key, label): figure
            for one in self.coefficients
            for label in one.labels((), self.scheme)
        }


@dataclass(frozen=True, slots=True)
class MeasureGroup:
    """Measures some of the annotators; a value, so that it can travel to where the work is done."""

    scheme: Scheme
    coefficients: tuple[Coefficient, ...]
    chance: Chance
    deadline: Deadline
    columns: TaskColumns
    blank: Sequence[Task]

    @classmethod
    def of(cls, groups: Groups, columns: TaskColumns, blank: Sequence[Task]) -> MeasureGroup:
        deadline = groups.run.deadline
        return cls(groups.scheme, groups.coefficients, groups.chance, deadline, columns, blank)

    def __call__(self, names: frozenset[str]) -> Figures | None:
        """As `Groups.figures`."""
        run = Run(map, silent, self.deadline)
        groups = Groups(self.scheme, self.coefficients, self.chance, run)
        return groups.figures(self.columns, self.blank, names)


def scheme_of(corpus: Corpus, tasks: Sequence[Task], settings: Settings) -> Scheme:
    """The categories that were used in these tasks of a corpus."""
    used = {u.category for t in tasks for u in t.continuum.units if u.annotator in t.annotators}
    return Scheme.of([c for c in corpus.categories if c in used], settings, corpus.scale)
