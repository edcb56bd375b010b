"""Channels: two speakers who talk at once are two tasks, in figures, gold, and every format."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldspan.adapters import read, write
from goldspan.adapters.kit.channels import one_timeline
from goldspan.engine import merge, score
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit, channel_id
from label_studio_export import annotation, region, save, task
from strategies import names

MS = Measure.MILLISECOND
SEEN = {"ann": Presence.DONE, "ben": Presence.DONE}


def talk(channel: str, *places: tuple[str, int, int]) -> Continuum:
    units = tuple(Unit(name, start, end, "speech") for name, start, end in places)
    return Continuum(channel_id("rec", channel), units, SEEN, 9000, MS)


STEREO = Corpus(
    (
        talk("1", ("ann", 0, 2000), ("ben", 0, 2100), ("ann", 5000, 6000), ("ben", 5000, 6000)),
        talk("2", ("ann", 0, 2000), ("ben", 4000, 4500)),
    )
)
"""On the second channel the annotators heard different things."""


@given(names(), names())
def test_an_id_says_what_it_is_a_channel_of(recording: str, channel: str) -> None:
    found = Continuum(channel_id(recording, channel), measure=MS)
    first = channel == "1"
    assert found.recording == recording
    assert found.channel == ("" if first else channel)
    assert (found.id == recording) is first
    # A text has no channels, whatever it is called.
    assert Continuum(found.id).recording == found.id


def test_a_channel_of_a_channel_is_named_by_its_last() -> None:
    name = channel_id(channel_id("x", "2"), "3")
    assert (Continuum(name, measure=MS).recording, Continuum(name, measure=MS).channel) == (
        "x [channel 2]", "3",
    )  # fmt: skip
    for name in ("[channel 2]", " [channel 2]", "x [channel ]", "x [channel 1]", "x [channel 2] "):
        assert Continuum(name, measure=MS).recording == name


def test_speakers_who_talk_at_once_are_not_taken_for_one() -> None:
    result = score(STEREO, seed=1)
    assert set(result.tasks) == {"rec", "rec [channel 2]"}
    second = result.tasks["rec [channel 2]"].gamma.value
    assert second is not None
    # On one line of time the first speaker's turns would stand for the second's.
    mixed = score(one_timeline(STEREO), seed=1)
    apart, together = result.gamma.value, mixed.gamma.value
    assert apart is not None
    assert together is not None
    assert second < apart < together
    gold = merge(STEREO, result)
    assert set(gold.spans) == {"rec", "rec [channel 2]"}


def test_one_timeline_is_said_where_there_is_no_other_place() -> None:
    joined = one_timeline(STEREO)
    assert [(one.id, len(one.units), one.length) for one in joined] == [("rec", 5, 9000)]
    assert joined["rec"].presence == SEEN
    assert [(note.message, note.count) for note in joined.notes] == [
        ("spans on the channels '1', '2' of a recording, which are on one timeline here", 6),
        ("spans on several channels counted once", 1),
    ]
    mono = Corpus(STEREO.continua[:1])
    assert one_timeline(mono) is mono


@pytest.mark.parametrize("name", ["csv", "elan", "huggingface", "label-studio", "rttm", "textgrid"])
def test_channels_survive_every_format_of_recordings(name: str, tmp_path: Path) -> None:
    endings = {"csv": ".csv", "huggingface": ".parquet", "label-studio": ".json"}
    path = tmp_path / f"out{endings.get(name, '')}"
    write(STEREO, path, name)
    options = {"textgrid": {"annotator_from": "tier"}, "csv": {"empty": "seen"}}.get(name, {})
    back = read(path, format=name, **options)
    assert {(one.recording, one.channel) for one in back} == {("rec", ""), ("rec", "2")}
    assert {one.id: one.units for one in back} == {
        one.id: one.units if name != "label-studio" else back[one.id].units for one in STEREO
    }
    again = tmp_path / "again"
    write(back, again, "rttm")
    assert " 2 " in (again / f"{back.annotators[0]}.rttm").read_text()


def test_channels_count_from_one_in_rttm_and_from_zero_in_label_studio(tmp_path: Path) -> None:
    made = [
        region(0.5, 2.0, "Speech", channel=channel, to_name="audio", original_length=3.0)
        for channel in (0, 1)
    ]
    path = save(tmp_path / "x.json", task(7, {"audio": "x.wav"}, annotation(2, *made)))
    corpus = read(path)
    write(corpus, tmp_path / "rows", "rttm")
    rows = (tmp_path / "rows" / "2.rttm").read_text().splitlines()
    assert [row.split()[1:3] for row in rows] == [["7", "1"], ["7", "2"]]
    assert [one.units for one in read(tmp_path / "rows")] == [one.units for one in corpus]


@given(st.sets(st.sampled_from("12345"), min_size=1), st.data())
def test_one_timeline_keeps_every_place(channels: set[str], data: st.DataObject) -> None:
    places = st.tuples(st.sampled_from(["ann", "ben"]), st.integers(0, 90), st.integers(100, 200))
    made = Corpus(tuple(talk(c, *data.draw(st.sets(places, min_size=1))) for c in sorted(channels)))
    (joined,) = one_timeline(made)
    assert joined.id == "rec"
    assert set(joined.units) == {unit for one in made for unit in one.units}
