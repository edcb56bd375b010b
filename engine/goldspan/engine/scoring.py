"""Scoring: the agreement of a whole corpus, of each task, label, annotator and pair."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import Any

from goldspan.engine import disagreement
from goldspan.engine.dissimilarity import Dissimilarity, Distances, Nominal
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.expectation import Map
from goldspan.engine.figure import Figure
from goldspan.engine.measure import (
    Coefficients,
    Measured,
    Progress,
    Scheme,
    Task,
    coefficients,
    expected_disorder,
    measure,
    observe_all,
)
from goldspan.engine.model import Corpus, Presence
from goldspan.engine.parallel import mapping
from goldspan.engine.result import AnnotatorResult, Excluded, PairResult, Result, TaskResult
from goldspan.engine.settings import Chance, Settings


def score(
    corpus: Corpus,
    *,
    seed: int = 0,
    precision: float = 0.02,
    level: float = 0.95,
    chance: str = "auto",
    alpha: float = 1.0,
    beta: float = 1.0,
    distances: Distances | None = None,
    forbid: bool = False,
    bootstrap: bool = False,
    pairs: bool = True,
    workers: int = 1,
    executor: Executor | None = None,
    solver: str | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """Measure γ, γcat and γk; the same seed gives the same figures for any number of workers.

    `precision` is the relative error allowed in the expected disorder. `pairs=False` leaves out
    the figures of annotator pairs and without each annotator. `executor` may be any
    `concurrent.futures.Executor`. `seconds` limits each alignment; a result that rests on an
    unproved one says so.
    """
    known = [one.value for one in Chance]
    if chance not in known:
        raise SettingsError(f"there is no chance model '{chance}'; use one of {', '.join(known)}")
    if solver is not None:
        from goldspan.engine.program import check_solver  # noqa: PLC0415 - loads the solvers

        check_solver(solver)
    settings = Settings(
        seed=seed,
        chance=Chance(chance),
        precision=precision,
        level=level,
        dissimilarity=Dissimilarity(alpha, beta, distances or Nominal(), forbid),
        bootstrap=bootstrap,
        solver=solver,
        seconds=seconds,
    )
    tasks, excluded = _usable(corpus)
    used = {u.category for t in tasks for u in t.continuum.units if u.annotator in t.annotators}
    scheme = Scheme.of([c for c in corpus.categories if c in used], settings)
    with mapping(workers, executor) as run:
        scoring = _Scoring(scheme, run, progress or _silent)
        return scoring.result(corpus, tasks, excluded, pairs=pairs)


def _silent(_what: str, _done: int, _total: int) -> None:
    """Tell nobody."""


def _usable(corpus: Corpus) -> tuple[list[Task], list[Excluded]]:
    """The tasks that can be measured, and the others with their reasons."""
    if not corpus.continua:
        raise InputError("there is no task to score; check what the files hold")
    tasks, excluded = [], []
    for continuum in corpus.continua:
        unknown = [n for n, state in continuum.presence.items() if state is Presence.UNKNOWN]
        if unknown:
            raise InputError(
                f"nothing tells whether '{unknown[0]}' saw this task and marked nothing, or never "
                "saw it; say it with an assignments file (--assignments FILE), or for all at "
                "once with --empty seen or --empty unseen",
                where=f"task '{continuum.id}'",
            )
        annotators = continuum.annotators
        if len(annotators) < 2:
            reason = "only one annotator" if annotators else "no annotator finished it"
        elif not any(u.annotator in annotators for u in continuum.units):
            reason = "nobody marked a unit"
        else:
            tasks.append(Task(continuum, annotators))
            continue
        excluded.append(Excluded(continuum.id, reason))
    if not tasks:
        reasons = ", ".join(sorted({one.reason for one in excluded}))
        raise InputError(
            "no task can be scored: agreement needs a task with two annotators and a unit; "
            f"left out {'is' if len(excluded) == 1 else 'are'} {len(excluded)} "
            f"{'task' if len(excluded) == 1 else 'tasks'}: {reasons}"
        )
    return tasks, excluded


@dataclass(frozen=True, slots=True)
class _Scoring:
    """One run: the scheme, where work is done, and whom to tell."""

    scheme: Scheme
    run: Map[Any, Any]
    progress: Progress

    def result(
        self, corpus: Corpus, tasks: Sequence[Task], excluded: Sequence[Excluded], *, pairs: bool
    ) -> Result:
        measured = self._measure(tasks)
        whole = coefficients(measured, self.scheme)
        found = [list(self._differences(m)) for m in measured]
        per_task = {
            m.observation.task.continuum.id: self._task(m, own, whole if len(tasks) == 1 else None)
            for m, own in zip(measured, found, strict=True)
        }
        everything = [difference for own in found for difference in own]
        defined = [t.gamma.value for t in per_task.values() if t.gamma.value is not None]
        expected, samples = expected_disorder(measured)
        silent = [Excluded(m.observation.task.continuum.id, m.reason) for m in measured if m.reason]
        subsets = self._subsets(tasks, whole) if pairs else {}
        return Result(
            settings=self.scheme.settings,
            gamma=whole.gamma,
            gamma_cat=whole.gamma_cat,
            gamma_k=whole.gamma_k,
            median_gamma=median(defined) if defined else None,
            expected_disorder=expected,
            n_samples=samples,
            unproved=sum(
                e.unproved
                for e in {id(m.expectation): m.expectation for m in measured}.values()
                if e is not None
            ),
            tasks=per_task,
            pairs=self._pairs(tasks, subsets, everything) if pairs else (),
            annotators=self._annotators(tasks, subsets),
            disagreements=disagreement.summarise(everything),
            disagreements_by_label=dict(
                sorted(disagreement.summarise_by(everything, lambda d: d.categories).items())
            ),
            excluded=(*excluded, *silent),
            notes=corpus.notes,
        )

    def _measure(self, tasks: Sequence[Task]) -> list[Measured]:
        observations = observe_all(tasks, self.scheme, self.run, self.progress)
        return measure(observations, self.scheme, self.run, self.progress)

    def _differences(self, measured: Measured) -> Iterable[disagreement.Difference]:
        weights = self.scheme.settings.dissimilarity
        return disagreement.differences(measured.observation.alignment, weights.alpha, weights.beta)

    def _task(
        self,
        measured: Measured,
        found: Sequence[disagreement.Difference],
        own: Coefficients | None,
    ) -> TaskResult:
        observation = measured.observation
        own = own or coefficients([measured], self.scheme)
        expected, samples = expected_disorder([measured])
        return TaskResult(
            id=observation.task.continuum.id,
            annotators=observation.task.annotators,
            n_units=observation.n_units,
            gamma=own.gamma,
            gamma_cat=own.gamma_cat,
            gamma_k=own.gamma_k,
            expected_disorder=expected,
            n_samples=samples,
            chance=measured.chance,
            alignment=observation.alignment,
            disagreements=disagreement.summarise(found),
            text_sha256=_digest(observation.task.continuum.text),
        )

    def _subsets(
        self, tasks: Sequence[Task], whole: Coefficients
    ) -> dict[frozenset[str], Coefficients | None]:
        """The coefficients of each pair, and of all but each one; None where no task is left."""
        names = sorted({name for task in tasks for name in task.annotators})
        wanted = {frozenset(pair) for pair in combinations(names, 2)}
        wanted |= {frozenset(names) - {name} for name in names}
        known: dict[frozenset[str], Coefficients | None] = {frozenset(names): whole}
        for done, subset in enumerate(sorted(wanted, key=sorted)):
            self.progress("comparing annotators", done, len(wanted))
            if subset not in known:
                left = _only(tasks, subset)
                known[subset] = coefficients(self._measure(left), self.scheme) if left else None
        return known

    def _pairs(
        self,
        tasks: Sequence[Task],
        subsets: dict[frozenset[str], Coefficients | None],
        found: Sequence[disagreement.Difference],
    ) -> tuple[PairResult, ...]:
        kinds = disagreement.summarise_by(found, lambda d: (d.annotators,))
        names = sorted({name for task in tasks for name in task.annotators})
        results = []
        for one, other in combinations(names, 2):
            shared = _only(tasks, {one, other})
            measured = subsets[frozenset((one, other))]
            if measured is None:
                continue
            results.append(
                PairResult(
                    annotators=(one, other),
                    n_tasks=len(shared),
                    n_units=sum(_count(task) for task in shared),
                    gamma=measured.gamma,
                    gamma_cat=measured.gamma_cat,
                    disagreements=kinds.get((one, other)) or disagreement.summarise(()),
                )
            )
        return tuple(results)

    def _annotators(
        self, tasks: Sequence[Task], subsets: dict[frozenset[str], Coefficients | None]
    ) -> tuple[AnnotatorResult, ...]:
        names = sorted({name for task in tasks for name in task.annotators})
        level = self.scheme.settings.level
        results = []
        for name in names:
            others = subsets.get(frozenset(names) - {name})
            reason = "no two other annotators share a task" if subsets else "it was not asked for"
            results.append(
                AnnotatorResult(
                    name=name,
                    n_tasks=sum(name in task.annotators for task in tasks),
                    n_units=sum(len(t.continuum.of(name)) for t in tasks if name in t.annotators),
                    gamma_without=(others.gamma if others else Figure.undefined(reason, level)),
                )
            )
        return tuple(results)


def _digest(text: str | None) -> str | None:
    if text is None:
        return None
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _only(tasks: Sequence[Task], names: Iterable[str]) -> list[Task]:
    """The tasks as these annotators alone would leave them, where two or more have a unit."""
    kept = frozenset(names)
    left = []
    for task in tasks:
        annotators = tuple(name for name in task.annotators if name in kept)
        continuum = task.continuum.only(annotators)
        if len(annotators) >= 2 and continuum.units:
            left.append(Task(continuum, annotators))
    return left


def _count(task: Task) -> int:
    return sum(unit.annotator in task.annotators for unit in task.continuum.units)
