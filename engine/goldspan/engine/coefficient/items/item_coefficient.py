"""ItemCoefficient: what all coefficients of predefined items share, from tasks to sums."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldspan.engine.coefficient.base import Binding, TaskCoefficient
from goldspan.engine.coefficient.items.judgements import (
    SEVERAL,
    Item,
    Judgements,
    Labels,
    Source,
    items_of_task,
    source_of,
)
from goldspan.engine.coefficient.items.metrics import Metric, NominalMetric
from goldspan.engine.coefficient.resampling import Sums
from goldspan.engine.facts import Reason, ReasonKind

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task


@dataclass(frozen=True, eq=False)
class ItemCoefficient(TaskCoefficient):
    """A coefficient of labels given to the same items.

    Bound to a corpus it knows what the items are, the values that a judgement can have with their
    distances, and the coders; or why it cannot be measured at all.
    """

    source: Source = Source.PLACES
    value_set: tuple[Labels, ...] = ()
    coders: tuple[str, ...] = ()
    distance: Floats | None = None
    obstacle: Reason | None = None

    counts: ClassVar[str] = "item"
    is_bound: ClassVar[bool] = True
    blind: ClassVar[str] = (
        "It sees labels only: not where units are, nor a unit that others did not mark."
    )
    metric: ClassVar[Metric] = NominalMetric()
    splits_sets: ClassVar[bool] = False
    """Whether one label of several is looked at, so that an annotator may give several."""
    is_complete: ClassVar[bool] = False
    """Whether every annotator of a task must have judged every item."""
    most_coders: ClassVar[int | None] = None
    """How many annotators a task may have."""

    @property
    def distances(self) -> Floats:
        """Between the values that judgements are numbered by."""
        return np.zeros((0, 0)) if self.distance is None else self.distance

    @abstractmethod
    def parts(self, judgements: Judgements, label: str) -> Floats:
        """What the pairable items of each task add up to, a row for each task."""

    def bind(self, tasks: Sequence[Task], scheme: Scheme) -> ItemCoefficient:
        source = source_of(tasks)
        values = self._values(tasks, source, scheme)
        distance = self.metric.between(values, scheme)
        bound = replace(
            self,
            source=source,
            value_set=tuple(values),
            coders=tuple(sorted({name for task in tasks for name in task.annotators})),
        )
        if isinstance(distance, Reason):
            return replace(bound, obstacle=distance)
        return replace(bound, distance=distance)

    def binding(self) -> Binding:
        distance = None if self.distance is None else tuple(map(tuple, self.distance.tolist()))
        return Binding(coders=self.coders, values=self.value_set, distances=distance)

    def bound_by(self, binding: Binding) -> ItemCoefficient:
        distance = None if binding.distances is None else np.array(binding.distances)
        return replace(self, coders=binding.coders, value_set=binding.values, distance=distance)

    def _values(self, tasks: Sequence[Task], source: Source, scheme: Scheme) -> list[Labels]:
        """One label each, or every set of labels that somebody gave."""
        if not (self.metric.takes_sets or self.splits_sets):
            return [(category,) for category in scheme.categories]
        items = (item for task in tasks for item in items_of_task(task, source))
        return sorted({labels for item in items for labels in item.values()})

    def observe_tasks(
        self, tasks: Sequence[Task], scheme: Scheme, label: str
    ) -> Sequence[Sums | Reason]:
        items = [items_of_task(task, self.source) for task in tasks]
        return self.observe_items(items, tasks, label)

    def observe_items(
        self, items: Sequence[Sequence[Item]], tasks: Sequence[Task], label: str
    ) -> list[Sums | Reason]:
        """What the items of each task add."""
        if self.obstacle is not None:
            return [self.obstacle for _ in tasks]
        judgements = self._judgements(items, tasks)
        reasons = self._reasons(judgements, items, tasks)
        used = judgements.pairable
        rows = self.parts(used, label).tolist()
        n = used.per_task(np.ones(len(used.task))).astype(int).tolist()
        seen = used.per_task(used.labels.sum(axis=1).astype(np.float64)).tolist()
        return [
            reasons[at] if at in reasons else Sums(tuple(row), n[at], seen=seen[at])
            for at, row in enumerate(rows)
        ]

    def _judgements(self, items: Sequence[Sequence[Item]], tasks: Sequence[Task]) -> Judgements:
        """The items as arrays, made once for all coefficients that number values alike."""
        memo = tasks[0].memo if tasks else {}
        same = tuple(map(id, items)), self.value_set, self.coders
        if memo.get(Judgements, (None,))[0] != same:
            # The items are kept too: as long as they are there, nothing else has their ids.
            memo[Judgements] = same, items, self.judgements(items)
        found: Judgements = memo[Judgements][2]
        return found

    def judgements(self, items: Sequence[Sequence[Item]]) -> Judgements:
        """The items as arrays; values are numbered as this coefficient is bound to them."""
        number = {value: at for at, value in enumerate(self.value_set)}
        coders = {name: at for at, name in enumerate(self.coders)}
        return Judgements.of(items, coders, _Numbers(number).__getitem__)

    def _reasons(
        self,
        judgements: Judgements,
        items: Sequence[Sequence[Item]],
        tasks: Sequence[Task],
    ) -> dict[int, Reason]:
        """Why a task cannot be looked at, by its number."""
        found: dict[int, Reason] = {}
        if self.is_complete:
            for at, (own, task) in enumerate(zip(items, tasks, strict=True)):
                if any(len(item) < len(task.annotators) for item in own):
                    found[at] = Reason.of(ReasonKind.INCOMPLETE)
                elif self.most_coders is not None and len(task.annotators) > self.most_coders:
                    found[at] = self.too_many(len(task.annotators))
        for at in set(judgements.task[judgements.several].tolist()):
            found[at] = Reason.of(ReasonKind.SEVERAL_LABELS)
        pairable = judgements.per_task((judgements.sizes >= 2).astype(np.float64))
        for at in np.flatnonzero(pairable == 0).tolist():
            found[at] = Reason.of(ReasonKind.NO_SHARED_ITEM)
        return found

    def too_many(self, found: int) -> Reason:
        return Reason.of(ReasonKind.TOO_MANY_ANNOTATORS, most=self.most_coders or 0, found=found)


class _Numbers(dict[Labels, int]):
    """The number of each value; sets that are not a value share one number."""

    def __missing__(self, labels: Labels) -> int:
        return SEVERAL


class ItemRatio(ItemCoefficient):
    """One minus observed by expected disagreement, both of the totals of all tasks."""

    @abstractmethod
    def disagreements(self, totals: Floats) -> tuple[Floats, Floats]:
        """The observed and the expected disagreement; the totals are along the last axis."""

    def value(self, total: Sequence[float]) -> float | Reason:
        """1 - Dₒ / Dₑ, as soon as chance disagrees at all."""
        observed, expected = self.disagreements(np.array(total))
        if not expected > 0:
            return Reason.of(ReasonKind.ONE_CATEGORY, label="")
        return float(1 - observed / expected)

    def values(self, totals: Floats) -> Floats:
        observed, expected = self.disagreements(totals)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(expected > 0, 1 - observed / expected, np.nan))


def quadratic(one: Floats, distance: Floats, other: Floats) -> Floats:
    """Σ one_a · d_ab · other_b, along the last axes."""
    return np.asarray(((one @ distance) * other).sum(axis=-1))
