"""Hugging Face datasets: Parquet and Arrow in the shapes that `datasets` writes."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldspan.adapters import detect, read, write
from goldspan.engine.errors import GoldspanError, InputError, SettingsError
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit
from strategies import corpora


def save(path: Path, rows: list[dict[str, Any]], features: object = None) -> Path:
    table = pa.Table.from_pylist(rows)
    if features is not None:
        told = json.dumps({"info": {"features": features}}).encode()
        table = table.replace_schema_metadata({b"huggingface": told})
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        make = pyarrow.ipc.new_file if path.stem == "file" else pyarrow.ipc.new_stream
        with make(str(path), table.schema) as sink:
            sink.write_table(table)
    return path


def spans(corpus: Corpus) -> list[tuple[object, ...]]:
    return [(c.id, u.annotator, u.start, u.end, u.category) for c in corpus for u in c.units]


def span(start: int, end: int, label: object = "PER", **more: object) -> dict[str, object]:
    return {"start": start, "end": end, "label": label, **more}


ROWS = [
    {"id": 7, "text": "Anna came.", "annotator": "a", "spans": [span(0, 4)]},
    {"id": 7, "text": "Anna came.", "annotator": "b", "spans": []},
    {"id": 8, "text": "Rome", "annotator": "b", "spans": [span(0, 4, "LOC")]},
]


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "file.arrow"])
def test_a_row_for_each_annotator(tmp_path: Path, name: str) -> None:
    path = save(tmp_path / name, ROWS)
    assert detect(path) == detect(tmp_path) == "huggingface"
    corpus = read(path)
    assert spans(corpus) == [("7", "a", 0, 4, "PER"), ("8", "b", 0, 4, "LOC")]
    assert corpus["7"].presence == {"a": Presence.DONE, "b": Presence.EMPTY}
    assert corpus["8"].presence == {"a": Presence.UNSEEN, "b": Presence.DONE}
    assert corpus["7"].text == "Anna came."


def test_labels_that_are_numbers_have_names_in_the_features(tmp_path: Path) -> None:
    rows = [{"text": "Anna", "worker": 3, "entities": [span(0, 4, 1), span(0, 2, 9)]}]
    kind = {"names": ["PER", "LOC"], "_type": "ClassLabel"}
    for features in (
        {"entities": [{"start": {}, "label": kind}]},
        {"entities": {"feature": {"label": kind}, "_type": "List"}},
    ):
        corpus = read(save(tmp_path / "t.parquet", rows, features))
        assert spans(corpus) == [("text 1", "3", 0, 2, "9"), ("text 1", "3", 0, 4, "LOC")]
    assert [row[-1] for row in spans(read(save(tmp_path / "t.parquet", rows)))] == ["9", "1"]


def test_an_object_of_lists_and_annotators_inside_spans(tmp_path: Path) -> None:
    """As `Sequence({…})` of older versions of `datasets` is stored."""
    cell = {"begin": [0, 5], "stop": [4, 9], "type": ["A", "B"], "annotator": ["x", "y"]}
    path = save(tmp_path / "t.parquet", [{"doc_id": "d", "sentence": "Anna came.", "marks": cell}])
    assert spans(read(path, layers="marks")) == [("d", "x", 0, 4, "A"), ("d", "y", 5, 9, "B")]
    with pytest.raises(
        InputError, match=r"no column of spans .*--layer COLUMN names one of doc_id"
    ):
        read(path)


def test_a_file_for_each_annotator(tmp_path: Path) -> None:
    for name, start in (("a", 0), ("b", 1)):
        save(tmp_path / f"{name}.parquet", [{"text": "Anna", "spans": [span(start, 4)]}])
    corpus = read(tmp_path, annotator_from="file")
    assert spans(corpus) == [("text 1", "a", 0, 4, "PER"), ("text 1", "b", 1, 4, "PER")]
    with pytest.raises(InputError, match="nothing says who marked the spans"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("row", "options", "said"),
    [
        ({"text": "x", "tokens": ["x"]}, {}, "tokens with tags can be read as CoNLL"),
        ({"text": "x", "spans": [{"end": 1}]}, {}, "has no number under start, begin"),
        ({"text": "x", "spans": ["PER"]}, {}, "does not hold spans with a start"),
        ({"text": 5, "spans": []}, {}, "'text' is not a text"),
        ({"other": 5, "spans": []}, {}, "neither an id nor a text"),
        ({"text": "x", "spans": [], "presence": "maybe"}, {}, "'maybe' is not one of"),
        ({"text": "x", "spans": [], "measure": "mile"}, {}, "'mile' is not a measure"),
        ({"text": "x", "annotator": "a", "spans": [span(0, 9)]}, {}, "is outside"),
        ({"text": "x", "spans": []}, {"annotator_from": "who"}, "no column 'who'"),
        ({"text": "x", "spans": []}, {"layers": "who"}, "no column 'who'"),
        ({"id": 1, "spans": {"start": [1], "end": [2, 3]}}, {}, "differ in length"),
    ],
)
def test_bad_rows_are_one_sentence(
    tmp_path: Path, row: dict[str, Any], options: dict[str, str], said: str
) -> None:
    with pytest.raises(GoldspanError, match=said):
        read(save(tmp_path / "t.parquet", [row]), **options)


def test_a_task_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row 4: 'a' has the task '7' twice"):
        read(save(tmp_path / "t.parquet", [*ROWS, ROWS[0]]))


def test_damaged_files_are_one_sentence(tmp_path: Path) -> None:
    for name in ("t.parquet", "t.arrow"):
        whole = save(tmp_path / name, ROWS).read_bytes()
        for size in range(4, len(whole) - 16, 97):
            (tmp_path / name).write_bytes(whole[:size])
            with pytest.raises(GoldspanError):
                read(tmp_path / name, "huggingface")


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.one_of(
        corpora(presences=tuple(Presence), max_tasks=3),
        corpora(measure=Measure.MILLISECOND, with_text=False, length=50, max_tasks=3),
    ),
    st.sampled_from((".parquet", ".arrow")),
)
def test_round_trip(corpus: Corpus, suffix: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"out{suffix}")
        write(corpus, path, "huggingface")
        back = read(path)
    for one, other in zip(corpus, back, strict=True):
        everyone = dict.fromkeys(back.annotators, Presence.UNSEEN) | dict(one.presence)
        assert (one.id, one.text, one.length, one.measure, one.media) == (
            other.id, other.text, other.length, other.measure, other.media,
        )  # fmt: skip
        assert {n: s for n, s in other.presence.items() if n in everyone} == {
            n: everyone[n] for n in other.presence
        }
    assert spans(back) == spans(corpus)


def test_gold(tmp_path: Path) -> None:
    units = (Unit("a", 0, 4, "PER"), Unit("b", 0, 4, "PER"))
    corpus = Corpus((Continuum("t", units, text="Anna"), Continuum("u", units, text="Anna")))
    gold = Gold(corpus, {"t": (GoldSpan(0, 4, "PER", 0.75, units, seen=2),)}, "majority")
    notes = write(gold, tmp_path / "gold.parquet", "huggingface")
    assert [(note.message, note.count) for note in notes] == [("tasks without gold left out", 1)]
    (row,) = pyarrow.parquet.read_table(tmp_path / "gold.parquet").to_pylist()
    assert row["spans"] == [
        {"start": 0, "end": 4, "label": "PER", "confidence": 0.75, "votes": ["a", "b"], "seen": 2}
    ]
    with pytest.raises(SettingsError, match=r"not a \.parquet or \.arrow file"):
        write(gold, tmp_path / "gold.json", "huggingface")
