"""What a snapshot takes for people's, and for ours."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goldspan.adapters.adapter import ReadOptions
from goldspan.plugin.label_studio.snapshot import Snapshot, pull
from label_studio_export import annotation, region, task
from label_studio_recorded import Recorded

ANNA = region(0, 4, "PER", text="Anna")


def pulled(folder: Path, *tasks: Any, predictions: Sequence[Any] = ()) -> Snapshot:
    return pull(Recorded(tasks, predictions), 5, folder)


def test_the_star_of_somebody_who_is_gone_still_settles_a_task(tmp_path: Path) -> None:
    theirs = annotation(None, ANNA, ground_truth=True, parent_prediction=9)
    ours = {"id": 9, "task": 1, "model_version": "goldspan", "result": [], "score": None}
    snapshot = pulled(tmp_path, task(1, {"text": "Anna"}, theirs), predictions=[ours])
    assert snapshot.settled == {1}
    assert snapshot.started_from == {9}
    assert [(note.message, note.count) for note in snapshot.notes] == [
        ("annotations of deleted accounts left out", 1)
    ]
    (kept,) = snapshot.tasks
    assert kept["annotations"] == []


def test_nothing_is_left_of_what_the_server_sent(tmp_path: Path) -> None:
    """The export is decoded once: every later use is of the same values, which stay as they are."""
    snapshot = pulled(tmp_path, task(1, {"text": "Anna"}, annotation(1, ANNA), annotation(2, ANNA)))
    assert list(tmp_path.iterdir()) == []
    before = copy.deepcopy(snapshot.tasks)
    assert snapshot.corpus(ReadOptions()) == snapshot.corpus(ReadOptions())
    assert snapshot.tasks == before


def test_columns_are_ours_where_they_are_complete(tmp_path: Path) -> None:
    ours = {"goldspan_annotators": 2, "goldspan_to_decide": 0, "goldspan_differ": "nothing"}
    snapshot = pulled(
        tmp_path,
        task(1, {"text": "Anna"} | ours),
        task(2, {"text": "Anna", "goldspan_gamma": 0.5}),
        task(3, {"text": "Anna"}),
    )
    assert snapshot.columns == {1: ours}
    assert snapshot.taken == {2: ["goldspan_gamma"]}
