"""Each tag counts in its own way; the shapes are those recorded from a real server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters import read, write
from goldspan.adapters.label_studio.hypertext import HyperText
from goldspan.adapters.label_studio.paragraphs import Paragraphs
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Measure, Presence
from label_studio_export import annotation, region, save, task
from strategies import texts

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "labelstudio_live"
recorded = pytest.mark.skipif(
    not DATA.exists(), reason="the recordings in ../shared/data/labelstudio_live are not here"
)

PAGE = (
    "<div><h1>Report</h1><p>Anna <b>Smith</b> met 😀 Bob at &amp;Acme.</p>\r\n"
    "<p>Second para.</p></div>"
)
DIALOGUE = [
    {"author": "A", "text": "Hello 😀 there, is it cold?"},
    {"author": "B", "text": "Yes. It is very cold.\nReally."},
]


def one(path: Path, **options: Any) -> Continuum:
    (continuum,) = read(path, format="label-studio", **options).continua
    return continuum


def marked(continuum: Continuum) -> list[str]:
    text = continuum.text or ""
    return [text[int(u.start) : int(u.end)] for u in continuum.units]


def test_text_counts_code_points_and_carriage_returns(tmp_path: Path) -> None:
    text = "A 😀 👩‍👩‍👧 line\r\nSecond\tRome <b> &amp;"
    words = ("😀", "line\r\nSecond", "Rome", "<b>", "&amp;")
    regions = [
        region(text.index(w), text.index(w) + len(w), "X", text=w.replace("\r\n", "\\n\\n"))
        for w in words
    ]
    path = save(tmp_path / "x.json", task(1, {"text": text}, annotation(2, *regions)))
    assert marked(one(path)) == list(words)


def test_text_in_utf16_is_recognised_and_told(tmp_path: Path) -> None:
    text = "😀 Anna met 😀 Bob"
    regions = [region(3, 7, "X", text="Anna"), region(15, 18, "X", text="Bob")]
    path = save(tmp_path / "x.json", task(1, {"text": text}, annotation(2, *regions)))
    continuum = one(path)
    assert marked(continuum) == ["Anna", "Bob"]
    (note,) = read(path).notes
    assert note.message == "positions counted in UTF-16 code units, converted"


def test_stored_text_may_differ_in_white_space_only(tmp_path: Path) -> None:
    text = "Anna  Smith\u00a0met\u200b Bob"
    path = save(
        tmp_path / "x.json",
        task(1, {"text": text}, annotation(2, region(0, 12, "X", text="Anna Smith"))),
    )
    assert marked(one(path)) == ["Anna  Smith\u00a0"]
    path = save(
        tmp_path / "y.json",
        task(1, {"text": text}, annotation(2, region(0, 4, "X", text="Bob", id="r7"))),
    )
    with pytest.raises(
        InputError, match=rf"^{tmp_path}/y\.json:1, task 1, region r7: the span \[0, 4\) reads"
    ):
        read(path)


def test_hypertext_counts_code_points_of_the_page(tmp_path: Path) -> None:
    regions = [
        {"start": "/div[1]/p[1]/text()[1]", "end": "/div[1]/p[1]/b[1]/text()[1]",
         "startOffset": 0, "endOffset": 5, "globalOffsets": {"start": 6, "end": 16},
         "text": "Anna Smith", "hypertextlabels": ["PER"]},
        {"start": "/div[1]/p[1]/text()[2]", "end": "/div[1]/p[1]/text()[2]",
         "startOffset": 8, "endOffset": 11, "globalOffsets": {"start": 23, "end": 26},
         "text": "Bob", "hypertextlabels": ["PER"]},
        {"start": "/div[1]/p[2]/text()[1]", "end": "/div[1]/p[2]/text()[1]",
         "startOffset": 0, "endOffset": 6, "globalOffsets": {"start": 37, "end": 43},
         "text": "Second", "hypertextlabels": ["PER"]},
    ]  # fmt: skip

    def export(name: str, *, with_global: bool) -> Path:
        values = [
            {k: v for k, v in value.items() if with_global or k != "globalOffsets"}
            for value in regions
        ]
        made = [
            region(0, 0, "PER", kind="hypertextlabels", value=value, to_name="ht")
            for value in values
        ]
        return save(tmp_path / name, task(1, {"html": PAGE}, annotation(2, *made)))

    found = one(export("new.json", with_global=True))
    assert marked(found) == ["Anna Smith", "Bob", "Second"]
    # Exports from before globalOffsets have the paths only, in UTF-16.
    assert one(export("old.json", with_global=False)).units == found.units


WHOLE_PAGE = (
    "<!DOCTYPE html><html><head><title>T</title><style>x{}</style></head>\n<body>\n<p>a</p>\n"
    "</body>\n</html>\n"
)
BLOCKS = (
    "<pre>\nfirst\n second</pre><p>x</p><pre>\n\ntwo</pre><listing>\nl</listing>"
    "<textarea>\n t&amp;u <b>n</b></textarea>end"
)
SCRIPTS = (
    "<style>p{color:red}</style><p>a<script>var x='<p>no</p>';</script>b<style>b{}</style>c</p>"
    "<iframe><p>in</p></iframe>d"
)
COMMENTS = "<p>a<!-- c -->b<!--> d --> e<!doctype x>f<![CDATA[g]]>h<?php i ?>j</p>"


@pytest.mark.parametrize(
    ("html", "path", "over", "said"),
    [
        ("a<br>b<br/>c<p>d<br></p>e", "/text()[4]", (7, 8), "e"),
        (BLOCKS, "/text()[1]", (32, 35), "end"),
        (COMMENTS, "/p[1]/text()[1]", (0, 13), "ab d --> efhj"),
        (SCRIPTS, "/text()[1]", (6, 7), "d"),
        (WHOLE_PAGE, "/p[1]/text()[1]", (1, 2), "a"),
        ("<noscript><p>n</p></noscript><p>a</p>", "/p[1]/text()[1]", (0, 1), "a"),
        ("<table>A<tr>B<td>C</td>D</tr>E</table>F", "/text()[2]", (5, 6), "F"),
        ("<p>a<table><tr><td>b</table>c", "/text()[1]", (2, 3), "c"),
    ],
)
def test_pages_count_as_label_studio_counts_them(
    tmp_path: Path, html: str, path: str, over: tuple[int, int], said: str
) -> None:
    """Recorded: a script selected these words in Label Studio 1.23, which made these values."""
    value = {
        "start": path, "end": path, "startOffset": 0, "endOffset": len(said), "text": said,
        "hypertextlabels": ["PER"],
    }  # fmt: skip
    for more in ({}, {"globalOffsets": {"start": over[0], "end": over[1]}}):
        made = region(0, 0, "PER", kind="hypertextlabels", value=value | more, to_name="ht")
        file = save(tmp_path / "x.json", task(1, {"html": html}, annotation(2, made)))
        found = one(file)
        assert [(unit.start, unit.end) for unit in found.units] == [over]
        assert marked(found) == [said]


def test_a_page_that_cannot_be_rebuilt_keeps_its_positions(tmp_path: Path) -> None:
    value = {"globalOffsets": {"start": 3, "end": 7}, "text": "Anna", "hypertextlabels": ["PER"]}
    made = region(0, 0, "PER", kind="hypertextlabels", value=value)
    path = save(tmp_path / "x.json", task(1, {"html": "<p>No such name</p>"}, annotation(2, made)))
    continuum = one(path)
    assert [(u.start, u.end) for u in continuum.units] == [(3, 7)]
    assert continuum.text is None
    assert any("could not be rebuilt" in note.message for note in read(path).notes)


@pytest.mark.parametrize("kind", ["labels", "hypertextlabels"])
def test_a_region_that_runs_backwards_is_swapped_or_refused(tmp_path: Path, kind: str) -> None:
    text = "😀 Anna met 😀 Bob"

    def at(start: int, end: int, said: str, **more: Any) -> dict[str, Any]:
        if kind == "hypertextlabels":
            more["globalOffsets"] = {"start": start, "end": end}
        return region(start, end, "X", kind=kind, text=said, **more)

    made = [at(2, 6, "Anna"), at(9, 6, "met", id="r2")]
    path = save(tmp_path / "x.json", task(1, {"text": text}, annotation(2, *made)))
    with pytest.raises(InputError, match=r"region r2: the span \[9, 6\) ends before .* --swap"):
        read(path)
    corpus = read(path, swap=True)
    assert marked(corpus["1"]) == ["Anna", " me"]
    assert "spans with their end before their start swapped" in {n.message for n in corpus.notes}


def test_a_region_that_runs_backwards_is_no_evidence_of_how_positions_count(
    tmp_path: Path,
) -> None:
    text = "😀 Anna met 😀 Bob"
    made = [region(15, 18, "X", text="Bob"), region(7, 3, "X", text="Anna")]
    path = save(tmp_path / "x.json", task(1, {"text": text}, annotation(2, *made)))
    assert marked(one(path, swap=True)) == ["nna ", "Bob"]


def test_paragraphs_count_utf16_in_each_paragraph(tmp_path: Path) -> None:
    def line(first: int, start: int, last: int, end: int) -> dict[str, Any]:
        return region(
            str(first), str(last), "Claim", kind="paragraphlabels", to_name="par",
            startOffset=start, endOffset=end, text="is it cold?\n00:00:00 - 00:00:00\nYes",
        )  # fmt: skip

    made = [line(0, 9, 0, 14), line(1, 11, 1, 20), line(0, 16, 1, 3)]
    path = save(tmp_path / "x.json", task(1, {"dialogue": DIALOGUE}, annotation(2, *made)))
    assert marked(one(path)) == ["there", "is it cold?\nYes", "very cold"]


def test_paragraphs_posted_in_code_points_are_recognised(tmp_path: Path) -> None:
    # 7 falls inside the emoji's surrogate pair, so nobody can have meant UTF-16.
    made = region(
        "0", "0", "Claim", kind="paragraphlabels", startOffset=0, endOffset=7, text="Hello 😀"
    )
    path = save(tmp_path / "x.json", task(1, {"dialogue": DIALOGUE}, annotation(2, made)))
    assert marked(one(path)) == ["Hello 😀"]
    assert "code points where UTF-16" in read(path).notes[0].message


def test_audio_has_seconds(tmp_path: Path) -> None:
    made = [
        region(0.5, 2.0, "Speech", channel=0, to_name="audio", original_length=6.0),
        region(1.198589894242068, 2.397179788484136, "Noise", channel=0, to_name="audio"),
    ]
    path = save(tmp_path / "x.json", task(1, {"audio": "/data/a.wav"}, annotation(2, *made)))
    continuum = one(path)
    assert [(u.start, u.end) for u in continuum.units] == [(500, 2000), (1199, 2397)]
    assert (continuum.measure, continuum.length) == (Measure.MILLISECOND, 6000)
    assert continuum.media == "/data/a.wav"


@pytest.mark.parametrize(
    ("data", "places"),
    [
        ({"audio": "talk.wav"}, (4000, 6000)),
        ({"text": "s3://bucket/my talk.wav"}, (4000, 6000)),
        ({"sound": "/data/a.wav", "title": "Two words"}, (4000, 6000)),
        ({"text": "Two words", "title": "talk"}, (4, 6)),
        ({"body": "Two words"}, (4, 6)),
    ],
)
def test_the_data_tells_seconds_from_characters_where_regions_do_not(
    tmp_path: Path, data: dict[str, Any], places: tuple[int, int]
) -> None:
    # As scripts and old versions write regions: no channel, no length, and no text.
    path = save(tmp_path / "x.json", task(1, data, annotation(2, region(4.0, 6.0, "X"))))
    assert [(u.start, u.end) for u in one(path).units] == [places]


def test_video_has_frames_with_both_ends(tmp_path: Path) -> None:
    value = {
        "ranges": [{"start": 1, "end": 19}, {"start": 30, "end": 30}],
        "timelinelabels": ["Run"],
    }
    made = region(0, 0, kind="timelinelabels", value=value, to_name="video")
    path = save(tmp_path / "x.json", task(1, {"video": "v.mp4"}, annotation(2, made)))
    continuum = one(path)
    assert [(u.start, u.end) for u in continuum.units] == [(0, 19), (29, 30)]
    assert (continuum.measure, continuum.media) == (Measure.FRAME, "v.mp4")


def test_a_video_region_without_a_range_is_told(tmp_path: Path) -> None:
    value = {"ranges": [], "timelinelabels": ["Run"]}
    made = region(0, 0, kind="timelinelabels", value=value, to_name="video")
    path = save(tmp_path / "x.json", task(1, {"video": "v.mp4"}, annotation(2, made)))
    corpus = read(path)
    assert corpus["1"].units == ()
    assert [note.message for note in corpus.notes] == ["regions without a range skipped"]


def test_each_channel_of_a_recording_is_a_task(tmp_path: Path) -> None:
    made = [
        region(0.5, 2.0, "Speech", channel=channel, to_name="audio", id=f"r{channel}")
        for channel in (0, 1)
    ]
    work = annotation(2, *made), annotation(3, made[1] | {"original_length": 3.0})
    path = save(tmp_path / "x.json", task(1, {"audio": "x.wav"}, *work))
    corpus = read(path)
    assert [(one.id, one.channel, one.length) for one in corpus] == [
        ("1", "", 3000), ("1 [channel 2]", "2", 3000),
    ]  # fmt: skip
    assert [u.annotator for u in corpus["1"].units] == ["2"]
    assert [u.annotator for u in corpus["1 [channel 2]"].units] == ["2", "3"]
    # Label Studio shows all channels at once: who submitted the task saw both.
    assert corpus["1"].presence["3"] is Presence.EMPTY
    assert [note.message for note in corpus.notes] == [
        "recordings with several channels; each channel is a task: '1', '1 [channel 2]'",
    ]
    (right,) = read(path, layers=["channel:2", "audio"])
    assert {unit.source for unit in right.units} == {"r1"}
    # As scripts write regions: all of one id.
    same = [one | {"id": "r"} for one in made]
    path = save(tmp_path / "y.json", task(1, {"audio": "x.wav"}, annotation(2, *same)))
    assert [[u.source for u in one.units] for one in read(path)] == [["r"], ["r"]]
    with pytest.raises(SettingsError, match="no span on the channel '3'; there are '1', '2'"):
        read(path, layers="channel:3")


def test_a_recording_on_whose_first_channel_nobody_is_heard(tmp_path: Path) -> None:
    made = region(0.5, 2.0, "Speech", channel=1, to_name="audio")
    path = save(tmp_path / "x.json", task(1, {"audio": "x.wav"}, annotation(2, made)))
    assert [one.id for one in read(path)] == ["1 [channel 2]"]
    choice = {"id": "c", "from_name": "mood", "to_name": "audio", "type": "choices",
              "value": {"choices": ["calm"]}}  # fmt: skip
    path = save(tmp_path / "y.json", task(1, {"audio": "x.wav"}, annotation(2, made, choice)))
    corpus = read(path)
    # The label is of the recording, which then is a task too.
    assert [one.id for one in corpus] == ["1", "1 [channel 2]"]
    assert [(one.id, len(one.units)) for one in corpus.layers["mood"]] == [("1", 1)]


@pytest.mark.parametrize("channel", ["left", -1, 0.5, True, [0], {}, "x", 1e300])
def test_a_channel_that_is_not_a_number(tmp_path: Path, channel: object) -> None:
    made = region(0.5, 2.0, "Speech", channel=channel, to_name="audio")
    path = save(tmp_path / "x.json", task(1, {"audio": "x.wav"}, annotation(2, made)))
    with pytest.raises(InputError, match=r"task 1, region r1: 'channel' is .* a number from 0"):
        read(path)


def test_channels_are_written_into_one_task(tmp_path: Path) -> None:
    made = [
        region(0.5, 2.0, "Speech", channel=channel, to_name="audio", id=f"r{channel}",
               original_length=3.0)
        for channel in (0, 1)
    ]  # fmt: skip
    data = {"audio": "x.wav"}
    path = save(tmp_path / "x.json", task(1, data, annotation(2, *made), annotation(3, made[1])))
    corpus = read(path)
    for source in ([], [path]):
        out = tmp_path / f"out{len(source)}.json"
        write(corpus, out, "label-studio", source=source)
        (written,) = json.loads(out.read_text())
        assert (written["id"], written["data"]) == (1, data)
        found = [[one["value"]["channel"] for one in a["result"]] for a in written["annotations"]]
        assert found == [[0, 1], [1]]
        ids = [one["id"] for a in written["annotations"] for one in a["result"]]
        assert len(set(ids)) == len(ids)
        assert [(c.id, c.units, c.presence) for c in read(out)] == [
            (c.id, c.units, c.presence) for c in corpus
        ]
    spans = {one.id: (GoldSpan(500, 2000, "Speech", 1.0),) for one in corpus}
    write(Gold(corpus, spans, "x"), tmp_path / "gold.json", "label-studio")
    (suggested,) = json.loads((tmp_path / "gold.json").read_text())
    (prediction,) = suggested["predictions"]
    assert [one["value"]["channel"] for one in prediction["result"]] == [0, 1]


def test_time_series_have_their_own_times(tmp_path: Path) -> None:
    made = [
        region(10, 20.5, "Up", kind="timeserieslabels", instant=False, to_name="ts"),
        region(30, 30, "Up", kind="timeserieslabels", instant=True, to_name="ts"),
    ]
    path = save(tmp_path / "x.json", task(1, {"ts": {"time": [0, 1]}}, annotation(2, *made)))
    continuum = one(path)
    assert [(u.start, u.end) for u in continuum.units] == [(10, 20.5)]
    assert continuum.measure is Measure.STEP
    assert "spans without length dropped" in {note.message for note in read(path).notes}
    dates = region("2020-01-01T00:00:00+00:00", "2020-01-01T00:00:01+00:00", "Up",
                   kind="timeserieslabels", to_name="ts")  # fmt: skip
    path = save(tmp_path / "y.json", task(1, {"ts": "x.csv"}, annotation(2, dates)))
    (unit,) = one(path).units
    assert unit.end - unit.start == 1000


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine in another time zone."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("zone", ["", "Z", ".000Z", "+00:00"])
def test_dates_mean_the_same_on_every_machine(tmp_path: Path, zone: str) -> None:
    dates = region(f"1970-01-01T00:00:00{zone}", f"1970-01-01T00:00:01{zone}", "Up",
                   kind="timeserieslabels", to_name="ts")  # fmt: skip
    (unit,) = one(save(tmp_path / "x.json", task(1, {"ts": "x.csv"}, annotation(2, dates)))).units
    assert (unit.start, unit.end) == (0, 1000)


@pytest.mark.parametrize("start", ["--5", "-", "5" * 5000, 10**400, -(10**400), "²"])
@pytest.mark.parametrize("kind", ["text", "audio", "ts"])
def test_what_is_no_position_is_said(tmp_path: Path, kind: str, start: str | int) -> None:
    more = {"text": {"text": "A"}, "audio": {"channel": 0}, "ts": {"kind": "timeserieslabels"}}
    made = region(start, 2, "X", to_name=kind, **more[kind])
    path = save(tmp_path / "x.json", task(1, {kind: "Anna met Bob"}, annotation(2, made)))
    with pytest.raises(InputError, match=r"x\.json:1, task 1, region"):
        read(path, format="label-studio")


@given(texts(), st.lists(texts(), max_size=3), st.data())
def test_paragraphs_give_back_what_they_took(
    first: str, others: list[str], data: st.DataObject
) -> None:
    medium = Paragraphs([first, *others, ""])
    size = len(medium.text or "")
    start = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(start + 1, size))
    assert medium.spans(medium.value(start, end)) == [(start, end)]


@given(st.lists(texts(), min_size=1, max_size=4), st.data())
def test_pages_give_back_what_they_took(pieces: list[str], data: st.DataObject) -> None:
    escaped = [p.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for p in pieces]
    html = (
        "<div>" + "".join(f"<p>{p}<br>{p}</p><ul><li>{p}<li>{p}</ul>" for p in escaped) + "</div>"
    )
    medium = HyperText(html)
    taken = [p.replace("\r\n", "\n") for p in pieces]
    assert medium.text == "".join(f"{p}\n{3 * p}" for p in taken)
    # Paths lead to text nodes, so none leads to a line break.
    breaks = set(accumulate(part for p in taken for part in (len(p), 3 * len(p) + 1)))
    inside = [at for at in range(len(medium.text)) if at not in breaks]
    start = data.draw(st.sampled_from(inside))
    end = data.draw(st.sampled_from([at for at in inside if at >= start])) + 1
    value = medium.value(start, end)
    assert medium.spans(value) == [(start, end)]
    del value["globalOffsets"]
    assert medium.spans(value) == [(start, end)]


def test_a_line_break_counts_as_one_character() -> None:
    medium = HyperText("<p>Anna<br>Bob</p><br>Eve")
    assert medium.text == "Anna\nBob\nEve"
    # The paths of a span that begins or ends with a line break are those of the text within.
    value = medium.value(4, 9)
    assert (value["start"], value["startOffset"]) == ("/p[1]/text()[2]", 0)
    assert (value["end"], value["endOffset"]) == ("/p[1]/text()[2]", 3)
    assert medium.spans(value) == [(4, 9)]
    assert medium.value(4, 5) == {"globalOffsets": {"start": 4, "end": 5}}


class TestRecorded:
    """The same on what the real server wrote."""

    @recorded
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("ui_task_9", ["😀", "Smith", "Bob", "Rome"]),
            ("ui_task_10", ["Acme", "Rome"]),
            ("ui_task_11", ["two", "Acme"]),
            ("ui_task_17", ["line\r\nSecond", "line\n\nThird", "Rome"]),
            ("ui_task_18", ["Anna Smith", "😀", "Bob", "Acme", "Second"]),
            ("ui_task_19", ["there", "is it cold?\nYes", "cold", "very cold", "see."]),
        ],
    )
    def test_drawn_by_mouse(self, name: str, words: list[str]) -> None:
        assert marked(one(DATA / f"{name}.json")) == words

    @recorded
    @pytest.mark.parametrize(
        ("name", "task_id", "first", "measure"),
        [
            ("audio", "4", (500, 2000), Measure.MILLISECOND),
            ("video", "7", (9, 50), Measure.FRAME),
            ("ts", "8", (10, 20), Measure.STEP),
            ("html", "6", (6, 16), Measure.CHARACTER),
            ("para", "5", (0, 5), Measure.CHARACTER),
            ("ner", "1", (0, 10), Measure.CHARACTER),
        ],
    )
    def test_full_and_min_agree(
        self, name: str, task_id: str, first: tuple[int, int], measure: Measure
    ) -> None:
        full = read(DATA / f"export_{name}_JSON.json")
        small = read(DATA / f"export_{name}_JSON_MIN.json")
        assert full[task_id].measure is measure
        assert (full[task_id].units[0].start, full[task_id].units[0].end) == first
        for continuum in small.continua:
            taking_part = full[continuum.id].only(continuum.annotators)
            assert continuum.units == taking_part.units
            assert continuum.annotators == full[continuum.id].annotators


def test_a_place_that_is_not_in_the_page(tmp_path: Path) -> None:
    made = region(
        "/p[9]/text()[1]", "/p[9]/text()[1]", "X", kind="hypertextlabels",
        startOffset=0, endOffset=1, id="r5",
    )  # fmt: skip
    path = save(tmp_path / "x.json", task(1, {"html": "<p>a</p>"}, annotation(2, made)))
    with pytest.raises(InputError, match=r"task 1, region r5: the place /p\[9\].* globalOffsets"):
        read(path)
