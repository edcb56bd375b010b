"""Result: everything a scoring gives back, for people and (as JSON, schema 1) for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from goldspan.engine.dissimilarity import Nominal
from goldspan.engine.rows import Row, tables

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import Alignment
    from goldspan.engine.coefficient.base import Coefficient, Figures, Key
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.coefficient.items.layer import LayerFigures
    from goldspan.engine.disagreement import Difference, Disagreements
    from goldspan.engine.facts import Note, Reason
    from goldspan.engine.model import Corpus
    from goldspan.engine.reference.against import Against
    from goldspan.engine.settings import Chance, Settings

SCHEMA = 1

OWN_NAMES = ("gamma", "gamma_cat", "gamma_k")
"""Coefficients whose figures have names of their own in the JSON; others are under `also`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figured:
    """Something that has figures; by a coefficient's key and a label, which is empty where there is
    one figure for all labels.
    """

    figures: Figures

    @property
    def gamma(self) -> Figure:
        """γ: how far annotators agree, on places and labels together."""
        return self._always("gamma")

    @property
    def gamma_cat(self) -> Figure:
        """γcat: how far annotators agree on labels, where they marked the same place."""
        return self._always("gamma_cat")

    @property
    def gamma_k(self) -> dict[str, Figure]:
        """γk of each label: how far annotators agree on it."""
        return self.by_label("gamma_k")

    def _always(self, key: str) -> Figure:
        found = self.figure((key, ""))
        if found is None:
            raise KeyError(key)
        return found

    def figure(self, key: Key) -> Figure | None:
        """One figure; None if there is none."""
        return self.figures.get(key)

    def value(self, key: Key) -> float | None:
        """The value of one figure; None if it is undefined, or there is none."""
        found = self.figure(key)
        return None if found is None else found.value

    def by_label(self, key: str) -> dict[str, Figure]:
        """The figures of a coefficient that has one for each label."""
        return {label: figure for (name, label), figure in self.figures.items() if name == key}

    def labels_of(self, key: str) -> tuple[str, ...]:
        """The labels for which a coefficient has a figure."""
        return tuple(label for name, label in self.figures if name == key)

    def others(self) -> dict[str, dict[str, Figure]]:
        """The figures of coefficients other than γ, γcat and γk, by key and label."""
        found: dict[str, dict[str, Figure]] = {}
        for (key, label), figure in self.figures.items():
            if key not in OWN_NAMES:
                found.setdefault(key, {})[label] = figure
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult(Figured):
    """One task: its coefficients, its best alignment, every difference in it and what these add up
    to. `text_sha256` identifies its text, if it has one.
    """

    id: str
    annotators: tuple[str, ...]
    n_units: int
    expected_disorder: float | None
    n_samples: int
    chance: Chance
    alignment: Alignment
    differences: tuple[Difference, ...]
    disagreements: Disagreements
    text_sha256: str | None = None

    @property
    def observed_disorder(self) -> float:
        """That of the best alignment."""
        return self.alignment.disorder

    @property
    def lower_bound(self) -> float:
        """No alignment has less disorder than this."""
        return self.alignment.lower_bound

    @property
    def optimal(self) -> bool:
        """Whether the alignment is proved to be the best one."""
        return self.alignment.optimal

    @property
    def n_unitary(self) -> int:
        """The number of unitary alignments."""
        return len(self.alignment.unitary)

    @property
    def costs_of_pairs(self) -> dict[tuple[str, str], float]:
        """What the differences cost between each two annotators who have any."""
        costs: dict[tuple[str, str], float] = {}
        for one in self.differences:
            costs[one.annotators] = costs.get(one.annotators, 0.0) + one.disorder
        return costs

    def _repr_html_(self) -> str:
        from goldspan.engine.notebook import task_html  # noqa: PLC0415 - for notebooks alone

        return task_html(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResult(Figured):
    """Two annotators alone, on the tasks they share."""

    annotators: tuple[str, str]
    n_tasks: int
    n_units: int
    disagreements: Disagreements


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorResult(Figured):
    """One annotator's work; the figures are those of the others without it."""

    name: str
    n_tasks: int
    n_units: int

    @property
    def gamma_without(self) -> Figure:
        """γ of the other annotators."""
        return self.gamma


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerResult(Figured):
    """The agreement on labels of whole tasks, of one layer.

    `fits` is the key of the coefficient that fits the labels: `alpha`, `alpha_masi` where somebody
    gave a task several labels, `alpha_interval` where all labels are numbers. `agreement` is the
    share of pairs of annotators who agree, by task, and `annotators_of` says who labelled the task.
    `n_labels` counts the labels that were given.
    """

    coefficients: tuple[Coefficient, ...]
    fits: str
    annotators: tuple[str, ...]
    annotators_of: Mapping[str, tuple[str, ...]]
    n_labels: int
    agreement: Mapping[str, float]

    @property
    def alpha(self) -> Figure:
        """The figure that fits."""
        return self.figures[self.fits, ""]

    @property
    def n_tasks(self) -> int:
        """The number of tasks that two annotators or more labelled."""
        return len(self.agreement)

    def disputed(self) -> list[str]:
        """The tasks in which somebody disagrees, those with most disagreement first."""
        return sorted((t for t, share in self.agreement.items() if share < 1), key=self._of)

    def _of(self, task: str) -> tuple[float, str]:
        return self.agreement[task], task

    @property
    def symbol(self) -> str:
        """What people call the coefficient that fits."""
        return next(one.symbol for one in self.coefficients if one.key == self.fits)


def layer_result(layer: Corpus, measured: LayerFigures) -> LayerResult:
    """A layer, and what was measured of it."""
    annotators = {one.id: tuple(sorted({unit.annotator for unit in one.units})) for one in layer}
    return LayerResult(
        figures=measured.figures,
        coefficients=measured.coefficients,
        fits=measured.fits,
        annotators=tuple(sorted({name for names in annotators.values() for name in names})),
        annotators_of=annotators,
        n_labels=sum(len(one.units) for one in layer),
        agreement=measured.agreement,
    )


@dataclass(frozen=True, slots=True)
class Excluded:
    """A task that was left out, and why."""

    task: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Figured):
    """The agreement of a corpus.

    Corpus γ is 1 - Σ δ·x̄ / Σ δ_e·x̄ over the tasks, x̄ being a task's mean number of units per
    annotator; γcat and γk likewise, with the weights of their pairs instead of x̄.
    `median_gamma` is the middle of the tasks' own γ. `unproved` counts chance samples whose best
    alignment was not proved; `expected_gap` is the part by which the expected disorder could be
    too high for that reason at most, `observed_gap` the same of the observed one. `cut_short` says
    what a time limit for the whole run left out. `against` compares the annotators with a
    reference, where there is one; it is not among the annotators of the result. `layers` has the
    agreement on labels of whole tasks; where nobody marked a place, there is nothing else.
    """

    settings: Settings
    coefficients: tuple[Coefficient, ...]
    median_gamma: float | None
    expected_disorder: float | None
    n_samples: int
    unproved: int
    tasks: Mapping[str, TaskResult]
    pairs: tuple[PairResult, ...]
    annotators: tuple[AnnotatorResult, ...]
    disagreements: Disagreements
    disagreements_by_label: Mapping[str, Disagreements]
    excluded: tuple[Excluded, ...]
    notes: tuple[Note, ...] = ()
    cut_short: tuple[Note, ...] = ()
    expected_gap: float = 0.0
    layers: Mapping[str, LayerResult] = field(default_factory=dict)
    against: Against | None = None

    @property
    def n_units(self) -> int:
        """The number of units in all tasks that were measured."""
        return sum(task.n_units for task in self.tasks.values())

    @property
    def chance(self) -> tuple[str, ...]:
        """The models of chance that were used; several where tasks differ in annotators."""
        return tuple(sorted({task.chance.value for task in self.tasks.values()}))

    @property
    def optimal(self) -> bool:
        """Whether every alignment behind the figures is proved to be the best one."""
        return self.unproved == 0 and all(t.optimal for t in self.tasks.values())

    @property
    def n_unitary(self) -> int:
        """The number of unitary alignments in the best alignments of all tasks."""
        return sum(task.n_unitary for task in self.tasks.values())

    @property
    def observed_gap(self) -> float:
        """The part by which the observed disorder could be too high at most."""
        tasks = [(one, one.n_units / len(one.annotators)) for one in self.tasks.values()]
        cost = math.fsum(one.observed_disorder * x for one, x in tasks)
        bound = math.fsum(one.lower_bound * x for one, x in tasks)
        return max(0.0, 1 - bound / cost) if cost > 0 else 0.0

    @property
    def distance_matrix(self) -> dict[str, Any] | None:
        """The distances of the categories that were used, as `categories` and `rows`; None where
        all are 1.
        """
        distances, used = self.settings.dissimilarity.distances, list(self.gamma_k)
        if isinstance(distances, Nominal):
            return None
        return {"categories": used, "rows": distances.between(used).tolist()}

    def tables(self) -> dict[str, list[Row]]:
        """The tables `tasks`, `pairs`, `labels` and `annotators`, as plain rows.

        `pandas.DataFrame(result.tables()["tasks"])` and `polars.DataFrame(…)` make frames of them.
        """
        return {name: list(table.rows) for name, table in tables(self).items()}

    def _repr_html_(self) -> str:
        from goldspan.engine.notebook import result_html  # noqa: PLC0415 - for notebooks alone

        return result_html(self)

    def as_json(self) -> dict[str, Any]:
        """The result as plain values, in the stable schema 1."""
        from goldspan.engine.schema.document import result_json  # noqa: PLC0415 - loads msgspec
        from goldspan.engine.schema.figure import plain  # noqa: PLC0415

        return plain(result_json(self))
