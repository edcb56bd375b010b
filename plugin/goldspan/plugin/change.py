"""Change: what became of agreement from one round to the next, and whether that is clear.

A coefficient is one minus the ratio of two sums over tasks, what was observed and what chance
expects. Resampling tasks (the same ones in both rounds, where the rounds share them) gives the
distribution of the difference. The interval is the expanded percentile interval of Hesterberg
(2015), which is wider than the plain one where tasks are few. The sampling error of each figure's
chance is drawn along; where a result does not state it, as large as its precision allows.

Chance is drawn from all tasks of a round, so it differs between two rounds even for a task that
nobody touched. Such a task gets the mean of both chances in both rounds: it has not changed. Of a
round that has new tasks, and most of the old ones as they were, what is new or changed counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit

from goldspan.engine.coefficient.figure import LEAST_TASKS, Figure
from goldspan.engine.result import SCHEMA
from goldspan.plugin.report.wording import many
from goldspan.plugin.rounds import COMPARABLE, GAMMA, GAMMA_CAT, Key, Round

RESAMPLES = 10_000
LEAST_RESAMPLES = 2_000
DRAWS = 20_000_000
"""Large rounds are resampled less often: their percentiles are steadier."""

PAIRED = "paired bootstrap over shared tasks"
APART = "bootstrap over the tasks of each round"

Sums = NDArray[np.float64]
"""A row for each task: what was observed, what chance expects."""


@dataclass(frozen=True, slots=True)
class Change:
    """The difference of one coefficient, new minus old, on what can be compared.

    `old` and `new` are the values on the shared tasks if `method` is paired, else the rounds' own;
    the new round's is that of its new tasks if it brought the old ones along as they were.
    Without an interval, `reason` says why. `level` is that of the interval.
    """

    name: str
    label: str
    old: float | None
    new: float | None
    low: float | None
    high: float | None
    level: float
    n_tasks: int
    method: str | None
    reason: str | None

    @property
    def difference(self) -> float | None:
        return None if self.old is None or self.new is None else self.new - self.old

    @property
    def verdict(self) -> str:
        """better, worse, no clear change, or cannot be told."""
        if self.low is None or self.high is None:
            return "cannot be told"
        if self.low > 0:
            return "better"
        return "worse" if self.high < 0 else "no clear change"

    def as_json(self) -> dict[str, Any]:
        return {
            "coefficient": self.name,
            "label": self.label or None,
            "old": self.old,
            "new": self.new,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "n_tasks": self.n_tasks,
            "method": self.method,
            "reason": self.reason,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class Step:
    """From one round to another: the changes, the shared tasks, those among them in which nobody
    changed anything, and what hinders comparing.
    """

    old: Round
    new: Round
    gamma: Change
    gamma_cat: Change
    labels: tuple[Change, ...]
    shared: tuple[str, ...]
    untouched: frozenset[str]
    remarks: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        changes = (self.gamma, self.gamma_cat, *self.labels)
        return {
            "from": self.old.name,
            "to": self.new.name,
            "n_shared_tasks": len(self.shared),
            "n_untouched_tasks": len(self.untouched),
            "changes": [change.as_json() for change in changes],
            "remarks": list(self.remarks),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rounds in order, each compared with the next, and last the first with the last if several."""

    rounds: tuple[Round, ...]
    steps: tuple[Step, ...]

    @property
    def whole(self) -> Step:
        """From the first round to the last."""
        return self.steps[-1]

    def as_json(self) -> dict[str, Any]:
        """The comparison as plain values."""
        return {
            "schema": SCHEMA,
            "goldspan": version("goldspan"),
            "rounds": [
                {
                    "name": one.name,
                    "n_tasks": len(one.tasks),
                    "n_units": one.n_units,
                    "n_annotators": one.n_annotators,
                    "gamma": one.figures[GAMMA].as_json(),
                    "gamma_cat": one.figures[GAMMA_CAT].as_json(),
                    "gamma_k": {k: one.figures["γk", k].as_json() for k in one.labels},
                }
                for one in self.rounds
            ],
            "steps": [one.as_json() for one in self.steps],
        }


def compare(rounds: Sequence[Round], *, seed: int = 0, level: float = 0.95) -> Comparison:
    """Compare two rounds or more: each with the next and, if there are several, first with last."""
    couples = list(pairwise(rounds))
    if len(rounds) > 2:
        couples.append((rounds[0], rounds[-1]))
    steps = tuple(step(*couple, seed=seed, level=level) for couple in couples)
    return Comparison(tuple(rounds), steps)


def step(old: Round, new: Round, *, seed: int = 0, level: float = 0.95) -> Step:
    """Compare two rounds; intervals of labels are widened, so that all of them hold together."""
    tasks = _Tasks.of(old, new)
    labels = tuple(label for label in new.labels if label in old.labels)
    each = 1 - (1 - level) / max(1, len(labels))
    return Step(
        old=old,
        new=new,
        gamma=_change(old, new, GAMMA, tasks, level, seed),
        gamma_cat=_change(old, new, GAMMA_CAT, tasks, level, seed),
        labels=tuple(_change(old, new, ("γk", label), tasks, each, seed) for label in labels),
        shared=tasks.shared,
        untouched=tasks.untouched,
        remarks=tuple(_remarks(old, new, tasks)),
    )


@dataclass(frozen=True, slots=True)
class _Tasks:
    """The tasks of two rounds: `shared` ones, those of them that are `untouched`, and those of the
    new round that are `fresh`.
    """

    shared: tuple[str, ...]
    untouched: frozenset[str]
    fresh: tuple[str, ...]

    @classmethod
    def of(cls, old: Round, new: Round) -> _Tasks:
        shared = tuple(task for task in old.tasks if old.shares(task, new))
        untouched = frozenset(task for task in shared if old.marked[task] == new.marked[task])
        fresh = tuple(task for task in new.tasks if not old.shares(task, new))
        return cls(shared, untouched, fresh)

    @property
    def are_carried(self) -> bool:
        """Whether the shared tasks were only brought along, and tell nothing of the new round."""
        return bool(self.fresh) and 2 * len(self.untouched) > len(self.shared)

    @property
    def judged(self) -> tuple[str, ...]:
        """The tasks of the new round by which it is measured where tasks are not paired."""
        if not self.are_carried:
            return (*self.shared, *self.fresh)
        return (*(task for task in self.shared if task not in self.untouched), *self.fresh)


def _change(old: Round, new: Round, key: Key, tasks: _Tasks, level: float, seed: int) -> Change:
    before, after = old.figures[key], new.figures[key]
    if before.value is None or after.value is None:
        reason = before.reason if before.value is None else after.reason
        return Change(*key, before.value, after.value, None, None, level, 0, None, reason)
    rng = np.random.default_rng(seed)
    both = _pairs(old, new, key, tasks)
    if len(both) >= LEAST_TASKS and (both[:, :, 1].sum(axis=0) > 0).all():
        one, other = both[:, 0], both[:, 1]
        drawn = _resample((one, other), (_deviation(old, key), _deviation(new, key)), rng)
        ends = _interval(drawn[1] - drawn[0], level, len(both))
        return Change(*key, _value(one), _value(other), *ends, level, len(both), PAIRED, None)
    one, other = _rows(old, key, old.tasks), _rows(new, key, tasks.judged)
    values = before.value, _value(other) if tasks.are_carried else after.value
    fewest = min(len(one), len(other))
    if fewest < LEAST_TASKS:
        reason = f"it takes {LEAST_TASKS} tasks with a figure in both rounds, there are {fewest}"
        return Change(*key, *values, None, None, level, fewest, None, reason)
    drawn = (
        *_resample((one,), (_deviation(old, key),), rng),
        *_resample((other,), (_deviation(new, key),), rng),
    )
    least = min(len(drawn[0]), len(drawn[1]))
    ends = _interval(drawn[1][:least] - drawn[0][:least], level, fewest)
    return Change(*key, *values, *ends, level, fewest, APART, None)


def _pairs(old: Round, new: Round, key: Key, tasks: _Tasks) -> NDArray[np.float64]:
    """The sums of each shared task in both rounds; none where they do not tell."""
    rows = []
    for task in () if tasks.are_carried else tasks.shared:
        one, other = _row(old.tasks[task], key), _row(new.tasks[task], key)
        if one is None or other is None:
            continue
        if task in tasks.untouched:
            chance = (one[1] + other[1]) / 2
            one, other = (one[0], chance), (other[0], chance)
        rows.append((one, other))
    return np.array(rows, dtype=np.float64)


def _rows(one: Round, key: Key, tasks: Iterable[str]) -> Sums:
    rows = [_row(one.tasks[task], key) for task in tasks]
    return np.array([row for row in rows if row is not None], dtype=np.float64)


def _row(task: Mapping[Key, Figure], key: Key) -> tuple[float, float] | None:
    figure = task.get(key)
    if figure is None or figure.observed is None or figure.expected is None:
        return None
    return figure.observed, figure.expected


def _value(sums: Sums) -> float | None:
    chance = sums[:, 1].sum() if len(sums) else 0.0
    return float(1 - sums[:, 0].sum() / chance) if chance > 0 else None


def _resample(
    parts: Sequence[Sums], deviations: Sequence[float], rng: np.random.Generator
) -> tuple[Sums, ...]:
    """The coefficient of tasks drawn with replacement, for each part; all draw the same tasks.

    Chance is varied by the relative standard deviation of each part.
    """
    count = len(parts[0])
    times = max(LEAST_RESAMPLES, min(RESAMPLES, DRAWS // count))
    noises = [np.maximum(1 + d * rng.standard_normal(times), 1e-9) for d in deviations]
    values = tuple(np.empty(times) for _ in parts)
    at_once = max(1, 1_000_000 // count)  # to bound the memory
    for low in range(0, times, at_once):
        rows = slice(low, min(low + at_once, times))
        picked = rng.integers(count, size=(rows.stop - low, count), dtype=np.int32)
        for part, noise, value in zip(parts, noises, values, strict=True):
            drawn = part[picked].sum(axis=1)
            below = drawn[:, 1] * noise[rows]
            # Tasks in which chance expects nothing make no figure, and the draw does not count.
            value[rows] = 1 - drawn[:, 0] / np.where(below > 0, below, math.nan)
    return values


def _deviation(one: Round, key: Key) -> float:
    """The relative standard error of what chance expects of a figure."""
    figure = one.figures[key]
    error = figure.error
    if error is None:
        error = float(one.settings.get("precision", 0.0))
    return error / float(ndtri(0.5 + figure.level / 2))


def _interval(drawn: Sums, level: float, count: int) -> tuple[float, float]:
    reach = math.sqrt(count / (count - 1)) * float(stdtrit(count - 1, 0.5 + level / 2))
    tail = float(ndtr(-reach))
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    return float(low), float(high)


def _are_spaced_otherwise(old: Round, new: Round) -> bool:
    """Whether shared labels are at different distances, although these have the same name."""
    if old.settings.get("distances") != new.settings.get("distances"):
        return False
    shared = old.distances.keys() & new.distances.keys()
    return any(old.distances[pair] != new.distances[pair] for pair in shared)


def _remarks(old: Round, new: Round, tasks: _Tasks) -> Iterator[str]:
    if tasks.are_carried:
        yield (
            f"Nobody changed anything in {len(tasks.untouched)} of "
            f"{many(len(tasks.shared), 'shared task')}; the new round is judged by the "
            f"{many(len(tasks.judged), 'task')} that came with it or were changed."
        )
    elif len(tasks.shared) >= LEAST_TASKS and tasks.fresh:
        yield f"Only shared tasks are compared; {many(len(tasks.fresh), 'new task')} are left out."
    for name in COMPARABLE:
        before, after = old.settings.get(name), new.settings.get(name)
        if before != after:
            yield (
                f"The rounds were measured with different settings ({name}: {before} and {after}); "
                "the change may come from that."
            )
    if _are_spaced_otherwise(old, new):
        yield "The rounds were measured with different distances; the change may come from that."
    gone = [label for label in old.labels if label not in new.labels]
    come = [label for label in new.labels if label not in old.labels]
    if gone:
        yield f"Labels that are no longer used: {', '.join(gone)}."
    if come:
        yield f"Labels that are new: {', '.join(come)}."
