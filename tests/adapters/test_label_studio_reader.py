"""Label Studio exports: who saw what, which regions count, and what is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read
from goldspan.adapters.facts import chosen_tasks, settled_tasks
from goldspan.adapters.files import json_stream
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Presence
from label_studio_export import annotation, region, save, task

ROOT = Path(__file__).resolve().parents[3] / "shared" / "data"
recorded = pytest.mark.skipif(
    not ROOT.exists(), reason="the recordings in ../shared/data are not here"
)

TEXT = {"text": "Anna met Bob in Rome"}
ANNA = region(0, 4, "PER", text="Anna")
BOB = region(9, 12, "PER", text="Bob", id="r2")
TWO = annotation(2, ANNA), annotation(3, ANNA, BOB)


def messages(corpus: Corpus) -> dict[str, int]:
    return {note.message: note.count for note in corpus.notes}


def units(corpus: Corpus, name: str = "1") -> list[tuple[Any, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in corpus[name].units]


class TestShapes:
    def test_a_plain_export(self, tmp_path: Path) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, *TWO))
        assert detect(path) == "label-studio"
        corpus = read(path)
        assert units(corpus) == [("2", 0, 4, "PER"), ("3", 0, 4, "PER"), ("3", 9, 12, "PER")]
        assert corpus["1"].text == TEXT["text"]
        assert [u.source for u in corpus["1"].units] == ["r1", "r1", "r2"]

    def test_json_min(self, tmp_path: Path) -> None:
        rows = [
            {**TEXT, "doc": "d", "id": 1, "label": [ANNA["value"]], "annotator": 2,
             "annotation_id": 11, "updated_at": "2026", "lead_time": 1.0},
            {**TEXT, "doc": "d", "id": 1, "annotator": 3, "annotation_id": 12, "sentiment": "good"},
        ]  # fmt: skip
        path = save(tmp_path / "x.json", *rows)
        assert detect(path) == "label-studio"
        corpus = read(path)
        assert units(corpus) == [("2", 0, 4, "PER")]
        assert corpus["1"].presence == {"2": Presence.DONE, "3": Presence.EMPTY}

    @pytest.mark.parametrize("wrap", [lambda t: {"tasks": [t], "total": 1}, lambda t: {"task": t}])
    def test_lists_and_tasks_of_the_api(self, tmp_path: Path, wrap: Any) -> None:
        path = tmp_path / "x.json"
        path.write_text(json.dumps(wrap(task(1, TEXT, *TWO))), encoding="utf-8")
        assert detect(path) == "label-studio"
        assert len(read(path)["1"].units) == 3

    def test_a_folder_of_exports(self, tmp_path: Path) -> None:
        save(tmp_path / "a.json", task(1, TEXT, TWO[0]))
        save(tmp_path / "b.json", task(1, TEXT, TWO[1]), task(2, TEXT))
        assert read(tmp_path)["1"].annotators == ("2", "3")

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"there is no \.json file"):
            read(tmp_path, format="label-studio")

    def test_other_results_carry_no_span(self, tmp_path: Path) -> None:
        choice = {"id": "c", "from_name": "ch", "to_name": "text", "type": "choices",
                  "value": {"choices": ["good"]}}  # fmt: skip
        link = {"type": "relation", "from_id": "r1", "to_id": "r2", "direction": "right"}
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, choice, ANNA, link)))
        corpus = read(path)
        assert units(corpus) == [("2", 0, 4, "PER")]
        assert [(u.annotator, u.category) for u in corpus.layers["ch"]["1"].units] == [
            ("2", "good")
        ]
        assert messages(corpus) == {"results of type 'relation' carry no span, skipped": 1}

    def test_a_task_without_regions_before_the_first_region(self, tmp_path: Path) -> None:
        path = save(
            tmp_path / "x.json",
            task(1, {"doc": "long", "text": "short"}, annotation(2), annotation(3)),
            task(2, {"doc": "x", "text": TEXT["text"]}, annotation(2, ANNA)),
        )
        corpus = read(path)
        assert [c.id for c in corpus.continua] == ["1", "2"]
        assert corpus["1"].text == "short"
        assert corpus["1"].presence == {"2": Presence.EMPTY, "3": Presence.EMPTY}

    def test_the_text_is_found_by_what_was_marked(self, tmp_path: Path) -> None:
        data = {"title": "Rome and Anna", "body": TEXT["text"], "source": "Anna, Bob"}
        path = save(tmp_path / "x.json", task(1, data, *TWO))
        assert read(path)["1"].text == TEXT["text"]

    def test_a_text_behind_a_link_is_not_fetched(self, tmp_path: Path) -> None:
        data = {"text": "http://127.0.0.1:9/x.txt"}
        path = save(tmp_path / "x.json", task(1, data, *TWO))
        corpus = read(path)
        assert corpus["1"].text is None
        assert corpus["1"].media == data["text"]
        assert len(corpus["1"].units) == 3
        assert "texts that are links were not fetched" in next(iter(messages(corpus)))

    def test_nothing_marked_at_all(self, tmp_path: Path) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2), annotation(3)))
        assert read(path)["1"].annotators == ("2", "3")


class TestPresence:
    def test_seen_skipped_drafted_and_never_opened(self, tmp_path: Path) -> None:
        draft = {"id": 1, "user": "d@x.org", "created_username": "D d@x.org, 5", "result": [BOB],
                 "annotation": None}  # fmt: skip
        path = save(
            tmp_path / "x.json",
            task(
                1, TEXT, annotation(2, ANNA), annotation(3), annotation(4, BOB, was_cancelled=True),
                drafts=[draft], predictions=[7, 8],
            ),
            task(2, TEXT, annotation(2, ANNA)),
        )  # fmt: skip
        corpus = read(path)
        assert corpus["1"].presence == {
            "2": Presence.DONE,
            "3": Presence.EMPTY,
            "4": Presence.SKIPPED,
            "5": Presence.PARTIAL,
        }
        assert corpus["1"].annotators == ("2", "3")
        assert corpus["2"].presence == {"2": Presence.DONE}
        assert read(path, include_partial=True)["1"].annotators == ("2", "3", "5")

    def test_a_draft_over_a_submitted_annotation_changes_nothing(self, tmp_path: Path) -> None:
        draft = {"id": 1, "user": 2, "result": [BOB], "annotation": 1}
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, ANNA), drafts=[draft]))
        corpus = read(path)
        assert units(corpus) == [("2", 0, 4, "PER")]
        assert messages(corpus) == {"unfinished changes of submitted annotations skipped": 1}

    def test_the_latest_of_two_annotations_counts(self, tmp_path: Path) -> None:
        old = annotation(2, ANNA, id=9, updated_at="2026-01-01T00:00:00Z")
        new = annotation(2, BOB, id=5, updated_at="2026-02-01T00:00:00Z")
        for order in ((old, new), (new, old)):
            corpus = read(save(tmp_path / "x.json", task(1, TEXT, *order)))
            assert units(corpus) == [("2", 9, 12, "PER")]
            message = "annotations replaced by a later one of the same annotator"
            assert messages(corpus) == {message: 1}

    def test_a_submitted_annotation_counts_more_than_a_skipped_one(self, tmp_path: Path) -> None:
        skipped = annotation(2, id=9, was_cancelled=True, updated_at="2027-01-01T00:00:00Z")
        for order in ((TWO[0], skipped), (skipped, TWO[0])):
            corpus = read(save(tmp_path / "x.json", task(1, TEXT, *order)))
            assert corpus["1"].presence == {"2": Presence.DONE}

    def test_predictions_are_no_annotators_unless_asked(self, tmp_path: Path) -> None:
        prediction = {"id": 3, "model_version": "bert", "result": [BOB], "score": 0.5}
        path = save(tmp_path / "x.json", task(1, TEXT, TWO[0], predictions=[prediction]))
        corpus = read(path)
        assert corpus.annotators == ("2",)
        assert messages(corpus) == {"predictions left out (--include-predictions reads them)": 1}
        assert read(path, include_predictions=True).annotators == ("2", "bert")

    def test_ground_truth_is_somebodys_work(self, tmp_path: Path) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, ANNA, ground_truth=True)))
        corpus = read(path)
        assert corpus.annotators == ("2",)
        assert "annotations of '2' marked as ground truth, read like any other" in messages(corpus)

    def test_work_that_began_as_a_prediction_is_told(self, tmp_path: Path) -> None:
        path = save(
            tmp_path / "x.json", task(1, TEXT, annotation(2, ANNA | {"origin": "prediction"}))
        )
        corpus = read(path)
        assert corpus["1"].annotators == ("2",)
        assert "annotations that began as a prediction, read like any other" in messages(corpus)

    @pytest.mark.parametrize(
        ("made", "prediction"),
        [
            (annotation(2, ANNA, parent_prediction=3), {"id": 3, "model_version": "goldspan"}),
            (annotation(2, ANNA | {"meta": {"goldspan": {"votes": []}}}), 3),
        ],
    )
    def test_work_made_from_our_own_suggestions_does_not_count(
        self, tmp_path: Path, made: Any, prediction: Any
    ) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, made, TWO[1], predictions=[prediction]))
        corpus = read(path)
        assert corpus["1"].annotators == ("3",)
        assert (
            "annotations that started from goldspan's suggestions left out: not independent"
            in messages(corpus)
        )


class TestPeople:
    PERSON = {"id": 2, "email": "anna@x.org", "first_name": "Anna", "last_name": "L"}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("source", "name"),
        [(None, "anna@x.org"), ("email", "anna@x.org"), ("id", "2"), ("name", "Anna L")],
    )
    def test_objects_have_several_names(
        self, tmp_path: Path, source: str | None, name: str
    ) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(self.PERSON, ANNA)))
        assert read(path, annotator_from=source).annotators == (name,)

    def test_ids_and_objects_of_one_person_are_one(self, tmp_path: Path) -> None:
        path = save(
            tmp_path / "x.json",
            task(1, TEXT, annotation(2, ANNA)),
            task(2, TEXT, annotation(self.PERSON, ANNA)),
        )
        corpus = read(path)
        assert corpus.annotators == ("anna@x.org",)
        assert units(corpus, "1") == [("anna@x.org", 0, 4, "PER")]

    def test_of_two_annotations_under_id_and_name_the_latest_counts(self, tmp_path: Path) -> None:
        old = annotation(2, ANNA, id=9, updated_at="2026-01-01T00:00:00Z")
        new = annotation(self.PERSON, BOB, id=5, updated_at="2026-02-01T00:00:00Z")
        other = annotation(3, ANNA)
        for files in (((old, other), (new,)), ((new,), (old, other))):
            for number, made in enumerate(files):
                save(tmp_path / f"{number}.json", task(1, TEXT, *made))
            corpus = read(tmp_path)
            assert units(corpus) == [("3", 0, 4, "PER"), ("anna@x.org", 9, 12, "PER")]
            assert (
                messages(corpus)["annotations replaced by a later one of the same annotator"] == 1
            )

    def test_nobody_is_an_error(self, tmp_path: Path) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(None, ANNA)))
        with pytest.raises(InputError, match=r"x\.json:1, task 1: .* --annotator-from file"):
            read(path)

    def test_a_file_for_each_annotator(self, tmp_path: Path) -> None:
        # Two installations: the same user 1, other task numbers, another upload name.
        save(tmp_path / "ann.json", task(1, TEXT, annotation(1, ANNA)), task(2, {"text": "x"}))
        save(tmp_path / "bob.json", task(7, {"text": "x"}), task(8, TEXT, annotation(1, BOB)))
        corpus = read(tmp_path, annotator_from="file")
        assert corpus["1"].annotators == ("ann", "bob")
        assert [c.id for c in corpus.continua] == ["1", "2"]

    def test_uploads_are_known_by_their_names(self, tmp_path: Path) -> None:
        noise = region(0.5, 1.5, "Noise", channel=0, to_name="audio")
        for name, place in (("ann", "3/38fb6c35"), ("bob", "1/0000beef")):
            data = {"audio": f"/data/upload/{place}-tone.wav"}
            save(tmp_path / f"{name}.json", task(name, data, annotation(1, noise)))
        assert len(read(tmp_path, annotator_from="file").continua) == 1

    def test_files_that_all_say_the_same_annotator(self, tmp_path: Path) -> None:
        save(tmp_path / "a.json", task(1, TEXT, annotation(1, ANNA)))
        save(tmp_path / "b.json", task(1, TEXT, annotation(1, BOB)))
        with pytest.raises(InputError, match="all 2 files name the same annotator '1' on the same"):
            read(tmp_path)
        save(tmp_path / "b.json", task(2, TEXT, annotation(1, BOB)))
        assert "all 2 files name the same annotator '1'; if" in next(iter(messages(read(tmp_path))))


class TestLabels:
    MANY = region(0, 4, "PER", "ORG", text="Anna")
    NONE = region(0, 4, text="Anna")

    def test_several_labels_are_a_unit_each_or_joined(self, tmp_path: Path) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, self.MANY)))
        assert [u[3] for u in units(read(path))] == ["ORG", "PER"]
        assert [u[3] for u in units(read(path, labels="join"))] == ["ORG|PER"]

    def test_a_region_without_label_is_an_error_or_gets_one(self, tmp_path: Path) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, self.NONE)))
        with pytest.raises(InputError, match=r"task 1, region r1: .* --unlabelled"):
            read(path)
        assert units(read(path, unlabelled="<none>")) == [("2", 0, 4, "<none>")]

    @pytest.mark.parametrize("control", [None, "mood"])
    def test_null_is_no_label(self, tmp_path: Path, control: str | None) -> None:
        null = self.NONE | {"value": {**self.NONE["value"], "labels": [None]}}
        mood = {"id": "r1", "from_name": "mood", "to_name": "text", "type": "choices",
                "value": {"choices": [None]}}  # fmt: skip
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, null, mood)))
        with pytest.raises(InputError, match=r"task 1, region r1: .* --unlabelled"):
            read(path, category_from=control)
        corpus = read(path, category_from=control, unlabelled="<none>")
        assert units(corpus) == [("2", 0, 4, "<none>")]

    def test_a_per_region_control_can_give_the_category(self, tmp_path: Path) -> None:
        mood = {"id": "r1", "from_name": "mood", "to_name": "text", "type": "choices",
                "value": {"start": 0, "end": 4, "text": "Anna", "choices": ["good"]}}  # fmt: skip
        kind = {"id": "r2", "from_name": "mood", "to_name": "text", "type": "taxonomy",
                "value": {"taxonomy": [["a", "b"]]}}  # fmt: skip
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, ANNA, BOB, mood, kind)))
        assert [u[3] for u in units(read(path, category_from="mood"))] == ["good", "a/b"]

    def test_layers_choose_control_tags(self, tmp_path: Path) -> None:
        other = BOB | {"from_name": "roles"}
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, ANNA, other)))
        assert len(read(path)["1"].units) == 2
        assert units(read(path, layers=["roles"])) == [("2", 9, 12, "PER")]
        assert "nothing is marked with the control or object 'rolls'" in messages(
            read(path, layers=["roles", "rolls"])
        )

    def test_a_layer_that_no_region_has_is_an_error(self, tmp_path: Path) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, ANNA), annotation(3)))
        with pytest.raises(
            SettingsError, match="no control or object 'labell'; there are 'label', 'text'"
        ):
            read(path, layers=["labell"])
        empty = save(tmp_path / "y.json", task(1, TEXT, annotation(2), annotation(3)))
        assert read(empty, layers=["labell"])["1"].annotators == ("2", "3")

    def test_a_control_that_no_region_has_gives_no_category(self, tmp_path: Path) -> None:
        path = save(tmp_path / "x.json", task(1, TEXT, annotation(2, ANNA)))
        with pytest.raises(SettingsError, match="no control 'zzz' in any region; there are 'la"):
            read(path, category_from="zzz", unlabelled="X")
        empty = save(tmp_path / "y.json", task(1, TEXT, annotation(2)))
        assert read(empty, category_from="zzz").annotators == ("2",)

    def test_two_objects_are_not_mixed(self, tmp_path: Path) -> None:
        data = {"text": TEXT["text"], "other": "Bob was not there at all"}
        elsewhere = region(0, 3, "PER", text="Bob", to_name="other", from_name="l2", id="r9")
        path = save(tmp_path / "x.json", task(1, data, annotation(2, ANNA, elsewhere)))
        with pytest.raises(InputError, match=r"region r9: regions are on several .* with --layer"):
            read(path)
        assert units(read(path, layers=["text"])) == [("2", 0, 4, "PER")]
        found = read(path, layers=["l2"])
        assert found["1"].text == data["other"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", ":1, task 1: the task has no data"),
        ("[1]", ":1: a task is the int 1 where an object is expected"),
        ('[{"id": 3, "data": [], "annotations": []}]', ":1, task 3: the task has no data"),
        (
            '[\n{"id": 3, "data": {}, "annotations": "x"}]',
            ":2, task 3: 'annotations' is a text where a list is expected",
        ),
        (
            [task(3, TEXT, annotation(2) | {"result": "x"})],
            ":1, task 3: 'result' is a text where a list",
        ),
        ([task(3, TEXT, annotation(2, "x"))], ":1, task 3: a region is a text, not an object"),  # type: ignore[arg-type]
        (
            [task(3, TEXT, annotation(2, ANNA | {"value": None}))],
            ":1, task 3, region r1: the region has no value",
        ),
        (
            [task(3, TEXT, annotation(2, ANNA | {"from_name": []}))],
            ":1, task 3, region r1: the region has a type or a name that is not text",
        ),
        (
            [task(3, TEXT, annotation(2, region("x", 4, "PER", text="Anna")))],
            ":1, task 3, region r1: 'start' is 'x' where a whole number",
        ),
        (
            [task(3, TEXT, annotation(2, region(0, 400, "PER", text="Anna")))],
            ":1, task 3, region r1: the span .* is outside the text of 20 characters",
        ),
        (
            [task(3, TEXT, annotation(2, region(0.5, 5, "PER")))],
            ":1, task 3, region r1: 'start' is 0.5 where a whole number is expected",
        ),
        (
            [task(3, {"n": 1}, annotation(2, ANNA))],
            r":1, task 3: no field of the data \(n\) could be the text",
        ),
        (
            [
                task(
                    3,
                    {"video": "v"},
                    annotation(2, region(0, 0, kind="timelinelabels", value={"ranges": 3})),
                )
            ],
            ":1, task 3, region r1: the region has no ranges",
        ),
        (
            [task(3, {"a": "v"}, annotation(2, region("x", 1, "N", channel=0)))],
            ":1, task 3, region r1: 'start' is 'x' where a number",
        ),
        (
            [task(3, {"ts": "v"}, annotation(2, region("soon", 1, "N", kind="timeserieslabels")))],
            ":1, task 3, region r1: 'start' is 'soon', which is neither a number nor an ISO date",
        ),
        (
            [
                task(
                    3,
                    {"d": [{"text": "x"}]},
                    annotation(
                        2, region("7", "7", "N", kind="paragraphlabels", startOffset=0, endOffset=1)
                    ),
                )
            ],
            ":1, task 3, region r1: there is no paragraph 7; there are 1",
        ),
    ],
)
def test_bad_input_names_task_and_region(tmp_path: Path, content: Any, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=rf"^{path}{message}"):
        read(path, format="label-studio")


@recorded
def test_leoka_2024() -> None:
    path = ROOT / "labelstudio_leoka" / "LEOKA_team_1.json"
    corpus = read(path, starred="annotation")
    told = messages(corpus)
    assert len(corpus.continua) == 130
    assert len(corpus.annotators) == 3
    read_spans = sum(len(c.units) for c in corpus.continua) + told["duplicate spans counted once"]
    assert read_spans == 3260
    # Four empty results, and one that holds a taxonomy but no region.
    empty = [
        state for c in corpus.continua for state in c.presence.values() if state is Presence.EMPTY
    ]
    assert len(empty) == 5
    assert sum(len(c.annotators) for c in corpus.continua) == 389
    labelled = corpus.layers["Category"]
    assert sum(len({u.annotator for u in c.units}) for c in labelled) == 383
    # In each task somebody starred one of the students' own annotations, mostly an early one.
    usual = read(path)
    assert sum(len(c.annotators) for c in usual) == 389
    assert len(chosen_tasks(usual.notes)) == len(settled_tasks(usual.notes)) == 130
    told = read(path, starred="adjudication")
    assert sum(len(c.annotators) for c in told) == 389 - 130
    assert chosen_tasks(told.notes) == frozenset()


@recorded
def test_recorded_presences() -> None:
    corpus = read(ROOT / "labelstudio_live" / "export_ner_JSON.json")
    assert corpus["3"].presence == {
        "1": Presence.PARTIAL,
        "2": Presence.DONE,
        "3": Presence.DONE,
        "4": Presence.DONE,
        "6": Presence.SKIPPED,
    }
    snapshot = read(ROOT / "labelstudio_live" / "export_snapshot_completed_by_object.json")
    assert snapshot.annotators[:3] == ("ann1@example.com", "ann2@example.com", "ann3@example.com")


KINDS = [
    task(1, TEXT, *TWO, annotation(4, was_cancelled=True)),
    task(
        2,
        {"html": "<p>Anna</p>"},
        annotation(
            2,
            region(
                "/p[1]/text()[1]",
                "/p[1]/text()[1]",
                "PER",
                kind="hypertextlabels",
                startOffset=0,
                endOffset=4,
                globalOffsets={"start": 0, "end": 4},
                text="Anna",
            ),
        ),
    ),
    task(
        3,
        {"d": [{"text": "Anna"}]},
        annotation(2, region("0", "0", "P", kind="paragraphlabels", startOffset=0, endOffset=2)),
        drafts=[{"id": 1, "user": 3, "result": [], "annotation": None}],
    ),
    task(
        4,
        {"audio": "x.wav"},
        annotation(2, region(0.5, 1.5, "N", channel=0, original_length=3.0)),
        predictions=[{"id": 1, "model_version": "m", "result": []}],
        meta={"goldspan": {"presence": {"x": "unseen"}, "length": 3000, "scale": ["N"]}},
    ),
    task(
        5,
        {"video": "x.mp4"},
        annotation(
            {"id": 2, "email": "a@x.org"},
            region(0, 0, kind="timelinelabels",
                   value={"ranges": [{"start": 1, "end": 2}], "timelinelabels": ["R"]}),
        ),
    ),
    task(6, {"ts": "x.csv"}, annotation(2, region(1, 2, "U", kind="timeserieslabels"))),
    {**TEXT, "id": 7, "label": [ANNA["value"]], "annotator": 2, "annotation_id": 11},
]  # fmt: skip

JUNK = st.sampled_from([None, True, -1, 0, 3, 10**30, 1.5, float("nan"), float("inf"), "", "x", "7",
                        [], [1], ["x"], [[]], {}, {"x": 1}, [{}]])  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, one in inner:
        found += places(one, (*path, key))
    return found


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(KINDS), st.data())
def test_whatever_is_wrong_is_said_in_a_sentence_the_same_by_both_decoders(
    tmp_path_factory: pytest.TempPathFactory, sound: dict[str, Any], data: st.DataObject
) -> None:
    broken = json.loads(json.dumps(sound))
    for _ in range(data.draw(st.integers(1, 2))):
        *way, last = data.draw(st.sampled_from(places(broken)))
        inner = broken
        for key in way:
            inner = inner[key]
        if data.draw(st.booleans()):
            inner[last] = copy.deepcopy(data.draw(JUNK))
        else:
            inner.pop(last)
        if not places(broken):
            break
    path = tmp_path_factory.getbasetemp() / "broken.json"
    path.write_text(json.dumps([broken]), encoding="utf-8")
    found = outcome(path)
    with patch.object(json_stream, "LARGEST", 0):
        assert outcome(path) == found


def outcome(path: Path) -> str:
    """All there is in the corpus, or the sentence; anything but an InputError ends the test."""
    try:
        return repr(read(path, "label-studio", include_predictions=True, include_partial=True))
    except InputError as error:
        return str(error)


def test_files_with_other_texts_under_one_id_are_not_mixed(tmp_path: Path) -> None:
    save(tmp_path / "a.json", task(1, TEXT, annotation(2, ANNA)), task(2, TEXT, annotation(2)))
    save(tmp_path / "b.json", task(1, {"text": "Anna was away"}, annotation(3, ANNA)))
    corpus = read(tmp_path)
    assert [c.id for c in corpus.continua] == ["2"]
    assert [(n.task, n.message) for n in corpus.notes] == [
        ("1", "left out: its text is not the same for all annotators")
    ]
