"""Gold: one merged version of the annotations, each span with its confidence and its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus, Position, Unit


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

    def __post_init__(self) -> None:
        if not self.start < self.end:
            raise InputError(f"the gold span [{self.start}, {self.end}) has no length")
        if not 0 <= self.confidence <= 1:
            raise InputError(f"the confidence {self.confidence} is not between 0 and 1")

    @property
    def voters(self) -> tuple[str, ...]:
        """Who marked it, sorted."""
        return tuple(sorted({unit.annotator for unit in self.votes}))


@dataclass(frozen=True, slots=True)
class Gold:
    """The suggested spans of each task of `corpus`, by task id, in the order of the continuum."""

    corpus: Corpus
    spans: Mapping[str, tuple[GoldSpan, ...]]
    strategy: str
    calibrated: bool = False

    def __post_init__(self) -> None:
        known = {continuum.id for continuum in self.corpus.continua}
        for task in self.spans:
            if task not in known:
                raise InputError(f"gold spans are given for '{task}', which is no task")
