"""Exploring: why the units of a task are aligned so, and what another alignment would cost."""

from __future__ import annotations

from itertools import combinations
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec

from goldspan.engine.coefficient.base import GAMMA
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.report.drawing import drawing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldspan.engine.alignment.alignment import Alignment, UnitaryAlignment
    from goldspan.engine.dissimilarity import Dissimilarity
    from goldspan.engine.model import Unit
    from goldspan.engine.result import TaskResult
    from goldspan.plugin.open.measuring import Found, Measurer
    from goldspan.plugin.open.state import State


class Place(msgspec.Struct, frozen=True):
    """A unit of an annotator."""

    annotator: str
    label: str
    start: float
    end: float


class Pair(msgspec.Struct, frozen=True):
    """Two units of a unitary alignment, and what their difference costs, before the weights."""

    one: int
    other: int
    positional: float
    categorial: float


class Alternative(msgspec.Struct, frozen=True):
    """The best alignment without this unitary alignment: its disorder, whether it is proved, and
    what the units are aligned with in it.
    """

    disorder: float
    optimal: bool
    unitary: tuple[tuple[Place, ...], ...]


class Explained(msgspec.Struct, frozen=True):
    """A unitary alignment: its units in order, who has none, the pairs, and the disorder of this
    one and of the whole task. A pair in which one or both have no unit costs 1; there are `empty`
    such pairs, of `pairs` in all.
    """

    units: tuple[Place, ...]
    missing: tuple[str, ...]
    alpha: float
    beta: float
    found: tuple[Pair, ...]
    empty: int
    pairs: int
    disorder: float
    total: float
    alternative: Alternative | None


class Explorer:
    """Answers questions about the alignments of a result, one at a time."""

    def __init__(self, measurer: Measurer) -> None:
        self._measurer = measurer
        self._working = Lock()

    def draw(self, state: State, task: str) -> dict[str, Any]:
        """The alignment of a task, as the script of the report draws it."""
        found, result = self._task(state, task)
        categories = found.corpus.categories
        category = {name: number for number, name in enumerate(categories)}
        return {
            "drawn": drawing(result, found.corpus[task], None, category),
            "categories": categories,
            "disorder": result.alignment.disorder,
            "optimal": result.alignment.optimal,
            "gamma": result.value(GAMMA),
        }

    def explain(self, state: State, task: str, link: int) -> Explained:
        """Why the units of a unitary alignment, by its number in the drawing, are together."""
        from goldspan.engine.alignment.alternative.without import best_alignment_without  # noqa: PLC0415 - compiled code

        found, result = self._task(state, task)
        alignment = result.alignment
        if not 0 <= link < len(alignment.unitary):
            raise Refused("gone")
        unitary = alignment.unitary[link]
        settings = found.request.settings
        with self._working:
            other = best_alignment_without(
                found.corpus[task], unitary, settings.dissimilarity, solver=settings.solver
            )
        return _explained(unitary, alignment, settings.dissimilarity, other)

    def _task(self, state: State, task: str) -> tuple[Found, TaskResult]:
        found = self._measurer.find(state, "figures", lambda: False)
        result = found.result.tasks.get(task)
        if result is None:
            raise Refused("no-alignment", task=task[:80])
        return found, result


def _explained(
    unitary: UnitaryAlignment,
    alignment: Alignment,
    dissimilarity: Dissimilarity,
    other: Alignment | None,
) -> Explained:
    units = unitary.units
    present = {unit.annotator for unit in units}
    n = len(alignment.annotators)
    found = tuple(_pair(a, b, units, dissimilarity) for a, b in combinations(range(len(units)), 2))
    return Explained(
        units=_places(units),
        missing=tuple(name for name in alignment.annotators if name not in present),
        alpha=dissimilarity.alpha,
        beta=dissimilarity.beta,
        found=found,
        empty=n * (n - 1) // 2 - len(found),
        pairs=n * (n - 1) // 2,
        disorder=unitary.disorder,
        total=alignment.disorder,
        alternative=None if other is None else _alternative(other, units),
    )


def _pair(a: int, b: int, units: tuple[Unit, ...], dissimilarity: Dissimilarity) -> Pair:
    labels = tuple(dict.fromkeys((units[a].category, units[b].category)))
    apart = float(dissimilarity.categorial(labels)[0, -1])
    return Pair(a, b, dissimilarity.positional.between(units[a], units[b]), apart)


def _alternative(other: Alignment, units: tuple[Unit, ...]) -> Alternative:
    concerned = set(units)
    return Alternative(
        disorder=other.disorder,
        optimal=other.optimal,
        unitary=tuple(
            _places(one.units) for one in other.unitary if not concerned.isdisjoint(one.units)
        ),
    )


def _places(units: Iterable[Unit]) -> tuple[Place, ...]:
    return tuple(Place(u.annotator, u.category, u.start, u.end) for u in units)
