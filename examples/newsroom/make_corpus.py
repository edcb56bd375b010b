"""Makes the newsroom corpus: ten short reports as four annotators might have marked them.

The reports in texts.txt carry a reference annotation in brackets. Each annotator's version is the
reference with mistakes of a person's kind and rate, drawn with a fixed seed: the same files come
out every time. Run it as `python make_corpus.py [FOLDER]`; without a folder it renews the tables
beside it and the two rounds that `goldspan demo` brings along.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldspan.adapters import write
from goldspan.engine.model import Continuum, Corpus, Presence, Unit

HERE = Path(__file__).parent
DEMO = HERE.parents[1] / "plugin" / "goldspan" / "plugin" / "demo"
SEED = 2015
LABELS = ("PER", "ORG", "LOC", "DATE", "QUOTE")
MISTAKEN_FOR = {"PER": "ORG", "ORG": "LOC", "LOC": "ORG", "DATE": "LOC", "QUOTE": "ORG"}


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person, as rates between 0 and 1 of what goes wrong with a span."""

    name: str
    misses: float
    slips: float
    mislabels: float
    adds: float


PEOPLE = (
    Annotator("amira", misses=0.03, slips=0.05, mislabels=0.03, adds=0.02),
    Annotator("bruno", misses=0.06, slips=0.08, mislabels=0.05, adds=0.03),
    Annotator("celia", misses=0.05, slips=0.10, mislabels=0.04, adds=0.02),
    Annotator("dario", misses=0.35, slips=0.35, mislabels=0.25, adds=0.15),
)
"""Three who know the guidelines, and one who was not trained."""

TRAINED = (*PEOPLE[:3], Annotator("dario", misses=0.10, slips=0.12, mislabels=0.08, adds=0.03))
"""The same four after the fourth was trained."""

PRESENCE = {
    ("ferry", "bruno"): Presence.SKIPPED,
    ("orchard", "celia"): Presence.UNSEEN,
    ("weather", "dario"): Presence.EMPTY,
}
"""Where somebody did not do the task as everybody else did; all other tasks are done."""

Span = tuple[int, int, str]


def reports(source: str) -> Iterator[tuple[str, str, tuple[Span, ...]]]:
    """Name, plain text and reference spans of each report; brackets may nest."""
    for block in source.strip().split("\n\n"):
        name, marked = block.split("\n", 1)
        text = ""
        open_spans: list[tuple[int, str]] = []
        spans: list[Span] = []
        for piece in re.split(r"(\[[A-Z]+ |\])", " ".join(marked.split("\n"))):
            if piece == "]":
                start, label = open_spans.pop()
                spans.append((start, len(text), label))
            elif piece.startswith("["):
                open_spans.append((len(text), piece[1:-1]))
            else:
                text += piece
        yield name, text, tuple(sorted(spans))


def words(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\w[\w'’-]*", text)]


def mark(text: str, reference: tuple[Span, ...], who: Annotator, rng: random.Random) -> set[Span]:
    """The reference as this person would mark it."""
    spans: set[Span] = set()
    for start, end, label in reference:
        # Every span draws the same number of times, so that one rate does not disturb another.
        missed, slipped, mislabelled, side = (rng.random() for _ in range(4))
        if missed < who.misses:
            continue
        if slipped < who.slips:
            start, end = slip(text, start, end, side)  # noqa: PLW2901 - the same span, moved
        spans.add((start, end, MISTAKEN_FOR[label] if mislabelled < who.mislabels else label))
    for start, end in words(text):
        drawn = rng.random()
        if text[start].isupper() and drawn < who.adds and end - start > 3:
            spans.add((start, end, LABELS[int(drawn / who.adds * 4)]))
    return spans


def slip(text: str, start: int, end: int, side: float) -> tuple[int, int]:
    """The span with a word lost or gained at one edge; unchanged where the text ends."""
    inside = [word for word in words(text) if start <= word[0] and word[1] <= end]
    after = [word for word in words(text) if word[0] >= end]
    if side < 0.5 and len(inside) > 1:
        return inside[1][0], end
    return (start, after[0][1]) if after else (start, end)


def make(people: tuple[Annotator, ...] = PEOPLE) -> Corpus:
    """The corpus as these people mark it; the same one at every call."""
    rng = random.Random(SEED)  # noqa: S311 - made-up mistakes, no secrets
    continua = []
    for name, text, reference in reports((HERE / "texts.txt").read_text(encoding="utf-8")):
        presence = {who.name: PRESENCE.get((name, who.name), Presence.DONE) for who in people}
        units = [
            Unit(who.name, start, end, label)
            for who in people
            for start, end, label in sorted(mark(text, reference, who, rng))
            if presence[who.name] is Presence.DONE
        ]
        continua.append(Continuum(name, tuple(units), presence, text=text))
    return Corpus(tuple(continua))


if __name__ == "__main__":
    folder, rounds = (Path(sys.argv[1]),) * 2 if len(sys.argv) > 1 else (HERE, DEMO)
    write(make(), folder / "spans.csv", format="csv")
    write(make(), rounds / "round1.json", format="label-studio")
    write(make(TRAINED), rounds / "round2.json", format="label-studio")
