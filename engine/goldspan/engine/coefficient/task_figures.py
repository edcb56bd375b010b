"""Task figures: the figures of each task by itself, made when somebody looks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from goldspan.engine.chance.estimate import normal_quantile
from goldspan.engine.coefficient.base import Coefficient, ColumnCoefficient, coverage_of, pooled
from goldspan.engine.coefficient.figure import UNANIMOUS, Figure
from goldspan.engine.coefficient.resampling import (
    BLOCK,
    LEAST_BLOCKS,
    SumColumns,
    few_unitary,
    variance_of,
)
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.base import Key, Observed, SettledAlone
    from goldspan.engine.coefficient.measured import MeasuredTasks
    from goldspan.engine.coefficient.scheme import Scheme

    Flags = NDArray[np.bool_]

Known = TypeVar("Known")

FIGURES_AT_ONCE = 1_000


class FiguresOfEach:
    """The figures of each task by itself, made when somebody looks."""

    def __init__(
        self,
        coefficients: Sequence[Coefficient],
        observed: Observed,
        measured: MeasuredTasks,
        scheme: Scheme,
    ) -> None:
        self._coefficients, self._observed = {one.key: one for one in coefficients}, observed
        self._measured, self._scheme = measured, scheme
        self._keys = [
            (one.key, label) for one in coefficients for label in one.labels(measured, scheme)
        ]
        self._single = {
            (one.key, label): _SingleFigures(
                sums,
                measured.chance.value,
                scheme.settings.level,
                one.settled_alone(measured, sums, label)
                if isinstance(one, ColumnCoefficient)
                else None,
            )
            for one in coefficients
            if type(one).value is Coefficient.value
            for label in one.labels(measured, scheme)
            if isinstance(sums := observed[one.key, label], SumColumns)
        }
        self._values: dict[Key, list[float | None]] = {}

    def values(self, key: Key) -> list[float | None]:
        """The value of one figure of each task, made once: tasks are ranked by it more than once;
        None if it is undefined, or there is none.
        """
        if key not in self._values:
            self._values[key] = self._values_of(key)
        return self._values[key]

    def _values_of(self, key: Key) -> list[float | None]:
        return [
            one if isinstance(one, float) else None if one is None else one.value
            for one in self._known_or_figure(key, lambda single: single.value.tolist())
        ]

    def sums(self, key: Key) -> Iterator[Sequence[float] | None]:
        """The sums of one figure of each task; None if it has none."""
        for one in self._known_or_figure(key, lambda single: single.rows.tolist()):
            yield one.sums if isinstance(one, Figure) else one

    def _known_or_figure(
        self, key: Key, known: Callable[[_SingleFigures], list[Known]]
    ) -> Iterator[Known | Figure | None]:
        """What is `known` of each task without an interval; else the figure."""
        single = self._single.get(key)
        if single is None or single.settled is None:
            yield from self.of_all(key)
            return
        plain = single.is_known & single.settled.exists & single.settled.stays
        for at, (one, is_plain) in enumerate(zip(known(single), plain.tolist(), strict=True)):
            yield one if is_plain else self.figure(key, at)

    def labels_of(self, name: str, at: int) -> tuple[str, ...]:
        """The labels for which a coefficient has a figure of a task."""
        return tuple(key[1] for key in self._keys if key[0] == name and self._exists(key, at))

    def _exists(self, key: Key, at: int) -> bool:
        single = self._single.get(key)
        if single is not None and single.settled is not None:
            return single.settled.exists.item(at)
        return key[1] in self._coefficients[key[0]].labels([self._measured[at]], self._scheme)

    def of(self, at: int) -> dict[Key, Figure]:
        """All figures of a task."""
        return self.between(at, at + 1)[0]

    def between(self, low: int, high: int) -> list[dict[Key, Figure]]:
        """The same of each task from number `low` on, up to `high`."""
        found: list[dict[Key, Figure]] = [{} for _ in range(low, high)]
        for key in self._keys:
            for figures, figure in zip(found, self._column(key, low, high), strict=True):
                if figure is not None:
                    figures[key] = figure
        return found

    def of_all(self, key: Key) -> Iterator[Figure | None]:
        """One figure of each task; None where it has none."""
        tasks = len(self._measured)
        for low in range(0, tasks, FIGURES_AT_ONCE):
            yield from self._column(key, low, min(low + FIGURES_AT_ONCE, tasks))

    def figure(self, key: Key, at: int) -> Figure | None:
        """One figure of a task; None if it has none."""
        return self._column(key, at, at + 1)[0]

    def _column(self, key: Key, low: int, high: int) -> list[Figure | None]:
        """One figure of each of these tasks; None where it has none."""
        one, single = self._coefficients.get(key[0]), self._single.get(key)
        if one is None:
            return [None] * (high - low)
        if single is None or single.settled is None:
            return [self._figure(one, key, at) for at in range(low, high)]
        exists = single.settled.exists[low:high].tolist()
        stays = single.settled.stays[low:high].tolist()
        found: list[Figure | None] = []
        for there, same, figure in zip(exists, stays, single.between(low, high), strict=True):
            if there and not (same and figure is not None):
                found.append(self._settled(one, key, low + len(found), figure))
            else:
                found.append(figure if there else None)
        return found

    def _figure(self, one: Coefficient, key: Key, at: int) -> Figure | None:
        """One figure of a task, as it is made of several; None if it has none."""
        if not self._exists(key, at):
            return None
        single = self._single.get(key)
        return self._settled(one, key, at, single.between(at, at + 1)[0] if single else None)

    def _settled(self, one: Coefficient, key: Key, at: int, figure: Figure | None) -> Figure:
        """The figure of a task, settled; it is pooled first where it is not there yet."""
        alone = [self._measured[at]]
        if figure is None:
            sums = self._observed[key][at : at + 1]
            covered = coverage_of(one, sums, [alone[0].observation.task])
            figure = pooled(one, sums, alone, self._scheme, covered)
        return one.settle(alone, key[1], figure)


class _SingleFigures:
    """The figures of tasks by themselves, for values that are one minus a ratio of two sums: what
    `pooled` makes of one task, without its detours.
    """

    def __init__(
        self, sums: SumColumns, model: str, level: float, settled: SettledAlone | None
    ) -> None:
        self._sums, self._model, self._level = sums, model, level
        reach = normal_quantile(level)
        self._errors = [reach * math.sqrt(variance_of({one: 1.0})) for one in sums.chances]
        self.settled = settled

    def between(self, low: int, high: int) -> list[Figure | None]:
        """Those of the tasks from number `low` on, up to `high`; None for a task that is long
        enough for an interval within it, or whose chance is certain.
        """
        sums, own, made = self._sums, slice(low, high), self._made
        observed, expected = sums.rows[own].T
        value = 1 - np.divide(observed, expected, out=np.zeros(high - low), where=expected > 0)
        columns = sums.which, sums.n, sums.unitary
        rows = zip(value.tolist(), observed.tolist(), expected.tolist(),
                   *(column[own].tolist() for column in columns), strict=True)  # fmt: skip
        return [
            made(*row) if row[3] >= 0 else Figure.undefined(sums.reasons[at], self._level)
            for at, row in enumerate(rows, start=low)
        ]

    @property
    def rows(self) -> Floats:
        """The two sums of each task."""
        return self._sums.rows

    @property
    def value(self) -> Floats:
        """1 - observed / expected of each task; 1 where nothing is expected."""
        observed, expected = self.rows.T
        ratio = np.divide(observed, expected, out=np.zeros(len(observed)), where=expected > 0)
        return np.asarray(1 - ratio)

    @property
    def is_known(self) -> Flags:
        """Whether each task has a value."""
        return np.asarray((self._sums.which >= 0) & (self.rows[:, 1] > 0))

    def _made(
        self, value: float, observed: float, expected: float, which: int, n: int, unitary: int
    ) -> Figure | None:
        if expected <= 0:
            return Figure.undefined(Reason.of(ReasonKind.CERTAIN_CHANCE), self._level, n)
        if unitary >= BLOCK * LEAST_BLOCKS:
            return None
        reason = UNANIMOUS if value == 1 else few_unitary(unitary)
        return Figure(
            value, None, None, self._level, n, None, reason, observed, expected, self._model,
            self._sums.chances[which].count, self._errors[which], (observed, expected),
        )  # fmt: skip
