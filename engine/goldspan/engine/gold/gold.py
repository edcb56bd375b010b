"""Gold: one merged version of the annotations, each span with its confidence and its reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.facts import Fact, Note
    from goldspan.engine.model import Corpus, Position, Unit

SCHEMA = 1


class Grade(str, Enum):
    """How far the annotators who saw a task agree on one span, best first.

    exact      all of them drew this very span with this category
    overlap    all of them gave this category, their boundaries differ
    majority   more than half of them gave this category
    minority   several marked the place, but not more than half with this category
    disputed   several marked the place, and no category stands out
    single     one of them marked the place
    """

    EXACT = "exact"
    OVERLAP = "overlap"
    MAJORITY = "majority"
    MINORITY = "minority"
    DISPUTED = "disputed"
    SINGLE = "single"

    def __str__(self) -> str:
        return self.value


class Question(str, Enum):
    """What a person has to decide.

    split      one annotator has one span where another has several
    label      which category
    miss       whether there is a span: too few marked it, or in a crowd it overlaps a likelier one
    boundary   where the span starts and ends
    check      whether the suggestion is right: its confidence is low
    """

    SPLIT = "split"
    LABEL = "label"
    MISS = "miss"
    BOUNDARY = "boundary"
    CHECK = "check"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True, order=True)
class Reading:
    """A span as some annotators drew it, and who they are (sorted)."""

    start: Position
    end: Position
    category: str
    annotators: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "category": self.category,
            "annotators": list(self.annotators),
        }


def readings(units: Iterable[Unit]) -> tuple[Reading, ...]:
    """What was drawn, each different span once with its authors; in the order of places."""
    authors: dict[tuple[Position, Position, str], set[str]] = defaultdict(set)
    for unit in units:
        authors[unit.start, unit.end, unit.category].add(unit.annotator)
    return tuple(Reading(*key, tuple(sorted(names))) for key, names in sorted(authors.items()))


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """What a confidence is made of, before calibration: all probabilities.

    `exists` that there is a span; `labelled` that, if so, it has this category; `placed` that its
    boundaries are near enough to the true ones (half of the joint length is shared).
    """

    exists: float
    labelled: float
    placed: float

    @property
    def product(self) -> float:
        return self.exists * self.labelled * self.placed


@dataclass(frozen=True, slots=True, order=True)
class GoldSpan:
    """A suggested span, half-open as every unit.

    `votes` are the annotators' units it was made from; `seen` is how many annotators saw the task.
    `confidence` is a probability between 0 and 1; whether it is calibrated is said in `Gold`.
    """

    start: Position
    end: Position
    category: str
    confidence: float
    votes: tuple[Unit, ...] = ()
    seen: int = 0
    grade: Grade | None = None
    evidence: Evidence | None = None

    def __post_init__(self) -> None:
        if not self.start < self.end:
            raise InputError(f"the gold span [{self.start}, {self.end}) has no length")
        if not 0 <= self.confidence <= 1:
            raise InputError(f"the confidence {self.confidence} is not between 0 and 1")

    @property
    def voters(self) -> tuple[str, ...]:
        """The annotators who marked it, sorted."""
        return tuple(sorted({unit.annotator for unit in self.votes}))

    @property
    def supporters(self) -> tuple[str, ...]:
        """The annotators who marked it with this category, sorted."""
        return tuple(sorted({u.annotator for u in self.votes if u.category == self.category}))

    @property
    def fragments(self) -> tuple[tuple[Position, Position], ...]:
        """The parts of a span with gaps, if most annotators who drew this span drew the same ones;
        () for a span without gaps.
        """
        place = self.start, self.end, self.category
        drawn = [u.fragments for u in self.votes if (u.start, u.end, u.category) == place]
        most = max(sorted(drawn), key=drawn.count, default=())
        return most if 2 * drawn.count(most) > len(drawn) else ()

    @property
    def alternatives(self) -> tuple[Reading, ...]:
        """What else was drawn here, each different span once with its authors."""
        own = (self.start, self.end, self.category)
        return tuple(r for r in readings(self.votes) if (r.start, r.end, r.category) != own)

    @property
    def is_drawn(self) -> bool:
        """Whether somebody drew this start together with this end."""
        return (self.start, self.end) in [(unit.start, unit.end) for unit in self.votes]

    def as_json(self) -> dict[str, Any]:
        evidence = self.evidence
        return {
            "start": self.start,
            "end": self.end,
            "category": self.category,
            "confidence": self.confidence,
            "class": self.grade.value if self.grade else None,
            "drawn": self.is_drawn,
            "seen": self.seen,
            "voters": list(self.voters),
            "supporters": list(self.supporters),
            "votes": [[u.annotator, u.start, u.end, u.category, u.source] for u in self.votes],
            "alternatives": [one.as_json() for one in self.alternatives],
            "evidence": evidence
            and {
                "exists": evidence.exists,
                "labelled": evidence.labelled,
                "placed": evidence.placed,
            },
        }


@dataclass(frozen=True, slots=True, order=True)
class Decision:
    """A place that a person should look at, and what is to be decided there.

    `units` is what was drawn there. `span` is the suggestion it is about; None when nothing is
    suggested until somebody decided. `candidate` is then the likeliest span, with its odds, where
    they are known.
    """

    start: Position
    end: Position
    question: Question
    units: tuple[Unit, ...]
    span: GoldSpan | None = None
    candidate: GoldSpan | None = None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What there is to choose from, each different span once with its authors."""
        return readings(self.units)

    def as_json(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "question": self.question.value,
            "suggested": self.span is not None,
            "readings": [one.as_json() for one in self.readings],
        }


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a gold came about: all that is needed to make it again.

    `parameters` are the merge's own settings and estimates; `seed` is that of the scoring;
    `adjudicated` counts the spans behind the calibration, 0 when there is none. `model` names the
    model that decided, and why this one; None where there was nothing to decide.
    """

    parameters: Mapping[str, str | float] = field(default_factory=dict)
    reliabilities: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    seed: int | None = None
    adjudicated: int = 0
    model: Fact | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """The suggested spans of each task of `corpus`, by task id, in the order of the continuum.

    `decisions` are the places for a person to decide, by task id. `notes` name every fallback;
    tasks that could not be merged are not in `corpus`, and a note says why. `labels` are the
    suggested labels of whole tasks, by layer and task id, as spans over the whole task.
    """

    corpus: Corpus
    spans: Mapping[str, tuple[GoldSpan, ...]]
    strategy: str
    calibrated: bool = False
    decisions: Mapping[str, tuple[Decision, ...]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    labels: Mapping[str, Mapping[str, tuple[GoldSpan, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = {continuum.id for continuum in self.corpus.continua}
        labelled = (task for tasks in self.labels.values() for task in tasks)
        for task in (*self.spans, *self.decisions, *labelled):
            if task not in known:
                raise InputError(f"gold spans are given for '{task}', which is not a task")

    @property
    def n_spans(self) -> int:
        return sum(len(spans) for spans in self.spans.values())

    @property
    def n_decisions(self) -> int:
        return sum(len(decisions) for decisions in self.decisions.values())

    def only(self, tasks: Iterable[str]) -> Gold:
        """The same gold of these tasks alone."""
        kept = frozenset(tasks)
        continua = tuple(c for c in self.corpus.continua if c.id in kept)
        return replace(
            self,
            corpus=replace(self.corpus, continua=continua),
            spans={task: spans for task, spans in self.spans.items() if task in kept},
            decisions={task: found for task, found in self.decisions.items() if task in kept},
            labels={
                layer: {task: found for task, found in tasks.items() if task in kept}
                for layer, tasks in self.labels.items()
            },
        )

    def settled(self, tasks: Iterable[str]) -> Gold:
        """The same gold with nothing left to decide in these tasks, which a person settled."""
        done = frozenset(tasks)
        left = {task: found for task, found in self.decisions.items() if task not in done}
        return replace(self, decisions=left)

    def _repr_html_(self) -> str:
        from goldspan.engine.notebook import gold_html  # noqa: PLC0415 - for notebooks alone

        return gold_html(self)

    def as_json(self) -> dict[str, Any]:
        """The gold as plain values, in the stable schema 1."""
        made = self.provenance
        return {
            "schema": SCHEMA,
            "goldspan": version("goldspan"),
            "strategy": self.strategy,
            "calibrated": self.calibrated,
            "adjudicated": made.adjudicated,
            "seed": made.seed,
            "model": made.model
            and {
                "message": str(made.model),
                "code": made.model.code,
                "parameters": made.model.as_json(),
            },
            "parameters": dict(made.parameters),
            "reliabilities": {name: dict(one) for name, one in made.reliabilities.items()},
            "tasks": [
                {
                    "id": continuum.id,
                    "spans": [s.as_json() for s in self.spans.get(continuum.id, ())],
                    "decisions": [d.as_json() for d in self.decisions.get(continuum.id, ())],
                    "labels": {
                        layer: [s.as_json() for s in tasks[continuum.id]]
                        for layer, tasks in self.labels.items()
                        if continuum.id in tasks
                    },
                }
                for continuum in self.corpus.continua
            ],
            "notes": [note.as_json() for note in self.notes],
        }
