"""Makes the two exports in assets/: a harbour's log as three annotators might have marked it.

The notices are drawn from sentence patterns, and each annotator's version is the reference with
mistakes of a person's kind and rate, all with a fixed seed: the same files come out every time.
The first batch looks as Label Studio exports it, the second one as Prodigy's db-out does. Run it
as `python make_exports.py [FOLDER]`.
"""

from __future__ import annotations

import json
import random
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEED = 1889
BATCHES = {"first": 40, "second": 14}
"""How many notices each batch has: the first is to learn from, the second to evaluate with."""

NAMES = {
    "VESSEL": "Aurora|Blue Heron|Cormorant|Elin Marie|Fair Wind|Gudrun|Havørn|Iron Duchess|Lorna"
    "|Lady of Lorn|Mirabel|North Star|Oriole|Petrel|Saint Brandan|Tern|Valkyrie|Wandering Jane",
    "PORT": "Bergsund|Cape Aldis|Dunmore|Eskhaven|Fort Selby|Great Yarrow|Holm|Innisfree|Kettle Bay"
    "|Lower Quay|Marstrand|New Haven|Outer Skerry|Port Royal|Ravnes|Stavik",
    "CARGO": "barley|coal|copper ore|cut timber|dried cod|glass|hemp rope|oak planks|rye|salt"
    "|sea coal|slate|smoked herring|tar|wool",
    "DATE": "Monday|Tuesday|Wednesday|Thursday night|Friday|Saturday morning|3 May|12 June|1 July"
    "|30 August|9 September|21 October|the first of March|the last of April",
}
PATTERNS = (
    "{VESSEL} arrived from {PORT} on {DATE} with {CARGO}.",
    "On {DATE} the {VESSEL} left for {PORT}, laden with {CARGO} and {CARGO}.",
    "Fog kept {VESSEL} off {PORT} until {DATE}.",
    "The master of the {VESSEL} asked for a berth at {PORT}.",
    "{CARGO} for {PORT} waits on the east pier since {DATE}.",
    "The pilot boat met {VESSEL} and {VESSEL} outside {PORT}.",
    "Customs opened the {CARGO} of the {VESSEL} on {DATE}.",
    "No ship came in, and the harbour master counted his ropes.",
    "A gale is expected from the west.",
)
MISTAKEN_FOR = {"VESSEL": "PORT", "PORT": "VESSEL", "CARGO": "VESSEL", "DATE": "CARGO"}

Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Annotator:
    """A person, as rates between 0 and 1 of what goes wrong with a span."""

    name: str
    misses: float
    slips: float
    mislabels: float


PEOPLE = (
    Annotator("ines", misses=0.03, slips=0.05, mislabels=0.02),
    Annotator("marek", misses=0.06, slips=0.08, mislabels=0.04),
    Annotator("tuva", misses=0.05, slips=0.10, mislabels=0.05),
)
SKIPPED = {("first", 7, "marek"), ("second", 3, "tuva")}
"""Who did not do which notice; every other one was done by all three."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A text with what each of its annotators marked; None for one who skipped it."""

    number: int
    text: str
    marked: dict[str, list[Span] | None]


def notices(batch: str) -> Iterator[Notice]:
    """The notices of a batch; the same ones at every call."""
    rng = random.Random(SEED + zlib.crc32(batch.encode()))  # noqa: S311 - made-up mistakes
    for number in range(1, BATCHES[batch] + 1):
        text, reference = compose(rng)
        marked = {who.name: sorted(mark(text, reference, who, rng)) for who in PEOPLE}
        yield Notice(
            number,
            text,
            {n: None if (batch, number, n) in SKIPPED else spans for n, spans in marked.items()},
        )


def compose(rng: random.Random) -> tuple[str, list[Span]]:
    """Three sentences, and where the names stand in them."""
    text, spans = "", []
    for pattern in rng.sample(PATTERNS, 3):
        text += " " if text else ""
        for piece in re.split(r"({[A-Z]+})", pattern):
            label = piece.strip("{}")
            if label in NAMES:
                name = rng.choice(NAMES[label].split("|"))
                name = name if text and text[-2:] != ". " else name[0].upper() + name[1:]
                spans.append((len(text), len(text) + len(name), label))
                text += name
            else:
                text += piece
    return text, spans


def mark(text: str, reference: Iterable[Span], who: Annotator, rng: random.Random) -> set[Span]:
    """The reference as this person would mark it."""
    spans: set[Span] = set()
    for start, end, label in reference:
        # Every span draws the same number of times, so that one rate does not disturb another.
        missed, slipped, mislabelled = (rng.random() for _ in range(3))
        if missed < who.misses:
            continue
        if slipped < who.slips:
            start, end = slip(text, start, end)  # noqa: PLW2901 - the same span, moved
        spans.add((start, end, MISTAKEN_FOR[label] if mislabelled < who.mislabels else label))
    return spans


def slip(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with its first word lost, or the word before it gained; not past a full stop."""
    words = text[start:end].split(" ", 1)
    if len(words) > 1:
        return end - len(words[1]), end
    before = re.search(r"\w+ $", text[:start])
    return (before.start() if before else start), end


def label_studio(batch: str) -> str:
    """A JSON export, a task a line."""
    tasks = (json.dumps(_task(notice), ensure_ascii=False) for notice in notices(batch))
    return "[\n" + ",\n".join(tasks) + "\n]\n"


def _task(notice: Notice) -> dict[str, Any]:
    annotations = []
    for person, (name, spans) in enumerate(notice.marked.items(), start=1):
        number = 10 * notice.number + person
        annotations.append(
            {
                "id": number,
                "completed_by": {"id": person, "first_name": name},
                "was_cancelled": spans is None,
                "result": [
                    {
                        "id": f"r{number}-{at}",
                        "type": "labels", "from_name": "label", "to_name": "text",
                        "value": {"start": s, "end": e, "text": notice.text[s:e], "labels": [c]},
                    }
                    for at, (s, e, c) in enumerate(spans or (), start=1)
                ],
            }
        )  # fmt: skip
    return {"id": notice.number, "data": {"text": notice.text}, "annotations": annotations}


def prodigy(batch: str) -> str:
    """A db-out export, an answer a line."""
    rows = []
    for notice in notices(batch):
        for name, spans in notice.marked.items():
            row = {
                "text": notice.text,
                "_input_hash": zlib.crc32(notice.text.encode()),
                "_view_id": "ner_manual",
                "_session_id": f"{batch}-{name}",
                "answer": "ignore" if spans is None else "accept",
                "spans": [{"start": s, "end": e, "label": c} for s, e, c in spans or ()],
            }
            rows.append(json.dumps(row, ensure_ascii=False))
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "assets"
    (folder / "first.json").write_text(label_studio("first"), encoding="utf-8")
    (folder / "second.jsonl").write_text(prodigy("second"), encoding="utf-8")
