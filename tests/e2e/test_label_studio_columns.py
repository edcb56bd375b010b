"""Columns of many tasks in a real Label Studio: in few calls, nothing else touched, no churn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goldspan.plugin.label_studio.columns import ANNOTATORS, DIFFER, GAMMA, PENDING
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.sync import SyncOptions, sync
from goldspan.plugin.label_studio.undo import undo
from goldspan.plugin.label_studio.writing.column_writer import FEW_TASKS
from label_studio_api import Json, LabelStudioApi
from label_studio_projects import SAMPLES, text_span
from label_studio_server import LabelStudioServer

TASKS = 24
WORDS = ("anna", "rome", "walks", "to", "the", "harbour", "with", "bob", "and", "paris")


class Counted(Server):
    """A server that counts the calls that were made, by kind, and knows the tasks changed."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token)
        self.calls: Counter[str] = Counter()
        self.changed: set[int] = set()

    def call(self, method: Any, path: str, **more: Any) -> Any:
        kind, _, number = path.removeprefix("api/").partition("/")
        self.calls[f"{method} {'dm/actions' if 'dm/actions' in path else kind}"] += 1
        if method == "PATCH" and kind == "tasks":
            self.changed.add(int(number.strip("/")))
        if "dm/actions" in path:
            self.changed |= set(more["json"]["selectedItems"]["included"])
        return super().call(method, path, **more)


@pytest.fixture
def server(label_studio: LabelStudioServer) -> Iterator[Counted]:
    with Counted(label_studio.url, label_studio.api.token) as server:
        yield server


@pytest.fixture
def options(tmp_path: Path) -> SyncOptions:
    return SyncOptions(tmp_path / "goldspan")


def marks(rng: random.Random, text: str, words: list[str]) -> list[Json]:
    """What one person marks: nearly all, nearly always alike."""
    return [
        text_span(text, word, "LOC" if rng.random() < 0.06 else "PER")
        for word in words
        if rng.random() < 0.93
    ]


def many(api: LabelStudioApi) -> tuple[int, list[int]]:
    """A project of two dozen tasks with fields of people's own, which three annotated."""
    rng = random.Random(0)
    project = api.project(SAMPLES[0].label_config, "Two dozen", maximum_annotations=3)
    people = api.people(*(f"{name}@example.com" for name in ("ann", "ben", "cleo")))
    tasks = []
    for number in range(TASKS):
        words = [f"{rng.choice(WORDS)}{place}" for place in range(20)]
        text = " ".join(words)
        places = rng.sample(words, 5)
        own: Json = {"source": {"page": number, "tags": ["é", None, 1.5]}, "goldspan_weight": 0.5}
        tasks.append({
            "data": own | {"text": text},
            "annotations": [
                {"completed_by": one.id, "result": marks(rng, text, places)} for one in people
            ],
        })  # fmt: skip
    return project, api.import_tasks(project, tasks)


def data(api: LabelStudioApi, project: int) -> dict[int, Json]:
    return {task["id"]: task["data"] for task in api.tasks(project)}


def suggested(api: LabelStudioApi, project: int) -> dict[int, Json]:
    """What is suggested for each task, without the times."""
    found = api.predictions(project, "goldspan")
    return {one["task"]: {key: one[key] for key in ("id", "result", "score")} for one in found}


class Killed(BaseException):
    """As `kill -9` would: nothing in between can handle it."""


def test_columns_of_many_tasks_take_few_calls_and_leave_everything_else(
    server: Counted, options: SyncOptions, label_studio: LabelStudioServer
) -> None:
    api = label_studio.api
    project, tasks = many(api)
    before = data(api, project)

    def kill(what: str, done: int, total: int) -> None:
        del total
        if (what, done) == ("writing columns", 9):
            raise Killed

    with pytest.raises(Killed):
        sync(server, project, options, progress=kill)
    partly = data(api, project)
    assert {found[DIFFER] for found in partly.values()} == {PENDING}
    assert _people(partly) == before

    server.calls.clear()
    outcome = sync(server, project, options)

    after = data(api, project)
    assert _people(after) == before
    for task, found in after.items():
        scored = outcome.result.tasks[str(task)]
        assert found[ANNOTATORS] == 3
        assert found[GAMMA] == pytest.approx(scored.gamma.value, abs=0.0051)
        assert found[DIFFER] != PENDING
    distinct = {(name, str(value)) for found in after.values() for name, value in found.items()
                if name.startswith("goldspan_") and name != "goldspan_weight"}  # fmt: skip
    assert TASKS > FEW_TASKS
    assert server.calls["PATCH tasks"] == 0
    # Eight of the values were written before; the mark was too.
    assert 0 < server.calls["POST dm/actions"] <= len(distinct) - 8
    # Once to read what is there, and once to see that all was written.
    assert server.calls["GET tasks"] == 2
    assert sync(server, project, options).writes == {}

    undo(server, project, options.folder)
    assert data(api, project) == before
    assert set(tasks) == set(before)


def test_three_new_annotations_change_three_tasks(
    server: Counted, options: SyncOptions, label_studio: LabelStudioServer
) -> None:
    api = label_studio.api
    project, tasks = many(api)
    sync(server, project, options)
    stored = suggested(api, project)
    touched = tasks[4:7]
    for number in touched:
        one = api.task(number)["annotations"][0]
        api.ask("PATCH", f"/api/annotations/{one['id']}/", {"result": one["result"][1:]})
    server.changed.clear()
    before = data(api, project)

    outcome = sync(server, project, options)

    assert server.changed <= set(touched)
    assert outcome.writes["tasks with new columns"] == len(server.changed)
    now = suggested(api, project)
    assert {task for task in now if now[task] != stored[task]} <= set(touched)
    assert {task for task, found in data(api, project).items() if found != before[task]} <= set(
        touched
    )
    # The figures of the others did change, by less than their precision.
    gammas = {int(task): one.gamma.value for task, one in outcome.result.tasks.items()}
    others = [task for task in tasks if task not in touched]
    assert any(round(gammas[task] or 0, 3) != before[task][GAMMA] for task in others)
    assert sync(server, project, options).writes == {}


def _people(found: dict[int, Json]) -> dict[int, Json]:
    """Without goldspan's fields."""
    return {
        task: {name: value for name, value in one.items()
               if not name.startswith("goldspan_") or name == "goldspan_weight"}
        for task, one in found.items()
    }  # fmt: skip
