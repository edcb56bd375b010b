"""Corpora for the page of `goldspan adjudicate`, written as files."""

from __future__ import annotations

import csv
import json
import random
import re
import wave
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

NEWSROOM = Path(__file__).parents[1] / "examples" / "newsroom"

Spans = Sequence[tuple[int, int, str]]


def write_prodigy(
    path: Path, texts: Mapping[str, str], marked: Mapping[str, Mapping[str, Spans]]
) -> Path:
    """Texts by task; what each annotator marked in each, an empty list where it is nothing."""
    lines = []
    for task, text in texts.items():
        for name, spans in marked[task].items():
            found = [{"start": s, "end": e, "label": label} for s, e, label in spans]
            line = {"text": text, "spans": found, "answer": "accept", "_annotator_id": name}
            lines.append(json.dumps(line | {"_session_id": name, "meta": {"id": task}}))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def newsroom_texts(folder: Path) -> Path:
    """The newsroom's spans together with its texts."""
    texts = dict(_texts((NEWSROOM / "texts.txt").read_text(encoding="utf-8")))
    marked: dict[str, dict[str, list[tuple[int, int, str]]]] = defaultdict(dict)
    with (NEWSROOM / "spans.assignments.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["status"] == "done":
                marked[row["document"]][row["annotator"]] = []
    with (NEWSROOM / "spans.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            span = (int(row["start"]), int(row["end"]), row["category"])
            marked[row["task"]].setdefault(row["annotator"], []).append(span)
    return write_prodigy(folder / "newsroom.jsonl", texts, marked)


def _texts(source: str) -> Iterator[tuple[str, str]]:
    for block in source.strip().split("\n\n"):
        name, marked = block.split("\n", 1)
        yield name, re.sub(r"\[[A-Z]+ |\]", "", " ".join(marked.split("\n")))


def long_text(folder: Path, *, characters: int = 50_000, people: int = 5, spans: int = 400) -> Path:
    """One long text; everybody marks about the same words and errs now and then."""
    rng = random.Random(7)
    words = ["harbour", "the", "ferry", "of", "crew", "said", "on", "Monday", "Skarvik", "and", "a"]
    text = ""
    while len(text) < characters:
        line = " ".join(rng.choices(words, k=rng.randint(30, 90)))
        text += line.capitalize() + ".\n"
    text = text[:characters]
    labels = ("PER", "LOC", "ORG", "DATE")
    step = characters // spans
    true = [
        (at * step + rng.randint(0, 20), rng.randint(8, 60), rng.choice(labels))
        for at in range(spans)
    ]
    marked: dict[str, list[tuple[int, int, str]]] = {}
    for person in range(people):
        own = []
        for start, length, label in true:
            moved = start + (rng.randint(-4, 4) if rng.random() < 0.3 else 0)
            seen = rng.choice(labels) if rng.random() < 0.15 else label
            if rng.random() > 0.1:
                own.append((max(moved, 0), min(moved + length, characters), seen))
        marked[f"annotator {person + 1}"] = own
    return write_prodigy(folder / "long.jsonl", {"long": text}, {"long": marked})


ARABIC = "أعلنت شركة النجمة الزرقاء في 3 نوفمبر 1998 أنها ستنقل مكاتبها إلى الميناء القديم."


def arabic(folder: Path) -> Path:
    """A text from right to left, with digits; two differ on where the company's name ends."""
    start = ARABIC.index("شركة")
    short, long = ARABIC.index(" الزرقاء"), ARABIC.index(" في")
    date = (ARABIC.index("3 نوفمبر"), ARABIC.index(" أنها"), "DATE")
    marked = {
        "amira": [(start, long, "ORG"), date],
        "bruno": [(start, long, "ORG"), date],
        "celia": [(start, short, "ORG"), (date[0], date[1] - 5, "DATE")],
    }
    return write_prodigy(folder / "arabic.jsonl", {"news": ARABIC}, {"news": marked})


HOSTILE_LABEL = "<img src=x onerror=alert(1)>"
HOSTILE_TEXT = "See </script><script>alert(2)</script> \u202eevil\u202c and 👩‍👩‍👧 <b>bold</b>."


def hostile(folder: Path) -> Path:
    """Markup, direction controls and joined emoji, in texts, labels and names."""
    place = HOSTILE_TEXT.index("</script>")
    family = HOSTILE_TEXT.index("👩")
    marked = {
        "<i>amira</i>": [(place, place + 9, HOSTILE_LABEL), (family, family + 5, "x" * 3000)],
        "__proto__": [(place, place + 17, HOSTILE_LABEL), (family, family + 5, "PER")],
        "celia": [(place, place + 9, "ORG"), (family, family + 5, "PER")],
    }
    return write_prodigy(folder / "hostile.jsonl", {"odd": HOSTILE_TEXT}, {"odd": marked})


def recording(folder: Path, seconds: int = 30) -> Path:
    """RTTM files of three people, and the WAV that they heard: a tone where somebody speaks."""
    rng = np.random.default_rng(3)
    rate = 16_000
    times = np.arange(seconds * rate) / rate
    sound = rng.normal(0, 300, len(times))
    turns = [(2.0, 3.5, "ana"), (7.0, 2.5, "bo"), (12.0, 4.0, "ana"), (20.0, 3.0, "bo")]
    for start, length, _ in turns:
        inside = (times >= start) & (times < start + length)
        sound[inside] += 9000 * np.sin(2 * np.pi * 220 * times[inside])
    with wave.open(str(folder / "talk.wav"), "wb") as out:
        out.setparams((1, 2, rate, len(times), "NONE", ""))
        out.writeframes(sound.astype("<i2").tobytes())
    source = folder / "turns"
    source.mkdir()
    for shift, name in enumerate(("amira", "bruno", "celia")):
        lines = [
            f"SPEAKER talk 1 {start + 0.4 * shift * (at % 2):.3f} {length:.3f} <NA> <NA> "
            f"{'bo' if shift == 2 and at == 2 else who} <NA> <NA>"
            for at, (start, length, who) in enumerate(turns)
        ]
        (source / f"{name}.rttm").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return source
