"""Measure: γ, γcat and γk of a set of tasks, for a given set of annotators."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from goldspan.engine.alignment import Alignment, describe
from goldspan.engine.chance import Mosaic, Shift, Statistical, ground
from goldspan.engine.clusters import Floats
from goldspan.engine.coefficients import Pairs, Tally, aligned_pairs, tally
from goldspan.engine.errors import SettingsError
from goldspan.engine.expectation import Expectation, Lottery, Map, Trial, expect
from goldspan.engine.figure import UNANIMOUS, Figure, Interval, Share, corrected
from goldspan.engine.layout import lay_out
from goldspan.engine.model import Continuum
from goldspan.engine.partition import best_partition
from goldspan.engine.settings import Chance, Settings

_BATCH = 10

Progress = Callable[[str, int, int], None]
"""progress(what, done, total)."""


@dataclass(frozen=True, slots=True)
class Task:
    """A continuum that can be measured: two annotators or more, and a unit."""

    continuum: Continuum
    annotators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scheme:
    """The categories of a corpus with their distances; the same for all of its tasks."""

    categories: tuple[str, ...]
    categorial: Floats
    settings: Settings

    @classmethod
    def of(cls, categories: Sequence[str], settings: Settings) -> Scheme:
        matrix = settings.dissimilarity.categorial(categories)
        return cls(tuple(categories), matrix, settings)

    @property
    def trial(self) -> Trial:
        """What aligns the chance samples."""
        weights = self.settings.dissimilarity
        return Trial(
            weights.alpha, weights.beta, self.categorial,
            self.settings.solver, self.settings.seconds,
        )  # fmt: skip

    @property
    def index(self) -> dict[str, int]:
        return {category: at for at, category in enumerate(self.categories)}


@dataclass(frozen=True, slots=True)
class Observation:
    """A task's best alignment, and what it adds up to."""

    task: Task
    alignment: Alignment
    pairs: Pairs
    tally: Tally
    n_units: int

    @property
    def mean_units(self) -> float:
        return self.n_units / len(self.task.annotators)


@dataclass(frozen=True, slots=True)
class Measured:
    """A task's observation beside what chance expects; or the reason why chance is silent."""

    observation: Observation
    chance: Chance
    expectation: Expectation | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Coefficients:
    """The three coefficients of one task, or of all tasks together."""

    gamma: Figure
    gamma_cat: Figure
    gamma_k: Mapping[str, Figure] = field(default_factory=dict)


def observe_all(
    tasks: Sequence[Task],
    scheme: Scheme,
    run: Map[Any, Any],
    progress: Progress,
) -> list[Observation]:
    """The best alignment of each task, in order."""
    found: list[Observation] = []
    batches = [tasks[low : low + _BATCH] for low in range(0, len(tasks), _BATCH)]
    for batch in run(_Observe(scheme), batches):
        found.extend(batch)
        progress("aligning", len(found), len(tasks))
    return found


@dataclass(frozen=True, slots=True)
class _Observe:
    """Aligns tasks; a value, so that it can travel to where the work is done."""

    scheme: Scheme

    def __call__(self, tasks: Sequence[Task]) -> list[Observation]:
        return [self._observe(task) for task in tasks]

    def _observe(self, task: Task) -> Observation:
        settings = self.scheme.settings
        dissimilarity = settings.dissimilarity
        layout, units = lay_out(task.continuum, task.annotators, self.scheme.index)
        partition = best_partition(
            layout, dissimilarity.alpha, dissimilarity.beta * self.scheme.categorial,
            solver=settings.solver, seconds=settings.seconds,
        )  # fmt: skip
        pairs = aligned_pairs(layout, partition, self.scheme.categorial)
        return Observation(
            task=task,
            alignment=describe(partition, units, task.annotators, dissimilarity),
            pairs=pairs,
            tally=tally(pairs, len(self.scheme.categories)),
            n_units=layout.size,
        )


def measure(
    observations: Sequence[Observation],
    scheme: Scheme,
    run: Map[Any, Any],
    progress: Progress,
) -> list[Measured]:
    """Each observation with its expectation; tasks that share one get the same."""
    lotteries = _lotteries([o.task for o in observations], scheme)
    known: dict[tuple[int, ...], Expectation] = {}
    measured = []
    for number, observation in enumerate(observations):
        chance, lottery, reason = lotteries[number]
        if lottery is None:
            measured.append(Measured(observation, chance, None, reason))
            continue
        if lottery.stream not in known:
            known[lottery.stream] = expect(
                lottery, scheme.trial, scheme.settings.precision, scheme.settings.level, run,
                lambda done, total: progress("drawing chance samples", done, total),
            )  # fmt: skip
        measured.append(Measured(observation, chance, known[lottery.stream]))
    return measured


def _lotteries(
    tasks: Sequence[Task], scheme: Scheme
) -> list[tuple[Chance, Lottery | None, str | None]]:
    """For each task its model of chance, with the reason where there is none."""
    settings = scheme.settings
    by_id = sorted(tasks, key=lambda task: task.continuum.id)
    grounds = tuple(ground(t.continuum, t.annotators, scheme.index) for t in by_id)
    own = {t.continuum.id: g for t, g in zip(by_id, grounds, strict=True)}
    # The stream numbers the random sequence: by what it is for, never by when it is drawn.
    names = _number("\0".join(sorted({a for t in tasks for a in t.annotators})))
    rows: list[tuple[Chance, Lottery | None, str | None]] = []
    for task in tasks:
        n = len(task.annotators)
        chance = _choose(settings.chance, n, len(tasks))
        if chance is Chance.SHIFT:
            shift = Shift(own[task.continuum.id])
            if not shift.has_room(n):
                rows.append((chance, None, _no_room(shift, n)))
                continue
            stream = (1, names, _number(task.continuum.id))
            rows.append((chance, Lottery(shift, n, settings.seed, stream), None))
        elif chance is Chance.CORPUS:
            rows.append((chance, Lottery(Mosaic(grounds), n, settings.seed, (2, names, n)), None))
        else:
            rows.append(
                (chance, Lottery(Statistical(grounds), n, settings.seed, (3, names, n)), None)
            )
    return rows


def _number(name: str) -> int:
    # JSON can hold half a surrogate pair, so a name can.
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def _choose(chance: Chance, n: int, tasks: int) -> Chance:
    if chance is Chance.CORPUS and tasks < n:
        raise SettingsError(
            f"chance from the corpus needs as many tasks as annotators: there are {tasks} tasks "
            f"and {n} annotators; use the chance model 'shift'"
        )
    if chance is Chance.AUTO:
        return Chance.CORPUS if tasks >= n else Chance.SHIFT
    return chance


def _no_room(shift: Shift, n: int) -> str:
    return (
        "the spans fill the text or recording, so that shifting them cannot show what chance does: "
        f"it is {shift.ground.length:g} long, and {n} annotators need "
        f"{n * shift.ground.mean_length:g}; score several texts together, or, if it goes on after "
        "the last span, have the files tell its length (in csv a column 'length')"
    )


def coefficients(measured: Sequence[Measured], scheme: Scheme) -> Coefficients:
    """γ, γcat and γk of these tasks together."""
    interval = Interval(scheme.settings.level, scheme.settings.bootstrap, scheme.settings.seed)
    return Coefficients(
        gamma=_gamma(measured, interval),
        gamma_cat=_gamma_k(measured, len(scheme.categories), "units", interval),
        gamma_k={
            category: _gamma_k(measured, k, f"units with one of '{category}'", interval)
            for k, category in enumerate(scheme.categories)
            if any(category in m.observation.task.continuum.categories for m in measured)
        },
    )


def _gamma(measured: Sequence[Measured], interval: Interval) -> Figure:
    n = sum(m.observation.n_units for m in measured)
    shares = []
    for m in measured:
        if m.expectation is None:
            continue
        o = m.observation
        costs = np.array([one.disorder for one in o.alignment.unitary])
        sizes = np.array([len(one.units) for one in o.alignment.unitary])
        blocks = (costs, sizes / len(o.task.annotators))
        shares.append(Share(float(costs.sum()), o.mean_units, m.expectation.disorder, blocks))
    if all(m.observation.alignment.disorder == 0 for m in measured):
        chance = sum(share.weight * share.chance.mean for share in shares) if shares else None
        return Figure(
            1.0, None, None, interval.level, n, reason=UNANIMOUS, observed=0.0, expected=chance
        )
    if not shares:
        return Figure.undefined(measured[0].reason or "there is no task", interval.level, n)
    return corrected(shares, n, interval)


def _gamma_k(measured: Sequence[Measured], k: int, what: str, interval: Interval) -> Figure:
    """γk of category k; with k past the last category, γcat."""
    n = sum(int(m.observation.tally.pairs[k]) for m in measured)
    weighty = [m for m in measured if m.observation.tally.weights[k] > 0]
    if not weighty:
        reason = f"no two aligned {what} overlap enough to compare their categories"
        return Figure.undefined(reason, interval.level, n)
    shares = []
    for m in weighty:
        chance = None if m.expectation is None else m.expectation.categorial[k]
        if chance is None:
            continue
        o = m.observation
        pairs = o.pairs if k == len(o.tally.pairs) - 1 else o.pairs.touching(k)
        clusters = len(o.alignment.unitary)
        blocks = (
            np.bincount(pairs.cluster, pairs.disagreement, clusters).astype(np.float64),
            np.bincount(pairs.cluster, pairs.weight, clusters).astype(np.float64),
        )
        shares.append(
            Share(float(o.tally.disagreements[k]), float(o.tally.weights[k]), chance, blocks)
        )
    if not shares:
        reason = measured[0].reason or f"no chance sample aligned {what}"
        return Figure.undefined(reason, interval.level, n)
    if all(share.chance.mean == 0 for share in shares):
        reason = f"chance never disagrees: all comparable {what} have one category"
        return Figure.undefined(reason, interval.level, n)
    return corrected(shares, n, interval)


def expected_disorder(measured: Iterable[Measured]) -> tuple[float | None, int]:
    """δ_e over these tasks, weighted by units, and how many chance samples it rests on."""
    total = weight = 0.0
    samples: dict[int, int] = {}
    for m in measured:
        if m.expectation is not None:
            total += m.expectation.disorder.mean * m.observation.mean_units
            weight += m.observation.mean_units
            samples[id(m.expectation)] = m.expectation.samples
    return (total / weight if weight else None), sum(samples.values())
