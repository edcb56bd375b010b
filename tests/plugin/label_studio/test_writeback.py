"""How a plan is carried out on a server that refuses some of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from goldspan.plugin.label_studio.plan import Plan
from goldspan.plugin.label_studio.server import Server, ServerError
from goldspan.plugin.label_studio.writing.writeback import CHUNK, write


class Stock(Server):
    """The predictions of a project on a server that refuses those of some tasks: in silence, as
    Label Studio does by default, or with all that came along.
    """

    def __init__(self, *refused: int, silent: bool = True, chosen: str = "") -> None:
        super().__init__("http://localhost", "a-token")
        self.refused, self.silent, self.chosen = refused, silent, chosen
        self.stored: list[tuple[int, str, str]] = []
        self.fewest = 1_000

    def add_predictions(self, number: int, predictions: Sequence[Any]) -> int:
        del number
        good = [one for one in predictions if one["task"] not in self.refused]
        if len(good) < len(predictions) and not self.silent:
            raise ServerError("refused", status=400)
        for one in good:
            self.stored.append((one["task"], one["model_version"], one["result"]))
        return len(good)

    def remove_version(self, number: int, version: str) -> None:
        del number
        self.stored = [one for one in self.stored if one[1] != version]
        self.chosen = ""
        self.fewest = min(self.fewest, len({task for task, _, _ in self.stored}))

    def predictions(self, number: int, path: Path) -> None:
        del number
        said = [{"task": task, "model_version": version} for task, version, _ in self.stored]
        path.write_text(json.dumps(said))

    def project(self, number: int) -> Any:
        return {"id": number, "model_version": self.chosen}

    def change_project(self, number: int, **settings: Any) -> None:
        del number
        self.chosen = settings.pop("model_version")
        assert not settings
        if self.chosen not in {"llm", *(version for _, version, _ in self.stored)}:
            raise ServerError("there is no such model version", status=400)

    def change_prediction(self, prediction: int, **fields: Any) -> None:
        if fields["task"] in self.refused:
            raise ServerError("refused", status=400)
        self.stored[prediction] = (fields["task"], fields["model_version"], fields["result"])

    def data(self, task: int) -> Any:
        return None if task == self.refused[-1] else {}


def carried_out(stock: Stock, plan: Plan) -> list[str]:
    return [note.message for note in write(stock, plan)]


def suggestions(tasks: Sequence[int]) -> list[Any]:
    return [{"task": task, "model_version": "goldspan", "result": "new"} for task in tasks]


@pytest.mark.parametrize("silent", [True, False])
def test_what_is_refused_is_named_and_the_rest_written(silent: bool) -> None:
    count = CHUNK + 30
    stock = Stock(3, 17, CHUNK + 5, 99, silent=silent)
    plan = Plan(5, suggestions=suggestions(range(count)))
    refused, gone = carried_out(stock, plan)
    assert "refuses, of the tasks 3, 17, 205;" in refused
    assert gone == "tasks deleted in the meantime, skipped"
    tasks = [task for task, _, _ in stock.stored]
    assert sorted(tasks) == sorted(set(range(count)) - {3, 17, CHUNK + 5, 99})
    assert plan.counts() == {"suggestions added": count - 4}


def test_while_all_are_replaced_no_task_is_without() -> None:
    stock = Stock(-1)
    stock.stored = [(task, "goldspan", "old") for task in range(60)]
    stock.stored += [(1, "goldspan-00000000 (0 tasks)", "left by a crash")]
    versions = {"goldspan": 60, "goldspan-00000000 (0 tasks)": 1}
    assert carried_out(stock, Plan(5, suggestions=suggestions(range(60)), versions=versions)) == []
    assert stock.fewest == 60
    assert sorted(stock.stored) == [(task, "goldspan", "new") for task in range(60)]


def test_where_all_are_refused_the_old_ones_stay() -> None:
    stock = Stock(*range(60), -1)
    stock.stored = [(task, "goldspan", "old") for task in range(60)]
    plan = Plan(5, suggestions=suggestions(range(60)), versions={"goldspan": 60})
    (note,) = carried_out(stock, plan)
    assert "0, 1, 2, 3, 4, 5, 6, 7 …" in note
    assert len(stock.stored) == 60
    assert plan.counts() == {}


@pytest.mark.parametrize(
    ("chosen", "after"),
    [
        ("", ""),
        ("llm", "llm"),
        ("goldspan", "goldspan"),
        ("goldspan-0a1b2c3d (9 tasks)", "goldspan"),
    ],
)
def test_the_chosen_model_version_is_chosen_again(chosen: str, after: str) -> None:
    stock = Stock(-1, chosen=chosen)
    versions = {"goldspan": 60, "goldspan-0a1b2c3d (9 tasks)": 9}
    stock.stored = [(task, version, "old") for version, n in versions.items() for task in range(n)]
    assert carried_out(stock, Plan(5, suggestions=suggestions(range(60)), versions=versions)) == []
    assert stock.chosen == after
    carried_out(stock, Plan(5, versions={"goldspan": 60}, undoing=True))
    assert stock.chosen == ("llm" if chosen == "llm" else "")


def test_of_changes_too_what_is_refused_is_named_and_the_rest_made() -> None:
    stock = Stock(1, -1)
    stock.stored = [(task, "goldspan", "old") for task in range(3)]
    plan = Plan(5, changes=dict(enumerate(suggestions(range(3)))))
    (note,) = carried_out(stock, plan)
    assert "refuses, of the tasks 1;" in note
    assert [result for _, _, result in stock.stored] == ["new", "old", "new"]
    assert plan.counts() == {"suggestions changed": 2}


def test_a_task_whose_new_suggestion_is_refused_has_none() -> None:
    stock = Stock(7, -1)
    stock.stored = [(task, "goldspan", "old") for task in range(60)]
    plan = Plan(5, suggestions=suggestions(range(60)), versions={"goldspan": 60})
    (note,) = carried_out(stock, plan)
    assert "of the tasks 7;" in note
    assert sorted(stock.stored) == [(task, "goldspan", "new") for task in range(60) if task != 7]
