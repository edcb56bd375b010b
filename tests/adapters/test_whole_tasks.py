"""Labels of whole tasks in every format that holds them: round trips, presence, bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldspan.adapters import read, write
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.label_studio.config import config_template
from goldspan.engine import Corpus, InputError, Measure, Presence, SettingsError, merge, score
from strategies import corpora, with_layers

Given = dict[str, dict[str, dict[str, list[str]]]]
"""Labels by layer, task and annotator."""


def given_labels(corpus: Corpus) -> Given:
    """What a corpus holds of labels, as plain values; empty ones are annotators who gave none."""
    return {
        name: {
            one.id: {who: [u.category for u in one.of(who)] for who in one.annotators}
            for one in layer
        }
        for name, layer in corpus.layers.items()
    }


def plain(corpus: Corpus) -> tuple[Any, Given]:
    """All that must survive."""
    spans = [(one.id, one.units, dict(one.presence)) for one in corpus]
    return sorted(spans), {
        name: dict(sorted(of.items())) for name, of in given_labels(corpus).items()
    }


BINARY = st.sampled_from(["accept", "reject"])
TEXTS = corpora(max_tasks=3, max_units=2).flatmap(with_layers)
NUMBERS = corpora(max_tasks=3, max_units=2, with_text=False).flatmap(with_layers)


@settings(max_examples=40, deadline=None)
@given(corpus=TEXTS)
def test_label_studio_round_trip(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("ls") / "out.json"
    write(corpus, path, "label-studio")
    assert plain(read(path, "label-studio")) == plain(corpus)


@settings(max_examples=25, deadline=None)
@given(corpus=TEXTS)
def test_doccano_round_trip(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("doccano") / "out"
    write(corpus, path, "doccano")
    assert plain(read(path, "doccano")) == plain(corpus)


@settings(max_examples=25, deadline=None)
@given(corpus=TEXTS | TEXTS.flatmap(lambda c: with_layers(c, categories=BINARY)))
def test_prodigy_round_trip(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("prodigy") / "out.jsonl"
    write(corpus, path, "prodigy")
    assert plain(read(path, "prodigy")) == plain(corpus)


@pytest.mark.parametrize("suffix", [".jsonl", ".spacy"])
@settings(max_examples=15, deadline=None)
@given(corpus=TEXTS)
def test_spacy_round_trip(
    suffix: str, corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("spacy") / f"out{suffix}"
    write(corpus, path, "spacy")
    assert plain(read(path, "spacy")) == plain(corpus)


@settings(max_examples=25, deadline=None)
@given(corpus=NUMBERS)
def test_csv_round_trip(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("csv") / "out.csv"
    write(corpus, path, "csv")
    beside = path.with_name("out.assignments.csv")
    found = read(path, "csv", assignments=beside if beside.exists() else None)
    kept = {
        name: of
        for name, of in given_labels(corpus).items()
        if any(labels for task in of.values() for labels in task.values())
    }
    assert given_labels(found) == kept


def export(*works: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Tasks of Label Studio, from the results of each annotator."""
    return [
        {
            "id": number,
            "data": {"text": "a text"},
            "annotations": [
                {"id": f"{number}{name}", "completed_by": {"email": name}, "result": result}
                for name, result in work.items()
            ],
        }
        for number, work in enumerate(works, start=1)
    ]


def result(kind: str, value: Any, control: str = "kind", **more: Any) -> dict[str, Any]:
    """A result that labels the whole task, unless `more` says otherwise."""
    return {
        "id": f"{control}1",
        "from_name": control,
        "to_name": "text",
        "type": kind,
        "value": {kind: value},
    } | more


SPAN = {
    "id": "s1",
    "from_name": "label",
    "to_name": "text",
    "type": "labels",
    "value": {"start": 0, "end": 1, "text": "a", "labels": ["X"]},
}


def save(path: Path, rows: Any) -> Path:
    """JSON, or JSON Lines."""
    lines = rows if path.suffix == ".jsonl" else [rows]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    return path


class TestLabelStudio:
    @pytest.mark.parametrize(
        ("kind", "value", "labels"),
        [
            ("choices", ["pos"], ["pos"]),
            ("choices", ["pos", "new"], ["new", "pos"]),
            ("taxonomy", [["News", "Sport"], ["News", "Art"]], ["Art", "Sport"]),
            ("rating", 4, ["4"]),
            ("rating", 3.5, ["3.5"]),
        ],
    )
    def test_every_control_gives_labels(
        self, tmp_path: Path, kind: str, value: Any, labels: list[str]
    ) -> None:
        path = save(tmp_path / "x.json", export({"ann": [result(kind, value)], "ben": []}))
        assert given_labels(read(path)) == {"kind": {"1": {"ann": labels, "ben": []}}}

    def test_an_attribute_of_a_region_is_not_a_label_of_the_task(self, tmp_path: Path) -> None:
        of_region = result("choices", ["sure"], "surely", id="s1")
        placed = result("choices", ["sure"], "surely")
        placed["value"] |= {"start": 0, "end": 1}
        path = save(tmp_path / "x.json", export({"ann": [SPAN, of_region, placed]}))
        corpus = read(path)
        assert not corpus.layers
        assert [note.fact.kind for note in corpus.notes] == [FormatFact.TYPE_WITHOUT_SPAN]

    def test_spans_and_labels_are_read_side_by_side_or_by_layer(self, tmp_path: Path) -> None:
        works = {"ann": [SPAN, result("choices", ["pos"])], "ben": [result("choices", ["neg"])]}
        path = save(tmp_path / "x.json", export(works))
        both = read(path)
        assert [len(one.units) for one in both] == [1]
        assert both["1"].presence == {"ann": Presence.DONE, "ben": Presence.EMPTY}
        labels = read(path, layers="kind")
        assert [len(one.units) for one in labels] == [0]
        assert given_labels(labels) == given_labels(both)
        assert not read(path, layers="label").layers
        with pytest.raises(SettingsError, match="there are 'kind', 'label', 'text'"):
            read(path, layers="nothing")

    @pytest.mark.parametrize(
        ("kind", "value", "message"),
        [
            ("choices", 3, "'choices' is 3 where a list is expected"),
            ("choices", [{}], "'choices' has {} where a label is expected"),
            ("taxonomy", [[[]]], r"'taxonomy' has \[\] where a label is expected"),
            ("rating", "many", "the rating is 'many', not a number"),
        ],
    )
    def test_bad_values_name_the_task(
        self, tmp_path: Path, kind: str, value: Any, message: str
    ) -> None:
        path = save(tmp_path / "x.json", export({"ann": [result(kind, value)]}))
        with pytest.raises(InputError, match=rf"task 1, region kind1: {message}"):
            read(path)

    def test_a_configuration_names_the_labels_in_their_order(self) -> None:
        template = config_template(
            '<View><Text name="text" value="$text"/>'
            '<Choices name="mood" toName="text"><Choice value="good"/>'
            '<Choice value="x" alias="bad"/></Choices><Taxonomy name="topic" toName="text">'
            '<Choice value="News"><Choice value="Art"/></Choice></Taxonomy>'
            '<Rating name="stars" toName="text"/>'
            '<Choices name="sure" toName="text" perRegion="true"><Choice value="yes"/></Choices>'
            '<Choices name="own" toName="text" value="$options"/></View>'
        )
        assert {name: one.labels for name, one in template.layers.items()} == {
            "mood": ("good", "bad"),
            "topic": ("News", "Art"),
            "stars": ("1", "2", "3", "4", "5"),
            "own": (),
        }
        assert template.layer("topic").value(["Art"]) == {"taxonomy": [["News", "Art"]]}
        assert (template.kind, template.key) == ("text", "text")

    def test_gold_takes_the_controls_of_the_source(self, tmp_path: Path) -> None:
        work = [result("taxonomy", [["News", "Sport"]], "topic"), result("rating", 4, "stars")]
        path = save(tmp_path / "x.json", export(*[{"ann": work, "ben": work}] * 2))
        corpus = read(path)
        gold = merge(corpus, score(corpus))
        write(gold, tmp_path / "gold.json", "label-studio", source=path)
        (first, _) = json.loads((tmp_path / "gold.json").read_text(encoding="utf-8"))
        assert [one["value"] for one in first["predictions"][0]["result"]] == [
            {"taxonomy": [["News", "Sport"]]},
            {"rating": 4},
        ]


class TestProdigy:
    def test_labels_to_accept_or_reject_are_a_layer_each(self, tmp_path: Path) -> None:
        rows = [
            {"text": "a", "label": label, "answer": answer, "_session_id": f"set-{name}",
             "_view_id": "classification"}
            for name, label, answer in [
                ("ann", "SPORT", "accept"), ("ben", "SPORT", "reject"), ("cleo", "SPORT", "ignore"),
                ("ann", "ART", "reject"), ("ben", "ART", "reject"),
            ]
        ]  # fmt: skip
        corpus = read(save(tmp_path / "set.jsonl", rows), "prodigy")
        assert [given_labels(corpus)[layer][corpus.continua[0].id] for layer in corpus.layers] == [
            {"ann": ["accept"], "ben": ["reject"]},
            {"ann": ["reject"], "ben": ["reject"]},
        ]
        assert corpus.continua[0].presence["cleo"] is Presence.SKIPPED

    def test_a_choice_without_an_option_is_empty_and_the_last_answer_counts(
        self, tmp_path: Path
    ) -> None:
        base = {"text": "a", "options": [{"id": "x"}, {"id": "y"}], "_view_id": "choice"}
        rows = [
            base | {"accept": accept, "answer": "accept", "_session_id": f"set-{name}"}
            for name, accept in [("ann", ["x"]), ("ann", ["y"]), ("ben", [])]
        ]
        corpus = read(save(tmp_path / "set.jsonl", rows), "prodigy")
        (labels,) = given_labels(corpus)["label"].values()
        assert labels == {"ann": ["y"], "ben": []}
        assert corpus.layers["label"].scale == ("x", "y")

    def test_a_view_that_is_not_a_text_is_no_bug(self, tmp_path: Path) -> None:
        row = {"text": "a", "accept": ["x"], "answer": "accept", "_session_id": "s-ann"}
        corpus = read(save(tmp_path / "s.jsonl", [row | {"_view_id": ["choice"]}]), "prodigy")
        assert list(corpus.layers) == ["label"]


class TestDoccano:
    def test_a_project_of_text_classification(self, tmp_path: Path) -> None:
        for name, label in (("ann", ["pos"]), ("ben", ["neg", "new"])):
            rows = [{"id": 1, "text": "a", "label": label}, {"id": 2, "text": "b", "label": []}]
            save(tmp_path / f"{name}.jsonl", rows)
        corpus = read(tmp_path, empty="seen")
        assert given_labels(corpus) == {
            "label": {
                "1": {"ann": ["pos"], "ben": ["neg", "new"]},
                "2": {"ann": [], "ben": []},
            }
        }

    def test_intents_beside_slots_are_called_cats(self, tmp_path: Path) -> None:
        entity = {"start_offset": 0, "end_offset": 1, "label": "X"}
        row = {"id": 1, "text": "ab", "entities": [entity], "cats": ["ask"]}
        corpus = read(save(tmp_path / "ann.jsonl", [row]), "doccano")
        assert given_labels(corpus) == {"cats": {"1": {"ann": ["ask"]}}}
        assert len(corpus["1"].units) == 1


class TestSpacy:
    def test_a_file_for_each_annotator_gives_the_labels_from_half_up(self, tmp_path: Path) -> None:
        for name, cats in (("ann", {"pos": 0.5, "neg": 0.4}), ("ben", {"pos": 0.1, "neg": 0})):
            save(tmp_path / f"{name}.jsonl", [{"id": "1", "text": "a", "cats": cats}])
        corpus = read(tmp_path, "spacy", annotator_from="file")
        assert given_labels(corpus) == {"cats": {"1": {"ann": ["pos"], "ben": []}}}

    def test_gold_is_one_for_the_suggested_label_and_zero_for_the_others(
        self, tmp_path: Path
    ) -> None:
        rows = "task,annotator,label\n1,ann,x\n1,ben,x\n1,cleo,y\n2,ann,y\n2,ben,y\n"
        table = tmp_path / "t.csv"
        table.write_text(rows, encoding="utf-8")
        bare = read(table, empty="unseen")
        texts = [replace(one, text="a", length=1, measure=Measure.CHARACTER) for one in bare]
        corpus = replace(bare, continua=tuple(texts))
        write(merge(corpus, score(corpus)), tmp_path / "gold.jsonl", "spacy")
        lines = (tmp_path / "gold.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["cats"] for line in lines] == [{"x": 1, "y": 0}, {"x": 0, "y": 1}]

    @pytest.mark.parametrize("value", ["yes", 1.5, -(10**400)])
    def test_bad_cats_name_the_line(self, tmp_path: Path, value: object) -> None:
        path = save(tmp_path / "ann.jsonl", [{"text": "a", "cats": {"pos": value}}])
        with pytest.raises(InputError, match=rf"{path}:1: 'cats' does not give the label 'pos' a"):
            read(path, "spacy", annotator_from="file")


class TestCsv:
    def test_rows_without_positions_are_labels(self, tmp_path: Path) -> None:
        path = tmp_path / "t.csv"
        path.write_text(
            "task,annotator,category,start,end,layer\n"
            "1,ann,PER,0,4,\n1,ben,PER,0,5,\n1,ann,pos,,,mood\n1,ben,,,,mood\n1,ben,b,,,\n",
            encoding="utf-8",
        )
        corpus = read(path)
        assert len(corpus["1"].units) == 2
        assert given_labels(corpus) == {
            "mood": {"1": {"ann": ["pos"], "ben": []}},
            "label": {"1": {"ann": [], "ben": ["b"]}},
        }
        assert [len(one.units) for one in read(path, layers="mood")] == [0]
        with pytest.raises(SettingsError, match="'x'; there are 'label', 'mood'"):
            read(path, layers="x")


def test_a_format_without_a_place_for_labels_says_so(tmp_path: Path) -> None:
    path = save(tmp_path / "x.json", export({"ann": [SPAN, result("choices", ["pos"])]}))
    notes = write(read(path), tmp_path / "out", "brat")
    assert FormatFact.LABELS_LOST in [note.fact.kind for note in notes]


def test_excluded_and_renamed_annotators_and_labels(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("task,annotator,label\n1,ann,x\n1, ann ,y\n1,ben,x\n1,gold,x\n")
    corpus = read(path, exclude_annotators=["ben"], rename_labels={"x": "new"})
    assert given_labels(corpus) == {"label": {"1": {"ann": ["new", "y"]}}}
