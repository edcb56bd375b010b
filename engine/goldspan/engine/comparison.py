"""Comparison: what became of agreement from one round to the next, and whether that is clear.

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
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from goldspan.engine.coefficient.base import Coefficient, Key, TaskCoefficient
from goldspan.engine.coefficient.registry import known_coefficients
from goldspan.engine.coefficient.resampling import LEAST_TASKS, independent_difference, resample
from goldspan.engine.facts import Fact, FactKind, Reason, ReasonKind, Verdict
from goldspan.engine.quantile import normal_quantile, student_quantile
from goldspan.engine.result import SCHEMA
from goldspan.engine.settings import COMPARABLE, Settings

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure

GAMMA: Key = ("gamma", "")
GAMMA_CAT: Key = ("gamma_cat", "")

RESAMPLES = 10_000
LEAST_RESAMPLES = 2_000
DRAWS = 20_000_000
"""Large rounds are resampled less often: their percentiles are steadier."""

PAIRED = "paired bootstrap over shared tasks"
APART = "bootstrap over the tasks of each round"

Sums = NDArray[np.float64]
"""A row for each task: the sums of a coefficient, what chance expects last."""


@dataclass(frozen=True, slots=True)
class Round:
    """One scored round: the figures of the corpus and of each task, by coefficient; the marks in
    each task, and its text, as digests; how far apart labels are, where not all are at 1.
    """

    name: str
    settings: Mapping[str, Any]
    figures: Mapping[Key, Figure]
    tasks: Mapping[str, Mapping[Key, Figure]]
    marked: Mapping[str, str]
    texts: Mapping[str, str]
    distances: Mapping[tuple[str, str], float]
    n_units: int
    n_annotators: int
    symbols: Mapping[str, str]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for name, label in self.figures if name == "gamma_k")

    def shares(self, task: str, other: Round) -> bool:
        """Whether both rounds have this task; of two texts under one name they do not."""
        if task not in self.tasks or task not in other.tasks:
            return False
        one, another = self.texts.get(task), other.texts.get(task)
        return one is None or another is None or one == another


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
    reason: Reason | None

    @property
    def difference(self) -> float | None:
        return None if self.old is None or self.new is None else self.new - self.old

    @property
    def outcome(self) -> Verdict:
        """Whether the interval of the difference is above 0, below it, or includes it."""
        if self.low is None or self.high is None:
            return Verdict.CANNOT_BE_TOLD
        if self.low > 0:
            return Verdict.BETTER
        return Verdict.WORSE if self.high < 0 else Verdict.NO_CLEAR_CHANGE

    @property
    def verdict(self) -> str:
        """The outcome in words."""
        return str(Fact.of(self.outcome))

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
            "reason": None if self.reason is None else str(self.reason),
            "verdict": self.verdict,
            "reason_code": None if self.reason is None else self.reason.code,
            "verdict_code": self.outcome.code,
        }


@dataclass(frozen=True, slots=True)
class Step:
    """From one round to another: the changes, the shared tasks, those among them in which nobody
    changed anything, and what hinders comparing.
    """

    old: Round
    new: Round
    changes: Mapping[Key, Change]
    shared: tuple[str, ...]
    untouched: frozenset[str]
    remarks: tuple[Fact, ...]

    @property
    def gamma(self) -> Change:
        return self.changes[GAMMA]

    @property
    def gamma_cat(self) -> Change:
        return self.changes[GAMMA_CAT]

    @property
    def overall(self) -> tuple[Change, ...]:
        """Of all labels together, γ and γcat first."""
        return tuple(change for change in self.changes.values() if not change.label)

    @property
    def labels(self) -> tuple[Change, ...]:
        """Of one label each."""
        return tuple(change for change in self.changes.values() if change.label)

    def as_json(self) -> dict[str, Any]:
        return {
            "from": self.old.name,
            "to": self.new.name,
            "n_shared_tasks": len(self.shared),
            "n_untouched_tasks": len(self.untouched),
            "changes": [change.as_json() for change in (*self.overall, *self.labels)],
            "remarks": [str(one) for one in self.remarks],
            "remark_codes": [one.code for one in self.remarks],
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
                    "gamma_k": {k: one.figures["gamma_k", k].as_json() for k in one.labels},
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
    keys = [key for key in new.figures if key in old.figures]
    of_labels = Counter(name for name, label in keys if label)
    levels = {name: 1 - (1 - level) / count for name, count in of_labels.items()}
    return Step(
        old=old,
        new=new,
        changes={
            key: _change(old, new, key, tasks, levels[key[0]] if key[1] else level, seed)
            for key in keys
        },
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
    name = new.symbols.get(key[0], key[0]), key[1]
    coefficient = known_coefficients().get(key[0])
    if before.value is None or after.value is None or coefficient is None:
        reason = before.reason if before.value is None else after.reason
        if coefficient is None:
            reason = Reason.of(ReasonKind.NOT_INSTALLED, coefficient=key[0])
        return Change(*name, before.value, after.value, None, None, level, 0, None, reason)
    if coefficient.is_bound:
        count = min(len(_rows(one, key, one.tasks)) for one in (old, new))
        found = independent_difference(before, after, level, seed)
        return Change(
            *name, before.value, after.value, found.low, found.high, level, count,
            found.method, found.reason,
        )  # fmt: skip
    noises = _deviation(old, key, coefficient), _deviation(new, key, coefficient)
    both = _pairs(old, new, key, tasks)
    if len(both) >= LEAST_TASKS and not np.isnan(coefficient.values(both.sum(axis=0))).any():
        one, other = both[:, 0], both[:, 1]
        drawn = resample((one, other), noises, coefficient.values, _times(one), seed)
        ends = _interval(drawn[1] - drawn[0], level, len(both))
        values = _value(coefficient, one), _value(coefficient, other)
        return Change(*name, *values, *ends, level, len(both), PAIRED, None)
    one, other = _rows(old, key, old.tasks), _rows(new, key, tasks.judged)
    values = before.value, _value(coefficient, other) if tasks.are_carried else after.value
    fewest = min(len(one), len(other))
    if fewest < LEAST_TASKS:
        reason = Reason.of(ReasonKind.FEW_COMPARED_TASKS, needed=LEAST_TASKS, found=fewest)
        return Change(*name, *values, None, None, level, fewest, None, reason)
    (first,) = resample((one,), noises[:1], coefficient.values, _times(one), seed)
    (second,) = resample((other,), noises[1:], coefficient.values, _times(other), seed + 1)
    least = min(len(first), len(second))
    ends = _interval(second[:least] - first[:least], level, fewest)
    return Change(*name, *values, *ends, level, fewest, APART, None)


def _pairs(old: Round, new: Round, key: Key, tasks: _Tasks) -> Sums:
    """The sums of each shared task in both rounds; none where they do not tell."""
    rows = []
    for task in () if tasks.are_carried else tasks.shared:
        one, other = _row(old.tasks[task], key), _row(new.tasks[task], key)
        if one is None or other is None:
            continue
        if task in tasks.untouched:
            # The last sum is chance's; where nobody touched anything it is the same.
            chance = (one[-1] + other[-1]) / 2
            one, other = (*one[:-1], chance), (*other[:-1], chance)
        rows.append((one, other))
    return np.array(rows, dtype=np.float64)


def _rows(one: Round, key: Key, tasks: Iterable[str]) -> Sums:
    rows = [_row(one.tasks[task], key) for task in tasks]
    return np.array([row for row in rows if row is not None], dtype=np.float64)


def _row(task: Mapping[Key, Figure], key: Key) -> tuple[float, ...] | None:
    figure = task.get(key)
    return None if figure is None else figure.sums


def _value(coefficient: Coefficient, sums: Sums) -> float | None:
    if not len(sums):
        return None
    value = coefficient.value(sums.sum(axis=0).tolist())
    return None if isinstance(value, Reason) else value


def _times(sums: Sums) -> int:
    return max(LEAST_RESAMPLES, min(RESAMPLES, DRAWS // len(sums)))


def _deviation(one: Round, key: Key, coefficient: Coefficient) -> float:
    """The relative standard error of what chance expects of a figure."""
    if isinstance(coefficient, TaskCoefficient):
        return 0.0
    figure = one.figures[key]
    error = figure.error
    if error is None:
        error = float(one.settings.get("precision", 0.0))
    return error / normal_quantile(0.5 + figure.level / 2)


def _interval(drawn: Sums, level: float, count: int) -> tuple[float, float]:
    from scipy.special import ndtr  # noqa: PLC0415 - slow to import

    reach = math.sqrt(count / (count - 1)) * student_quantile(0.5 + level / 2, count - 1)
    tail = float(ndtr(-reach))
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    return float(low), float(high)


def _are_spaced_otherwise(old: Round, new: Round) -> bool:
    """Whether shared labels are at different distances, although these have the same name."""
    if old.settings.get("distances") != new.settings.get("distances"):
        return False
    shared = old.distances.keys() & new.distances.keys()
    return any(old.distances[pair] != new.distances[pair] for pair in shared)


def _remarks(old: Round, new: Round, tasks: _Tasks) -> Iterator[Fact]:
    if tasks.are_carried:
        yield Fact.of(
            FactKind.TASKS_CARRIED,
            untouched=len(tasks.untouched),
            shared=len(tasks.shared),
            judged=len(tasks.judged),
        )
    elif len(tasks.shared) >= LEAST_TASKS and tasks.fresh:
        yield Fact.of(FactKind.NEW_TASKS_IGNORED, fresh=len(tasks.fresh))
    usual = Settings().as_json()  # an older result does not name what could not be set
    for name in COMPARABLE:
        before, after = (one.settings.get(name, usual[name]) for one in (old, new))
        if before != after:
            values = {"before": str(before), "after": str(after)}
            yield Fact.of(FactKind.SETTINGS_DIFFER, name=name, **values)
    if _are_spaced_otherwise(old, new):
        yield Fact.of(FactKind.DISTANCES_DIFFER)
    gone = tuple(label for label in old.labels if label not in new.labels)
    come = tuple(label for label in new.labels if label not in old.labels)
    if gone:
        yield Fact.of(FactKind.LABELS_GONE, labels=gone)
    if come:
        yield Fact.of(FactKind.LABELS_NEW, labels=come)
