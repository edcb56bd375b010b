"""Adjudication of a real project: settled in the page's server, written as ground truth, undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adjudicate_server import AdjudicateServer
from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.sync import SyncOptions, sync
from label_studio_api import LabelStudioApi
from label_studio_projects import SAMPLES
from label_studio_server import LabelStudioServer

TEXT = SAMPLES[0]


def truths(api: LabelStudioApi, project: int) -> dict[int, Any]:
    return {
        task["id"]: one
        for task in api.tasks(project)
        for one in task["annotations"]
        if one["ground_truth"]
    }


def drawn(annotation: Any) -> set[tuple[int, int, str]]:
    values = [region["value"] for region in annotation["result"]]
    return {(value["start"], value["end"], value["labels"][0]) for value in values}


def settled_sites(server: AdjudicateServer, but: str) -> set[str]:
    items = server.get("/api/queue", state="settled", limit=500)["items"]
    return {one["id"] for one in items if one["task"] != but}


def test_a_project_is_settled_starred_and_undone(
    label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    api = label_studio.api
    posted = TEXT.post(api)
    token = tmp_path / "token"
    token.write_text(api.token)
    where = ("--url", label_studio.url, "--project", str(posted.project))
    connection = (*where, "--token-file", str(token))
    work = [one for task in api.tasks(posted.project) for one in task["annotations"]]

    server = AdjudicateServer(tmp_path / "gold.csv", *connection)
    given: dict[str, list[list[Any]]] = {}
    with server:
        for number in range(200):
            site = server.next_site()
            if site is None:
                break
            assert server.settle(site, f"event-{number:04d}").status_code == 201
            given.setdefault(site["task"], []).extend(site["readings"][0]["spans"])
        assert given
        written = server.post("/api/write", {}).json()
        starred = truths(api, posted.project)
        assert f"Label Studio: {len(starred)} ground truth added" in written["notes"]
        assert {str(task) for task in starred} == set(given)
        for task, spans in given.items():
            assert {tuple(one) for one in spans} <= drawn(starred[int(task)])

        again = server.post("/api/write", {}).json()
        assert "Label Studio: nothing to write" in again["notes"]

        # A person changes one; from then on it is theirs.
        changed = next(iter(starred.values()))
        regions = [region for region in changed["result"] if region["value"]["labels"]][:1]
        regions[0]["value"]["start"] += 1
        api.ask("PATCH", f"/api/annotations/{changed['id']}/", {"result": regions})
        event = {"id": "undo-00001", "op": "undo"}
        assert server.post("/api/events", event).status_code == 201
        before = settled_sites(server, but=str(changed["task"]))
        assert server.end() == 0
        kept = truths(api, posted.project)
        assert drawn(kept[changed["task"]]) == drawn({"result": regions})

        # The same journal goes on with the project as it is now.
        server.start()
        assert settled_sites(server, but=str(changed["task"])) == before != set()
        assert server.end() == 0

    with Server(label_studio.url, api.token) as live:
        outcome = sync(live, posted.project, SyncOptions(tmp_path / "goldspan", ground_truth=True))
    assert outcome.result.against is not None, "annotators are measured against what was settled"
    stars = truths(api, posted.project)
    assert kept.items() <= stars.items(), "what was settled is not replaced by suggestions"

    assert main(["label-studio", "sync", "--undo", *connection,
                 "--folder", str(tmp_path / "goldspan"), "--quiet"]) == 0  # fmt: skip
    left = [one for task in api.tasks(posted.project) for one in task["annotations"]]
    assert {one["id"] for one in left} == {one["id"] for one in work} | {changed["id"]}
