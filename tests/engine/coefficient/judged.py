"""Judged items for tests: from rows of labels, a row for each coder, to corpora."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from goldspan.engine import Continuum, Corpus, Figure, Measure, Settings, Unit
from goldspan.engine.dissimilarity import Dissimilarity, Table
from goldspan.engine.literature import agreement

Judgement = str | Sequence[str] | None
"""A label, a set of labels, or none."""


def places(
    *coders: Sequence[Judgement], scale: Sequence[str] = (), task: str = "t", first: int = 0
) -> Corpus:
    """Each item is a place of one continuum."""
    units = tuple(_units(coders))
    length = max((unit.end for unit in units), default=1)
    moved = [Unit(u.annotator, u.start + first, u.end + first, u.category) for u in units]
    continuum = Continuum(task, tuple(moved), length=length + first, measure=Measure.STEP)
    return Corpus((continuum,), scale=tuple(scale))


def tasks(*coders: Sequence[Judgement], scale: Sequence[str] = ()) -> Corpus:
    """Each item is a task, without positions."""
    by_item: dict[int, list[Unit]] = {}
    for unit in _units(coders):
        by_item.setdefault(int(unit.start), []).append(Unit(unit.annotator, 0, 1, unit.category))
    names = [_name(number) for number in range(len(coders))]
    return Corpus(
        tuple(
            Continuum(
                f"task {item:06}", tuple(units), dict.fromkeys(names, "empty") | _done(units), 1,
                Measure.STEP,
            )
            for item, units in by_item.items()
        ),
        scale=tuple(scale),
    )  # fmt: skip


def crossed(table: Mapping[tuple[str, str], int]) -> tuple[list[str], list[str]]:
    """The rows of two coders from a contingency table."""
    each = [pair for pair, count in table.items() for _ in range(count)]
    return [one for one, _ in each], [other for _, other in each]


def spread(items: Iterable[Sequence[int]]) -> list[list[str]]:
    """The rows of coders from an agreement table: how many put an item into each category."""
    columns = [
        [str(category) for category, count in enumerate(item, start=1) for _ in range(count)]
        for item in items
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def figure(corpus: Corpus, key: str, label: str = "", settings: Settings | None = None) -> Figure:
    return agreement(corpus, [key], settings=settings)[key, label]


def value(corpus: Corpus, key: str, label: str = "", settings: Settings | None = None) -> float:
    found = figure(corpus, key, label, settings)
    assert found.value is not None, str(found.reason)
    return found.value


def weighted(categories: str, distances: Mapping[str, float]) -> Settings:
    """Settings with a distance for each pair of one-letter categories; others are at 1."""
    rows = tuple(
        tuple(
            0.0 if a == b else distances.get(a + b, distances.get(b + a, 1.0)) for b in categories
        )
        for a in categories
    )
    return Settings(dissimilarity=Dissimilarity(distances=Table(tuple(categories), rows)))


def random_rows(
    rng: np.random.Generator, coders: int, items: int, labels: str, missing: float = 0.0,
    copied: float = 0.5,
) -> list[list[str | None]]:  # fmt: skip
    """Coders who copy the truth now and then; some of their judgements are missing."""
    truth = rng.choice(list(labels), items)
    rows = []
    for _ in range(coders):
        guesses = rng.choice(list(labels), items)
        row = np.where(rng.random(items) < copied, truth, guesses)
        rows.append([None if rng.random() < missing else str(one) for one in row])
    return rows


def _units(coders: Sequence[Sequence[Judgement]]) -> Iterable[Unit]:
    for number, row in enumerate(coders):
        for item, given in enumerate(row):
            labels = () if given in (None, ".") else (given,) if isinstance(given, str) else given
            for label in labels or ():
                yield Unit(_name(number), item, item + 1, label)


def _name(number: int) -> str:
    return f"coder {number:02}"


def _done(units: Iterable[Unit]) -> dict[str, str]:
    return {unit.annotator: "done" for unit in units}
