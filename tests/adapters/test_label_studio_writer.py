"""Files for Label Studio to import: what the model holds survives, gold carries its reasons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import read, write
from goldspan.engine.errors import InputError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from label_studio_export import annotation, region, save, task
from strategies import corpora, names

EVERYBODY = ("ann1", "ann2", "007", "12", "eve@x.org")
ALL = (Presence.DONE, *Presence)

PAGE = (
    "<div><h1>Report</h1><p>Anna <b>Smith</b> met 😀 Bob at &amp;Acme.</p>\r\n<p>Second.</p></div>"
)


def load(path: Path) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def same(back: Corpus, corpus: Corpus) -> None:
    assert back.scale == corpus.scale
    for one, other in zip(back.continua, corpus.continua, strict=True):
        assert one == other


def round_trip(corpus: Corpus, folder: Path, **options: Any) -> Corpus:
    path = folder / "out.json"
    write(corpus, path, "label-studio", **options)
    return read(path, format="label-studio")


quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)


class TestRoundTrip:
    @quick
    @given(corpora(annotators=EVERYBODY, presences=ALL))
    def test_text(self, tmp_path: Path, corpus: Corpus) -> None:
        same(round_trip(corpus, tmp_path), corpus)

    @quick
    @given(
        st.sampled_from([Measure.MILLISECOND, Measure.FRAME, Measure.STEP]).flatmap(
            lambda measure: corpora(
                measure=measure, with_text=False, annotators=EVERYBODY, presences=ALL, media="m.x"
            )
        )
    )
    def test_recordings(self, tmp_path: Path, corpus: Corpus) -> None:
        same(round_trip(corpus, tmp_path), corpus)

    @quick
    @given(st.lists(names(), unique=True, min_size=1, max_size=3))
    def test_scale_and_media(self, tmp_path: Path, scale: list[str]) -> None:
        units = (Unit("a", 0, 2, "X"), Unit("b", 0, 2, "X"))
        corpus = Corpus((Continuum("t", units, text="text", media="t.wav"),), scale=tuple(scale))
        same(round_trip(corpus, tmp_path), corpus)

    def test_ten_thousand_spans(self, tmp_path: Path) -> None:
        text = "🙂 wörd\r\n\t" * 2000
        units = tuple(
            Unit(f"a{n % 3}@x.org", n % 15_000, n % 15_000 + 1 + n % 40, f"c{n % 7}")
            for n in range(0, 50_000, 5)
        )
        corpus = Corpus((Continuum("t", units, text=text),))
        assert len(corpus["t"].units) == 10_000
        same(round_trip(corpus, tmp_path), corpus)

    def test_half_a_surrogate_pair_is_still_json(self, tmp_path: Path) -> None:
        corpus = Corpus((Continuum("t", (Unit("a", 0, 2, "X"),), text="a\ud83d b"),))
        same(round_trip(corpus, tmp_path), corpus)


class TestSource:
    """Names, types and data come from the export that was read."""

    def test_names_are_those_of_the_project(self, tmp_path: Path) -> None:
        data = {"title": "T", "body": "Anna met Bob"}
        person = region(0, 4, "PER", text="Anna", from_name="who", to_name="body")
        place = region(9, 12, "LOC", text="Bob", from_name="where", to_name="body", id="r2")
        source = save(tmp_path / "in.json", task(5, data, annotation(2, person, place)))
        corpus = read(source)
        notes = write(corpus, tmp_path / "out.json", "label-studio", source=source)
        (written,) = load(tmp_path / "out.json")
        assert written["id"] == 5
        assert written["data"] == data
        (made,) = written["annotations"]
        assert [(r["from_name"], r["to_name"], r["type"]) for r in made["result"]] == [
            ("who", "body", "labels"),
            ("where", "body", "labels"),
        ]
        assert notes == ()
        same(read(tmp_path / "out.json"), corpus)

    def test_pages_stay_pages(self, tmp_path: Path) -> None:
        value = {
            "globalOffsets": {"start": 6, "end": 16},
            "text": "Anna Smith",
            "hypertextlabels": ["P"],
        }
        made = region(0, 0, kind="hypertextlabels", value=value, to_name="ht")
        source = save(tmp_path / "in.json", task(5, {"html": PAGE}, annotation(2, made)))
        corpus = read(source)
        write(corpus, tmp_path / "out.json", "label-studio", source=source)
        (written,) = load(tmp_path / "out.json")
        assert written["data"] == {"html": PAGE}
        assert written["annotations"][0]["result"][0]["value"] == {
            "start": "/div[1]/p[1]/text()[1]",
            "end": "/div[1]/p[1]/b[1]/text()[1]",
            "startOffset": 0,
            "endOffset": 5,
            "globalOffsets": {"start": 6, "end": 16},
            "text": "Anna Smith",
            "hypertextlabels": ["P"],
        }
        same(read(tmp_path / "out.json"), corpus)

    def test_dialogues_stay_dialogues(self, tmp_path: Path) -> None:
        data = {
            "dialogue": [{"author": "A", "text": "Hi 😀 there"}, {"author": "B", "text": "Yes"}]
        }
        made = region(
            "0", "1", "Q", kind="paragraphlabels", to_name="par", startOffset=6, endOffset=3
        )
        source = save(tmp_path / "in.json", task(5, data, annotation(2, made)))
        corpus = read(source)
        write(corpus, tmp_path / "out.json", "label-studio", source=source)
        (written,) = load(tmp_path / "out.json")
        value = written["annotations"][0]["result"][0]["value"]
        assert (value["start"], value["startOffset"]) == ("0", 6)
        assert (value["end"], value["endOffset"]) == ("1", 3)
        same(read(tmp_path / "out.json"), corpus)

    def test_an_export_without_regions_has_no_names(self, tmp_path: Path) -> None:
        source = save(tmp_path / "in.json", task(5, {"text": "x"}, annotation(2)))
        with pytest.raises(InputError, match="no labelled region to take names from"):
            write(read(source), tmp_path / "out.json", "label-studio", source=source)
        assert not (tmp_path / "out.json").exists()


class TestGold:
    UNITS = (Unit("ann1", 0, 4, "PER"), Unit("ann2", 0, 8, "PER"))

    def gold(self) -> Gold:
        corpus = Corpus(
            (
                Continuum("5", self.UNITS, {"ann3": Presence.EMPTY}, text="Anna met Bob"),
                Continuum("6", text="nothing", presence={"ann1": Presence.EMPTY}),
            )
        )
        spans = {"5": (GoldSpan(0, 4, "PER", 0.75, self.UNITS, seen=3),)}
        return Gold(corpus, spans, "majority")

    def test_predictions_with_scores_and_votes(self, tmp_path: Path) -> None:
        write(self.gold(), tmp_path / "gold.json", "label-studio")
        first, second = load(tmp_path / "gold.json")
        assert first["id"] == 5
        assert "annotations" not in first
        (prediction,) = first["predictions"]
        assert prediction["model_version"] == "goldspan"
        assert prediction["score"] == 0.75
        (made,) = prediction["result"]
        assert made["score"] == 0.75
        assert made["value"] == {"start": 0, "end": 4, "text": "Anna", "labels": ["PER"]}
        (line,) = made["meta"]["text"]
        assert "2 of 3" in line
        assert made["meta"]["goldspan"]["votes"] == [
            ["ann1", 0, 4, "PER"],
            ["ann2", 0, 8, "PER"],
        ]
        assert second["predictions"] == [{"model_version": "goldspan", "result": []}]

    def test_gold_is_never_read_as_an_annotator_by_accident(self, tmp_path: Path) -> None:
        path = tmp_path / "gold.json"
        for ground_truth in (False, True):
            write(self.gold(), path, "label-studio", ground_truth=ground_truth)
            assert read(path).annotators == ()
            kept = read(path, include_predictions=True, include_annotators="goldspan")
            assert [(u.start, u.end) for u in kept["5"].units] == [(0, 4)]

    def test_ground_truth_on_request(self, tmp_path: Path) -> None:
        write(self.gold(), tmp_path / "gold.json", "label-studio", ground_truth=True)
        first = load(tmp_path / "gold.json")[0]
        assert "predictions" not in first
        assert first["annotations"][0]["ground_truth"] is True


def test_people_it_cannot_know_are_named(tmp_path: Path) -> None:
    corpus = Corpus((Continuum("t", (Unit("ann1", 0, 1, "X"), Unit("7", 0, 1, "X")), text="x"),))
    notes = write(corpus, tmp_path / "out.json", "label-studio")
    assert any("not such: 'ann1'" in note.message for note in notes)
    people = [a["completed_by"] for a in load(tmp_path / "out.json")[0]["annotations"]]
    assert people == [7, {"email": "ann1"}]


@pytest.mark.parametrize(
    ("continuum", "message"),
    [
        (Continuum("t", measure=Measure.CHARACTER), "task 't': there is no text"),
        (Continuum("t", measure=Measure.TOKEN), "task 't': positions are counted in tokens"),
    ],
)
def test_what_it_cannot_show(tmp_path: Path, continuum: Continuum, message: str) -> None:
    with pytest.raises(InputError, match=message):
        write(Corpus((continuum,)), tmp_path / "out.json", "label-studio")
    assert list(tmp_path.iterdir()) == []


def test_a_name_of_thousands_of_digits_is_a_name(tmp_path: Path) -> None:
    name = "9" * 5000
    corpus = Corpus((Continuum(name, (Unit(name, 0, 3, "X"),), text="Ada"),))
    write(corpus, tmp_path / "out.json", "label-studio")
    back = read(tmp_path / "out.json")
    assert (back.continua[0].id, back.annotators) == (name, (name,))
