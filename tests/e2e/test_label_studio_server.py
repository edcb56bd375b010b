"""The ground that the other tests stand on: a real Label Studio, and what comes back from it."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from label_studio_api import new_address
from label_studio_server import MISSING, LabelStudioServer, installed

CONFIG = """<View><Labels name="label" toName="text">
<Label value="PER"/><Label value="LOC"/></Labels>
<Text name="text" value="$text"/></View>"""


def span(start: int, end: int, label: str) -> dict[str, object]:
    value = {"start": start, "end": end, "labels": [label]}
    return {"from_name": "label", "to_name": "text", "type": "labels", "value": value}


@pytest.mark.wheel
def test_what_three_people_annotate_comes_back(label_studio: LabelStudioServer) -> None:
    api = label_studio.api
    project = api.project(CONFIG, "Three people")
    tasks = api.import_tasks(
        project, [{"data": {"text": "Ada met Bo in 🇫🇷 Lyon."}}, {"data": {"text": "Nobody came."}}]
    )
    people = api.people("ann@example.com", "ben@example.com", "cleo@example.com")
    drawn = [[span(0, 3, "PER")], [span(0, 3, "PER"), span(17, 21, "LOC")], []]

    for person, result in zip(people, drawn, strict=True):
        api.annotate(tasks[0], person, result)
    api.skip(tasks[1], people[0])

    first, second = api.tasks(project)
    back = {a["completed_by"]: [r["value"] for r in a["result"]] for a in first["annotations"]}
    assert back == {
        person.id: [item["value"] for item in result]
        for person, result in zip(people, drawn, strict=True)
    }
    assert [a["was_cancelled"] for a in second["annotations"]] == [True]
    assert api.version() == "1.23.2"


def test_it_keeps_its_data_when_it_is_killed(own_label_studio: LabelStudioServer) -> None:
    api = own_label_studio.api
    project = api.project(CONFIG, "Kept")
    (task,) = api.import_tasks(project, [{"data": {"text": "Ada met Bo."}}])
    token = api.token

    own_label_studio.kill()
    with pytest.raises(httpx.ConnectError):
        api.ask("GET", "/health")
    own_label_studio.start()

    assert [found["id"] for found in api.tasks(project)] == [task]
    answer = httpx.post(f"{own_label_studio.url}/api/token/refresh/", json={"refresh": token})
    assert answer.is_success


def test_a_member_logs_in_and_drafts(label_studio: LabelStudioServer) -> None:
    api = label_studio.api
    project = api.project(CONFIG, "Members")
    (task,) = api.import_tasks(project, [{"data": {"text": "Ada met Bo."}}])
    dora = api.member(new_address("dora"), "correct-horse-battery")

    api.login(dora).draft(task, [span(0, 3, "PER")])

    (found,) = api.tasks(project)
    assert [draft["user"] for draft in found["drafts"]] == [dora.email]
    assert found["annotations"] == []


@pytest.mark.parametrize("legacy", [True, False])
def test_legacy_tokens_are_taken_where_they_are_allowed(
    label_studio: LabelStudioServer, legacy: bool
) -> None:
    api = label_studio.api
    headers = {"Authorization": f"Token {api.legacy_token}"}

    api.allow_tokens(legacy=legacy)
    try:
        answer = httpx.get(f"{label_studio.url}/api/projects/", headers=headers)
    finally:
        api.allow_tokens(legacy=False)

    assert answer.status_code == (200 if legacy else 401)


def test_webhooks_on_loopback_are_refused_where_they_are_not_allowed(swift_folder: Path) -> None:
    if installed() is None:
        pytest.skip(MISSING)
    with LabelStudioServer(swift_folder / "data", ssrf_protection=True) as server:
        project = server.api.project(CONFIG, "Hooked")
        body = {"project": project, "url": "http://127.0.0.1:9/"}
        answer = server.api.raw("POST", "/api/webhooks/", json=body)

    assert answer.status_code == 403, answer.text
