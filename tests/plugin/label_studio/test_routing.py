"""Routing: which tasks go to whom, and what the command refuses."""

from __future__ import annotations

import copy
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from goldspan.adapters.label_studio.provenance import sealed, truth_id
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.data_manager_tab import our_tabs, surplus_tabs, traces
from goldspan.plugin.label_studio.routing.choice import Candidate, Route, choose
from goldspan.plugin.label_studio.routing.endpoint import route_in_words
from goldspan.plugin.label_studio.routing.lock import routing_lock
from goldspan.plugin.label_studio.routing.mark import MARK, OVERLAP, ROUTE
from goldspan.plugin.label_studio.routing.routing import (
    TITLE,
    RouteRequest,
    _tab,
    route,
    route_tabs,
    take_back,
)
from goldspan.plugin.label_studio.undo import stop_service
from goldspan.plugin.service.database import FILE, Database
from goldspan.plugin.service.queue import Queue
from label_studio_recorded import Recorded, Routable
from service_parts import service

COLUMNS = {
    "goldspan_gamma": 0.2, "goldspan_annotators": 2, "goldspan_to_decide": 1,
    "goldspan_differ": "1 span not marked by all",
}  # fmt: skip

BAD = Candidate(1, 0.2, 0, frozenset({1, 2}), 2, 2)
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
    busy = [replace(BAD, task=task, gamma=1.0, people=frozenset({1, 3})) for task in (7, 8)]
    assert chosen(BAD, *busy) == [(1, 4)]


def test_what_waits_counts_and_what_is_settled_or_full_stays() -> None:
    waiting = replace(BAD, task=2, waits=True)
    assert chosen(BAD, waiting, budget=1) == []
    assert chosen(BAD, waiting, budget=2) == [(1, 3)]
    assert chosen(replace(BAD, settled=True)) == []
    assert chosen(replace(BAD, done=1)) == []
    assert chosen(replace(BAD, done=3), most=3) == []


def test_a_task_that_everybody_did_needs_somebody_new() -> None:
    everybody = replace(BAD, people=frozenset(PEOPLE), done=4, counted=4)
    (found,) = choose([everybody], PEOPLE, low=0.6, budget=1)
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
    class Changing(Routable):
        """The data of its tasks changes after the overview."""

        def task(self, task: int) -> Any:
            found = super().task(task)
            found["data"] = found["data"] | {"source": "new"}
            return found

    server = Changing([disputed()])
    route(server, 5, RouteRequest())
    assert server.tasks[0]["data"].keys() >= {"text", "source", ROUTE, OVERLAP}
    assert take_back(server, 5) == [1]
    assert server.tasks[0]["data"] == {"text": "x", "source": "new"} | COLUMNS


def disputed(*more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A task that two people annotated, and perhaps others."""
    people = [{"id": 1, "completed_by": 1}, {"id": 2, "completed_by": 2}, *more]
    return {"id": 1, "data": {"text": "x"} | COLUMNS, "annotations": people, **fields}


@pytest.mark.parametrize(
    ("skip_queue", "overlap", "done_before"),
    [("REQUEUE_FOR_OTHERS", 3, False), ("IGNORE_SKIPPED", 4, True)],
)
def test_a_skip_counts_only_where_label_studio_counts_it(
    skip_queue: str, overlap: int, done_before: bool
) -> None:
    skipped = {"id": 3, "completed_by": 3, "was_cancelled": True}
    # Somebody annotated it twice, and is one person.
    again = {"id": 4, "completed_by": 2}
    server = Routable([disputed(skipped, again, overlap=3)], skip_queue=skip_queue)
    (one,) = route(server, 5, RouteRequest()).routes
    assert one.overlap == overlap
    assert server.tasks[0]["is_labeled"] is False
    # As if the overlap had been raised by one in any case.
    server.tasks[0]["overlap"] = 4
    take_back(server, 5)
    assert (server.tasks[0]["overlap"], server.tasks[0]["is_labeled"]) == (3, done_before)


def test_a_routed_task_loses_what_goldspan_suggested_and_nothing_else() -> None:
    def prediction(number: int, version: str) -> dict[str, Any]:
        return {"id": number, "model_version": version, "result": [{"id": "x"}], "task": 1}

    region = {"id": "goldspan-1", "meta": {"goldspan": {"confidence": 0.9}}}
    truth = {
        "id": 9, "completed_by": 7, "ground_truth": True, "unique_id": truth_id(5, 1),
        "result": sealed([region]),
    }  # fmt: skip
    promoted = {"id": 8, "completed_by": 2, "parent_prediction": 12, "result": []}
    theirs = {"id": 10, "completed_by": 1, "ground_truth": True, "result": [region]}
    task = disputed(
        truth, promoted, theirs,
        predictions=[prediction(11, "goldspan"), prediction(12, "goldspan"), prediction(13, "m")],
    )  # fmt: skip
    server = Routable([task], tabs=[{"id": 1, "data": {"title": "Default"}}])
    before = copy.deepcopy(task["annotations"])
    route(server, 5, RouteRequest())
    assert server.calls == [
        ("remove", 11), ("empty", 12, []), ("remove annotation", 9), ("tab", 5, TITLE),
    ]  # fmt: skip
    assert server.tasks[0]["annotations"] == before
    # Two people have done it; the ground truth was goldspan's own.
    assert server.tasks[0]["overlap"] == 3


def test_the_button_routes_and_says_what_came_of_it(tmp_path: Path) -> None:
    server = Routable([disputed()])

    class Connection:
        """Leads to a Label Studio in memory."""

        def connect(self) -> Routable:
            return server

    with service(tmp_path, connection=Connection()) as parts:
        form = {"project": "5", "form_token": parts.access.form_token}
        refused = parts.client.post("/route", data=form)
        assert refused.status_code == 400, "it routes only what it monitors"
        parts.queue.know(5)
        assert parts.client.post("/route", data=form | {"form_token": "x"}).status_code == 403
        assert ROUTE not in server.tasks[0]["data"]
        assert parts.client.post("/route", data=form).status_code == 303
        assert server.tasks[0]["data"][ROUTE] == MARK
        assert "Last time: 1 task routed." in parts.client.get("/").text
        parts.client.post("/route", data=form)
        assert "Last time: 0 tasks routed, 1 waited already." in parts.client.get("/").text


def test_an_undo_waits_for_a_routing_and_none_begins_after_it(tmp_path: Path) -> None:
    server, waits = Routable([disputed()]), []

    class Connection:
        """Leads to a Label Studio in memory."""

        def connect(self) -> Routable:
            return server

    with closing(Database(tmp_path / FILE)) as database:
        Queue(database).know(5)
        with ExitStack() as routing:
            routing.enter_context(routing_lock(tmp_path, 5))

            def finish(_seconds: float) -> None:
                waits.append("waited")
                routing.close()

            assert stop_service(tmp_path, 5, sleep=finish)
        assert waits == ["waited"]
    said = route_in_words(Connection(), 5, tmp_path)  # type: ignore[arg-type]
    assert said == "the project is no longer monitored"
    assert ROUTE not in server.tasks[0]["data"]


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
