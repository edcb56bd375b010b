"""Notifications: real web servers, mail servers and commands; and a sync that none can stop."""

from __future__ import annotations

import base64
import json
import logging
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.errors import InputError, SettingsError
from goldspan.plugin.label_studio.responses import ServerError
from goldspan.plugin.service.history import Project, Scored
from goldspan.plugin.service.notify import notifier as notifier_module
from goldspan.plugin.service.notify.channels import Mail, Webhook
from goldspan.plugin.service.notify.message import Event, Message
from goldspan.plugin.service.notify.notifier import Notifier
from goldspan.plugin.service.notify.targets import SMTP, read_targets
from notify_servers import chat, post
from service_parts import Parts, service

SECRETS = ("very-secret", "pass word")
CLOSED = Message(
    Event.ROUND_CLOSED, 4, "Reports <!channel>", 2, Figure(0.71, 0.66, 0.75, 0.95, 80),
    Figure(0.8, None, None, 0.95, 80), 120, 3,
)  # fmt: skip


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    with service(tmp_path) as made:
        made.studio.tasks = {1: (0, 3), 2: (0, 3)}
        yield made


def project_with(*gammas: float | None) -> Project:
    rounds = tuple(
        Scored(number, 0.0, "", 2, 3, 9, {"gamma": Figure(value, None, None, 0.95, 9)}, {})
        for number, value in enumerate(gammas, start=1)
        if value is not None
    )
    return replace(BLANK, rounds=rounds)


BLANK = Project(
    id=4, title="Reports", events=0, last_event=None, waiting=False, requested=False, in_hand=False,
    progress="", attempts=0, retry_at=None, error="", error_at=None, looked_at=None, synced_at=None,
    syncs=0, writes=0, said="", fingerprint="", round=None, tasks=0, complete=0, wanted=0,  # type: ignore[arg-type]
    rounds=(),
)  # fmt: skip


def test_slack_and_mattermost_get_a_text_without_markup() -> None:
    with chat() as there:
        Notifier(read_targets([there.url]), "https://goldspan.example").send(CLOSED)

    ((kind, body),) = there.posted
    assert kind == "application/json"
    assert body == {
        "text": "Round 2 of “Reports &lt;!channel&gt;” (project 4) is closed: γ 0.71 (0.66 to "
        "0.75); 120 tasks, 3 annotators. https://goldspan.example/#project-4"
    }


def test_teams_gets_a_card() -> None:
    with chat() as there:
        Notifier(read_targets([f"teams:{there.url}"])).send(replace(CLOSED, event=Event.GAMMA_FELL))

    ((_, body),) = there.posted
    (card,) = body["attachments"]
    assert card["contentType"] == "application/vnd.microsoft.card.adaptive"
    assert "fell from 0.80 in the round before to 0.71" in card["content"]["body"][0]["text"]


def test_an_e_mail_is_handed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    with post() as there:
        server = f"smtp://bot%40example.org:pass%20word@127.0.0.1:{there.port}"
        monkeypatch.setenv(SMTP, server)
        Notifier(read_targets(["mailto:lead@example.org"])).send(CLOSED)

    (mail,) = there.mails
    assert (mail["From"], mail["To"]) == ("bot@example.org", "lead@example.org")
    assert mail["Subject"] == "goldspan, “Reports <!channel>” (project 4): round 2 is closed"
    assert "γ 0.71" in mail.get_content()
    assert base64.b64decode(there.logins[0]) == b"\0bot@example.org\0pass word"


def test_a_password_is_not_sent_in_the_clear(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with post() as there:
        monkeypatch.setenv(SMTP, f"smtp://bot:pass%20word@127.0.0.1:{there.port}")
        (mail,) = read_targets(["mailto:lead@example.org"])
        assert isinstance(mail, Mail)
        elsewhere = replace(mail, server=replace(mail.server, is_local=False))
        Notifier([elsewhere]).send(CLOSED)

    assert not there.mails
    assert not there.logins
    assert "offers no encryption" in caplog.text


def test_a_command_gets_the_facts(tmp_path: Path) -> None:
    target = tmp_path / "told.json"
    script = tmp_path / "tell.py"
    script.write_text(
        "import pathlib, sys\npathlib.Path(sys.argv[1]).write_bytes(sys.stdin.buffer.read())\n"
    )
    Notifier(read_targets([f"command:{sys.executable} '{script}' '{target}'"])).send(CLOSED)

    told = json.loads(target.read_text(encoding="utf-8"))
    assert told["event"] == "round_closed"
    assert (told["project"], told["round"]) == (4, 2)
    assert (told["gamma"], told["gamma_before"]) == (0.71, 0.8)
    assert told["message"].startswith("Round 2 of “Reports")


def test_targets_can_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "notify.txt"
    file.write_text("# our channel\nhttps://chat.example/services/very-secret\n\ncommand:true\n")
    found = read_targets([f"@{file}"])

    assert [one.name for one in found] == ["the webhook at chat.example", "the command true"]
    assert "very-secret" not in repr(found)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("ftp://very-secret", "--notify takes https://"),
        ("very-secret", "--notify takes https://"),
        ("https://", "--notify takes https://"),
        ("mailto:nobody", "takes an address"),
        ("mailto:lead@example.org", SMTP),
        ("command:", "takes a program"),
        ("command:'", "takes a program"),
        ("@/nowhere/at/all", "cannot be read"),
    ],
)
def test_a_bad_target_is_one_sentence(
    given: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SMTP, raising=False)
    with pytest.raises(SettingsError, match=said) as caught:
        read_targets([given])

    assert "very-secret" not in str(caught.value)


def test_failures_are_lines_in_the_log_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with chat(status=400) as wrong, post(refuses=True) as stern:
        monkeypatch.setenv(SMTP, f"smtp://bot:pass%20word@127.0.0.1:{stern.port}")
        targets = read_targets([
            wrong.url, "http://127.0.0.1:9/very-secret", "mailto:lead@example.org",
            f"command:{tmp_path / 'nothing'} very-secret", f"command:{sys.executable} -c 1/0",
        ])  # fmt: skip
        Notifier(targets).send(CLOSED)

    for said in ("answered 400; for Teams", "cannot be reached", "refused it", "cannot be run",
                 "exit code 1"):  # fmt: skip
        assert said in caplog.text
    assert not any(secret in caplog.text for secret in SECRETS)


def test_a_server_that_hangs_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier_module, "SEND_SECONDS", -0.8)
    release = threading.Event()
    with chat(hangs=release) as there:
        Notifier([Webhook("127.0.0.1", there.url)]).send(CLOSED)
        release.set()


def test_a_round_is_told_of_once_and_a_fall_of_gamma_too() -> None:
    sent: list[tuple[Event, int]] = []

    class Collector(Notifier):
        def send(self, message: Message) -> None:
            sent.append((message.event, message.round))

    one = Collector()
    one.scored(project_with(), project_with(0.8), 1)
    one.scored(project_with(0.8), project_with(0.79), 1)
    one.scored(project_with(0.8), project_with(0.8, 0.76), 2)
    one.scored(project_with(0.8, 0.76), project_with(0.8, 0.7), 2)
    one.scored(project_with(0.8, 0.7), project_with(0.8, 0.6), 2)
    one.scored(project_with(0.8, 0.6), project_with(0.8, 0.6, 0.5), 3)

    assert sent == [
        (Event.ROUND_CLOSED, 1), (Event.ROUND_CLOSED, 2), (Event.GAMMA_FELL, 2),
        (Event.ROUND_CLOSED, 3), (Event.GAMMA_FELL, 3),
    ]  # fmt: skip


def test_the_service_tells_of_rounds_and_of_failures(parts: Parts) -> None:
    with chat() as there:
        parts.worker._job.notifier.channels = read_targets([there.url])
        parts.queue.request(4)
        parts.run()
        parts.queue.request(4)
        parts.run()
        assert len(there.posted) == 1, "a round that is scored again is not news"

        parts.studio.fault = InputError("the task says 'a patient's name'", where="task 3")
        for _ in range(2):
            parts.queue.request(4)
            parts.run()
        parts.studio.fault = ServerError("Label Studio does not answer", passing=True)
        parts.queue.request(4)
        parts.run()
        for _ in range(6):
            parts.run(1000)

    texts = [body["text"] for _, body in there.posted]
    assert "Round 1 of “Reports” (project 4) is closed" in texts[0]
    assert texts[1] == "goldspan could not score “Reports” (project 4): task 3: the task says …."
    assert "Label Studio does not answer" in texts[2]
    assert len(texts) == 3


def test_a_failing_channel_never_stops_a_sync(
    parts: Parts, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        name = "a broken channel"

        def send(self, _message: Message) -> None:
            raise RuntimeError("very-secret")

    parts.worker._job.notifier.channels = [Broken()]
    parts.queue.request(4)
    with caplog.at_level(logging.WARNING):
        parts.run()

    (project,) = parts.history.projects()
    assert (project.syncs, project.error) == (1, "")
    assert "a broken channel" in caplog.text
    assert "very-secret" not in caplog.text
