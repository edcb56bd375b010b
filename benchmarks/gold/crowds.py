"""Crowds: many workers of very unequal skill, few of them on each task, with a known reference.

The law of errors is not the one that goldspan's model assumes. Places differ in how easy they are
to see (uniformly), some places without a span tempt several workers, and each boundary has a second
place that tempts them (as a determiner before a name does).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.random import Generator

from goldspan.engine.model import Continuum, Corpus, Presence, Unit
from goldspan.engine.simulation.reference import Blueprint, Kind

SHORT = (Kind("A", 4, 2, 8), Kind("B", 3, 2, 8), Kind("C", 2, 2, 8), Kind("D", 1, 2, 8))
LONG = (Kind("A", 4, 40, 300), Kind("B", 3, 40, 300), Kind("C", 2, 40, 300))
DOCUMENTS = 300
TEMPTED = 0.25
"""For each unit of the reference so many places that tempt workers to mark something wrong."""

Mark = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Range:
    """What workers' skills are drawn from, uniformly.

    missing    the probability to miss a place of middle visibility
    spurious   for each four units so many wrong ones, on average
    mislabel   the probability of any category instead of the right one
    exact      the probability of the right boundary
    habit      the most positions by which some workers start or end early or late as a rule
    confused   the probability of taking the first category for the second, or the other way
    spammers   the share of workers who mark at random
    """

    missing: tuple[float, float] = (0.05, 0.6)
    spurious: tuple[float, float] = (0.02, 0.4)
    mislabel: tuple[float, float] = (0.01, 0.3)
    exact: tuple[float, float] = (0.4, 0.95)
    habit: int = 0
    confused: tuple[float, float] = (0.0, 0.0)
    spammers: float = 0.0


@dataclass(frozen=True, slots=True)
class Crowd:
    """A cell of the benchmark: `workers` people, `each` of them on a task, from low to high."""

    kind: str
    workers: int = 40
    each: tuple[int, int] = (4, 4)
    skills: Range = field(default_factory=Range)
    kinds: tuple[Kind, ...] = SHORT
    units: int = 8
    documents: int = DOCUMENTS

    @property
    def name(self) -> str:
        low, high = self.each
        a_task = f"{low}" if low == high else f"{low} to {high}"
        return f"{self.kind}, {self.workers} workers, {a_task} a task"

    @property
    def seed(self) -> int:
        return zlib.crc32(self.name.encode())

    def corpora(self, documents: int = 0, again: int = 0) -> tuple[Corpus, Corpus]:
        """The reference and the workers' annotations; always the same ones."""
        documents = documents or self.documents
        seed = self.seed + 1000 * again
        longest = self.kinds[0].longest
        blueprint = Blueprint(units=self.units, kinds=self.kinds, gaps=(longest // 2, 2 * longest))
        reference = blueprint.corpus(documents, seed)
        rng = np.random.default_rng(seed + 1)
        people = [_worker(f"w{at:03d}", self.skills, rng) for at in range(self.workers)]
        queue = _assignments(len(people), rng)
        made = []
        for one in reference.continua:
            size = int(rng.integers(self.each[0], self.each[1] + 1))
            chosen: list[int] = []
            while len(chosen) < size:
                if (at := next(queue)) not in chosen:
                    chosen.append(at)
            made.append(_annotated(one, [people[at] for at in sorted(chosen)], rng))
        return reference, replace(reference, continua=tuple(made))

    def without_spammers(self, corpus: Corpus) -> Corpus:
        """The same annotations without those of the workers who mark at random."""
        names = {name for name in corpus.annotators if name.startswith("spammer")}
        return replace(
            corpus,
            continua=tuple(
                replace(
                    c,
                    units=tuple(u for u in c.units if u.annotator not in names),
                    presence={n: state for n, state in c.presence.items() if n not in names},
                )
                for c in corpus.continua
            ),
        )


@dataclass(frozen=True, slots=True)
class _Worker:
    name: str
    recall: float
    spurious: float
    mislabel: float
    exact: float
    early: int
    late: int
    confused: float
    spams: bool


def _worker(name: str, skills: Range, rng: Generator) -> _Worker:
    spams = bool(rng.random() < skills.spammers)
    missing, spurious, mislabel, exact, confused = (
        float(rng.uniform(*limits))
        for limits in (
            skills.missing,
            skills.spurious,
            skills.mislabel,
            skills.exact,
            skills.confused,
        )
    )
    early, late = (_habit(skills.habit, rng) for _ in range(2))
    return _Worker(
        f"spammer-{name}" if spams else name,
        float(np.log((1 - missing) / missing)),
        spurious,
        mislabel,
        exact,
        early,
        late,
        confused,
        spams,
    )


def _habit(most: int, rng: Generator) -> int:
    """By how much a worker moves a boundary outwards as a rule; one in two has no such habit."""
    return int(rng.integers(-most, most + 1)) if rng.random() < 0.5 else 0


def _assignments(workers: int, rng: Generator) -> Iterator[int]:
    """Workers by turns: each once, in a new order, again and again."""
    while True:
        yield from rng.permutation(workers).tolist()


def _annotated(reference: Continuum, people: list[_Worker], rng: Generator) -> Continuum:
    """What these workers make of one task."""
    low, high = (int(p) for p in reference.bounds)
    marks = [(int(u.start), int(u.end), u.category) for u in reference.units]
    places = [_Place(mark, rng) for mark in marks]
    lures = [_lure(marks, high, rng) for _ in range(int(rng.poisson(TEMPTED * len(marks))))]
    categories = sorted({mark[2] for mark in marks} | {"A", "B"})
    units: list[Unit] = []
    for worker in people:
        drawn: set[Mark] = set()
        if worker.spams:
            drawn = {_lure(marks, high, rng)[0] for _ in range(int(rng.integers(1, len(marks))))}
        else:
            for place in places:
                drawn |= place.seen_by(worker, categories, (low, high), rng)
            for mark, attraction in lures:
                if rng.random() < attraction * (0.5 + 2 * worker.spurious):
                    drawn.add(mark)
            for _ in range(int(rng.poisson(worker.spurious * len(marks) / 4))):
                drawn.add(_lure(marks, high, rng)[0])
        units += [Unit(worker.name, *mark) for mark in sorted(drawn)]
    return replace(reference, units=tuple(units), presence={w.name: Presence.DONE for w in people})


def _lure(marks: list[Mark], high: int, rng: Generator) -> tuple[Mark, float]:
    """A place without a span, as long as one, and how much it tempts."""
    start, end, _ = marks[int(rng.integers(len(marks)))]
    category = marks[int(rng.integers(len(marks)))][2]
    at = int(rng.integers(0, max(high - (end - start), 1)))
    return (at, at + end - start, category), float(rng.uniform(0, 0.4))


class _Place:
    """A unit of the reference, how easy it is to see, and where its boundaries tempt to."""

    def __init__(self, mark: Mark, rng: Generator) -> None:
        self.mark = mark
        self.ease = float(rng.uniform(-2, 2))
        length = mark[1] - mark[0]
        self.scale = max(length / 6, 0.7)
        self.lures = [int(rng.integers(1, max(length // 3, 1) + 1)) for _ in range(2)]
        self.tempting = rng.uniform(0, 0.8, 2)

    def seen_by(
        self, worker: _Worker, categories: list[str], limits: tuple[int, int], rng: Generator
    ) -> set[Mark]:
        """The mark that a worker makes of it; none where it is missed."""
        if rng.random() >= 1 / (1 + np.exp(-worker.recall - self.ease)):
            return set()
        start, end, category = self.mark
        if rng.random() < worker.mislabel:
            category = categories[int(rng.integers(len(categories)))]
        elif category in ("A", "B") and rng.random() < worker.confused:
            category = "B" if category == "A" else "A"
        start -= self._moved(worker, 0, rng) + worker.early
        end += self._moved(worker, 1, rng) + worker.late
        start, end = max(start, limits[0]), min(end, limits[1])
        return {(start, end, category)} if start < end else set()

    def _moved(self, worker: _Worker, side: int, rng: Generator) -> int:
        """By how much a boundary is drawn too far outwards."""
        if rng.random() < worker.exact:
            return 0
        if rng.random() < self.tempting[side]:
            return self.lures[side]
        return round(float(rng.laplace(0, self.scale)))


POOR = Range(missing=(0.5, 0.85), spurious=(0.0, 0.1))
CELLS = (
    Crowd("unequal skills", 40, (4, 4)),
    Crowd("unequal skills", 100, (3, 7)),
    Crowd("unequal skills", 300, (10, 10), documents=200),
    Crowd("three a task", 60, (3, 3), replace(Range(), missing=(0.02, 0.4))),
    Crowd("spammers", 60, (6, 6), Range(spammers=0.3)),
    Crowd("low recall", 60, (5, 5), POOR),
    Crowd("boundary habits", 40, (5, 5), Range(exact=(0.3, 0.9), habit=2)),
    Crowd("two labels confused", 40, (5, 5), Range(mislabel=(0.0, 0.1), confused=(0.0, 0.6))),
    Crowd("long spans", 60, (5, 5), Range(exact=(0.2, 0.8)), kinds=LONG, units=5),
    Crowd("few tasks a worker", 300, (5, 5), documents=200),
)
"""Spammers to experts, in the shapes that crowds take."""
