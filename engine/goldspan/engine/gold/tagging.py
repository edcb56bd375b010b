"""Tagging: spans as tags on the stretches between drawn boundaries, for models of positions.

A stretch reaches from one boundary that somebody drew to the next. On each, an annotator who saw
the task said "nothing", "a span of category k begins" or "it goes on". Where one annotator's spans
overlap, the shorter counts: these models know one tag for a position.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from goldspan.engine.gold.gold import GoldSpan
from goldspan.engine.gold.sites import Site
from goldspan.engine.gold.suggestion import grade, refined

if TYPE_CHECKING:
    from goldspan.engine.gold.boundaries import Extent
    from goldspan.engine.model import Position, Unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Stretches:
    """One task: its boundaries, the annotators who saw it, and a row of tags for each of them.

    Tag 0 is nothing; 1 + k a span of category k that goes on; 1 + K + k one that begins.
    """

    task: str
    cuts: tuple[Position, ...]
    seen: tuple[str, ...]
    tags: Ints
    units: tuple[Unit, ...]

    @property
    def size(self) -> int:
        return len(self.cuts) - 1


@dataclass(frozen=True, slots=True)
class Tagging:
    """All tasks; `said` has a row for each stretch, in order, and a one in column worker·tags + tag
    for what each worker said.
    """

    tasks: tuple[Stretches, ...]
    names: tuple[str, ...]
    categories: tuple[str, ...]
    tags: int
    said: csr_array
    length: Floats

    @property
    def votes(self) -> Floats:
        """For each stretch how many said each tag."""
        columns = np.tile(np.eye(self.tags), (len(self.names), 1))
        found: Floats = self.said @ columns
        return found

    @property
    def given(self) -> NDArray[np.bool_]:
        """The tags that a stretch may have: nothing, and the categories that somebody gave it."""
        votes, size = self.votes, len(self.categories)
        found = np.ones_like(votes, dtype=bool)
        for at in range(size):
            found[:, 1 + at :: size] = (votes[:, 1 + at :: size].sum(axis=1) > 0)[:, None]
        return found

    @property
    def first(self) -> Ints:
        """The number of each task's first stretch, and the number of all of them."""
        sizes = [task.size for task in self.tasks]
        return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def tag(sites: Sequence[Site], categories: Sequence[str], *, begins: bool) -> Tagging:
    """The units of these sites as tags; with `begins`, the first stretch of a span has its own."""
    own: dict[str, list[Site]] = defaultdict(list)
    for site in sites:
        own[site.task].append(site)
    order = {category: at for at, category in enumerate(categories)}
    tasks = tuple(_stretches(task, found, order) for task, found in own.items())
    names = sorted({name for task in tasks for name in task.seen})
    index = {name: at for at, name in enumerate(names)}
    count = 1 + (2 if begins else 1) * len(categories)
    columns, sizes, lengths = [], [], []
    for task in tasks:
        shown = (
            task.tags if begins else np.where(task.tags < count, task.tags, task.tags - len(order))
        )
        who = np.array([index[name] for name in task.seen])
        columns.append((who[:, None] * count + shown).T.reshape(-1))
        sizes += [len(task.seen)] * task.size
        lengths.append(np.diff(np.array(task.cuts, dtype=np.float64)))
    flat = np.concatenate(columns)
    said = csr_array(
        (np.ones(len(flat)), flat, np.concatenate(([0], np.cumsum(sizes)))),
        (len(sizes), len(names) * count),
    )
    return Tagging(tasks, tuple(names), tuple(categories), count, said, np.concatenate(lengths))


def _stretches(task: str, sites: Sequence[Site], order: Mapping[str, int]) -> Stretches:
    units = tuple(sorted({unit for site in sites for unit in site.drawn}))
    cuts = sorted({at for unit in units for at in (unit.start, unit.end)})
    seen = sites[0].seen
    tags = np.zeros((len(seen), len(cuts) - 1), dtype=np.int64)
    rows = {name: at for at, name in enumerate(seen)}
    for unit in sorted(units, key=lambda u: (u.start - u.end, u.start, u.category)):
        start, end = bisect_left(cuts, unit.start), bisect_left(cuts, unit.end)
        category = order[unit.category]
        tags[rows[unit.annotator], start:end] = 1 + category
        tags[rows[unit.annotator], start] = 1 + len(order) + category
    return Stretches(task, tuple(cuts), seen, tags, units)


def spans(
    tagging: Tagging, best: Ints, inside: Floats, *, begins: bool
) -> Iterator[tuple[str, GoldSpan]]:
    """The spans of the best tags; `inside` are the probabilities of each category on each stretch.

    Without tags for the beginning, touching spans of one category are cut where more than half of
    those begin a new span who marked both sides.
    """
    size = len(tagging.categories)
    first = tagging.first
    for at, task in enumerate(tagging.tasks):
        low, high = int(first[at]), int(first[at + 1])
        own = best[low:high].tolist()
        kinds = [(one - 1) % size if one else -1 for one in own]
        fresh = [one > size for one in own] if begins else _begins(task, kinds, size)
        start = 0
        for end in range(1, len(own) + 1):
            if end < len(own) and kinds[end] == kinds[start] and not fresh[end]:
                continue
            if kinds[start] >= 0:
                p = inside[low + start : low + end, kinds[start]]
                weights = tagging.length[low + start : low + end]
                place = (task.cuts[start], task.cuts[end])
                sure = float(np.clip(p @ weights / weights.sum(), 0, 1))
                yield task.task, _span(task, place, tagging.categories[kinds[start]], sure)
            start = end


def _begins(task: Stretches, kinds: Sequence[int], size: int) -> list[bool]:
    found = [True]
    for at in range(1, len(kinds)):
        k = kinds[at]
        both = (task.tags[:, at - 1] > 0) & ((task.tags[:, at] - 1) % size == k)
        both &= (task.tags[:, at] > 0) & ((task.tags[:, at - 1] - 1) % size == k)
        cut = both & (task.tags[:, at] > size)
        found.append(bool(2 * cut.sum() > both.sum()))
    return found


def _span(task: Stretches, place: Extent, category: str, confidence: float) -> GoldSpan:
    """The span with the units that overlap it behind it."""
    votes = tuple(u for u in task.units if u.start < place[1] and place[0] < u.end)
    whole = Site(task.task, _largest(votes, place), task.seen, votes)
    return GoldSpan(
        place[0], place[1], category, confidence, votes, len(task.seen),
        refined(grade(whole, category), whole),
    )  # fmt: skip


def _largest(units: Iterable[Unit], place: Extent) -> tuple[Unit, ...]:
    """For each annotator the unit that shares most with the place."""
    best: dict[str, tuple[float, Unit]] = {}
    for unit in units:
        shared = min(unit.end, place[1]) - max(unit.start, place[0])
        known = best.get(unit.annotator)
        if known is None or shared > known[0]:
            best[unit.annotator] = (shared, unit)
    return tuple(unit for _, unit in sorted(best.values(), key=lambda one: one[1]))
