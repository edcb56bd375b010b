"""The Corpus Shuffling Tool: annotators who err by a known measure (Mathet et al. 2015, §6.3.1).

Each kind of error has its own magnitude m, from 0 (none) to 1 (as bad as chance):

position          each boundary moves by up to ±shift·m·length of its unit, uniformly; a unit that
                  would lose its length is drawn again, and all stay inside the continuum
category          a category turns into another by the matrix (1-m²)·I + m²·R, where each row of R
                  is uniform, or the reference's prevalence; with a matrix O of close categories by
                  (1-m)·I + (m-m³)·O + m³·R
false negatives   each unit is left out with probability m
false positives   Binomial(extra·N, m) units are added, N being the reference's number of units:
                  anywhere, with lengths and categories drawn from the reference
splits            round(cuts·N·m) times a unit is cut in two, at a uniform place; pieces may be
                  cut again

The paper fixes the laws and cuts = 5; the other constants, the cut law and the matrices are
choices, open to change. The reference is not part of what comes out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Continuum, Corpus, Position, Presence, Unit

TRIES = 100
ERROR_KINDS = ("position", "category", "false_negatives", "false_positives", "splits")

Mark = tuple[Position, Position, str]
"""A unit without its annotator."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The magnitudes of one annotator's errors, and the constants of the model.

    `prevalence` draws wrong categories by their frequency instead of uniformly; `close` is the
    matrix O, a row for each category of the reference in sorted order; `apart` keeps shifted units
    from overlapping (§6.3.4).
    """

    position: float = 0.0
    category: float = 0.0
    false_negatives: float = 0.0
    false_positives: float = 0.0
    splits: float = 0.0
    shift: float = 2.0
    extra: float = 1.0
    cuts: float = 5.0
    prevalence: bool = False
    close: tuple[tuple[float, ...], ...] | None = None
    apart: bool = False

    def __post_init__(self) -> None:
        for kind in ERROR_KINDS:
            magnitude = getattr(self, kind)
            if not 0 <= magnitude <= 1:
                raise SettingsError(f"the magnitude of {kind} is {magnitude}; it goes from 0 to 1")
        for constant in ("shift", "extra", "cuts"):
            if not 0 <= getattr(self, constant) < float("inf"):
                raise SettingsError(f"'{constant}' must be a finite number from 0 up")
        for row in self.close or ():
            if abs(sum(row) - 1) > 1e-9 or min(row) < 0:
                raise SettingsError("each row of the close categories must add up to 1")

    def at(self, magnitude: float, *kinds: str) -> Errors:
        """The same constants, with these kinds of error at one magnitude."""
        unknown = [kind for kind in kinds if kind not in ERROR_KINDS]
        if unknown:
            raise SettingsError(
                f"there is no error '{unknown[0]}'; there are {', '.join(ERROR_KINDS)}"
            )
        none: dict[str, Any] = dict.fromkeys(ERROR_KINDS, 0.0)
        return replace(self, **(none | dict.fromkeys(kinds, magnitude)))


def shuffle(
    reference: Continuum,
    errors: Mapping[str, Errors],
    rng: Generator,
    *,
    shared: float = 0.0,
) -> Continuum:
    """What these annotators would make of the reference's task.

    `shared` is the probability that an annotator treats a unit as a common voice does, which errs
    like the first annotator: errors then are correlated, and votes worth less.
    """
    if not errors:
        raise SettingsError("there is no annotator to make; name one at least")
    if not 0 <= shared <= 1:
        raise SettingsError(f"the shared part is {shared}; it must be from 0 to 1")
    if not reference.units:
        raise InputError("the reference has no unit", where=f"task '{reference.id}'")
    tool = _Tool(reference, rng)
    voice = tool.voice(next(iter(errors.values()))) if shared else None
    units = tuple(
        Unit(name, *mark)
        for name, own in errors.items()
        for mark in sorted(tool.annotation(own, voice, shared))
    )
    presence = dict.fromkeys(errors, Presence.DONE)
    return replace(reference, units=units, presence=presence)


def shuffle_corpus(
    reference: Corpus, errors: Mapping[str, Errors], seed: int, *, shared: float = 0.0
) -> Corpus:
    """Every task of the reference, shuffled; the same for the same seed."""
    rng = np.random.default_rng(seed)
    made = tuple(shuffle(one, errors, rng, shared=shared) for one in reference.continua)
    return replace(reference, continua=made)


@dataclass(frozen=True, slots=True)
class _Voice:
    """What the common voice makes of each unit of the reference, and what it adds."""

    outcomes: tuple[Mark | None, ...]
    added: tuple[Mark, ...]


class _Tool:
    """The reference as marks, and the random draws on it."""

    def __init__(self, reference: Continuum, rng: Generator) -> None:
        self.rng = rng
        self.marks: list[Mark] = [(u.start, u.end, u.category) for u in reference.units]
        self.low, self.high = reference.bounds
        self.on_grid = all(isinstance(p, int) for mark in self.marks for p in mark[:2])
        self.categories = reference.categories
        counts = [sum(mark[2] == c for mark in self.marks) for c in self.categories]
        self.prevalence = np.array(counts, dtype=np.float64) / len(self.marks)

    def voice(self, errors: Errors) -> _Voice:
        matrix = self._matrix(errors)
        outcomes = tuple(self._outcome(mark, errors, matrix) for mark in self.marks)
        return _Voice(outcomes, tuple(self._added(errors, errors.false_positives)))

    def annotation(self, errors: Errors, voice: _Voice | None, shared: float) -> set[Mark]:
        """The marks of one annotator."""
        matrix = self._matrix(errors)
        marks: list[Mark] = []
        for at, mark in enumerate(self.marks):
            joins = voice is not None and self.rng.random() < shared
            outcome = voice.outcomes[at] if voice and joins else self._outcome(mark, errors, matrix)
            if outcome is not None:
                marks.append(outcome)
        if errors.apart:
            marks = list(self._kept_apart(marks))
        self._split(marks, round(errors.cuts * len(self.marks) * errors.splits))
        found = set(marks)
        found |= {one for one in voice.added if self.rng.random() < shared} if voice else set()
        for mark in self._added(errors, errors.false_positives * (1 - shared)):
            found.add(mark)
        return found

    def _outcome(
        self, mark: Mark, errors: Errors, matrix: NDArray[np.float64] | None
    ) -> Mark | None:
        """The mark with its errors; None when it is missed."""
        if errors.false_negatives and self.rng.random() < errors.false_negatives:
            return None
        start, end, category = mark
        if matrix is not None:
            row = matrix[self.categories.index(category)]
            category = self.categories[int(self.rng.choice(len(row), p=row))]
        most = errors.shift * errors.position * (end - start)
        if most:
            start, end = self._shifted(start, end, most)
        return start, end, category

    def _shifted(self, start: Position, end: Position, most: float) -> tuple[Position, Position]:
        for _ in range(TRIES):
            moved = self.rng.uniform(-most, most, 2)
            new_start = self._placed(start + float(moved[0]))
            new_end = self._placed(end + float(moved[1]))
            if new_start < new_end:
                return new_start, new_end
        return start, end

    def _placed(self, position: float) -> Position:
        inside = min(max(position, self.low), self.high)
        return round(inside) if self.on_grid else float(inside)

    def _matrix(self, errors: Errors) -> NDArray[np.float64] | None:
        m, size = errors.category, len(self.categories)
        if m == 0:
            return None
        identity = np.eye(size)
        anything = np.tile(
            self.prevalence if errors.prevalence else np.full(size, 1 / size), (size, 1)
        )
        if errors.close is None:
            return (1 - m**2) * identity + m**2 * anything
        close = np.array(errors.close, dtype=np.float64)
        if close.shape != (size, size):
            raise SettingsError(
                f"the reference has {size} categories, so the close categories need {size} rows "
                f"of {size} numbers"
            )
        return (1 - m) * identity + (m - m**3) * close + m**3 * anything

    def _added(self, errors: Errors, magnitude: float) -> Iterator[Mark]:
        if magnitude == 0:
            return
        count = int(self.rng.binomial(round(errors.extra * len(self.marks)), magnitude))
        for _ in range(count):
            start, end, _ = self.marks[int(self.rng.integers(len(self.marks)))]
            category = self.marks[int(self.rng.integers(len(self.marks)))][2]
            length = end - start
            place = self._placed(float(self.rng.uniform(self.low, self.high - length)))
            yield place, place + length, category

    def _split(self, marks: list[Mark], times: int) -> None:
        """Cut marks in two, in place; what is too short to be cut is skipped."""
        for _ in range(times if marks else 0):
            at = int(self.rng.integers(len(marks)))
            start, end, category = marks[at]
            if self.on_grid:
                if end - start < 2:
                    continue
                cut: Position = int(self.rng.integers(int(start) + 1, int(end)))
            else:
                cut = float(self.rng.uniform(start, end))
                if not start < cut < end:
                    continue
            marks[at : at + 1] = [(start, cut, category), (cut, end, category)]

    def _kept_apart(self, marks: Sequence[Mark]) -> Iterator[Mark]:
        """Each mark cut back to where the one before ends; what has no room left is dropped."""
        reach = self.low
        for start, end, category in sorted(marks):
            begun = max(start, reach)
            if begun < end:
                yield begun, end, category
                reach = end
