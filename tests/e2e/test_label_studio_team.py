"""A team on a real Label Studio: what status says of usual steps, and one webhook for both ways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.status import Finding, examine
from goldspan.plugin.label_studio.sync import SyncOptions, sync
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
