"""The Corpus Shuffling Tool: annotators who err by a known measure (Mathet et al. 2015, §6.3.1).

Each kind of error has its own magnitude m, from 0 (none) to 1 (as bad as chance). N is the number
of units of the reference.

position          each boundary moves by a uniform draw from ±shift·m·length of its unit; what would
                  leave the continuum is reflected at its end, and a unit that would lose its length
                  is drawn again. Number and categories of units stay. With `apart`, units are put
                  in the order of their midpoints, overlaps are cut in the middle, and the
                  categories stay in the order of the reference
category          by the matrix (1-m²)·I + m²·R, where each row of R is uniform, or the reference's
                  prevalence, or given; with a matrix O of close categories by
                  (1-m)·I + (m-m³)·O + m³·R
false negatives   each unit is left out with probability m
false positives   Binomial(extra·N, m) units are added: anywhere, with lengths and categories drawn
                  from the reference
splits            round(cuts·N·m) times a unit or a piece of one is cut in two, at a uniform place.
                  Where units are short, a quarter of the places inside of them is cut at m = 1: if
                  nearly all were, annotators would agree on them again

The paper fixes these laws and cuts = 5; the other constants, the cut law and the matrices are
choices, open to change. The reference is not part of what comes out.

All random numbers are drawn whatever the magnitudes are: with the same generator, annotators at a
higher magnitude make the same errors and more of them (common random numbers).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import SHORTEST, Continuum, Corpus, Position, Presence, Unit
from goldspan.engine.simulation.confusion import cumulated
from goldspan.engine.simulation.error_model import ERROR_KINDS, Errors
from goldspan.engine.simulation.segments import shuffled_segments
from goldspan.engine.simulation.separation import separated

__all__ = ["ERROR_KINDS", "Errors", "shuffle", "shuffle_corpus"]

TRIES = 32
"""How often a unit that would lose its length is drawn again; each draw fails in half of all cases
at most.
"""

PLACES_PER_CUT = 4
"""At magnitude 1 there are this many places to cut at for each cut, at the least."""

Mark = tuple[Position, Position, str]
"""A unit without its annotator."""

Floats = NDArray[np.float64]


def shuffle(
    reference: Continuum,
    errors: Mapping[str, Errors],
    rng: Generator,
    *,
    shared: float = 0.0,
    prevalence: Mapping[str, float] | None = None,
) -> Continuum:
    """What these annotators would make of the reference's task.

    `shared` is the probability that an annotator treats a unit as a common voice does, which errs
    like the first annotator: errors then are correlated, and votes worth less. `prevalence` are the
    categories that there are, with how frequent they are; without it those of this reference.
    """
    _check(errors, shared)
    if not reference.units:
        raise InputError("the reference has no unit", where=f"task '{reference.id}'")
    tool = _Tool(reference, rng, prevalence or frequencies([reference]))
    first = next(iter(errors.values()))
    voice = tool.voice(first) if shared else None
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
    _check(errors, shared)
    prevalence = frequencies(reference.continua)
    for own in errors.values():
        for matrix in (own.confusion, own.close):
            if matrix is not None:
                matrix.check(tuple(prevalence))
    rng = np.random.default_rng(seed)
    made = tuple(
        shuffle(one, errors, rng, shared=shared, prevalence=prevalence)
        for one in reference.continua
    )
    return replace(reference, continua=made)


def _check(errors: Mapping[str, Errors], shared: float) -> None:
    if not errors:
        raise SettingsError("there is no annotator to make; name one at least")
    if not 0 <= shared <= 1:
        raise SettingsError(f"the shared part is {shared}; it must be from 0 to 1")
    if shared and any(own.segments for own in errors.values()):
        raise SettingsError("errors of segment boundaries cannot be shared by annotators")
    if shared and len({own.extra for own in errors.values()}) > 1:
        raise SettingsError("annotators who share errors need the same 'extra'")


def frequencies(continua: Sequence[Continuum]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for unit in (unit for continuum in continua for unit in continuum.units):
        counts[unit.category] = counts.get(unit.category, 0.0) + 1
    return dict(sorted(counts.items()))


@dataclass(frozen=True, slots=True)
class _Draws:
    """The random numbers of one annotator: enough for errors of any magnitude."""

    missed: Floats
    category: Floats
    shifts: Floats
    added: Floats
    cuts: Floats
    joins: Floats

    @classmethod
    def of(cls, rng: Generator, size: int, errors: Errors) -> _Draws:
        more, most = round(errors.extra * size), round(errors.cuts * size)
        return cls(
            missed=rng.random(size),
            category=rng.random((size, 2)),
            shifts=rng.uniform(-1, 1, (TRIES, size, 2)),
            added=rng.random((more, 4)),
            cuts=rng.random((most, 2)),
            joins=rng.random(size + more),
        )


@dataclass(frozen=True, slots=True)
class _Voice:
    """What the common voice makes of each unit of the reference, and what it adds."""

    outcomes: tuple[Mark | None, ...]
    added: tuple[Mark, ...]


class _Tool:
    """The reference as marks, and what is made of them."""

    def __init__(
        self, reference: Continuum, rng: Generator, prevalence: Mapping[str, float]
    ) -> None:
        self.rng = rng
        self.where = f"task '{reference.id}'"
        self.marks: list[Mark] = sorted((u.start, u.end, u.category) for u in reference.units)
        self.low, self.high = reference.bounds
        self.on_grid = all(isinstance(p, int) for mark in self.marks for p in mark[:2])
        self.categories = tuple(prevalence)
        self.prevalence = np.array([*prevalence.values()], dtype=np.float64)

    def voice(self, errors: Errors) -> _Voice:
        draws = _Draws.of(self.rng, len(self.marks), errors)
        outcomes = tuple(self._outcomes(errors, draws))
        return _Voice(outcomes, tuple(self._added(draws, errors.false_positives)))

    def annotation(self, errors: Errors, voice: _Voice | None, shared: float) -> set[Mark]:
        """The marks of one annotator."""
        if errors.apart or errors.segments:
            self._refuse_overlaps()
        if errors.segments:
            return shuffled_segments(self.marks, errors, self.rng, self.where)
        size = len(self.marks)
        draws = _Draws.of(self.rng, size, errors)
        outcomes: Sequence[Mark | None] = list(self._outcomes(errors, draws))
        if voice is not None:
            joined = draws.joins[:size] < shared
            outcomes = [
                voice.outcomes[at] if joined[at] else own for at, own in enumerate(outcomes)
            ]
        marks = [mark for mark in outcomes if mark is not None]
        if errors.apart and errors.position:
            marks = self._kept_apart(marks)
        self._split(marks, draws.cuts[: self._number_of_cuts(errors)])
        found = set(marks)
        if voice is not None:
            joined = draws.joins[size : size + len(voice.added)] < shared
            found |= {one for one, joins in zip(voice.added, joined, strict=True) if joins}
        return found.union(self._added(draws, errors.false_positives * (1 - shared)))

    def _refuse_overlaps(self) -> None:
        for one, other in pairwise(self.marks):
            if other[0] < one[1]:
                raise InputError(
                    f"the reference has units that overlap ([{one[0]}, {one[1]}) and "
                    f"[{other[0]}, {other[1]})), where none are allowed; choose another reference, "
                    "or allow overlaps",
                    where=self.where,
                )

    def _outcomes(self, errors: Errors, draws: _Draws) -> Iterator[Mark | None]:
        """Each mark with its errors; None when it is missed."""
        categories = self._confused(errors, draws.category)
        taken: set[Mark] = set()
        for at, (first, last, _) in enumerate(self.marks):
            start, end = first, last
            if draws.missed[at] < errors.false_negatives:
                yield None
                continue
            most = errors.shift * errors.position * (end - start)
            category = categories[at]
            if most:
                tries = (draws.shifts[:, at] * most).tolist()
                start, end = self._shifted(start, end, category, tries, taken)
            taken.add((start, end, category))
            yield start, end, category

    def _shifted(
        self,
        start: Position,
        end: Position,
        category: str,
        tries: Sequence[Sequence[float]],
        taken: set[Mark],
    ) -> tuple[Position, Position]:
        """The first place that has a length, and that is not another unit's."""
        for first, last in tries:
            new = self._placed(start + first), self._placed(end + last)
            if new[0] < new[1] and (*new, category) not in taken:
                return new
        return start, end

    def _placed(self, position: float) -> Position:
        """The position, reflected at the ends of the continuum, on its grid."""
        if position < self.low:
            position = min(2 * self.low - position, self.high)
        elif position > self.high:
            position = max(2 * self.high - position, self.low)
        return round(position) if self.on_grid else float(position)

    def _confused(self, errors: Errors, draws: Floats) -> list[str]:
        """The category that each mark gets."""
        own = np.array([self.categories.index(category) for _, _, category in self.marks])
        m = errors.category
        if m == 0:
            return [category for _, _, category in self.marks]
        anything = draws[:, 0] < (m**2 if errors.close is None else m**3)
        found = np.where(anything, _picked(self._random_rows(errors)[own], draws[:, 1]), own)
        if errors.close is not None:
            rows = errors.close.cumulated(self.categories)[own]
            near = ~anything & (draws[:, 0] < m)
            found = np.where(near, _picked(rows, draws[:, 1]), found)
        return [self.categories[at] for at in found]

    def _random_rows(self, errors: Errors) -> Floats:
        if errors.confusion is not None:
            return errors.confusion.cumulated(self.categories)
        size = len(self.categories)
        row = self.prevalence if errors.prevalence else np.ones(size)
        return cumulated(np.tile(row, (size, 1)))

    def _added(self, draws: _Draws, magnitude: float) -> Iterator[Mark]:
        size = len(self.marks)
        for chosen, like, category, place in draws.added.tolist():
            if chosen >= magnitude:
                continue
            start, end, _ = self.marks[int(like * size)]
            length = end - start
            at: Position = self.low + place * (self.high - length - self.low)
            if self.on_grid:
                at = round(at)
            yield at, at + length, self.marks[int(category * size)][2]

    def _split(self, marks: list[Mark], cuts: Floats) -> None:
        """Cut marks in two, in place: any piece that can be cut, anywhere inside of it."""
        whole = [mark for mark in marks if self._divides(mark)]
        done = [mark for mark in marks if not self._divides(mark)]
        for chosen, place in cuts.tolist():
            if not whole:
                break
            start, end, category = whole.pop(int(chosen * len(whole)))
            cut = self._cut(start, end, place)
            for piece in ((start, cut, category), (cut, end, category)):
                (whole if self._divides(piece) else done).append(piece)
        marks[:] = done + whole

    def _number_of_cuts(self, errors: Errors) -> int:
        most = errors.cuts * len(self.marks)
        if self.on_grid:
            places = sum(int(end - start) - 1 for start, end, _ in self.marks)
            most = min(most, places / PLACES_PER_CUT)
        return round(most * errors.splits)

    def _divides(self, mark: Mark) -> bool:
        start, end, _ = mark
        return end - start >= 2 if self.on_grid else end - start > 4 * SHORTEST

    def _cut(self, start: Position, end: Position, place: float) -> Position:
        if self.on_grid:
            return int(start) + 1 + int(place * (int(end) - int(start) - 1))
        return min(max(start + place * (end - start), start + SHORTEST), end - SHORTEST)

    def _kept_apart(self, marks: Sequence[Mark]) -> list[Mark]:
        """The marks without overlaps; the categories stay in their order."""
        places = separated([mark[:2] for mark in marks], self.low, self.high, on_grid=self.on_grid)
        return [(*place, mark[2]) for place, mark in zip(places, marks, strict=True)]


def _picked(rows: Floats, draws: Floats) -> NDArray[np.int64]:
    """For each row of cumulated probabilities the column that a random number falls on."""
    return np.asarray((rows <= draws[:, None]).sum(axis=1), dtype=np.int64)
