"""`goldspan label-studio serve`: it refuses what is unsafe, starts, listens, ends, starts again."""

from __future__ import annotations

import signal
import socket
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from goldspan.plugin.cli import build_parser, main
from goldspan.plugin.cli.verbs.label_studio.serve import parse
from goldspan.plugin.label_studio.platform import make_source
from goldspan.plugin.service.database import FILE, LOCK_SECONDS, Database
from goldspan.plugin.service.history import History
from goldspan.plugin.service.job import Wishes
from goldspan.plugin.service.running import make_worker
from goldspan.plugin.service.web.access import SECRET_HEADER, webhook_secret
from service_process import COMMAND, Service

TOKEN = "a-token-of-some-length"  # noqa: S105 - a made-up one


def serve(*options: str) -> int:
    return main(["label-studio", "serve", *options])


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("GOLDSPAN_PASSWORD", "LABEL_STUDIO_URL", "GOLDSPAN_LABEL_STUDIO_TOKEN",
                 "LABEL_STUDIO_API_KEY"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)


def test_it_listens_on_this_machine_only_unless_told() -> None:
    args = build_parser().parse_args(["label-studio", "serve"])

    assert (args.host, args.port) == ("127.0.0.1", 9090)


def test_its_options_are_part_of_what_it_wishes(tmp_path: Path) -> None:
    def wishes(*options: str) -> Wishes:
        url = ("--url", "http://localhost:1", "--token-file", str(tmp_path / "token"))
        request = parse(build_parser().parse_args(["label-studio", "serve", *url, *options]))
        source = make_source(request.connection, request.options)
        with closing(Database(tmp_path / "service.sqlite")) as database, source.open() as platform:
            return make_worker(request.service, database, platform, source)._job.wishes

    (tmp_path / "token").write_text(TOKEN, encoding="utf-8")

    assert wishes() == wishes()
    assert wishes("--max-seconds", "60") != wishes()
    assert wishes("--workers", "2") == wishes(), "it changes no figure"
    assert len({wishes(), wishes("--layer", "text"), wishes("--seed", "7"), wishes("--live")}) == 4


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])  # noqa: S104
def test_it_goes_out_only_with_a_password(
    host: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert serve("--host", host) == 2
    said = capsys.readouterr().err
    assert "--password-file" in said
    assert list(tmp_path.iterdir()) == [], "nothing was begun"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--port", "70000"), "port"),
        (("--debounce", "0"), "--debounce"),
        (("--debounce", "inf"), "--debounce"),
        (("--reconcile", "-1"), "--reconcile"),
        (("--max-megabytes", "0"), "--max-megabytes"),
        (("--annotators", "1"), "--annotators"),
        (("--project", "0"), "--project"),
        (("--project", "9" * 20), "--project"),
        (("--project", "5", "--live"), "--project, --live would do nothing: without --url"),
        (("--with-predictions", "m", "--seed", "3"), "--with-predictions, --seed would do nothing"),
        (("--token-file", "token.txt"), "--token-file would do nothing"),
        (("--seconds", "3", "--max-seconds", "60", "--live"), "goldspan: --live would do nothing"),
        (("--public-url", "ftp://x"), "not an address of a goldspan service"),
        (("--password-file", "missing.txt"), "missing.txt"),
        (("--url", "http://localhost:1", "--port", "0"), "token"),
        (("--url", "ftp://x", "--token-file", "token.txt", "--port", "0"), "address"),
        (("--port", "{taken}"), "--port"),
    ],
)
def test_bad_options_are_one_sentence(
    options: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("token.txt").write_text(TOKEN, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert serve(*(option.replace("{taken}", port) for option in options)) == 2

    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert TOKEN not in error


def test_a_short_password_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDSPAN_PASSWORD", "pw")

    assert serve("--host", "0.0.0.0") == 2  # noqa: S104
    assert "8 or more" in capsys.readouterr().err


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_starts_answers_and_ends(end: signal.Signals, tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as service:
        assert service.get().status_code == 200
        again = subprocess.run(
            [*COMMAND, "--port", "0", "--folder", str(service.folder)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert again.returncode == 2
        assert "another service" in again.stderr
        assert service.end(end) == 0
    assert "Traceback" not in service.said
    assert {one.name for one in service.folder.iterdir()} == {
        "service.lock", "service.sqlite", "webhook-secret"
    }  # fmt: skip


def test_a_signal_as_soon_as_the_address_is_printed_ends_it(tmp_path: Path) -> None:
    with Service(tmp_path / "folder") as service:
        assert service.end() == 0
    assert "Traceback" not in service.said


def test_an_answered_event_survives_a_kill(tmp_path: Path) -> None:
    """Label Studio does not tell it again: from the answer on it is ours to remember."""
    body = {"action": "ANNOTATION_CREATED", "project": {"id": 3, "token": "project-token"}}
    # Nobody listens there, so that the work cannot be done before the kill.
    with Service(tmp_path / "folder", "--url", "http://127.0.0.1:9", token=TOKEN) as service:
        headers = {SECRET_HEADER: webhook_secret(service.folder)}
        for _ in range(100):
            assert service.post("/webhook", json=body, headers=headers).status_code == 204
        service.kill()

        database = Database(service.folder / "service.sqlite")
        (project,) = History(database).projects()
        assert project.waiting
        assert History(database).event_counts(3) == {"ANNOTATION_CREATED": 100}
        database.close()
        for word in (TOKEN, headers[SECRET_HEADER], "project-token"):
            assert word not in service.said
        for file in service.folder.iterdir():
            assert b"project-token" not in file.read_bytes()
        service.start()
        assert "Project 3" in service.get().text


def test_a_locked_memory_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    body = {"action": "ANNOTATION_CREATED", "project": {"id": 3}}
    with (
        Service(tmp_path / "folder", "--url", "http://127.0.0.1:9", token=TOKEN) as service,
        ThreadPoolExecutor(1) as pool,
        closing(sqlite3.connect(service.folder / FILE, isolation_level=None)) as other,
    ):
        headers = {SECRET_HEADER: webhook_secret(service.folder)}
        other.execute("BEGIN IMMEDIATE")
        event = pool.submit(service.post, "/webhook", json=body, headers=headers)
        # For long enough that the event is there, and not so long that it is given up.
        begun = time.monotonic()
        while time.monotonic() < begun + LOCK_SECONDS / 4:
            assert service.get("/health").status_code == 200
        waited = not event.done()
        held = time.monotonic() - begun
        other.execute("ROLLBACK")
        # On a machine that stood still for so long it is refused, as it should be.
        assert waited or held > LOCK_SECONDS
        assert event.result().status_code == 204 or held > LOCK_SECONDS / 2


def test_the_address_that_others_use_is_shown(tmp_path: Path) -> None:
    public = "https://labels.example/goldspan"
    with Service(tmp_path / "folder", "--public-url", f"{public}/") as service:
        assert service.model_url.startswith(f"{public}/model/")
        assert f"for others at {public}/" in service.said
