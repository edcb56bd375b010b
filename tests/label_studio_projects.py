"""A small project for each kind of data that spans are drawn on, and what three people drew.

Positions are what a mouse leaves in Label Studio 1.23: code points on Text, over a HyperText's
text too but UTF-16 code units within its nodes, UTF-16 code units within a paragraph, seconds on
Audio, frames from 1 with both ends on a Video, values of the time column on a TimeSeries.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import struct
import wave
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from label_studio_api import Json, LabelStudioApi, Person

NAMES = ("ann", "ben", "cleo")

Work = Mapping[str, Sequence[Json] | None]
"""What each person drew on a task; None where they skipped it, absent where they never came."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A project before it is in Label Studio.

    `agreed` has, for each task, the values that all three drew to the letter: merged gold must
    have them just so.
    """

    name: str
    label_config: str
    data: tuple[Json, ...]
    work: tuple[Work, ...]
    agreed: tuple[tuple[Json, ...], ...]
    files: Mapping[str, bytes]

    def create(self, api: LabelStudioApi, title: str = "") -> Posted:
        """The project with its tasks and nobody's work."""
        project = api.project(self.label_config, title or f"Sample {self.name}")
        places = {}
        with TemporaryDirectory() as folder:
            for name, content in self.files.items():
                path = Path(folder) / name
                path.write_bytes(content)
                places[name] = api.upload(project, path)
        data = [
            {key: places.get(str(value), value) for key, value in one.items()} for one in self.data
        ]
        tasks = api.import_tasks(project, [{"data": one} for one in data])
        people = api.people(*(f"{name}@example.com" for name in NAMES))
        return Posted(self, api, project, tuple(tasks), dict(zip(NAMES, people, strict=True)))

    def post(self, api: LabelStudioApi, title: str = "") -> Posted:
        """The project with everybody's work."""
        posted = self.create(api, title)
        for name in NAMES:
            posted.annotate(name)
        return posted


@dataclass(frozen=True, slots=True)
class Posted:
    """A sample in Label Studio: the numbers of its project and, in order, of its tasks."""

    sample: Sample
    api: LabelStudioApi
    project: int
    tasks: tuple[int, ...]
    people: Mapping[str, Person]

    def annotate(self, name: str) -> list[int]:
        """The numbers of the annotations that are the person's work."""
        made = []
        for task, work in zip(self.tasks, self.sample.work, strict=True):
            if name not in work:
                continue
            drawn = work[name]
            if drawn is None:
                made.append(self.api.skip(task, self.people[name]))
            else:
                made.append(self.api.annotate(task, self.people[name], drawn))
        return made


def _drawn(
    kind: str, label: str, value: Json, *, on: str = "text", **fields: Any
) -> dict[str, Any]:
    # The page makes a style of each id, so it has to be a word.
    place = json.dumps([label, value], sort_keys=True)
    return {
        "id": hashlib.sha256(place.encode()).hexdigest()[:10],
        "from_name": "label",
        "to_name": on,
        "type": kind,
        "origin": "manual",
        "value": value | {kind: [label]},
    } | fields


def _config(labels: str, on: str, *values: str) -> str:
    inner = "".join(f'<Label value="{value}"/>' for value in values)
    return f'<View><{labels} name="label" toName="{_name(on)}">{inner}</{labels}>{on}</View>'


def _name(tag: str) -> str:
    return tag.split('name="', 1)[1].split('"', 1)[0]


def _all(*drawn: Json) -> dict[str, Sequence[Json]]:
    return dict.fromkeys(NAMES, drawn)


# Text


MARKET = (
    "🎪 Mira Köhler opened the fair in Oslo.\r\nAnders Vik of Fjord Bank bought 👩‍🌾 cheese there."
)
LEDGER = "Fjord Bank lent Mira Köhler nine thousand crowns in Bergen."
DISPUTED = "Vik and Sons of Upper Bergen blame the Oslo fair for the fire at the mill."
QUIET = "It rained all day, and nobody came."
SKIPPED = "Reserved for Anders Vik."


def text_span(text: str, words: str, label: str) -> Json:
    """The first occurrence of the words."""
    start = text.index(words)
    value = {"start": start, "end": start + len(words), "text": words}
    return _drawn("labels", label, value)


def _text() -> Sample:
    mira, oslo = text_span(MARKET, "Mira Köhler", "PER"), text_span(MARKET, "Oslo", "LOC")
    anders, bank = text_span(MARKET, "Anders Vik", "PER"), text_span(MARKET, "Fjord Bank", "ORG")
    both = text_span(MARKET, "Oslo.\r\nAnders Vik", "LOC")
    lender, debtor = text_span(LEDGER, "Fjord Bank", "ORG"), text_span(LEDGER, "Mira Köhler", "PER")
    bergen = text_span(LEDGER, "Bergen", "LOC")
    return Sample(
        "text",
        _config("Labels", '<Text name="text" value="$text"/>', "PER", "LOC", "ORG"),
        tuple({"text": text} for text in (MARKET, LEDGER, DISPUTED, QUIET, SKIPPED)),
        (
            {
                "ann": (mira, oslo, anders, bank),
                "ben": (mira, oslo, anders, bank, text_span(MARKET, "cheese", "ORG")),
                "cleo": (mira, both, anders, bank),
            },
            {
                "ann": (lender, debtor, bergen),
                "ben": (lender, text_span(LEDGER, "Mira", "PER"), bergen),
                "cleo": (lender, debtor, text_span(LEDGER, "Bergen", "ORG")),
            },
            {
                "ann": (text_span(DISPUTED, "Vik", "PER"), text_span(DISPUTED, "Bergen", "LOC")),
                "ben": (
                    text_span(DISPUTED, "Vik and Sons of Upper Bergen", "ORG"),
                    text_span(DISPUTED, "the Oslo fair", "ORG"),
                ),
                "cleo": (text_span(DISPUTED, "mill", "LOC"),),
            },
            _all(),
            {"ann": (text_span(SKIPPED, "Anders Vik", "PER"),), "ben": None},
        ),
        ((mira["value"], anders["value"], bank["value"]), (lender["value"],), (), (), ()),
        {},
    )


# HyperText


PAGE = (
    "<div><h1>Harbour news</h1>\r\n<p>Captain <b>Ines Roth</b> said 🚢 &amp; smiled at Tom.</p>"
    "<p>The ferry waits.</p></div>"
)


def page_span(start: str, first: int, end: str, last: int, over: tuple[int, int]) -> Json:
    """From a code unit in one text node to one in another; `over` in the page's whole text."""
    value = {
        "start": start,
        "end": end,
        "startOffset": first,
        "endOffset": last,
        "globalOffsets": {"start": over[0], "end": over[1]},
    }
    return _drawn("hypertextlabels", "PER", value, on="page")


def _hypertext() -> Sample:
    said, name = "/div[1]/p[1]/text()[2]", "/div[1]/p[1]/b[1]/text()[1]"
    ines = page_span(name, 0, name, 9, (21, 30))
    captain = page_span("/div[1]/p[1]/text()[1]", 0, name, 9, (13, 30))
    tom = page_span(said, 21, said, 24, (50, 53))
    return Sample(
        "hypertext",
        _config("HyperTextLabels", '<HyperText name="page" value="$html"/>', "PER", "SHIP"),
        ({"html": PAGE}, {"html": "<p>Nobody was there.</p>"}),
        ({"ann": (ines, tom), "ben": (captain, tom), "cleo": (ines, tom)}, _all()),
        ((tom["value"],), ()),
        {},
    )


# Paragraphs


TALK = [
    {"author": "Ada", "text": "Hello 😀 there, is the kiln cold?"},
    {"author": "Ben", "text": "It is very cold.\nReally cold."},
    {"author": "Ada", "text": "Then we open it."},
]


def talk_span(first: int, start: int, last: int, end: int, label: str) -> Json:
    """From a code unit of one paragraph to one of another."""
    value = {"start": str(first), "end": str(last), "startOffset": start, "endOffset": end}
    return _drawn("paragraphlabels", label, value, on="talk")


def _paragraphs() -> Sample:
    kiln, cold = talk_span(0, 16, 0, 33, "Question"), talk_span(1, 0, 1, 16, "Claim")
    across = talk_span(0, 16, 1, 16, "Question")
    plan = talk_span(2, 0, 2, 16, "Claim")
    dialogue = '<Paragraphs name="talk" value="$talk" layout="dialogue" nameKey="author"/>'
    return Sample(
        "paragraphs",
        _config("ParagraphLabels", dialogue, "Question", "Claim"),
        ({"talk": TALK}, {"talk": TALK[1:]}),
        (
            {"ann": (kiln, cold, plan), "ben": (kiln, cold, plan), "cleo": (across, plan)},
            _all(talk_span(0, 17, 0, 29, "Claim")),
        ),
        ((plan["value"],), (talk_span(0, 17, 0, 29, "Claim")["value"],)),
        {},
    )


# Audio


def tone(seconds: float) -> bytes:
    """A wav file with a low tone."""
    rate = 8000
    samples = (int(9000 * math.sin(0.3 * step)) for step in range(int(seconds * rate)))
    stream = io.BytesIO()
    with wave.open(stream, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return stream.getvalue()


def sound(start: float, end: float, label: str) -> Json:
    """Seconds of a recording of six."""
    value = {"start": start, "end": end, "channel": 0}
    return _drawn("labels", label, value, on="audio", original_length=6.0)


def _audio() -> Sample:
    hum = sound(0.5, 2.125, "Hum")
    return Sample(
        "audio",
        _config("Labels", '<Audio name="audio" value="$audio"/>', "Hum", "Click"),
        ({"audio": "hum.wav"}, {"audio": "hum.wav"}),
        (
            {
                "ann": (hum, sound(3.0, 3.5, "Click")),
                "ben": (hum, sound(3.1, 3.5, "Click")),
                "cleo": (hum, sound(3.0, 3.6, "Hum")),
            },
            _all(sound(4.001, 5.25, "Click")),
        ),
        ((hum["value"],), (sound(4.001, 5.25, "Click")["value"],)),
        {"hum.wav": tone(6.0)},
    )


# Video and TimeSeries


FILM = "/static/samples/opossum_snow.mp4"
"""A film that Label Studio brings along."""


def frames(start: int, end: int, label: str) -> Json:
    """Frames of a film, the first and the last too."""
    value = {"ranges": [{"start": start, "end": end}]}
    return _drawn("timelinelabels", label, value, on="video")


def _video() -> Sample:
    run = frames(7, 19, "Run")
    return Sample(
        "video",
        _config("TimelineLabels", '<Video name="video" value="$video"/>', "Run", "Rest"),
        ({"video": FILM}, {"video": FILM}),
        (
            {
                "ann": (run, frames(30, 44, "Rest")),
                "ben": (run, frames(31, 44, "Rest")),
                "cleo": (run,),
            },
            _all(frames(1, 1, "Run")),
        ),
        ((run["value"],), (frames(1, 1, "Run")["value"],)),
        {},
    )


def steps(start: float, end: float, label: str) -> Json:
    """Values of the time column."""
    value = {"start": start, "end": end, "instant": False}
    return _drawn("timeserieslabels", label, value, on="series")


def _series() -> Sample:
    rise = steps(10, 20, "Up")
    series = (
        '<TimeSeries name="series" valueType="json" value="$series" timeColumn="time">'
        '<Channel column="load"/></TimeSeries>'
    )
    load = {"time": list(range(60)), "load": [abs(30 - step) for step in range(60)]}
    return Sample(
        "series",
        _config("TimeSeriesLabels", series, "Up", "Down"),
        ({"series": load}, {"series": load}),
        (
            {
                "ann": (rise, steps(30, 40, "Down")),
                "ben": (rise, steps(31, 40, "Down")),
                "cleo": (rise, steps(30, 41, "Up")),
            },
            _all(steps(2, 5, "Up")),
        ),
        ((rise["value"],), (steps(2, 5, "Up")["value"],)),
        {},
    )


SAMPLES = (_text(), _hypertext(), _paragraphs(), _audio(), _video(), _series())
