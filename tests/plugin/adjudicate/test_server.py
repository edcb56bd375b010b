"""The server: the page's own calls are answered, all others refused."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import httpx
import pytest

from adjudicate_server import AdjudicateServer, first_reading
from adjudication_projects import desk_at
from goldspan.adapters import read
from goldspan.engine.errors import SettingsError
from goldspan.plugin.adjudicate.web.app import build_app
from goldspan.plugin.adjudicate.web.endpoints import Endpoints
from goldspan.plugin.local.address import Address
from goldspan.plugin.local.serving import listening_on
from service_parts import Client

ADDRESS = Address("k" * 43, 8123)
HOST = {"Host": "127.0.0.1:8123"}
KEY = HOST | {"Authorization": f"Bearer {ADDRESS.key}"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Of a desk on which nothing is done but in the tests at the end."""
    desk = desk_at(tmp_path_factory.mktemp("journal"))
    heard: list[str] = []
    yield Client(build_app(Endpoints(desk), ADDRESS, heard.append))
    desk.close()
    assert heard == []


def error(answer: httpx.Response) -> tuple[int, str]:
    body = answer.json()
    assert set(body) == {"error", "say", "do", "site"}
    return answer.status_code, body["error"]


GETS = [
    "/api/project", "/api/queue?order=text&limit=3&noted=false", "/api/tasks/0/text",
    "/api/tasks/0/text?from=0&to=40", "/api/tasks/0/units?from=0&to=40", "/api/tasks/0/sites",
    "/api/groups", "/api/stop", "/api/changes?since=0&wait=0", "/api/project?by=bo",
]  # fmt: skip


@pytest.mark.parametrize("path", GETS)
def test_the_page_gets_what_it_asks(client: Client, path: str) -> None:
    answer = client.get(path, headers=KEY)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()


@pytest.mark.parametrize(
    ("headers", "refused"),
    [
        (HOST, (401, "no-key")),
        (HOST | {"Authorization": "Bearer "}, (401, "no-key")),
        (HOST | {"Authorization": f"Bearer {'k' * 42}é"}, (401, "no-key")),
        (HOST | {"Authorization": f"Basic {ADDRESS.key}"}, (401, "no-key")),
        (KEY | {"Host": "evil.example:8123"}, (400, "bad-host")),
        (KEY | {"Host": "127.0.0.1:8124"}, (400, "bad-host")),
        (KEY | {"Host": "127.0.0.1"}, (400, "bad-host")),
        (KEY | {"Host": "127.0.0.1.evil.example:8123"}, (400, "bad-host")),
        (KEY | {"Origin": "https://evil.example"}, (403, "other-origin")),
        (KEY | {"Origin": "http://127.0.0.1:9999"}, (403, "other-origin")),
        (KEY | {"Origin": "null"}, (403, "other-origin")),
        (KEY | {"Sec-Fetch-Site": "cross-site"}, (403, "other-origin")),
        (KEY | {"Sec-Fetch-Site": "same-site"}, (403, "other-origin")),
    ],
)
def test_others_are_refused(
    client: Client, headers: dict[str, str], refused: tuple[int, str]
) -> None:
    coded = {name: value.encode() for name, value in headers.items()}
    for path in GETS:
        assert error(client.get(path, headers=coded)) == refused
    assert error(client.post("/api/events", headers=coded, json={})) == refused


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost:8123"},
        {"Host": "[::1]:8123"},
        {"Origin": "http://127.0.0.1:8123", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_the_page_itself_is_not(client: Client, headers: dict[str, str]) -> None:
    assert client.get("/api/stop", headers=KEY | headers).status_code == 200


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ("/api/tasks/999/text", (404, "no-such-task")),
        ("/api/tasks/-1/text", (404, "not-found")),
        ("/api/tasks/x/text", (404, "not-found")),
        ("/api/sites/0000", (410, "no-such-site")),
        ("/api/queue?order=random", (422, "invalid")),
        ("/api/queue?limit=many", (422, "invalid")),
        ("/api/tasks/0/text?from=nan", (422, "invalid")),
        ("/api/tasks/0/units?from=1e99", (422, "invalid")),
        (f"/api/project?by={'n' * 61}", (422, "invalid")),
        ("/api/project?by=%0a%07x", (422, "invalid")),
        ("/api/events", (405, "method")),
        ("/api/", (404, "not-found")),
        ("/api/nothing", (404, "not-found")),
        ("/static/../web/app.py", (404, "not-found")),
        ("/static/%2e%2e/web/app.py", (404, "not-found")),
        ("/static/..%2f..%2fdesk.py", (404, "not-found")),
        ("/static//etc/passwd", (404, "not-found")),
        ("/static/lanes.js/", (404, "not-found")),
        ("/static/__init__.py", (404, "not-found")),
        ("/other", (404, "not-found")),
    ],
)
def test_what_is_not_there(client: Client, path: str, refused: tuple[int, str]) -> None:
    assert error(client.get(path, headers=KEY)) == refused


@pytest.mark.parametrize(
    ("path", "more", "refused"),
    [
        ("/api/events", {"content": b"{}"}, (415, "not-json")),
        ("/api/events", {"content": b"{", "type": "application/json"}, (422, "invalid")),
        ("/api/events", {"content": b"[" * 99999, "type": "application/json"}, (422, "invalid")),
        ("/api/events", {"content": b" " * (2**22 + 1), "type": "application/json"},
         (413, "too-large")),
        ("/api/batch", {"content": b"[]", "type": "application/json"}, (422, "invalid")),
        ("/api/batch", {"content": b'{"group":"x"}', "type": "application/json"},
         (422, "invalid")),
        ("/api/write", {"content": b"{}", "type": "text/plain"}, (415, "not-json")),
        ("/api/write", {"content": b"{}", "type": "application/json"}, (422, "invalid")),
        ("/api/project", {"content": b"{}", "type": "application/json"}, (405, "method")),
    ],
)  # fmt: skip
def test_bad_posts(
    client: Client, path: str, more: dict[str, Any], refused: tuple[int, str]
) -> None:
    headers = KEY | ({"Content-Type": more["type"]} if "type" in more else {})
    answer = client.post(path, headers=headers, content=more["content"])
    assert error(answer) == refused


def test_static_files_need_no_key_and_come_with_headers(client: Client) -> None:
    for name, kind in (("lanes.js", "text/javascript"), ("palette.css", "text/css")):
        answer = client.get(f"/static/{name}", headers=HOST)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(kind)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert error(client.get("/", headers={"Host": "evil.example"})) == (400, "bad-host")


def test_an_event_and_its_repetition(client: Client) -> None:
    item = client.get("/api/queue?limit=1", headers=KEY).json()["items"][0]
    site = client.get(f"/api/sites/{item['id']}", headers=KEY).json()
    event = first_reading(site, "event-0001")
    first = client.post("/api/events?order=text", headers=KEY, json=event)
    again = client.post("/api/events", headers=KEY, json=event)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["n"] == again.json()["n"]
    assert [one["id"] for one in first.json()["next"]] != []
    late = client.post("/api/events?by=bo", headers=KEY, json=event | {"id": "event-0002"})
    assert error(late) == (409, "changed")
    assert late.json()["site"]["state"] == "settled"
    project = client.get("/api/project", headers=KEY).json()
    assert (project["undo"], project["redo"]) == ("event-0001", "")


def test_a_batch(client: Client) -> None:
    before = client.get("/api/project", headers=KEY).json()["progress"]["settled"]
    group = client.get("/api/groups", headers=KEY).json()["groups"][0]
    plan = client.post("/api/batch", headers=KEY, json={"group": group["key"]}).json()
    items = [{"site": one["site"], "base": one["base"]} for one in plan["items"]]
    done = client.post("/api/batch", headers=KEY, json={"id": "batch-0001", "items": items})
    assert done.status_code == 201
    assert done.json()["progress"]["settled"] == before + len(items)
    assert len(items) == group["size"]


def test_the_command_serves_until_it_is_ended_and_then_writes(tmp_path: Path) -> None:
    server = AdjudicateServer(tmp_path / "gold.csv")
    with server:
        site = server.next_site()
        assert site is not None
        assert server.settle(site, "event-0001").status_code == 201
        written = server.post("/api/write", {}).json()
        assert (written["settled"], Path(written["output"])) == (1, server.output)
        url, key = server.url, server.key
        assert server.end() == 0
        assert server.start().get("/api/project")["progress"]["settled"] == 1
        assert (server.url, server.key) == (url, key), "an open page goes on"
        assert server.end() == 0
    place = server.journal / ".ana.address"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert key in place.read_text()
    gold = read(server.output, include_annotators=["gold"])
    assert gold.annotators == ("gold",)
    spans = [list(one) for one in site["readings"][0]["spans"]]
    units = gold[site["task"]].units
    assert all([u.start, u.end, u.category] in spans for u in units
               if site["start"] <= u.start < site["end"])  # fmt: skip


def test_an_output_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    output = tmp_path / "gold.csv"
    output.write_text("mine")
    with pytest.raises(AssertionError, match="is not from this journal; choose another --output"):
        AdjudicateServer(output).start()
    assert output.read_text() == "mine"
    server = AdjudicateServer(tmp_path / "other.csv")
    with server:
        assert server.end() == 0
        (tmp_path / "other.csv").write_text("edited by hand")
        with pytest.raises(AssertionError, match="was changed since"):
            server.start()


def test_a_port_that_is_taken_gives_way_unless_it_was_asked_for() -> None:
    with listening_on(None, 0) as first:
        taken = first.getsockname()[1]
        with listening_on(None, taken) as other:
            assert other.getsockname()[1] not in (0, taken)
        refused = pytest.raises(SettingsError, match="choose another --port")
        with refused, listening_on(taken, 0):
            pass
