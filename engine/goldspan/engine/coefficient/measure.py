"""Measure: the best alignment of each task, what chance expects of it, and what any annotators of a
corpus add up to, as if the others had not been there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from goldspan.engine.alignment.alignment import Alignment, Apart, describe
from goldspan.engine.alignment.batch.layouts import Layouts
from goldspan.engine.alignment.layout import lay_out
from goldspan.engine.alignment.pairs import Pairs, Tally, aligned_pairs
from goldspan.engine.alignment.partition import best_partitions
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
from goldspan.engine.chance.sampler import ObservedTask, by_content, fingerprint, observed_task
from goldspan.engine.chance.shift import Shift
from goldspan.engine.chance.statistical import Statistical
from goldspan.engine.coefficient.base import Coefficient, Figures, figures, observe_tasks
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.task import FailuresNamed, Task, only
from goldspan.engine.facts import Reason, ReasonKind
from goldspan.engine.parallel import blame
from goldspan.engine.settings import Chance, Settings

if TYPE_CHECKING:
    from goldspan.engine.alignment.budget import Deadline
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.alignment.partition import Partition
    from goldspan.engine.model import Corpus, Unit
    from goldspan.engine.parallel import Map

_BATCH = 10

Progress = Callable[[str, int, int], None]
"""progress(what, done, total)."""


@dataclass(frozen=True)
class Scheme:
    """The categories of a corpus with their distances; the same for all of its tasks.

    `categories` are those that somebody used. `scale` is all that the labelling scheme has, in its
    order, where that is known.
    """

    categories: tuple[str, ...]
    categorial: Floats
    settings: Settings
    scale: tuple[str, ...] = ()

    @classmethod
    def of(cls, categories: Sequence[str], settings: Settings, scale: Sequence[str] = ()) -> Scheme:
        matrix = settings.dissimilarity.categorial(categories)
        return cls(tuple(categories), matrix, settings, tuple(scale))

    def aligner(self, deadline: Deadline, *, settled: bool) -> SampleAligner:
        """What aligns the chance samples."""
        steps = SETTLED_STEPS if settled else None
        return SampleAligner(self.settings, self.categorial, deadline, steps)

    def precision(self, *, for_all: bool, settled: bool) -> Precision:
        """What the chance samples are drawn for."""
        differ = bool(self.categorial.any())
        return Precision(self.settings.precision, self.settings.level, for_all, differ, settled)

    @cached_property
    def apart(self) -> Apart:
        """The distances between the categories of each task."""
        return Apart(self.settings.dissimilarity)

    @cached_property
    def index(self) -> dict[str, int]:
        return {category: at for at, category in enumerate(self.categories)}


@dataclass(frozen=True)
class Observation:
    """A task's best alignment, and what it adds up to."""

    task: Task
    alignment: Alignment
    pairs: Pairs
    tally: Tally
    n_units: int
    mean_units: float
    """x̄, as the settings take it."""

    @property
    def is_settled(self) -> bool:
        """Whether nobody disagrees, on places or on labels."""
        return self.alignment.disorder == 0 and not self.tally.disagreements.any()

    @property
    def units_share(self) -> float:
        """The part of the mean number of units that counts: all of it, unless it is floored."""
        return self.mean_units / (self.n_units / len(self.task.annotators))

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """For each category the annotators who used it."""
        users: dict[str, set[str]] = {}
        for unitary in self.alignment.unitary:
            for unit in unitary.units:
                users.setdefault(unit.category, set()).add(unit.annotator)
        return users


@dataclass(frozen=True, slots=True)
class Measured:
    """A task's observation beside what chance expects; or the reason why chance is silent."""

    observation: Observation
    chance: Chance
    expectation: Expectation | None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """Where work is done, who hears of it, and when it has to end."""

    map: Map
    progress: Progress
    deadline: Deadline


def observe_all(tasks: Sequence[Task], scheme: Scheme, run: Run) -> list[Observation]:
    """The best alignment of each task, in order."""
    found: list[Observation] = []
    batches = [tasks[low : low + _BATCH] for low in range(0, len(tasks), _BATCH)]
    with blame(lambda: _named(tasks[len(found) : len(found) + _BATCH])):
        for batch in run.map(FailuresNamed(_Observe(scheme, run.deadline)), batches):
            # What comes back from another process is a copy of the task without its text.
            own = tasks[len(found) : len(found) + len(batch)]
            found += [replace(one, task=task) for one, task in zip(batch, own, strict=True)]
            run.progress("aligning", len(found), len(tasks))
    return found


def _named(tasks: Sequence[Task]) -> str:
    """The ids of some tasks, for an error."""
    ids = ", ".join(f"'{task.continuum.id}'" for task in tasks)
    return f"the tasks {ids}, or later ones" if ids else "the last tasks"


@dataclass(frozen=True, slots=True)
class _Observe:
    """Aligns tasks; a value, so that it can travel to where the work is done."""

    scheme: Scheme
    deadline: Deadline

    def __call__(self, tasks: Sequence[Task]) -> list[Observation]:
        settings, categorial = self.scheme.settings, self.scheme.categorial
        dissimilarity = settings.dissimilarity
        laid = [lay_out(one.continuum, one.annotators, self.scheme.index) for one in tasks]
        layouts = Layouts.of([layout for layout, _ in laid])
        best = best_partitions(
            layouts, dissimilarity.alpha, dissimilarity.beta * categorial,
            positional=dissimilarity.positional, solver=settings.solver, seconds=settings.seconds,
            deadline=self.deadline,
        )  # fmt: skip
        found = aligned_pairs(layouts, best.cluster, categorial, settings.label_weight)
        return [
            self._observation(task, units, best.one(layouts, k), found.pairs_of(k), found.tally(k))
            for k, (task, (_, units)) in enumerate(zip(tasks, laid, strict=True))
        ]

    def _observation(
        self, task: Task, units: tuple[Unit, ...], best: Partition, pairs: Pairs, sums: Tally
    ) -> Observation:
        settings = self.scheme.settings
        mean_units = settings.mean_units(len(units), len(task.annotators))
        share = mean_units / (len(units) / len(task.annotators))
        return Observation(
            task=task,
            alignment=describe(
                best, units, task.annotators, settings.dissimilarity, share, self.scheme.apart
            ),
            pairs=pairs,
            tally=sums,
            n_units=len(units),
            mean_units=mean_units,
        )


def measure(
    observations: Sequence[Observation],
    blank: Sequence[Task],
    scheme: Scheme,
    chance: Chance,
    run: Run,
    *,
    for_all: bool = True,
) -> list[Measured]:
    """Each observation with what chance expects; tasks that share an expectation get the same.

    The `blank` tasks have no disorder, but annotators who mark nothing are part of what chance
    draws from.
    """
    model = _Model.of([o.task for o in observations], blank, scheme, chance)
    settled = all(one.is_settled for one in observations)
    known: dict[tuple[int, ...], Expectation] = {}
    measured = []
    for number, observation in enumerate(observations):
        n = len(observation.task.annotators)
        reason = model.reason(number, n)
        if reason is not None:
            measured.append(Measured(observation, chance, None, reason))
            continue
        key = model.key(number, n)
        if key not in known:
            with blame(lambda: "chance samples"):
                known[key] = expect(
                    model.stream(number, n),
                    scheme.aligner(run.deadline, settled=settled),
                    scheme.precision(for_all=for_all, settled=settled),
                    run.map,
                    lambda done, total: run.progress("drawing chance samples", done, total),
                )
        measured.append(Measured(observation, chance, known[key]))
    return measured


def model_of_chance(chance: Chance, tasks: Sequence[Task]) -> Chance:
    """The model that is used for all of these tasks: what was asked for, unless it is `auto`."""
    if chance is not Chance.AUTO:
        return chance
    largest = max(len(task.annotators) for task in tasks)
    return Chance.CORPUS if len(tasks) >= largest else Chance.SHIFT


@dataclass(frozen=True, slots=True)
class _Model:
    """Chance for a set of tasks: `own` is each task as chance sees it, `pool` all of them."""

    chance: Chance
    own: tuple[ObservedTask, ...]
    pool: tuple[ObservedTask, ...]
    settings: Settings

    @classmethod
    def of(
        cls, tasks: Sequence[Task], blank: Sequence[Task], scheme: Scheme, chance: Chance
    ) -> _Model:
        own, empty = (
            tuple(observed_task(t.continuum, t.annotators, scheme.index) for t in some)
            for some in (tasks, blank)
        )
        return cls(chance, own, by_content((*own, *empty)), scheme.settings)

    def reason(self, number: int, n: int) -> Reason | None:
        """Why chance cannot be drawn for n annotators of a task, if so."""
        if self.chance is Chance.CORPUS and len(self.own) < n:
            return too_few_tasks(len(self.own), n)
        if self.chance is Chance.SHIFT and not self._shift(number).has_room(n):
            return _no_room(self._shift(number), n)
        return None

    def _shift(self, number: int) -> Shift:
        return Shift(self.own[number], self.settings.spacing)

    def key(self, number: int, n: int) -> tuple[int, ...]:
        """What the expectation is of: a task by itself, or n annotators of any task."""
        return (n, number) if self.chance in (Chance.SHIFT, Chance.NORMAL) else (n,)

    def stream(self, number: int, n: int) -> SampleStream:
        """Samples whose random sequence is numbered by the data that they are drawn from."""
        seed, own = self.settings.seed, self.own[number]
        if self.chance is Chance.SHIFT:
            return SampleStream(self._shift(number), n, seed, (1, n, *fingerprint([own])))
        if self.chance is Chance.NORMAL:
            return SampleStream(Normal(own), n, seed, (4, n, *fingerprint([own])))
        source = fingerprint(self.pool)
        if self.chance is Chance.CORPUS:
            return SampleStream(Mosaic(self.pool), n, seed, (2, n, *source))
        return SampleStream(Statistical(self.pool), n, seed, (3, n, *source))


def too_few_tasks(tasks: int, n: int) -> Reason:
    """Why chance cannot come from the corpus."""
    return Reason.of(ReasonKind.FEW_TASKS_FOR_CHANCE, tasks=tasks, annotators=n)


def _no_room(shift: Shift, n: int) -> Reason:
    length, needed = float(shift.task.length), float(n * shift.least)
    return Reason.of(ReasonKind.NO_ROOM, length=length, annotators=n, needed=needed)


def expected_disorder(measured: Iterable[Measured]) -> tuple[float | None, int]:
    """δ_e over these tasks, weighted by units, and how many chance samples it rests on."""
    known = [(m.observation.mean_units, m.expectation) for m in measured if m.expectation]
    total = math.fsum(weight * e.disorder.mean for weight, e in known)
    weight = math.fsum(weight for weight, _ in known)
    samples = {id(e): e.samples for _, e in known}
    return (total / weight if weight else None), sum(samples.values())


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
