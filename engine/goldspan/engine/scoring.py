"""Scoring: the agreement of a whole corpus, of each task, label, annotator and pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING, TypeVar

from goldspan.engine import disagreement
from goldspan.engine.alignment.budget import Deadline
from goldspan.engine.coefficient.base import (
    Coefficient,
    Figures,
    figures,
    observe_tasks,
)
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.coefficient.items.layer import is_measurable, measure_layer
from goldspan.engine.coefficient.measure import (
    Groups,
    Progress,
    Run,
    expected_disorder,
    model_of_chance,
    scheme_of,
    silent,
    too_few_tasks,
)
from goldspan.engine.coefficient.registry import chosen
from goldspan.engine.coefficient.scheme import Scheme
from goldspan.engine.coefficient.task import Task, check_presence
from goldspan.engine.coefficient.task_figures import FiguresOfEach
from goldspan.engine.dissimilarity import Dissimilarity
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import FactKind, Note, Reason, ReasonKind
from goldspan.engine.parallel import Compute, mapping
from goldspan.engine.result import (
    AnnotatorResult,
    Excluded,
    PairResult,
    Result,
    layer_result,
)  # fmt: skip
from goldspan.engine.settings import Chance, Settings
from goldspan.engine.task_results import TaskResults

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from goldspan.engine.coefficient.columns import TaskColumns
    from goldspan.engine.coefficient.difference_columns import DifferenceColumns
    from goldspan.engine.dissimilarity import Distances
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import LayerResult


def score(
    corpus: Corpus,
    *,
    settings: Settings | None = None,
    compute: Compute | None = None,
    seed: int = 0,
    precision: float = 0.02,
    level: float = 0.95,
    chance: str = "auto",
    alpha: float = 1.0,
    beta: float = 1.0,
    distances: Distances | None = None,
    forbid: bool = False,
    position: str = "ratio",
    exponent: float | None = None,
    bootstrap: bool = False,
    pairs: bool = True,
    workers: int = 1,
    executor: Executor | None = None,
    solver: str | None = None,
    seconds: float | None = None,
    max_seconds: float | None = None,
    coefficients: Iterable[str | Coefficient] = (),
    progress: Progress | None = None,
) -> Result:
    """Measure γ, γcat and γk, and the other `coefficients` that are named or handed in; the same
    seed gives the same figures for any number of workers.

    `precision` is the relative error allowed in the expected disorder. `pairs=False` leaves out
    the figures of annotator pairs and without each annotator. `executor` may be any
    `concurrent.futures.Executor`. `seconds` limits each alignment; a result that rests on an
    unproved one says so, and by how much it could be better. `max_seconds` limits the whole run;
    a result that was cut short says what was left out, and each figure how precise it is.

    `position` and `exponent` choose the positional dissimilarity (see `Settings.of`).

    `settings` takes the place of the keyword arguments that `Settings` has too, and `compute` that
    of `workers` and `executor`; to give one thing in both ways is an error.
    """
    keywords = Settings.of(
        alpha=alpha,
        beta=beta,
        distances=distances,
        forbid=forbid,
        position=position,
        exponent=exponent,
        seed=seed,
        chance=Chance.named(chance),
        precision=precision,
        level=level,
        bootstrap=bootstrap,
        solver=solver,
        seconds=seconds,
        max_seconds=max_seconds,
    )
    return _score(
        corpus,
        _either("settings", settings, keywords),
        _either("compute", compute, Compute(workers, executor)),
        tuple(chosen(coefficients)),
        progress or silent,
        pairs=pairs,
    )


Value = TypeVar("Value", Settings, Compute)


def _either(name: str, value: Value | None, keywords: Value) -> Value:
    """The value that was handed in, or else what the keyword arguments say; not both."""
    if value is None:
        return keywords
    usual = type(keywords)()
    for field in fields(usual):
        if getattr(keywords, field.name) != getattr(usual, field.name):
            raise SettingsError(
                f"both {name} and keyword arguments for its {field.name} are given; put them into "
                f"{name}, or leave {name} out"
            )
    return value


def _score(
    corpus: Corpus,
    settings: Settings,
    compute: Compute,
    wanted: tuple[Coefficient, ...],
    progress: Progress,
    *,
    pairs: bool,
) -> Result:
    if settings.solver is not None:
        from goldspan.engine.alignment.program import check_solver  # noqa: PLC0415 - loads the solvers

        check_solver(settings.solver)
    deadline = Deadline.after(settings.max_seconds)
    tasks, blank, excluded = _usable(corpus)
    layers = {name: _layer(layer, settings, wanted) for name, layer in corpus.layers.items()}
    if not tasks:
        found = unscored(corpus, settings, wanted, ReasonKind.WHOLE_TASKS)
        return replace(found, excluded=tuple(excluded), layers=layers)
    model = model_of_chance(settings.chance, tasks)
    if model is Chance.CORPUS and len(tasks) < min(len(task.annotators) for task in tasks):
        fewest = min(len(task.annotators) for task in tasks)
        raise SettingsError(str(too_few_tasks(len(tasks), fewest)))
    scheme = scheme_of(corpus, tasks, settings)
    wanted = tuple(one.bind((*tasks, *blank), scheme) for one in wanted)
    with mapping(compute) as run:
        own = Run(run, progress, deadline, compute.processes)
        scoring = _Scoring(scheme, wanted, model, own, blank)
        return replace(scoring.result(corpus, tasks, excluded, pairs=pairs), layers=layers)


def _layer(layer: Corpus, settings: Settings, wanted: Iterable[Coefficient]) -> LayerResult:
    """Labels of whole tasks. Distances that were given are between categories of spans."""
    tasks = [Task(one, one.annotators) for one in layer if len(one.annotators) > 1]
    settings = replace(settings, dissimilarity=Dissimilarity())
    return layer_result(layer, measure_layer(tasks, scheme_of(layer, tasks, settings), wanted))


def is_scorable(corpus: Corpus) -> bool:
    """Whether some task has two annotators and a unit."""
    tasks = (Task(one, one.annotators) for one in corpus)
    return any(len(task.annotators) >= 2 and not task.is_blank for task in tasks)


def unscored(
    corpus: Corpus,
    settings: Settings,
    coefficients: Iterable[str | Coefficient] = (),
    kind: ReasonKind = ReasonKind.ONE_ANNOTATOR,
) -> Result:
    """The result of a corpus in which no two annotators can agree: every figure has a reason."""
    reason = Reason.of(kind)
    scheme = Scheme.of((), settings)
    wanted = tuple(chosen(coefficients))
    undefined = Figure.undefined(reason, settings.level)
    return Result(
        settings=settings,
        coefficients=wanted,
        figures={(one.key, label): undefined for one in wanted for label in one.labels((), scheme)},
        median_gamma=None,
        expected_disorder=None,
        n_samples=0,
        unproved=0,
        tasks={},
        pairs=(),
        annotators=(),
        disagreements=disagreement.summarise(()),
        disagreements_by_label={},
        excluded=tuple(Excluded(one.id, reason) for one in corpus),
        notes=corpus.notes,
    )


def _usable(corpus: Corpus) -> tuple[list[Task], list[Task], list[Excluded]]:
    """The tasks that can be measured, the blank ones, and all but the first with their reasons."""
    if not corpus.continua:
        raise InputError("there is no task to score; check what the files hold")
    tasks, blank, excluded = [], [], []
    # Where there are labels of whole tasks alone, an absent label is absent for either reason.
    has_places = not corpus.layers or any(continuum.units for continuum in corpus.continua)
    for continuum in corpus.continua:
        if has_places:
            check_presence(continuum)
        annotators = continuum.annotators
        if len(annotators) < 2:
            kind = ReasonKind.ONE_ANNOTATOR if annotators else ReasonKind.NO_ANNOTATOR
        elif Task(continuum, annotators).is_blank:
            kind = ReasonKind.NO_UNIT
            blank.append(Task(continuum, annotators))
        else:
            tasks.append(Task(continuum, annotators))
            continue
        excluded.append(Excluded(continuum.id, Reason.of(kind)))
    if not tasks and not any(map(is_measurable, corpus.layers.values())):
        reasons = ", ".join(str(reason) for reason in sorted({one.reason for one in excluded}))
        raise InputError(
            "no task can be scored: agreement needs a task with two annotators and a unit; "
            f"left out {'is' if len(excluded) == 1 else 'are'} {len(excluded)} "
            f"{'task' if len(excluded) == 1 else 'tasks'}: {reasons}"
        )
    return tasks, blank, excluded


@dataclass(frozen=True, slots=True)
class _Scoring(Groups):
    """One run; `blank` are the tasks in which nobody marked a unit."""

    blank: Sequence[Task]

    def result(
        self, corpus: Corpus, tasks: Sequence[Task], excluded: Sequence[Excluded], *, pairs: bool
    ) -> Result:
        measured = self.measure(tasks, self.blank, for_all=True)
        observed = observe_tasks(self.coefficients, measured, self.scheme, self.blank)
        whole = figures(self.coefficients, observed, measured, self.scheme, self.blank)
        each = FiguresOfEach(self.coefficients, observed, measured, self.scheme)
        per_task = TaskResults(measured, each)
        defined = [value for value in each.values(("gamma", "")) if value is not None]
        expected, samples = expected_disorder(measured)
        silent = [
            Excluded(tasks[at].continuum.id, reason) for at, reason in measured.reasons.items()
        ]
        columns = measured.observations.columns
        subsets = self._subsets(columns, whole) if pairs else {}
        found = per_task.differences  # not earlier: they are large, and so are the subsets
        return Result(
            settings=self.scheme.settings,
            coefficients=self.coefficients,
            figures=whole,
            median_gamma=median(defined) if defined else None,
            expected_disorder=expected,
            n_samples=samples,
            unproved=sum(one.unproved for one in measured.expectations),
            expected_gap=max((one.gap for one in measured.expectations), default=0.0),
            tasks=per_task,
            pairs=self._pairs(columns, subsets, found) if pairs else (),
            annotators=self._annotators(tasks, subsets),
            disagreements=found.parts(),
            disagreements_by_label=found.parts_by_label(),
            excluded=(*excluded, *silent),
            notes=corpus.notes,
            cut_short=tuple(self._cut_short(subsets)),
        )

    def _cut_short(self, subsets: dict[frozenset[str], Figures | None]) -> Iterator[Note]:
        """What the time limit of the whole run cost."""
        if not self.run.deadline.is_over:
            return
        seconds = self.scheme.settings.max_seconds or 0.0
        left = sum(one is not None and _is_out_of_time(one) for one in subsets.values())
        if left:
            yield Note.of(FactKind.GROUPS_LEFT_OUT, seconds=seconds, groups=left)
        else:
            yield Note.of(FactKind.LESS_PRECISE, seconds=seconds)

    def _subsets(
        self, columns: TaskColumns, whole: Figures
    ) -> dict[frozenset[str], Figures | None]:
        """The figures of each pair, and of all but each one; None where no task is left."""
        names = columns.names
        wanted = {frozenset(pair) for pair in combinations(names, 2)}
        wanted |= {frozenset(names) - {name} for name in names}
        known = {frozenset(names): whole}
        others = sorted(wanted - known.keys(), key=sorted)
        what = "comparing annotators"
        return known | self.figures_of_each(columns, self.blank, others, what)

    def _pairs(
        self,
        columns: TaskColumns,
        subsets: dict[frozenset[str], Figures | None],
        found: DifferenceColumns,
    ) -> tuple[PairResult, ...]:
        kinds, nothing = found.parts_by_pair(), disagreement.summarise(())
        results = []
        for one, other in combinations(columns.names, 2):
            measured = subsets[frozenset((one, other))]
            if measured is None:
                continue
            tasks, units = columns.shared((one, other))
            results.append(
                PairResult(
                    annotators=(one, other),
                    n_tasks=tasks,
                    n_units=units,
                    figures=measured,
                    disagreements=kinds.get((one, other)) or nothing,
                )
            )
        return tuple(results)

    def _annotators(
        self, tasks: Sequence[Task], subsets: dict[frozenset[str], Figures | None]
    ) -> tuple[AnnotatorResult, ...]:
        names = sorted({name for task in tasks for name in task.annotators})
        results = []
        for name in names:
            others = subsets.get(frozenset(names) - {name})
            kind = ReasonKind.NO_OTHER_PAIR if subsets else ReasonKind.NOT_REQUESTED
            results.append(
                AnnotatorResult(
                    name=name,
                    n_tasks=sum(name in task.annotators for task in tasks),
                    n_units=sum(len(t.continuum.of(name)) for t in tasks if name in t.annotators),
                    figures=others or self.undefined(kind),
                )
            )
        return tuple(results)


def _is_out_of_time(figures: Figures) -> bool:
    return figures["gamma", ""].reason == Reason.of(ReasonKind.OUT_OF_TIME)
