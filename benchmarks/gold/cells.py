"""What is compared: kinds of error, numbers of annotators, magnitudes; a seed for each."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from goldspan.engine.model import Corpus
from goldspan.engine.simulation.reference import Blueprint
from goldspan.engine.simulation.shuffle import Errors, shuffle_corpus

DOCUMENTS = 200
MIXED = ("position", "category", "false_negatives", "false_positives")
BAD = 0.6
"""The magnitude at which the one bad annotator errs."""

SHARED = 0.3
"""The part of all errors that annotators have in common, where errors are correlated."""

CONSTANTS = Errors(shift=2.0, extra=1.0)
"""Less than what makes magnitude 1 chance (5, 5): annotators worth merging err less than that."""

KINDS: dict[str, tuple[str, ...]] = {
    "position": ("position",),
    "category": ("category",),
    "false negatives": ("false_negatives",),
    "false positives": ("false_positives",),
    "splits": ("splits",),
    "mixed": MIXED,
    "one bad annotator": MIXED,
    "adjacent": MIXED,
    "nested": MIXED,
    "correlated": MIXED,
}
ANNOTATORS = (2, 3, 5)
MAGNITUDES = (0.1, 0.2, 0.3)


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of error at one magnitude with n annotators; `again` makes other corpora of it."""

    kind: str
    n: int
    magnitude: float
    again: int = 0

    @property
    def name(self) -> str:
        return f"{self.kind}, n = {self.n}, m = {self.magnitude:g}"

    @property
    def seed(self) -> int:
        return zlib.crc32(self.name.encode()) + 1000 * self.again

    def corpora(self, documents: int = DOCUMENTS) -> tuple[Corpus, Corpus]:
        """The reference and the shuffled annotations; always the same ones."""
        blueprint = Blueprint(
            units=12,
            adjacent=0.7 if self.kind == "adjacent" else 0.0,
            nested=0.5 if self.kind == "nested" else 0.0,
        )
        reference = blueprint.corpus(documents, self.seed)
        own = CONSTANTS.at(self.magnitude, *KINDS[self.kind])
        errors = {f"annotator-{at + 1}": own for at in range(self.n)}
        if self.kind == "one bad annotator":
            errors["annotator-1"] = CONSTANTS.at(BAD, *MIXED)
        shared = SHARED if self.kind == "correlated" else 0.0
        return reference, shuffle_corpus(reference, errors, self.seed + 1, shared=shared)


CELLS = tuple(
    Cell(kind, n, magnitude) for kind in KINDS for n in ANNOTATORS for magnitude in MAGNITUDES
)
