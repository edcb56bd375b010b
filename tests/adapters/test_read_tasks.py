"""Tasks as values give the same corpus as the file that holds them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldspan.adapters import read, read_tasks
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus
from label_studio_export import annotation, region, save, task

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
REAL = sorted(SHARED.glob("labelstudio_*/**/*.json"))

ANNA = region(0, 4, "PER", text="Anna", id="a")
BOB = region(9, 12, "PER", text="Bob", id="b")
TEXT = {"text": "Anna met Bob"}
FULL = [
    task(7, TEXT, annotation(1, ANNA, BOB), annotation(2, ANNA)),
    task(8, TEXT, annotation(1), annotation(2, BOB)),
]
MIN = [
    {"id": 7, "text": "Anna met Bob", "annotator": who, "annotation_id": 10 + who, "label": marked}
    for who, marked in (
        (1, [{"start": 0, "end": 4, "text": "Anna", "labels": ["PER"]}]),
        (2, [{"start": 9, "end": 12, "text": "Bob", "labels": ["PER"]}]),
    )
]


@pytest.mark.parametrize(
    "tasks", [FULL, MIN, [{"tasks": FULL}], [{"task": FULL[0]}, {"task": FULL[1]}]]
)
def test_values_and_files_are_read_alike(tasks: list[Any], tmp_path: Path) -> None:
    path = save(tmp_path / "x.json", *tasks)
    before = copy.deepcopy(tasks)
    corpus = read_tasks(iter(tasks), "label-studio")
    assert corpus == read(path, format="label-studio")
    assert corpus.annotators == ("1", "2")
    assert tasks == before


def outcome(read_it: Callable[[], Corpus]) -> Corpus | str:
    """What is read, or why it is refused, wherever that is."""
    try:
        return read_it()
    except InputError as error:
        return error.message


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_files_are_read_alike(path: Path) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    tasks = value if isinstance(value, list) else [value]
    expected = outcome(lambda: read(path, format="label-studio"))
    assert outcome(lambda: read_tasks(tasks, "label-studio")) == expected


def test_options_work_as_for_files() -> None:
    machine = {"id": 3, "model_version": "bert", "result": [ANNA]}
    tasks = [FULL[0] | {"predictions": [machine]}]
    assert read_tasks(tasks, "label-studio").annotators == ("1", "2")
    both = read_tasks(tasks, "label-studio", include_predictions=True, exclude_annotators="2")
    assert both.annotators == ("1", "bert")
    with pytest.raises(SettingsError, match="--fragments does not apply to the format"):
        read_tasks(tasks, "label-studio", fragments="hull")
    with pytest.raises(SettingsError, match=r"'file' takes names of files, .* use email, id or"):
        read_tasks(tasks, "label-studio", annotator_from="file")


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        ([task(4, TEXT, annotation(1, region(3, 99, "PER", id="z")))], r"^task 4, region z: "),
        ([FULL[0], "no"], r"^task 2 of the list is a text where an object is expected"),
        ([{"id": 5}], r"^task 5: the task has no data"),
        ([], r"^the tasks: there is no task in it"),
    ],
)
def test_an_error_names_the_task_where_there_is_no_file(tasks: list[Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_tasks(tasks, "label-studio")


def test_a_format_that_needs_files_says_so() -> None:
    with pytest.raises(SettingsError, match="'elan' can be read from files only"):
        read_tasks([], "elan")
