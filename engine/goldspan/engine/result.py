"""Result: everything a scoring gives back, for people and (as JSON, schema 1) for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from goldspan.engine.alignment.alignment import Alignment
from goldspan.engine.coefficient.base import Coefficient, Figures
from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.disagreement import Difference, Disagreements, as_json
from goldspan.engine.dissimilarity import Nominal
from goldspan.engine.model import Note, Unit
from goldspan.engine.rows import Row, tables
from goldspan.engine.settings import Chance, Settings

SCHEMA = 1

OWN_NAMES = ("gamma", "gamma_cat", "gamma_k")
"""Coefficients whose figures have names of their own in the JSON; others are under `figures`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figured:
    """Something that has figures; by a coefficient's key and a label, which is empty where there is
    one figure for all labels.
    """

    figures: Figures

    @property
    def gamma(self) -> Figure:
        """γ: how far annotators agree, on places and labels together."""
        return self.figures["gamma", ""]

    @property
    def gamma_cat(self) -> Figure:
        """γcat: how far annotators agree on labels, where they marked the same place."""
        return self.figures["gamma_cat", ""]

    @property
    def gamma_k(self) -> dict[str, Figure]:
        """γk of each label: how far annotators agree on it."""
        return self.by_label("gamma_k")

    def by_label(self, key: str) -> dict[str, Figure]:
        """The figures of a coefficient that has one for each label."""
        return {label: figure for (name, label), figure in self.figures.items() if name == key}

    def _others(self) -> dict[str, Any]:
        """The figures that have no name of their own in schema 1."""
        found: dict[str, Any] = {}
        for (name, label), figure in self.figures.items():
            if name not in OWN_NAMES:
                found.setdefault(name, {})[label] = figure.as_json()
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult(Figured):
    """One task: its coefficients, its best alignment, every difference in it and what these add up
    to. `text_sha256` tells its text from any other, where there is one.
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

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "annotators": list(self.annotators),
            "n_units": self.n_units,
            "text_sha256": self.text_sha256,
            "gamma": self.gamma.as_json(),
            "gamma_cat": self.gamma_cat.as_json(),
            "gamma_k": {label: figure.as_json() for label, figure in self.gamma_k.items()},
            "figures": self._others(),
            "observed_disorder": self.alignment.disorder,
            "lower_bound": self.alignment.lower_bound,
            "optimal": self.alignment.optimal,
            "n_unitary_alignments": len(self.alignment.unitary),
            "expected_disorder": self.expected_disorder,
            "n_samples": self.n_samples,
            "chance": self.chance.value,
            "disagreements": as_json(self.disagreements),
            "alignment": [
                {
                    "units": {unit.annotator: _unit(unit) for unit in one.units},
                    "disorder": one.disorder,
                    "positional": one.positional,
                    "categorial": one.categorial,
                    "missing": one.missing,
                }
                for one in self.alignment.unitary
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResult(Figured):
    """Two annotators alone, on the tasks they share."""

    annotators: tuple[str, str]
    n_tasks: int
    n_units: int
    disagreements: Disagreements

    def as_json(self) -> dict[str, Any]:
        return {
            "annotators": list(self.annotators),
            "n_tasks": self.n_tasks,
            "n_units": self.n_units,
            "gamma": self.gamma.as_json(),
            "gamma_cat": self.gamma_cat.as_json(),
            "figures": self._others(),
            "disagreements": as_json(self.disagreements),
        }


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

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "n_tasks": self.n_tasks,
            "n_units": self.n_units,
            "gamma_without": self.gamma_without.as_json(),
            "figures": self._others(),
        }


@dataclass(frozen=True, slots=True)
class Excluded:
    """A task that was left out, and why."""

    task: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Figured):
    """The agreement of a corpus.

    Corpus γ is 1 - Σ δ·x̄ / Σ δ_e·x̄ over the tasks, x̄ being a task's mean number of units per
    annotator; γcat and γk likewise, with the weights of their pairs instead of x̄.
    `median_gamma` is the middle of the tasks' own γ. `unproved` counts chance samples whose best
    alignment was not proved; `expected_gap` is the part by which the expected disorder could be
    too high for that reason at most, `observed_gap` the same of the observed one. `cut_short` says
    what a time limit for the whole run left out.
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
        return self.unproved == 0 and all(t.alignment.optimal for t in self.tasks.values())

    @property
    def n_unitary(self) -> int:
        """The number of unitary alignments in the best alignments of all tasks."""
        return sum(len(task.alignment.unitary) for task in self.tasks.values())

    @property
    def observed_gap(self) -> float:
        """The part by which the observed disorder could be too high at most."""
        sizes = [task.n_units / len(task.annotators) for task in self.tasks.values()]
        alignments = [task.alignment for task in self.tasks.values()]
        cost = math.fsum(a.disorder * x for a, x in zip(alignments, sizes, strict=True))
        bound = math.fsum(a.lower_bound * x for a, x in zip(alignments, sizes, strict=True))
        return max(0.0, 1 - bound / cost) if cost > 0 else 0.0

    def _distance_matrix(self) -> dict[str, Any] | None:
        """The distances of the categories that were used, unless all are 1."""
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
        return {
            "schema": SCHEMA,
            "goldspan": version("goldspan"),
            "settings": self.settings.as_json()
            | {
                "chance": " and ".join(self.chance),
                "chance_asked": self.settings.chance.value,
                "distance_matrix": self._distance_matrix(),
            },
            "corpus": {
                "gamma": self.gamma.as_json(),
                "gamma_cat": self.gamma_cat.as_json(),
                "gamma_k": {label: figure.as_json() for label, figure in self.gamma_k.items()},
                "figures": self._others(),
                "median_gamma": self.median_gamma,
                "n_tasks": len(self.tasks),
                "n_units": self.n_units,
                "n_annotators": len({a for t in self.tasks.values() for a in t.annotators}),
                "expected_disorder": self.expected_disorder,
                "n_samples": self.n_samples,
                "optimal": self.optimal,
                "observed_gap": self.observed_gap,
                "expected_gap": self.expected_gap,
                "n_unitary_alignments": self.n_unitary,
            },
            "coefficients": {
                one.key: {"symbol": one.symbol, "about": one.about, "counts": one.counts}
                for one in self.coefficients
            },
            "tasks": [task.as_json() for task in self.tasks.values()],
            "pairs": [pair.as_json() for pair in self.pairs],
            "annotators": [annotator.as_json() for annotator in self.annotators],
            "disagreements": as_json(self.disagreements),
            "disagreements_by_label": {
                label: as_json(parts) for label, parts in self.disagreements_by_label.items()
            },
            "excluded": [{"task": one.task, "reason": one.reason} for one in self.excluded],
            "notes": [
                {"message": note.message, "task": note.task, "count": note.count}
                for note in (*self.notes, *self.cut_short)
            ],
        }


def _unit(unit: Unit) -> list[Any]:
    return [unit.start, unit.end, unit.category]
