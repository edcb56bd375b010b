"""Shape: the types of the conformance set and of an implementation's answers, both JSON."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class Number(Struct, frozen=True):
    """A number twice: as a fraction, exactly, and as the nearest double."""

    value: float
    exact: str


class MarkedUnit(Struct, frozen=True):
    """A unit from `start` up to but not including `end`."""

    annotator: str
    start: float
    end: float
    category: str


class CategoryDistances(Struct, frozen=True):
    """A distance for each pair of categories, from 0 to 1."""

    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


class LabelParts(Struct, frozen=True):
    """The two sums behind an observed label disagreement: it is their ratio.

    `observed` is null where the weight is 0.
    """

    disagreement: Number
    weight: Number
    observed: float | None


class AlignedUnits(Struct, frozen=True):
    """An alignment with the least disorder, and the label disagreement in it.

    `unitary` has a list for each unitary alignment: the numbers of its units, from 0.
    """

    unitary: tuple[tuple[int, ...], ...]
    gamma_cat: LabelParts
    gamma_k: dict[str, LabelParts]


class DissimilarityExample(Struct, frozen=True):
    """The positional dissimilarity of two units."""

    id: str
    source: str
    shows: str
    one: tuple[float, float]
    other: tuple[float, float]
    positional: Number
    printed: str | None = None


class ContinuumExample(Struct, frozen=True):
    """A continuum, its least disorder and the alignments that have it.

    `annotators` includes those without a unit. `distances` is null where two different categories
    are at distance 1. `alignments` has all alignments with the least disorder if `proof` is "every
    alignment was tried"; if it is "integer program", one that is proved to be best, and those
    that come of it by moving one unit after the other at no cost.
    """

    id: str
    source: str
    shows: str
    annotators: tuple[str, ...]
    units: tuple[MarkedUnit, ...]
    alpha: float
    beta: float
    distances: CategoryDistances | None
    disorder: Number
    alignments: tuple[AlignedUnits, ...]
    proof: Literal["every alignment was tried", "integer program"]


class WorkedValue(Struct, frozen=True):
    """A coefficient, for one label if `label` is given, and how the source prints it."""

    coefficient: str
    label: str | None
    value: float
    printed: str | None = None
    remark: str | None = None


class ItemsExample(Struct, frozen=True):
    """Items that coders put into categories: a row for each coder, null where one is missing."""

    id: str
    source: str
    shows: str
    coders: dict[str, tuple[str | None, ...]]
    scale: tuple[str, ...]
    distances: CategoryDistances | None
    coefficients: tuple[WorkedValue, ...]


class SpansExample(Struct, frozen=True):
    """Units on a continuum of a known length, and coefficients other than γ."""

    id: str
    source: str
    shows: str
    annotators: tuple[str, ...]
    length: float
    units: tuple[MarkedUnit, ...]
    coefficients: tuple[WorkedValue, ...]


class ConformanceSet(Struct, frozen=True):
    """The whole set. `version` changes whenever a value does."""

    conformance: Literal["goldspan"]
    version: int
    definitions: dict[str, str]
    dissimilarities: tuple[DissimilarityExample, ...]
    continua: tuple[ContinuumExample, ...]
    items: tuple[ItemsExample, ...]
    spans: tuple[SpansExample, ...]


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """What an implementation gives for one example; what it does not have is left out.

    `coefficients` has names as in the set, and "NAME:LABEL" for those of one label.
    """

    positional: float | UnsetType = UNSET
    disorder: float | UnsetType | None = UNSET
    unitary: list[list[int]] | UnsetType = UNSET
    gamma_cat: float | UnsetType | None = UNSET
    gamma_k: dict[str, float | None] | UnsetType = UNSET
    coefficients: dict[str, float | None] | UnsetType = UNSET


class Answers(Struct, frozen=True, forbid_unknown_fields=True):
    """The answers of an implementation, by the id of the example.

    `gamma_cat` and `gamma_k` of an answer are observed label disagreements, not corrected for
    chance.
    """

    implementation: str
    answers: dict[str, Answer]
