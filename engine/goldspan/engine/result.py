"""Result: everything a scoring gives back, for people and (as JSON, schema 1) for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from goldspan.engine.alignment import Alignment
from goldspan.engine.disagreement import Disagreements, as_json
from goldspan.engine.dissimilarity import Nominal
from goldspan.engine.figure import Figure
from goldspan.engine.model import Note, Unit
from goldspan.engine.settings import Chance, Settings

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class TaskResult:
    """One task: its coefficients, its best alignment, and what disagrees in it. `text_sha256` tells
    its text from any other, where there is one.
    """

    id: str
    annotators: tuple[str, ...]
    n_units: int
    gamma: Figure
    gamma_cat: Figure
    gamma_k: Mapping[str, Figure]
    expected_disorder: float | None
    n_samples: int
    chance: Chance
    alignment: Alignment
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


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two annotators alone, on the tasks they share."""

    annotators: tuple[str, str]
    n_tasks: int
    n_units: int
    gamma: Figure
    gamma_cat: Figure
    disagreements: Disagreements

    def as_json(self) -> dict[str, Any]:
        return {
            "annotators": list(self.annotators),
            "n_tasks": self.n_tasks,
            "n_units": self.n_units,
            "gamma": self.gamma.as_json(),
            "gamma_cat": self.gamma_cat.as_json(),
            "disagreements": as_json(self.disagreements),
        }


@dataclass(frozen=True, slots=True)
class AnnotatorResult:
    """One annotator's work, and the agreement of the others without it."""

    name: str
    n_tasks: int
    n_units: int
    gamma_without: Figure

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "n_tasks": self.n_tasks,
            "n_units": self.n_units,
            "gamma_without": self.gamma_without.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Excluded:
    """A task that was left out, and why."""

    task: str
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The agreement of a corpus.

    Corpus γ is 1 - Σ δ·x̄ / Σ δ_e·x̄ over the tasks, x̄ being a task's mean number of units per
    annotator; γcat and γk likewise, with the weights of their pairs instead of x̄.
    `median_gamma` is the middle of the tasks' own γ. `unproved` counts chance samples whose best
    alignment was not proved; `expected_gap` is the part by which the expected disorder could be
    too high for that reason at most, `observed_gap` the same of the observed one. `cut_short` says
    what a time limit for the whole run left out.
    """

    settings: Settings
    gamma: Figure
    gamma_cat: Figure
    gamma_k: Mapping[str, Figure]
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
