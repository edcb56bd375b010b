"""Who may call what; nothing of a token, a password or a payload ever comes out again."""

from __future__ import annotations

import base64
import json
import logging
import socket
import stat
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount

from goldspan.engine.errors import SettingsError
from goldspan.plugin.service.database import Busy
from goldspan.plugin.service.queue import Queue
from goldspan.plugin.service.web.access import (
    SECRET_HEADER,
    Access,
    read_secret,
    webhook_secret,
)
from goldspan.plugin.service.web.middleware import Guard
from service_parts import PASSWORD, SECRET, Parts, service

RECORDED = Path(__file__).parents[4] / "shared" / "data" / "labelstudio_live"
SHOWN = {SECRET_HEADER: SECRET}
TOKEN = "9f0token-of-the-project-creator"  # noqa: S105 - a made-up one
EVENT = {
    "action": "ANNOTATION_CREATED",
    "annotation": {"id": 5, "result": [], "task": 3},
    "project": {"id": 7, "token": TOKEN, "task_data_password": TOKEN, "title": "A title"},
    "task": {"id": 3, "data": {"text": TOKEN}},
}
SETUP = {
    "project": "7.1794792921", "schema": "<View/>", "hostname": "http://inner.example:8080",
    "access_token": TOKEN, "extra_params": None,
}  # fmt: skip


def basic(password: str, user: str = "anyone") -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path) as made:
        yield made


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path, password=PASSWORD) as made:
        yield made


def known(parts: Parts) -> list[int]:
    return [project.id for project in parts.history.projects()]


# Webhooks


def test_an_event_with_the_secret_is_queued(parts: Parts) -> None:
    answer = parts.client.post("/webhook", json=EVENT, headers=SHOWN)

    assert (answer.status_code, answer.content) == (204, b"")
    assert parts.history.event_counts(7) == {"ANNOTATION_CREATED": 1}


def test_an_event_that_cannot_be_stored_is_not_acknowledged(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add(*_: object) -> None:
        raise Busy

    monkeypatch.setattr(Queue, "add", add)
    answer = parts.client.post("/webhook", json=EVENT, headers=SHOWN)

    assert answer.status_code == 503
    assert "nothing was stored" in answer.text


def test_refused_webhooks_are_in_the_log(parts: Parts, caplog: pytest.LogCaptureFixture) -> None:
    parts.client.post("/webhook", json=EVENT)

    (said,) = caplog.messages
    assert said.startswith("refused a webhook whose secret is missing or wrong")
    assert TOKEN not in said


def test_wrong_passwords_are_in_the_log(locked: Parts, caplog: pytest.LogCaptureFixture) -> None:
    locked.client.get("/")
    assert caplog.messages == [], "a browser asks once without any"
    assert locked.client.get("/", headers=basic("a wrong one")).status_code == 401
    assert caplog.messages == ["refused a wrong password"]


@pytest.mark.parametrize("path", ["/webhook", "/webhook/7", "/model/webhook", "/model/abc/webhook"])
@pytest.mark.parametrize(
    "headers",
    [{}, {SECRET_HEADER: ""}, {SECRET_HEADER: SECRET + "x"}, {SECRET_HEADER: SECRET[:-1]},
     {SECRET_HEADER: "ünïcode"}, {"Authorization": f"Bearer {SECRET}"}, basic(SECRET),
     basic("None"), basic("")],
)  # fmt: skip
def test_a_wrong_or_missing_secret_is_refused(
    parts: Parts, path: str, headers: dict[str, str]
) -> None:
    parts.queue.know(7)
    before = parts.history.event_counts(7)
    sent = {name: value.encode() for name, value in headers.items()}

    assert parts.client.post(path, json=EVENT, headers=sent).status_code == 401
    assert parts.history.event_counts(7) == before


def test_the_secret_is_checked_before_anything_is_read(parts: Parts) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    assert parts.client.post("/webhook", content=never()).status_code == 401


def test_the_address_may_name_the_project(parts: Parts) -> None:
    body = {"action": "TASKS_CREATED"}
    answer = parts.client.post("/webhook/12", json=body, headers=SHOWN)

    assert answer.status_code == 204
    assert known(parts) == [12]


def test_the_key_of_the_model_moves_known_projects_only(parts: Parts) -> None:
    address = f"{parts.key_url}/webhook"
    answer = parts.client.post(address, json=EVENT)
    assert (answer.status_code, answer.json()) == (200, {"status": "ignored"})
    assert known(parts) == []

    parts.queue.know(7)
    assert parts.client.post(address, json=EVENT).status_code == 204
    training = {"action": "START_TRAINING", "project": {"id": 7}}
    assert parts.client.post(address, json=training).json() == {"status": "queued"}
    counts = parts.history.event_counts(7)
    assert counts == {"START": 1, "ANNOTATION_CREATED": 1, "START_TRAINING": 1}


def test_the_password_moves_known_projects_only(locked: Parts) -> None:
    locked.queue.know(7)
    other = EVENT | {"project": {"id": 8}}

    assert locked.client.post("/webhook", json=EVENT, headers=basic(PASSWORD)).status_code == 204
    assert locked.client.post("/webhook", json=other, headers=basic(PASSWORD)).status_code == 200
    assert known(locked) == [7]


def test_without_a_server_events_are_of_no_use(tmp_path: Path) -> None:
    with service(tmp_path, connected=False) as parts:
        answer = parts.client.post("/webhook", json=EVENT, headers=SHOWN)

        assert answer.json() == {"status": "ignored"}
        assert known(parts) == []


def test_only_named_projects_are_taken(tmp_path: Path) -> None:
    with service(tmp_path, only=frozenset({8})) as parts:
        assert parts.client.post("/webhook", json=EVENT, headers=SHOWN).status_code == 200
        assert known(parts) == []


@pytest.mark.parametrize("action", ["DRAFT_CREATED", "PROJECT_DELETED", "", "annotation_created"])
def test_unknown_actions_are_ignored_politely(parts: Parts, action: str) -> None:
    answer = parts.client.post("/webhook", json=EVENT | {"action": action}, headers=SHOWN)

    assert (answer.status_code, answer.json()) == (200, {"status": "ignored"})


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[]", b"3", b'{"action": 3}', b"[" * 50_000,
     b'{"action": "TASKS_CREATED"}', b'{"action": "TASKS_CREATED", "project": {"id": "x"}}',
     b'{"action": "TASKS_CREATED", "project": {"id": true}}',
     b'{"action": "TASKS_CREATED", "project": {"id": -1}}',
     b'{"action": "TASKS_CREATED", "project": {"id": 99999999999999999999}}',
     b'{"action": "TASKS_CREATED", "project": "../../etc"}',
     b'{"action": "TASKS_CREATED", "project": [7]}'],
)  # fmt: skip
def test_bad_events_get_a_sentence_that_quotes_nothing(parts: Parts, body: bytes) -> None:
    headers = SHOWN | {"Content-Type": "application/json"}
    answer = parts.client.post("/webhook", content=body, headers=headers)

    assert answer.status_code == 400
    assert answer.text in {
        "the call holds no JSON.", "the call names no action.", "the call names no project."
    }  # fmt: skip
    assert known(parts) == []


def test_a_form_of_another_site_is_no_event(parts: Parts) -> None:
    """A browser sends such a type across sites without asking; it must not count."""
    headers = SHOWN | {"Content-Type": "text/plain"}

    assert parts.client.post(
        "/webhook", content=json.dumps(EVENT), headers=headers
    ).status_code == (415)


@pytest.mark.parametrize("path", ["/webhook", "/setup", "/predict"])
@pytest.mark.parametrize("declared", [True, False])
def test_a_call_may_not_be_too_large(tmp_path: Path, path: str, declared: bool) -> None:
    read = 0

    async def pieces() -> AsyncIterator[bytes]:
        nonlocal read
        for _ in range(1000):
            read += 100
            yield b" " * 100

    headers = SHOWN | {"Content-Type": "application/json"}
    with service(tmp_path, limit=5_000) as parts:
        content: Any = b" " * 100_000 if declared else pieces()
        answer = parts.client.post(path, content=content, headers=headers)

        assert answer.status_code == 413
        assert answer.text == "A call may hold 5000 bytes."
        assert read <= 5_200, "reading stopped at the limit"


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recordings of a real server are not here")
def test_recorded_events_are_understood(parts: Parts) -> None:
    files = [*RECORDED.glob("webhooks/*.json"), *RECORDED.glob("ml/*POST_webhook*.json")]
    assert len(files) > 15
    for file in files:
        body = json.loads(file.read_text(encoding="utf-8"))["body"]
        before = sum(parts.history.event_counts(body["project"]["id"]).values())
        answer = parts.client.post("/webhook", json=body, headers=SHOWN)
        assert answer.status_code in {200, 204}, file.name
        assert sum(parts.history.event_counts(body["project"]["id"]).values()) == before + 1


# People


@pytest.mark.parametrize("path", ["/", "/project-1/report.html", "/project-1/rounds/round-1.json"])
def test_pages_take_the_password(locked: Parts, path: str) -> None:
    others = {"Authorization": "Basic ?"}, {"Authorization": f"Bearer {PASSWORD}"}, SHOWN, {}
    for wrong in (basic("wrong"), basic(""), basic(PASSWORD + "x"), *others):
        answer = locked.client.get(path, headers=wrong)
        assert answer.status_code == 401
        assert "Basic" in answer.headers["www-authenticate"]
    assert locked.client.get(path, headers=basic(PASSWORD)).status_code != 401


@pytest.mark.parametrize("path", ["/score", "/begin", "/forget"])
def test_forms_take_the_password_and_the_token_of_the_page(locked: Parts, path: str) -> None:
    good = {"project": "7", "form_token": locked.access.form_token}
    bad = [{}, {"project": "7"}, good | {"form_token": "x"}]

    assert locked.client.post(path, data=good).status_code == 401
    for form in bad:
        answer = locked.client.post(path, data=form, headers=basic(PASSWORD))
        assert answer.status_code == 403
    assert known(locked) == []
    assert locked.client.post(path, data=good, headers=basic(PASSWORD)).status_code == 303


@pytest.mark.parametrize("number", ["", "x", "-3", "0", "1.5e9", "9" * 30])
def test_a_form_takes_the_number_of_a_project(parts: Parts, number: str) -> None:
    form = {"project": number, "form_token": parts.access.form_token}

    assert parts.client.post("/score", data=form).status_code == 400


@pytest.mark.parametrize(
    "path",
    ["/project-7/..%2f..%2fwebhook-secret", "/project-7/../webhook-secret", "/webhook-secret",
     "/project-7/..%2fservice.sqlite", "/project-7/rounds/..%2f..%2fwebhook-secret",
     "/project-7/setup.json", "/project-7/result.json", "/project-7/rounds/round-1.json.part",
     "/project-7/rounds/%2e%2e%2freport.html", "/project-7/report.html%00",
     "/project-7/report.html/", "/project--7/report.html", "/project-7/rounds/..%5creport.html"],
)  # fmt: skip
def test_nothing_but_reports_leaves_the_folder(parts: Parts, path: str) -> None:
    webhook_secret(parts.folder)
    place = parts.folder / "project-7"
    (place / "rounds").mkdir(parents=True)
    for name in ("report.html", "setup.json", "result.json", "rounds/round-1.json"):
        (place / name).write_text("{}", encoding="utf-8")

    assert parts.client.get("/project-7/report.html").status_code == 200
    assert parts.client.get("/project-7/rounds/round-1.json").status_code == 200
    assert parts.client.get(path).status_code in {404, 405}


def test_a_report_is_shut_into_a_sandbox(parts: Parts) -> None:
    place = parts.folder / "project-7" / "report.html"
    place.parent.mkdir()
    place.write_text("<p>γ</p>", encoding="utf-8")
    answer = parts.client.get("/project-7/report.html")

    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


# The model protocol


def test_the_model_takes_its_key_or_the_password(locked: Parts) -> None:
    for path in ("/model/health", "/model/wrong/health", "/versions", f"{locked.key_url}x/health"):
        assert locked.client.get(path).status_code == 401
    for path in ("/setup", "/model/setup", "/model/wrong/setup", "/predict"):
        assert locked.client.post(path, json=SETUP).status_code == 401
    for path, headers in ((locked.key_url, {}), ("", basic(PASSWORD)), ("/model", basic(PASSWORD))):
        assert locked.client.get(f"{path}/health", headers=headers).json() == {"status": "UP"}
        assert locked.client.get(f"{path}/versions", headers=headers).status_code == 200
        assert locked.client.post(f"{path}/setup", json=SETUP, headers=headers).status_code == 200
    assert locked.client.get("/health").json() == {"status": "UP"}, "to see that it is up"


def test_the_key_tells_nothing_of_the_secret() -> None:
    one, other = Access("secret-number-one"), Access("secret-number-two")

    assert one.key != other.key
    assert one.secret not in one.key
    assert "secret-number-one" not in repr(one)
    assert PASSWORD not in repr(Access(SECRET, PASSWORD))


def test_addresses_and_tokens_of_setup_are_neither_followed_nor_kept(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def connect(*_: object, **__: object) -> None:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", connect)
    monkeypatch.setattr(socket, "create_connection", connect)
    with caplog.at_level(logging.DEBUG):
        answer = parts.client.post(f"{parts.key_url}/setup", json=SETUP)

    assert answer.status_code == 200
    assert_nowhere(parts, TOKEN, caplog.text, answer.text)
    assert_nowhere(parts, "inner.example", caplog.text, answer.text)


def test_no_payload_is_kept(parts: Parts, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = parts.client.post("/webhook", json=EVENT, headers=SHOWN)
        page = parts.client.get("/").text

    assert answer.status_code == 204
    for word in (TOKEN, "A title", SECRET):
        assert_nowhere(parts, word, caplog.text, answer.text, page)


def assert_nowhere(parts: Parts, word: str, *texts: str) -> None:
    """Not in these texts, and not in any file of the service."""
    for text in texts:
        assert word not in text
    for file in parts.folder.rglob("*"):
        if file.is_file():
            assert word.encode() not in file.read_bytes(), file.name


def test_a_fault_is_one_sentence_to_the_client(
    parts: Parts, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(TOKEN)

    monkeypatch.setattr(parts.queue, "add", broken)
    with caplog.at_level(logging.DEBUG):
        answer = parts.client.post("/webhook", json=EVENT, headers=SHOWN)

    assert answer.status_code == 500
    assert answer.text == "this is a bug in goldspan; its log says where."
    assert "RuntimeError" in caplog.text
    assert TOKEN not in caplog.text
    assert "Traceback" not in caplog.text + answer.text


def test_a_fault_after_the_beginning_of_an_answer_adds_nothing_to_it() -> None:
    sent = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError(TOKEN)

    async def call() -> None:
        async def send(message: Any) -> None:
            sent.append(message["type"])

        scope = {"type": "http", "method": "GET", "headers": [(b"host", b"localhost")]}
        await Guard(app, Access(SECRET))(scope, send, send)  # type: ignore[arg-type]

    anyio.run(call)
    assert sent == ["http.response.start"]


def test_large_calls_together_have_a_limit_and_small_ones_are_taken() -> None:
    """Each brings a body in two halves, and the second only when all have brought the first."""
    large, small = 10**6, 10**4
    statuses = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await Request(scope, receive).body()
        await Response("taken")(scope, receive, send)

    async def call(guard: Guard, name: str, size: int, ready: anyio.Event) -> None:
        pieces = [b"x" * (size // 2)] * 2

        async def receive() -> Any:
            if len(pieces) == 1:
                await ready.wait()
            return {"type": "http.request", "body": pieces.pop(), "more_body": bool(pieces)}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses[name] = message["status"]

        scope = {
            "type": "http",
            "method": "POST",
            "headers": [(b"host", b"localhost")],
            "path": "/",
        }
        await guard(scope, receive, send)

    async def calls() -> None:
        app_of_ours = Starlette(routes=[Mount("/", app)])
        guard = Guard(app_of_ours, Access(SECRET), room=2 * large)
        for round_name in ("first", "again"):
            ready = anyio.Event()
            async with anyio.create_task_group() as group:
                for number in range(3):
                    group.start_soon(call, guard, f"{round_name} {number}", large, ready)
                await anyio.wait_all_tasks_blocked()
                group.start_soon(call, guard, f"{round_name} small", small, ready)
                await anyio.wait_all_tasks_blocked()
                ready.set()

    anyio.run(calls)
    for round_name in ("first", "again"):
        found = [statuses[f"{round_name} {number}"] for number in range(3)]
        assert sorted(found) == [200, 200, 503]
        assert statuses[f"{round_name} small"] == 200


# Secrets in files


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    first = webhook_secret(folder)

    assert webhook_secret(folder) == first
    assert len(first) >= 32
    assert stat.S_IMODE((folder / "webhook-secret").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text", ["", "short", "\nsecond line is long enough", "\udcff".encode(errors="surrogateescape")]
)
def test_a_secret_that_is_none_is_refused(tmp_path: Path, text: str | bytes) -> None:
    path = tmp_path / "secret"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())

    with pytest.raises(SettingsError, match="secret"):
        read_secret(path)
