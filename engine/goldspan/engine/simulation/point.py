"""Point: every coefficient of an experiment at one magnitude, as a mean over annotation sets.

All sets of a point are aligned once, and share one expectation by chance. References and errors are
drawn with the same random numbers at every magnitude, so that neighbouring points differ by the
magnitude and not by luck.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.budget import Deadline
from goldspan.engine.coefficient.measure import Groups, Run, model_of_chance, scheme_of, silent
from goldspan.engine.coefficient.registry import found_coefficients
from goldspan.engine.coefficient.resampling import Sums, chance_variance, rows_of, totals
from goldspan.engine.coefficient.task import Task
from goldspan.engine.errors import SettingsError
from goldspan.engine.facts import Reason
from goldspan.engine.model import Continuum, Corpus
from goldspan.engine.quantile import student_quantile
from goldspan.engine.settings import Settings
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import frequencies, shuffle

if TYPE_CHECKING:
    from goldspan.engine.coefficient.base import Coefficient
    from goldspan.engine.coefficient.measured import Measured
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.simulation.experiment import Experiment, Key

LEVEL = 0.95
"""Of the intervals of means."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over the sets in which a coefficient is defined, with its interval."""

    value: float
    low: float | None
    high: float | None
    sets: int


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured at one magnitude; a coefficient that no set defines is not there.

    `seconds` are those of the processor.
    """

    experiment: str
    magnitude: float
    means: Mapping[Key, Mean]
    seconds: float


@dataclass(frozen=True, slots=True)
class PointRequest:
    """A point that is to be measured; it can travel to another process."""

    experiment: Experiment
    magnitude: float
    sets: int = 40
    seed: int = 0
    precision: float = 0.02

    def __post_init__(self) -> None:
        if not 0 <= self.magnitude <= 1:
            raise SettingsError(f"the magnitude is {self.magnitude}; it goes from 0 to 1")
        if self.sets < 1:
            raise SettingsError(f"the number of sets is {self.sets}; it must be 1 or more")
        if self.seed < 0:
            raise SettingsError(f"the seed is {self.seed}; it must be 0 or more")

    @property
    def settings(self) -> Settings:
        return Settings(seed=self.seed, precision=self.precision)


def measure_point(request: PointRequest) -> Point:
    """The means of all coefficients of the experiment at this magnitude."""
    began = time.process_time()
    corpus = shuffled_sets(request)
    tasks, blank = _tasks(corpus)
    means: dict[Key, Mean] = {}
    if tasks:
        scheme = scheme_of(corpus, tasks, request.settings)
        wanted = found_coefficients(request.experiment.measures)
        bound = [one.bind((*tasks, *blank), scheme) for one in wanted]
        run = Run(map, silent, Deadline())
        groups = Groups(scheme, tuple(bound), model_of_chance(scheme.settings.chance, tasks), run)
        measured = groups.measure(tasks, blank, for_all=True)
        means = dict(_means(bound, measured, blank, scheme))
    seconds = time.process_time() - began
    return Point(request.experiment.name, request.magnitude, means, seconds)


def _silent(_what: str, _done: int, _total: int) -> None:
    """Points report themselves."""


def shuffled_sets(request: PointRequest) -> Corpus:
    """The annotation sets; a task's id says to which set it belongs."""
    experiment = request.experiment
    reference = reference_of(experiment, request.sets, request.seed)
    own = experiment.constants.at(request.magnitude, *experiment.kinds)
    prevalence = frequencies(reference.continua)
    for matrix in (own.confusion, own.close):
        if matrix is not None:
            matrix.check(tuple(prevalence))
    names = [f"annotator-{number + 1}" for number in range(experiment.annotators)]
    made = []
    for number in range(request.sets):
        rng = np.random.default_rng([request.seed, 1, number])
        for one in _references(experiment, reference, number):
            found = shuffle(one, dict.fromkeys(names, own), rng, prevalence=prevalence)
            made.append(replace(found, id=f"{number}/{one.id}", text=None))
    return Corpus(tuple(made), reference.scale)


def reference_of(experiment: Experiment, sets: int, seed: int) -> Corpus:
    """The references of all sets, or the one of each."""
    if isinstance(experiment.reference, Blueprint):
        return experiment.reference.corpus(sets, seed)
    return experiment.reference


def _references(experiment: Experiment, reference: Corpus, number: int) -> Sequence[Continuum]:
    if isinstance(experiment.reference, Blueprint):
        return (reference.continua[number],)
    return reference.continua


def _tasks(corpus: Corpus) -> tuple[list[Task], list[Task]]:
    tasks = [Task(one, one.annotators) for one in corpus]
    return [t for t in tasks if not t.is_blank], [t for t in tasks if t.is_blank]


def _means(
    coefficients: Sequence[Coefficient],
    measured: Sequence[Measured],
    blank: Sequence[Task],
    scheme: Scheme,
) -> Iterator[tuple[Key, Mean]]:
    ids = [one.observation.task.continuum.id for one in measured]
    ids += [task.continuum.id for task in blank]
    for one in coefficients:
        for label in one.labels(measured, scheme):
            observed = one.observe_all(measured, blank, scheme, label)
            sets: dict[str, list[Sums]] = {}
            for name, sums in zip(ids, observed, strict=False):
                if isinstance(sums, Sums):
                    sets.setdefault(name.partition("/")[0], []).append(sums)
            found = [_value(one, own) for own in sets.values()]
            values = [value for value in found if value is not None]
            if values:
                known = [sums for own in sets.values() for sums in own]
                yield (one.key, label), _mean(values, chance_variance(known))


def _value(coefficient: Coefficient, sums: Sequence[Sums]) -> float | None:
    """The coefficient of one set; None where it is not defined."""
    rows, _ = rows_of([(one.parts, one.of) for one in sums])
    value = coefficient.value(totals(rows).tolist())
    return None if isinstance(value, Reason) else value


def _mean(values: Sequence[float], chance: float) -> Mean:
    """With the interval by t over sets; chance, which all sets share, adds its sampling error."""
    count, mean = len(values), math.fsum(values) / len(values)
    if count < 2:
        return Mean(mean, None, None, count)
    spread = math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count
    reach = student_quantile(0.5 + LEVEL / 2, count - 1)
    half = reach * math.sqrt(spread + chance * (1 - mean) ** 2)
    return Mean(mean, mean - half, mean + half, count)
