"""Routing: which tasks go to whom, and what the command refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.data_manager_tab import our_tabs, surplus_tabs, traces
from goldspan.plugin.label_studio.routing.choice import Candidate, Route, choose
from goldspan.plugin.label_studio.routing.routing import (
    OVERLAP,
    ROUTE,
    RouteRequest,
    _tab,
    route,
    route_tabs,
    take_back,
)
from label_studio_recorded import Recorded

COLUMNS = {
    "goldspan_gamma": 0.2, "goldspan_annotators": 2, "goldspan_to_decide": 1,
    "goldspan_differ": "1 span not marked by all",
}  # fmt: skip

BAD = Candidate(1, 0.2, 0, frozenset({1, 2}), 2)
PEOPLE = (1, 2, 3, 4)


def chosen(*candidates: Candidate, **more: int) -> list[tuple[int, int | None]]:
    found = choose(candidates, PEOPLE, low=0.6, **({"budget": 10} | more))
    return [(one.task, one.who) for one in found]


def test_the_worst_come_first_and_people_share_them() -> None:
    worse = replace(BAD, task=2, gamma=-0.1)
    open_places = replace(BAD, task=3, gamma=0.9, to_decide=2)
    no_gamma = replace(BAD, task=4, gamma=None, to_decide=1)
    fine = replace(BAD, task=5, gamma=0.6)

    assert chosen(BAD, worse, open_places, no_gamma, fine) == [(2, 3), (1, 4), (3, 3), (4, 4)]
    assert chosen(BAD, worse, budget=1) == [(2, 3)]


def test_who_did_least_so_far_comes_first() -> None:
    busy = [replace(BAD, task=task, gamma=1.0, annotators=frozenset({1, 3})) for task in (7, 8)]
    assert chosen(BAD, *busy) == [(1, 4)]


def test_what_waits_counts_and_what_is_settled_or_full_stays() -> None:
    waiting = replace(BAD, task=2, waits=True)
    assert chosen(BAD, waiting, budget=1) == []
    assert chosen(BAD, waiting, budget=2) == [(1, 3)]
    assert chosen(replace(BAD, settled=True)) == []
    assert chosen(replace(BAD, annotators=frozenset({1}))) == []
    assert chosen(replace(BAD, annotators=frozenset({1, 2, 3})), most=3) == []


def test_a_task_that_everybody_did_needs_somebody_new() -> None:
    (found,) = choose([replace(BAD, annotators=frozenset(PEOPLE))], PEOPLE, low=0.6, budget=1)
    assert found == Route(1, 0.2, 0, 5, None)


def test_only_what_a_person_settled_is_not_routed() -> None:
    people = [{"completed_by": 1}, {"completed_by": 2}]
    tasks = [
        {"id": number, "data": COLUMNS | {"goldspan_settled": settled}, "annotations": people}
        for number, settled in enumerate(("no", "yes", "no"), start=1)
    ]
    found = route(Recorded(tasks), 5, RouteRequest(), dry_run=True)
    assert [one.task for one in found.routes] == [1, 3]


def test_what_somebody_writes_into_a_task_meanwhile_stays() -> None:
    class Changing(Recorded):
        """The data of its tasks changes after the overview."""

        def data(self, task: int) -> dict[str, Any]:
            return dict(self.tasks[task - 1]["data"]) | {"source": "new"}

        def change_task(self, task: int, **fields: Any) -> None:
            self.tasks[task - 1].update(fields)

        def add_tab(self, number: int, data: Any) -> None:
            del number, data

    people = [{"completed_by": 1}, {"completed_by": 2}]
    server = Changing([{"id": 1, "data": {"text": "x"} | COLUMNS, "annotations": people}])
    route(server, 5, RouteRequest())
    assert server.tasks[0]["data"].keys() >= {"text", "source", ROUTE, OVERLAP}
    assert take_back(server, 5) == [1]
    assert server.tasks[0]["data"] == {"text": "x", "source": "new"} | COLUMNS


def test_a_sync_leaves_the_tab_alone() -> None:
    tabs = [{"id": 1, "data": {"title": "Default"}}, {"id": 2, "data": _tab()}]
    assert [tab["id"] for tab in route_tabs(tabs)] == [2]
    assert our_tabs(tabs) == surplus_tabs(tabs) == traces(tabs) == []


def test_a_field_of_a_persons_own_is_not_taken_back() -> None:
    own = {"id": 1, "data": {"text": "x", ROUTE: "the coast"}}
    odd = {"id": 2, "data": {"text": "x", ROUTE: "the coast", OVERLAP: 2}}
    ours = {"id": 3, "data": {"text": "x", OVERLAP: 2}}
    assert take_back(Recorded([own, odd, ours]), 5, dry_run=True) == [3]


@pytest.mark.parametrize(
    ("options", "said"), [(["--budget", "0"], "1 or more"), (["--most", "2"], "3 or more")]
)
def test_numbers_without_a_meaning_are_refused(
    capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert main(["label-studio", "route", "--url", "http://127.0.0.1:9", "--project", "1",
                 *options]) == 2  # fmt: skip
    assert said in capsys.readouterr().err
