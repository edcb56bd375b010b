"""The service beside a real Label Studio: rounds, kills, restarts, and Settings > Model."""

from __future__ import annotations

import html
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from goldspan.plugin.cli import main
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.service.database import Database
from goldspan.plugin.service.history import History, Project
from goldspan.plugin.service.queue import Queue
from label_studio_api import Json, LabelStudioApi, Person, new_address
from label_studio_projects import text_span
from label_studio_server import LabelStudioServer, free_port
from service_process import PATIENCE, Service, wait_until

CONFIG = (
    '<View><Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>'
    '<Text name="text" value="$text"/></View>'
)
TEXTS = (
    "Mira Köhler opened the fair in Oslo.",
    "Anders Vik and Mira Köhler went to Bergen.",
    "Nobody came to Oslo but Anders Vik.",
)
WORDS = {"Mira Köhler": "PER", "Anders Vik": "PER", "Oslo": "LOC", "Bergen": "LOC"}


@dataclass(frozen=True)
class Round:
    """A project for two annotators; the second never marks places."""

    api: LabelStudioApi
    project: int
    tasks: list[int]
    people: list[Person]

    def annotate(self, person: int, *tasks: int) -> None:
        for place in tasks or range(len(self.tasks)):
            text = TEXTS[place]
            spans = [
                text_span(text, words, label)
                for words, label in WORDS.items()
                if words in text and (person == 0 or label == "PER")
            ]
            self.api.annotate(self.tasks[place], self.people[person], spans)

    def gold(self) -> list[Json]:
        return self.api.predictions(self.project, "goldspan")

    def columns(self) -> list[float]:
        """The agreement of each task that has one."""
        data = [task["data"] for task in self.api.tasks(self.project)]
        return [one["goldspan_gamma"] for one in data if "goldspan_gamma" in one]


def begin(api: LabelStudioApi) -> Round:
    project = api.project(CONFIG, "Fairs", maximum_annotations=2)
    tasks = api.import_tasks(project, [{"data": {"text": text}} for text in TEXTS])
    return Round(api, project, tasks, api.people("ann@example.com", "ben@example.com"))


def connected(folder: Path, server: LabelStudioServer, *options: str) -> Service:
    return Service(folder, "--url", server.url, *options, token=server.api.token)


def set_up(folder: Path, address: str, server: LabelStudioServer, made: Round) -> None:
    """Register the webhook, as a person would."""
    code = main([
        "label-studio", "setup", "--url", server.url, "--project", str(made.project),
        "--folder", str(folder), "--service-url", address, "--quiet",
    ])  # fmt: skip
    assert code == 0


def known(service: Service, made: Round) -> Project:
    database = Database(service.folder / "service.sqlite")
    found = History(database).project(made.project)
    database.close()
    assert found is not None
    return found


def quiet(service: Service, made: Round) -> Project:
    """The project when nothing has been due for a while."""

    def settled() -> Project | None:
        first = known(service, made)
        time.sleep(3)
        second = known(service, made)
        return second if first == second and not second.waiting else None

    found: Project = wait_until(settled)
    return found


@pytest.fixture
def token(label_studio: LabelStudioServer, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("GOLDSPAN_LABEL_STUDIO_TOKEN", label_studio.api.token)
    return label_studio.api.token


def test_a_round_from_the_first_annotation_to_gold(
    label_studio: LabelStudioServer, token: str, tmp_path: Path
) -> None:
    made = begin(label_studio.api)
    with connected(tmp_path / "folder", label_studio, "--debounce", "1") as service:
        set_up(service.folder, service.url, label_studio, made)
        made.annotate(0)
        wait_until(lambda: known(service, made).looked_at)
        assert made.gold() == [], "a round is not over when one of two is done"
        people = label_studio.api.tasks(made.project)
        made.annotate(1)
        wait_until(lambda: len(made.gold()) == 3 and len(made.columns()) == 3)

        project = quiet(service, made)
        assert [one.number for one in project.rounds] == [1]
        assert project.syncs <= 3, "what we write ourselves is told to us, and ends there"
        assert project.events >= 6
        writes = project.writes
        page = service.get().text
        assert f"project-{made.project}/report.html" in page
        assert service.get(f"/project-{made.project}/report.html").status_code == 200

        later = label_studio.api.tasks(made.project)
        assert [
            [a for a in task["annotations"] if a["completed_by"] == made.people[0].id]
            for task in later
        ] == [task["annotations"] for task in people], "people's work is as it was"
        made.api.ask("PATCH", f"/api/projects/{made.project}/", {"title": "Fairs and fires"})
        wait_until(lambda: known(service, made).events > project.events)
        assert quiet(service, made).writes == writes
    assert token not in service.said
    assert "Traceback" not in service.said
    for file in service.folder.rglob("*"):
        assert not file.is_file() or token.encode() not in file.read_bytes()


def test_a_kill_between_hearing_and_writing_loses_and_doubles_nothing(
    label_studio: LabelStudioServer, token: str, tmp_path: Path
) -> None:
    made = begin(label_studio.api)
    with connected(tmp_path / "folder", label_studio, "--debounce", "6") as service:
        set_up(service.folder, service.url, label_studio, made)
        made.annotate(0)
        made.annotate(1)
        assert known(service, made).waiting
        service.kill()
        assert made.gold() == []

        service.start()
        # Again in the middle of the work: when the first of its writes is there.
        wait_until(lambda: made.gold() or made.columns())
        service.kill()
        service.start()
        project = quiet(service, made)

    assert sorted(one["task"] for one in made.gold()) == made.tasks
    assert len(made.columns()) == 3
    assert len(project.rounds) == 1
    titles = [view["data"]["title"] for view in made.api.views(made.project)]
    assert titles.count("Low agreement") == 1


class Gate:
    """A way to a Label Studio on which changes of tasks stand and wait until it is opened."""

    def __init__(self, target: str) -> None:
        self.waiting, self.open = threading.Event(), threading.Event()
        gate = self

        class Passage(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self.command == "PATCH" and self.path.startswith("/api/tasks/"):
                    gate.waiting.set()
                    gate.open.wait(PATIENCE)
                kept = ("authorization", "content-type")
                answer = httpx.request(
                    self.command, target + self.path, content=body, trust_env=False, timeout=60,
                    headers={k: v for k, v in self.headers.items() if k.lower() in kept},
                )  # fmt: skip
                self.send_response(answer.status_code)
                self.send_header("Content-Type", answer.headers.get("Content-Type", ""))
                self.send_header("Content-Length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)

            do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815 - the names are the library's

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Passage)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Gate:  # noqa: PYI034 - Self needs Python 3.11
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.open.set()
        self._server.shutdown()
        self._server.server_close()


def test_an_undo_during_a_sync_of_the_service_leaves_nothing(
    label_studio: LabelStudioServer, token: str, tmp_path: Path
) -> None:
    made = begin(label_studio.api)
    folder = tmp_path / "folder"
    options = ("--debounce", "1", "--reconcile", "0.05", "--project", str(made.project))
    undo = ["label-studio", "sync", "--undo", "--url", label_studio.url, "--project",
            str(made.project), "--folder", str(folder), "--quiet"]  # fmt: skip
    with (
        Gate(label_studio.url) as gate,
        Service(folder, "--url", gate.url, *options, token=token) as service,
        ThreadPoolExecutor(1) as beside,
    ):
        set_up(service.folder, service.url, label_studio, made)
        made.annotate(0)
        made.annotate(1)
        assert gate.waiting.wait(PATIENCE), "the service has begun to write"
        undone = beside.submit(main, undo)
        database = Database(folder / "service.sqlite")
        wait_until(lambda: undone.done() or not History(database).projects())
        gate.open.set()
        assert undone.result(PATIENCE) == 0

        assert (made.gold(), made.columns(), made.api.webhooks(made.project)) == ([], [], [])
        assert not Queue(database).is_claimed(made.project), "nobody is at work any more"
        # Nothing takes it up again but a person.
        made.annotate(0, 0)
        assert History(database).projects() == ()
        set_up(service.folder, service.url, label_studio, made)
        wait_until(lambda: len(made.gold()) == 3 and len(made.columns()) == 3)
        database.close()
    assert "Traceback" not in service.said


def test_an_event_that_never_came_is_made_up_for(
    label_studio: LabelStudioServer, token: str, tmp_path: Path
) -> None:
    """The first ones too: nobody listens yet when people annotate."""
    made = begin(label_studio.api)
    folder = tmp_path / "folder"
    set_up(folder, f"http://127.0.0.1:{free_port()}", label_studio, made)
    made.annotate(0)
    made.annotate(1, 0, 1)
    options = ("--debounce", "1", "--reconcile", "0.05")
    with connected(folder, label_studio, *options) as service:
        wait_until(lambda: known(service, made).looked_at)
        made.annotate(1, 2)
        wait_until(lambda: len(made.columns()) == 3)
        assert quiet(service, made).events == 0


def test_one_person_twice_is_one_annotator(label_studio: LabelStudioServer, token: str) -> None:
    made = begin(label_studio.api)
    made.annotate(0)
    made.annotate(0)
    made.api.skip(made.tasks[0], made.people[1])
    with closing(Server(label_studio.url, token)) as server:
        found = list(server.tasks_overview(made.project))
    assert [count for *_, count in found] == [2, 1, 1]


def test_label_studio_may_go_down_and_come_back(
    own_label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    server, file = own_label_studio, tmp_path / "token.txt"
    file.write_text(server.api.token)
    made = begin(server.api)
    made.annotate(0)
    made.annotate(1)
    with connected(tmp_path / "folder", server, "--token-file", str(file)) as service:
        server.kill()
        service.press("score", made.project)
        wait_until(lambda: "cannot be reached" in service.get().text)
        assert known(service, made).waiting
        server.start()
        service.press("score", made.project)
        wait_until(lambda: len(made.columns()) == 3)
        wait_until(lambda: "cannot be reached" not in service.get().text)

        server.api.revoke_tokens()
        # The access token that was made of it lives for five minutes.
        service.end()
        service.start()
        service.press("score", made.project)
        wait_until(lambda: f"Personal Access Token, and put it into {file}" in shown(service))
        assert known(service, made).waiting
        file.write_text(server.api.token)
        service.press("score", made.project)
        wait_until(lambda: "does not accept the token" not in shown(service))
        assert not quiet(service, made).error
    assert "Traceback" not in service.said


def test_a_project_that_was_deleted_can_be_forgotten(
    label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    made = begin(label_studio.api)
    with connected(tmp_path / "folder", label_studio) as service:
        service.press("score", made.project)
        wait_until(lambda: "Fairs" in shown(service))
        quiet(service, made)
        label_studio.api.ask("DELETE", f"/api/projects/{made.project}/")
        service.press("score", made.project)
        gone = f"there is no project {made.project} in Label Studio at {label_studio.url}"
        wait_until(lambda: gone in shown(service))
        assert shown(service).count(gone) == 1, "nothing is wrong with the server"
        assert "press “Forget”" in shown(service)
        service.press("forget", made.project)
        assert gone not in shown(service)


def shown(service: Service) -> str:
    """The dashboard, as a person reads it."""
    return html.unescape(service.get().text)


def retrieve(made: Round) -> None:
    """Choose all tasks in the Data Manager and press “Retrieve Predictions”."""
    body = {"selectedItems": {"all": True, "excluded": []}, "project": made.project}
    path = "/api/dm/actions"
    made.api.ask("POST", path, body, id="retrieve_tasks_predictions", project=made.project)


def test_settings_model_needs_no_token(label_studio: LabelStudioServer, tmp_path: Path) -> None:
    made = begin(label_studio.api)
    made.annotate(0)
    made.annotate(1, 0)
    with Service(tmp_path / "folder") as service:
        # What the page under Settings > Model sends.
        body = {"project": made.project, "url": service.model_url, "title": "goldspan"}
        model = made.api.ask("POST", "/api/ml/", body)
        assert (model["readable_state"], model["error_message"]) == ("Connected", None)

        retrieve(made)
        assert [one["task"] for one in made.api.predictions(made.project)] == [made.tasks[0]]
        made.annotate(1, 1, 2)
        retrieve(made)
        first = made.api.predictions(made.project)
        assert {one["task"] for one in first} == set(made.tasks)
        # A task that is worse than chance has no score.
        scores = [one["score"] for one in first if one["score"] is not None]
        assert scores
        assert all(0 <= score <= 1 for score in scores)
        assert all(one["model_version"].startswith("goldspan-") for one in first)
        retrieve(made)
        assert made.api.predictions(made.project) == first, "nothing has changed"

        annotation = made.api.task(made.tasks[2])["annotations"][1]
        made.api.ask("PATCH", f"/api/annotations/{annotation['id']}/", {"result": []})
        retrieve(made)
        second = made.api.predictions(made.project)
        assert {one["task"] for one in second if one not in first} >= {made.tasks[2]}
        assert "retrieved.html" in service.get().text


def test_a_connected_model_shows_annotators_nothing(
    label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    """With a model connected, Label Studio asks it for each task that it gives to a person."""
    made = begin(label_studio.api)
    made.annotate(0)
    newcomer = label_studio.api.member(new_address("dana"), "a-password-of-hers")
    with Service(tmp_path / "folder") as service:
        body = {"project": made.project, "url": service.model_url, "title": "goldspan"}
        made.api.ask("POST", "/api/ml/", body)
        settings = made.api.ask("GET", f"/api/projects/{made.project}/")
        assert settings["show_collab_predictions"]
        assert settings["model_version"] == "goldspan", "so it is asked"
        hers = label_studio.api.login(newcomer)
        given = hers.ask("GET", f"/api/projects/{made.project}/next")
        assert given["id"] in made.tasks
        assert given["predictions"] == []
        opened = hers.task(made.tasks[0])
        assert opened["predictions"] == []


def test_the_webhook_of_a_connected_model_moves_projects_that_are_looked_after(
    label_studio: LabelStudioServer, tmp_path: Path
) -> None:
    made = begin(label_studio.api)
    with connected(tmp_path / "folder", label_studio, "--debounce", "1") as service:
        body = {"project": made.project, "url": service.model_url, "title": "goldspan"}
        model = made.api.ask("POST", "/api/ml/", body)
        made.annotate(0)
        database = Database(service.folder / "service.sqlite")
        assert History(database).projects() == (), "nobody has asked for it"
        database.close()

        service.press("score", made.project)
        wait_until(lambda: "no task has two annotators" in service.get().text)
        made.annotate(1)
        wait_until(lambda: len(made.columns()) == 3)
        before = known(service, made).events
        made.api.ask("POST", f"/api/ml/{model['id']}/train", {})
        wait_until(lambda: known(service, made).events > before)
