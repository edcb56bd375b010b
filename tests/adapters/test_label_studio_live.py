"""What a live project needs beyond files: its configuration, and suggestions drawn to the dot."""

from __future__ import annotations

import pytest

from goldspan.adapters import read
from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.kit.channels import one_timeline
from goldspan.adapters.label_studio import LabelStudioAdapter
from goldspan.adapters.label_studio.config import config_template, controls, label_colours
from goldspan.adapters.label_studio.locator import Locator
from goldspan.adapters.label_studio.region_writer import suggestion
from goldspan.adapters.label_studio.tasks import raw_tasks
from goldspan.engine import GoldSpan
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus, Presence, Unit
from label_studio_export import annotation, region, save, task

TEXT = """<View><!-- two controls -->
<Labels name="people" toName="text"><Label value="PER"/></Labels>
<Labels name="places" toName="text"><Label value="LOC"/><Label value="Place" alias="PLC"/></Labels>
<Choices name="tone" toName="text"><Choice value="good"/></Choices>
<Text name="text" value="$body"/></View>"""

TWO_TEXTS = '<View><Labels name="l" toName="a,b"/><Text name="a"/><Text name="b"/></View>'


class TestConfig:
    def test_it_names_controls_object_and_field(self) -> None:
        template = config_template(TEXT)
        assert (template.to_name, template.kind, template.key) == ("text", "text", "body")
        assert template.control("LOC") == ("places", "labels")
        assert template.control("PER") == ("people", "labels")
        assert template.labels == {"PER", "LOC", "PLC"}
        assert not template.allows("ORG")

    def test_it_tells_the_colours_of_labels_and_nothing_that_is_no_colour(self) -> None:
        config = """<View><Labels name="l" toName="t"><Label value="PER" background="#D55e00"/>
        <Label value="Place" alias="PLC" background="rgba(10, 20, 30, 0.5)"/>
        <Label value="X" background="red;background:url(//evil)"/><Label value="Y"/></Labels>
        <Text name="t" value="$t"/></View>"""
        assert label_colours(config) == {"PER": "#D55e00", "PLC": "rgba(10, 20, 30, 0.5)"}

    def test_labels_that_come_with_the_tasks_are_all_allowed(self) -> None:
        config = (
            '<View><Labels name="l" toName="t" value="$all"/><Text name="t" value="$t"/></View>'
        )
        assert config_template(config).allows("anything")

    def test_a_field_may_have_any_name(self) -> None:
        config = '<View><Labels name="l" toName="t"/><Text name="t" value="$body-text"/></View>'
        template = config_template(config)
        assert Locator.of(template).medium({"title": "No", "body-text": "Anna"}, ()).text == "Anna"

    @pytest.mark.parametrize(
        ("tag", "thing", "kind"),
        [
            ("HyperTextLabels", "HyperText", "hypertext"),
            ("ParagraphLabels", "Paragraphs", "paragraphs"),
            ("Labels", "Audio", "audio"),
            ("TimelineLabels", "Video", "video"),
            ("TimeSeriesLabels", "TimeSeries", "timeseries"),
        ],
    )
    def test_every_medium_is_known(self, tag: str, thing: str, kind: str) -> None:
        config = f'<View><{tag} name="l" toName="o"><Label value="A"/></{tag}>'
        config += f'<{thing} name="o" value="$o"/></View>'
        (control,) = controls(config)
        assert (control.kind, control.type, control.key) == (kind, tag.lower(), "o")

    @pytest.mark.parametrize(
        ("config", "said"),
        [
            ("<View>", "not well-formed"),
            ('<!DOCTYPE x [<!ENTITY a "b">]><View/>', "document type"),
            (
                '<View><Number name="c" toName="t"/><Text name="t" value="$t"/></View>',
                "no control",
            ),
            (TWO_TEXTS, "--layer"),
        ],
    )
    def test_what_cannot_be_measured_is_said(self, config: str, said: str) -> None:
        with pytest.raises(InputError, match=said):
            config_template(config)

    def test_a_layer_settles_which_object_is_meant(self) -> None:
        assert config_template(TWO_TEXTS, ["b"]).to_name == "b"


AUDIO = """<View><Labels name="l" toName="a"><Label value="S"/></Labels>
<Audio name="a" value="$a"/></View>"""
SERIES = """<View><TimeSeriesLabels name="l" toName="ts"><Label value="S"/></TimeSeriesLabels>
<TimeSeries name="ts" value="$csv"/></View>"""


def written(tmp_path, config, raw, *spans):  # type: ignore[no-untyped-def]
    path = save(tmp_path / "tasks.json", raw)
    (continuum,) = one_timeline(read(path, format="label-studio"))
    (task_read,) = raw_tasks(path)
    template = config_template(config)
    medium = Locator.of(template).medium(task_read.data, ())
    return suggestion(task_read, medium, continuum, template, spans)


class TestSuggestion:
    def test_seconds_are_the_drawn_ones_not_our_milliseconds(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        one = region(1.23456789, 4.5, "S", channel=1, from_name="l", to_name="a")
        raw = task(1, {"a": "/x.wav"}, annotation(1, one), annotation(2, one | {"id": "r2"}))
        (made,) = written(tmp_path, AUDIO, raw, GoldSpan(1235, 4500, "S", 0.9))
        assert made["value"] == {"start": 1.23456789, "end": 4.5, "channel": 1, "labels": ["S"]}
        assert made["id"].startswith("goldspan-")

    def test_a_time_nobody_drew_is_computed(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        one = region(1.0, 4.5, "S", channel=0, from_name="l", to_name="a")
        raw = task(1, {"a": "/x.wav"}, annotation(1, one))
        (made,) = written(tmp_path, AUDIO, raw, GoldSpan(1100, 4500, "S", 0.9))
        assert made["value"]["start"] == 1.1

    def test_dates_are_spelled_as_somebody_spelled_them(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        def at(start: str, end: str) -> dict:  # type: ignore[type-arg]
            return region(start, end, "S", kind="timeserieslabels", from_name="l", to_name="ts")

        raw = task(
            1, {"csv": "/x.csv"},
            annotation(1, at("2020-01-01T00:00:00+00:00", "2020-01-02T00:00:00+00:00")),
            annotation(2, at("2020-01-01T06:00:00+00:00", "2020-01-02T00:00:00+00:00")),
        )  # fmt: skip
        start = 1577836800000 + 2 * 3600 * 1000
        (made,) = written(
            tmp_path, SERIES, raw, GoldSpan(start, 1577836800000 + 86400000, "S", 0.9)
        )
        assert made["value"]["start"] == "2020-01-01T00:00:00+00:00"
        assert made["value"]["end"] == "2020-01-02T00:00:00+00:00"

    def test_the_path_on_a_page_is_the_browsers_own(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        config = '<View><HyperTextLabels name="l" toName="h"><Label value="S"/></HyperTextLabels>'
        config += '<HyperText name="h" value="$html"/></View>'
        one = region(
            "/p[1]/text()[1]", "/p[1]/text()[1]", "S", kind="hypertextlabels", from_name="l",
            to_name="h", startOffset=0, endOffset=5, text="Hello",
            globalOffsets={"start": 0, "end": 5},
        )  # fmt: skip
        raw = task(1, {"html": "<p>Hello there</p>"}, annotation(1, one))
        (made,) = written(tmp_path, config, raw, GoldSpan(0, 5, "S", 0.9))
        assert made["value"] == one["value"]

    def test_a_label_that_was_taken_out_of_the_configuration_is_left_out(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        raw = task(1, {"body": "Anna"}, annotation(1, region(0, 4, "ORG", text="Anna")))
        assert written(tmp_path, TEXT, raw, GoldSpan(0, 4, "ORG", 0.9)) == []

    def test_gold_lies_on_the_channel_of_those_who_heard_it(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        def heard(channel: int, end: float, name: str) -> dict:  # type: ignore[type-arg]
            return region(1.0, end, "S", channel=channel, from_name="l", to_name="a", id=name)

        left, right = heard(0, 2.0, "left"), heard(1, 3.0, "right")
        raw = task(1, {"a": "/x.wav"}, annotation(1, left, right), annotation(2, left, right))
        votes = tuple(Unit(str(n), 1000, 3000, "S", "right") for n in (1, 2))
        # The second begins where nobody drew, as a merged boundary may.
        made = written(
            tmp_path, AUDIO, raw, GoldSpan(1000, 3000, "S", 0.9, votes),
            GoldSpan(1100, 3000, "S", 0.9, votes),
        )  # fmt: skip
        assert [one["value"]["channel"] for one in made] == [1, 1]

    def test_a_channel_is_found_where_regions_share_an_id(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        drawn = [
            region(1.0, 2.0 + channel, "S", channel=channel, from_name="l", to_name="a", id="r")
            for channel in (0, 1)
        ]
        raw = task(1, {"a": "/x.wav"}, annotation(1, *drawn))
        (continuum,) = one_timeline(read(save(tmp_path / "export.json", raw)))
        gold = [GoldSpan(one.start, one.end, "S", 0.9, (one,)) for one in continuum.units]
        made = written(tmp_path, AUDIO, raw, *gold)
        assert [one["value"]["channel"] for one in made] == [0, 1]

    def test_a_control_that_lost_the_label_gives_way_to_the_one_that_has_it(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        drawn = region(0, 4, "LOC", text="Rome", from_name="people")
        raw = task(1, {"body": "Rome"}, annotation(1, drawn))
        votes = (Unit("1", 0, 4, "LOC", "r1"),)
        (made,) = written(tmp_path, TEXT, raw, GoldSpan(0, 4, "LOC", 0.9, votes))
        assert made["from_name"] == "places"

    def test_joined_labels_are_one_region_with_all_of_them(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        raw = task(1, {"body": "Rome"}, annotation(1, region(0, 4, "LOC", text="Rome")))
        (made,) = written(
            tmp_path, TEXT, raw, GoldSpan(0, 4, "LOC|PLC", 0.9), GoldSpan(0, 4, "LOC|PER", 0.9)
        )
        # Of the second, no control has both.
        assert (made["from_name"], made["value"]["labels"]) == ("places", ["LOC", "PLC"])


def test_our_columns_are_no_text_to_be_annotated(tmp_path) -> None:  # type: ignore[no-untyped-def]
    listed = "measured by goldspan: exact"
    raw = task(1, {"goldspan_differ": "1 missed", "goldspan_coefficients": listed, "body": "Anna"},
               annotation(1), annotation(2))  # fmt: skip
    marked = task(2, {"goldspan_differ": "Anna", "body": "Anna"},
                  annotation(1, region(0, 4, "PER", text="Anna")))  # fmt: skip
    corpus = read(save(tmp_path / "x.json", raw, marked), format="label-studio")
    assert [continuum.text for continuum in corpus.continua] == ["Anna", "Anna"]


def test_work_that_kept_a_suggestions_id_is_not_independent(tmp_path) -> None:  # type: ignore[no-untyped-def]
    kept = region(0, 4, "PER", text="Anna", id="goldspan-1", origin="prediction-changed")
    raw = task(1, {"text": "Anna"}, annotation(1, region(0, 4, "PER", text="Anna")),
               annotation(2, kept))  # fmt: skip
    (continuum,) = read(save(tmp_path / "x.json", raw), format="label-studio").continua
    assert continuum.annotators == ("1",)


class TestFaultyTasks:
    GOOD = task(1, {"text": "Anna"}, annotation(1, region(0, 4, "PER", text="Anna")))
    SPOILED = task(2, {"text": "New"}, annotation(1, region(0, 4, "PER", text="Anna")))
    NAMELESS = task(3, {"text": "Anna"}, annotation(1, region(0, 4, "")))

    def test_they_stop_the_reading_of_a_file(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        path = save(tmp_path / "x.json", self.GOOD, self.SPOILED)
        with pytest.raises(InputError, match=r"task 2, region r1: .* is outside"):
            read(path, format="label-studio")

    def test_they_are_left_out_with_a_note_where_that_is_wanted(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        path = save(tmp_path / "x.json", self.GOOD, self.SPOILED, self.NAMELESS)
        corpus = read(path, format="label-studio", leave_out_faulty=True)
        assert [continuum.id for continuum in corpus.continua] == ["1"]
        said = {note.task: note.message for note in corpus.notes if note.task}
        assert said["2"].startswith("left out: region r1: the span [0, 4) is outside")
        assert said["3"].startswith("left out: region r1: the span [0, 4) has no category")

    def test_none_left_is_an_error(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        path = save(tmp_path / "x.json", self.SPOILED, self.NAMELESS)
        with pytest.raises(InputError, match="task 2, region r1"):
            read(path, format="label-studio", leave_out_faulty=True)


class TestStated:
    """What a configuration states is not guessed from the regions."""

    def project(self, tmp_path, config: str, *tasks: dict) -> Corpus:  # type: ignore[no-untyped-def,type-arg]
        del tmp_path
        lenient = ReadOptions(leave_out_faulty=True)
        return LabelStudioAdapter().read_tasks(tasks, lenient, config_template(config))

    def test_whole_seconds_of_a_recording_are_seconds(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        one = region(1, 3, "S", from_name="l", to_name="a")
        corpus = self.project(tmp_path, AUDIO, task(1, {"a": "/x.wav"}, annotation(1, one)))
        assert [(unit.start, unit.end) for unit in corpus["1"].units] == [(1000, 3000)]

    def test_paragraphs_have_their_words_where_it_says(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        config = '<View><ParagraphLabels name="l" toName="d"><Label value="S"/></ParagraphLabels>'
        config += '<Paragraphs name="d" value="$d" textKey="said"/></View>'
        turns = [{"said": "Hi Tom.", "url": "https://example.com/long/recording.mp3"}]
        one = region(
            "0", "0", "S", kind="paragraphlabels", from_name="l", to_name="d",
            startOffset=3, endOffset=6,
        )  # fmt: skip
        corpus = self.project(tmp_path, config, task(1, {"d": turns}, annotation(1, one)))
        assert corpus["1"].text == "Hi Tom."

    def test_the_field_is_the_one_it_names(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        config = '<View><HyperTextLabels name="l" toName="h"><Label value="S"/></HyperTextLabels>'
        config += '<HyperText name="h" value="$content"/></View>'
        data = {"source": "archive 7", "content": "<p>Ines met Tom.</p>"}
        one = region(
            "/p[1]/text()[1]", "/p[1]/text()[1]", "S", kind="hypertextlabels", from_name="l",
            to_name="h", startOffset=0, endOffset=4, text="Ines",
            globalOffsets={"start": 0, "end": 4},
        )  # fmt: skip
        corpus = self.project(tmp_path, config, task(1, data, annotation(1, one)))
        assert str(corpus["1"].text).strip() == "Ines met Tom."

    def test_a_control_that_nobody_used_yet_is_no_fault(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        one = region(0, 4, "PER", text="Anna", from_name="people", to_name="text")
        given = [task(1, {"body": "Anna"}, annotation(1, one))]
        template = config_template(TEXT, ["places"])
        options = ReadOptions(layers=("places",), leave_out_faulty=True)
        corpus = LabelStudioAdapter().read_tasks(given, options, template)
        assert corpus["1"].presence == {"1": Presence.EMPTY}

    @pytest.mark.parametrize(
        ("fault", "said"),
        [
            ({"to_name": "elsewhere"}, "is on 'elsewhere'"),
            ({"value": {"start": 0.5, "end": 4, "labels": ["PER"]}}, "a whole number is expected"),
            ({"value": None}, "the region has no value"),
        ],
    )
    def test_one_faulty_region_costs_one_task(self, tmp_path, fault, said: str) -> None:  # type: ignore[no-untyped-def]
        good = region(0, 4, "PER", text="Anna", from_name="people", to_name="text")
        spoiled = task(1, {"body": "Anna"}, annotation(1, good | fault))
        corpus = self.project(
            tmp_path, TEXT, spoiled, task(2, {"body": "Anna"}, annotation(1, good))
        )
        assert [continuum.id for continuum in corpus.continua] == ["2"]
        (note,) = [note for note in corpus.notes if note.task == "1"]
        assert said in note.message

    def test_a_number_is_read_by_its_digits_and_no_other_field_is_taken(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        def marked(number: int, body: object) -> dict:  # type: ignore[type-arg]
            one = region(0, 3, "PER", from_name="people", to_name="text")
            return task(number, {"title": "Another text", "body": body}, annotation(1, one))

        bodies = [1234, 12.5, 100.0, None, "Anna"]
        corpus = self.project(tmp_path, TEXT, *(marked(*one) for one in enumerate(bodies)))
        assert {one.id: one.text for one in corpus.continua} == {
            "0": "1234", "1": "12.5", "2": "100", "4": "Anna",
        }  # fmt: skip
        (note,) = [note for note in corpus.notes if note.task == "3"]
        assert "'body', which the labelling configuration shows, is no text" in note.message

    @pytest.mark.parametrize(
        ("path", "data"),
        [
            ("doc.body", {"title": "No", "doc": {"body": "Anna"}}),
            ("doc.body", {"title": "No", "doc.body": "Anna"}),
            ("pages[1].body", {"title": "No", "pages": [{}, {"body": "Anna"}]}),
        ],
    )
    def test_a_field_within_a_field_is_found(self, tmp_path, path: str, data: dict) -> None:  # type: ignore[no-untyped-def,type-arg]
        one = region(0, 4, "PER", from_name="people", to_name="text")
        config = TEXT.replace("$body", f"${path}")
        corpus = self.project(tmp_path, config, task(1, data, annotation(1, one)))
        assert corpus["1"].text == "Anna"


def test_a_field_that_was_found_is_not_given_up_for_one_task(tmp_path) -> None:  # type: ignore[no-untyped-def]
    tasks = (
        task(number, {"body": body, **more}, annotation(1, region(0, 4, "PER", text=str(body))))
        for number, (body, more) in enumerate(
            [("Anna", {}), (1234, {"note": "Some words"}), ("Anna", {"note": "Others"})]
        )
    )
    corpus = read(save(tmp_path / "x.json", *tasks), format="label-studio")
    assert [continuum.text for continuum in corpus.continua] == ["Anna", "1234", "Anna"]
