"""A team on a real Label Studio: what status says of usual steps, and one webhook for both ways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.engine.errors import InputError
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.routing.routing import TITLE, RouteRequest, route
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.status import Finding, examine
from goldspan.plugin.label_studio.sync import SyncOptions, sync
from goldspan.plugin.label_studio.undo import undo
from label_studio_api import LabelStudioApi, new_address
from label_studio_projects import SAMPLES
from label_studio_server import LabelStudioServer
from service_process import Service

TEXT = SAMPLES[0]


@pytest.fixture
def server(label_studio: LabelStudioServer) -> Iterator[Server]:
    with Server(label_studio.url, label_studio.api.token) as server:
        yield server


def wrong(server: Server, project: int) -> list[Finding]:
    return [one for one in examine(server, project) if not one.good]


def test_status_finds_nothing_wrong_with_gold_made_of_suggestions(
    server: Server, label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    posted, api = TEXT.post(label_studio.api), label_studio.api
    sync(server, posted.project, SyncOptions(tmp_path))
    chosen = {"selectedItems": {"all": True, "excluded": []}}
    action = {"id": "predictions_to_annotations", "project": posted.project}
    api.ask("POST", "/api/dm/actions/", chosen, **action)

    said = [one.said for one in examine(server, posted.project)]
    assert wrong(server, posted.project) == []
    assert any("“Create Annotations From Predictions” made 4 annotations" in one for one in said)
    assert not any(api.me.email in one for one in said if "have two annotators" in one)

    # Somebody who begins with a suggestion and submits it is another matter.
    suggestion = api.predictions(posted.project, "goldspan")[0]
    api.annotate(
        suggestion["task"], posted.people["ann"], suggestion["result"],
        parent_prediction=suggestion["id"],
    )  # fmt: skip
    (found,) = wrong(server, posted.project)
    assert found.said.startswith("1 annotation by people who saw a suggestion")


def test_tasks_are_routed_to_one_more_annotator_and_taken_back(
    server: Server, label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    api, dana = label_studio.api, label_studio.api.member(new_address("dana"), "a-password-of-hers")
    posted = TEXT.post(api)
    hers = api.login(dana)
    api.ask("PATCH", f"/api/projects/{posted.project}/", {"maximum_annotations": 2})
    *_, disputed, _quiet, skipped = posted.tasks
    api.annotate(skipped, dana, TEXT.work[-1]["ann"] or ())
    before = {task: _given(api, task) for task in posted.tasks}
    assert hers.raw("GET", f"/api/projects/{posted.project}/next").status_code == 404
    with pytest.raises(InputError, match="sync or score the project first"):
        route(server, posted.project, RouteRequest())
    sync(server, posted.project, SyncOptions(tmp_path))

    assert len(route(server, posted.project, RouteRequest(low=0.9), dry_run=True).routes) > 1
    assert {task: _given(api, task) for task in posted.tasks} == before
    found = route(server, posted.project, RouteRequest(low=0.9, budget=1))
    (one,) = found.routes
    assert (one.task, one.overlap, found.names[one.who or 0]) == (disputed, 4, dana.email)
    assert _given(api, disputed) == (4, False)
    (tab,) = [tab for tab in api.views(posted.project) if tab["data"]["title"] == TITLE]
    assert api.shown(tab["id"], posted.project) == [disputed]
    assert hers.ask("GET", f"/api/projects/{posted.project}/next")["id"] == disputed
    assert disputed not in _suggested(api, posted.project), "dana does not see what others marked"
    again = route(server, posted.project, RouteRequest(low=0.9, budget=1))
    assert (again.routes, again.waiting) == ([], 1), "the budget is spent"
    outcome = sync(server, posted.project, SyncOptions(tmp_path))
    assert outcome.writes == {}, "a sync leaves what was routed"

    hers.ask("POST", f"/api/tasks/{disputed}/annotations/", {"result": [], "lead_time": 3.0})
    sync(server, posted.project, SyncOptions(tmp_path))
    assert disputed in _suggested(api, posted.project), "her vote is in, and it is suggested again"
    last = route(server, posted.project, RouteRequest(low=-1.0, budget=1, most=3))
    assert (last.arrived, last.routes) == ([disputed], [])
    assert api.shown(tab["id"], posted.project) == []

    plan = undo(server, posted.project, tmp_path)
    assert plan.counts()["tasks no longer routed"] == 1
    assert {task: _given(api, task) for task in posted.tasks} == before
    assert all(set(task["data"]) == {"text"} for task in api.tasks(posted.project))
    assert TITLE not in {tab["data"]["title"] for tab in api.views(posted.project)}
    assert len(api.task(disputed)["annotations"]) == 4


def _suggested(api: LabelStudioApi, project: int) -> set[int]:
    return {one["task"] for one in api.predictions(project, "goldspan")}


def _given(api: LabelStudioApi, task: int) -> tuple[int, bool]:
    """How many people the task is for, and whether Label Studio takes it for done."""
    found = api.task(task)
    return found["overlap"], found["is_labeled"]


def test_both_ways_of_connecting_make_one_webhook(
    server: Server, label_studio: LabelStudioServer, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    api, folder = label_studio.api, tmp_path / "folder"
    monkeypatch.setenv("GOLDSPAN_LABEL_STUDIO_TOKEN", api.token)

    def set_up(project: int) -> None:
        assert main([
            "label-studio", "setup", "--url", label_studio.url, "--project", str(project),
            "--folder", str(folder), "--service-url", service.url, "--quiet",
        ]) == 0  # fmt: skip

    def connect(project: int) -> None:
        body = {"project": project, "url": service.model_url, "title": "goldspan"}
        api.ask("POST", "/api/ml/", body)

    with Service(folder) as service:
        first, second = TEXT.create(api).project, TEXT.create(api).project
        set_up(first)
        connect(first)
        connect(second)
        assert not any("start from" in one.said for one in wrong(server, second))
        set_up(second)
        for project in (first, second):
            (hook,) = server.webhooks(project)
            assert hook["url"] == f"{service.model_url}/webhook"
            assert all("annotator" in one.said for one in wrong(server, project))
            said = " ".join(one.said for one in examine(server, project))
            assert "and the service answers" in said
            assert service.model_url not in said
