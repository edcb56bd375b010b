"""Layer: the agreement on labels of whole tasks, without alignments or chance samples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.base import (
    Coefficient,
    Figures,
    TaskCoefficient,
    figures_of_tasks,
)
from goldspan.engine.coefficient.registry import found_coefficients
from goldspan.engine.coefficient.resampling import Sums

if TYPE_CHECKING:
    from goldspan.engine.coefficient.items.item_coefficient import ItemCoefficient
    from goldspan.engine.coefficient.scheme import Scheme
    from goldspan.engine.coefficient.task import Task
    from goldspan.engine.model import Corpus


SETS = "alpha_masi"
"""The coefficient for tasks to which somebody gave several labels."""


def is_measurable(layer: Corpus) -> bool:
    """Whether some task has labels of two annotators."""
    return any(
        len({unit.annotator for unit in one.units}.intersection(one.annotators)) > 1
        for one in layer
    )


@dataclass(frozen=True, slots=True)
class LayerFigures:
    """What a layer's labels come to; `fits` is the key of the α that fits them, and `agreement` the
    share of pairs of annotators who agree, by task.
    """

    figures: Figures
    coefficients: tuple[Coefficient, ...]
    fits: str
    agreement: Mapping[str, float]


def measure_layer(
    tasks: Sequence[Task], scheme: Scheme, coefficients: Iterable[Coefficient]
) -> LayerFigures:
    """The figures of a layer: the α that fits, α of each label, agreement, and of the further
    `coefficients` those that look at labels of items.
    """
    # Loaded here, because few corpora have labels of whole tasks.
    from goldspan.engine.coefficient.items.pi import LabelAgreement  # noqa: PLC0415

    agreement, fits = LabelAgreement(), _fitting(tasks, scheme)
    usual = [fits, "alpha_k"] if fits == SETS else [fits, "alpha", "alpha_k"]
    wanted: dict[str, ItemCoefficient] = {}
    for one in _of_items((*found_coefficients(usual), agreement, *coefficients)):
        wanted.setdefault(one.key, one)
    bound = {key: one.bind(tasks, scheme) for key, one in wanted.items()}
    return LayerFigures(
        figures=figures_of_tasks(list(bound.values()), tasks, scheme),
        coefficients=tuple(bound.values()),
        fits=fits,
        agreement=dict(_by_task(bound[agreement.key], tasks, scheme)),
    )


def _fitting(tasks: Sequence[Task], scheme: Scheme) -> str:
    """The key of the α that fits the labels."""
    for task in tasks:
        units = [u for u in task.continuum.units if u.annotator in task.annotators]
        if len({unit.annotator for unit in units}) < len(units):
            return SETS
    numbers = scheme.categories and all(map(_is_number, scheme.categories))
    return "alpha_interval" if numbers else "alpha"


def _is_number(label: str) -> bool:
    try:
        return math.isfinite(float(label))
    except ValueError:
        return False


def _of_items(coefficients: Iterable[Coefficient]) -> Iterator[ItemCoefficient]:
    from goldspan.engine.coefficient.items.item_coefficient import ItemCoefficient  # noqa: PLC0415

    for one in coefficients:
        if isinstance(one, ItemCoefficient) and not one.needs_alignment:
            yield one


def _by_task(
    agreement: TaskCoefficient, tasks: Sequence[Task], scheme: Scheme
) -> Iterator[tuple[str, float]]:
    for task, sums in zip(tasks, agreement.observe_tasks(tasks, scheme, ""), strict=True):
        value = agreement.value(sums.parts) if isinstance(sums, Sums) else None
        if isinstance(value, float):
            yield task.continuum.id, value
