"""Answers: those of an implementation beside the values of the set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from goldspan.engine.errors import InputError
from goldspan.plugin.conformance.shape import (
    AlignedUnits,
    Answer,
    Answers,
    ConformanceSet,
    ContinuumExample,
    DissimilarityExample,
    ItemsExample,
    LabelParts,
    SpansExample,
)

TOLERANCE = 1e-6
"""How far an answer may be from the exact value: single precision is enough."""

Example: TypeAlias = DissimilarityExample | ContinuumExample | ItemsExample | SpansExample
Given: TypeAlias = float | UnsetType | None


class Match(str, Enum):
    """How an answer compares."""

    SAME = "same"
    DIFFERS = "differs"
    NOT_GIVEN = "not given"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Compared:
    """One value of the set, and what an implementation gives for it."""

    example: str
    what: str
    expected: str
    given: str
    result: Match


def set_text() -> str:
    """The set as JSON."""
    return files("goldspan.plugin").joinpath("conformance", "set.json").read_text(encoding="utf-8")


@cache
def read_set() -> ConformanceSet:
    """The set as values."""
    return msgspec.json.decode(set_text(), type=ConformanceSet)


def examples() -> Iterator[Example]:
    """All examples of the set, in its order."""
    whole = read_set()
    yield from whole.dissimilarities
    yield from whole.continua
    yield from whole.items
    yield from whole.spans


def read_answers(path: Path) -> Answers:
    """The answers in a file; an unknown example or name is an error."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Answers)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"these are not answers to the conformance set: {error}; docs/conformance.md shows "
            "their shape",
            where=str(path),
        ) from error
    known = {one.id for one in examples()}
    for name in found.answers:
        if name not in known:
            raise InputError(
                f"the conformance set has no example '{name}'; `goldspan conformance` writes it",
                where=str(path),
            )
    return found


def compare(answers: Answers, tolerance: float = TOLERANCE) -> tuple[Compared, ...]:
    """Every value of the set, with the answer to it."""
    return tuple(
        row
        for one in examples()
        for row in _rows(one, answers.answers.get(one.id, Answer()), tolerance)
    )


def _rows(example: Example, answer: Answer, tolerance: float) -> Iterator[Compared]:
    match example:
        case DissimilarityExample():
            exact = example.positional.value
            yield _number(example.id, "positional", (exact,), answer.positional, tolerance)
        case ContinuumExample():
            exact = example.disorder.value
            yield _number(example.id, "disorder", (exact,), answer.disorder, tolerance)
            yield _alignment(example, answer)
            yield from _labels(example, answer, tolerance)
        case ItemsExample() | SpansExample():
            given: Mapping[str, float | None] = _or_empty(answer.coefficients)
            for one in example.coefficients:
                name = one.coefficient if one.label is None else f"{one.coefficient}:{one.label}"
                found = given.get(name, UNSET)
                yield _number(example.id, name, (one.value,), found, tolerance)


def _labels(example: ContinuumExample, answer: Answer, tolerance: float) -> Iterator[Compared]:
    """Observed label disagreements, of the alignment that was given or of any of the best."""
    best: Iterable[AlignedUnits] = example.alignments
    if answer.unitary is not UNSET:
        given = _groups(answer.unitary)
        best = [one for one in best if _groups(one.unitary) == given] or best
    whole = [one.gamma_cat for one in best]
    yield _number(example.id, "gamma_cat", _observed(whole), answer.gamma_cat, tolerance)
    found: Mapping[str, float | None] = _or_empty(answer.gamma_k)
    for label in example.alignments[0].gamma_k:
        exact = _observed(one.gamma_k[label] for one in best)
        yield _number(example.id, f"gamma_k:{label}", exact, found.get(label, UNSET), tolerance)


def _observed(parts: Iterable[LabelParts]) -> tuple[float | None, ...]:
    return tuple(dict.fromkeys(one.observed for one in parts))


def _or_empty(given: dict[str, float | None] | UnsetType) -> Mapping[str, float | None]:
    return {} if isinstance(given, UnsetType) else given


def _number(
    example: str, what: str, exact: tuple[float | None, ...], given: Given, tolerance: float
) -> Compared:
    expected = " or ".join(map(_written, exact))
    if isinstance(given, UnsetType):
        return Compared(example, what, expected, "", Match.NOT_GIVEN)
    same = any(_close(one, given, tolerance) for one in exact)
    result = Match.SAME if same else Match.DIFFERS
    return Compared(example, what, expected, _written(given), result)


def _close(one: float | None, other: float | None, tolerance: float) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def _written(number: float | None) -> str:
    return "undefined" if number is None else f"{number:.6f}"


def _alignment(example: ContinuumExample, answer: Answer) -> Compared:
    expected = " or ".join(_drawn(one.unitary) for one in example.alignments[:2])
    if len(example.alignments) > 2:
        expected = f"one of {len(example.alignments)}"
    if isinstance(answer.unitary, UnsetType):
        return Compared(example.id, "alignment", expected, "", Match.NOT_GIVEN)
    same = any(_groups(one.unitary) == _groups(answer.unitary) for one in example.alignments)
    given = _drawn(answer.unitary)
    result = Match.SAME if same else Match.DIFFERS
    return Compared(example.id, "alignment", expected, given, result)


def _groups(unitary: Iterable[Iterable[int]]) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(one) for one in unitary)


def _drawn(unitary: Iterable[Iterable[int]]) -> str:
    return " ".join("-".join(map(str, sorted(one))) for one in sorted(map(sorted, unitary)))
