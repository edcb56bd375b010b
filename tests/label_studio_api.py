"""What people do in Label Studio's pages, and what can be seen there, for tests and the demo."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

import httpx

Json = dict[str, Any]

_NUMBERS = count(1)


def new_address(name: str) -> str:
    """An address that no other test has used: tests share a server, in any order."""
    return f"{name}-{next(_NUMBERS)}@example.com"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone with an account; one who was made by `person` has no password and cannot log in."""

    id: int
    email: str
    password: str | None = None


class LabelStudioApi:
    """Calls as one person who has logged in by the form, so that no token is spent on them.

    Every method raises AssertionError with the server's words when the server refuses.
    """

    def __init__(self, url: str, email: str, password: str) -> None:
        """Logs in with the first call."""
        self.url = url
        self.email = email
        self.password = password
        # A connection for each call: none is left open for a test to find.
        once = httpx.Limits(max_keepalive_connections=0)
        self._client = httpx.Client(base_url=url, timeout=60.0, trust_env=False, limits=once)

    # How to ask

    def raw(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Any answer to a request, refusals too; `more` as httpx takes it."""
        if "sessionid" not in self._client.cookies:
            self._log_in()
        headers = {"X-CSRFToken": self._client.cookies["csrftoken"], "Referer": self.url}
        return self._client.request(method, path, headers=headers, **more)

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """What the server answers to JSON, as Python values; None when it has nothing to say."""
        answer = self.raw(method, path, json=body, params=query)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:1000]}"
        return answer.json() if answer.content else None

    def _log_in(self) -> None:
        self._client.get("/user/login/").raise_for_status()
        form = {
            "email": self.email,
            "password": self.password,
            "csrfmiddlewaretoken": self._client.cookies["csrftoken"],
        }
        answer = self._client.post("/user/login/", data=form, headers={"Referer": self.url})
        assert answer.status_code == 302, f"{self.email} could not log in: {answer.status_code}"

    # Tokens and people

    def allow_tokens(self, *, legacy: bool) -> None:
        """Allow personal access tokens and, or not, those of old."""
        wanted = {"api_tokens_enabled": True, "legacy_api_tokens_enabled": legacy}
        self.ask("POST", "/api/jwt/settings", wanted)

    @cached_property
    def token(self) -> str:
        """A personal access token: there is one for each person, and the server shows it once."""
        token: str = self.ask("POST", "/api/token/")["token"]
        return token

    @property
    def legacy_token(self) -> str:
        """A token of old, whether the server takes it or not."""
        token: str = self.ask("GET", "/api/current-user/token")["token"]
        return token

    def revoke_tokens(self) -> None:
        """End every personal access token of this person."""
        for token in self.ask("GET", "/api/token/"):
            self.ask("POST", "/api/token/blacklist/", {"refresh": token["token"]})
        self.__dict__.pop("token", None)

    @cached_property
    def me(self) -> Person:
        """Who makes the calls."""
        found = self.ask("GET", "/api/current-user/whoami")
        return Person(found["id"], found["email"], self.password)

    def person(self, email: str, first_name: str = "", last_name: str = "") -> Person:
        """Someone whose work can be posted, but who cannot log in; found or made."""
        for user in self.ask("GET", "/api/users/"):
            if user["email"] == email:
                return Person(user["id"], email)
        body = {"email": email, "username": email.split("@", maxsplit=1)[0]}
        names = {"first_name": first_name, "last_name": last_name}
        return Person(self.ask("POST", "/api/users/", body | names)["id"], email)

    def people(self, *emails: str) -> list[Person]:
        """One `person` for each address."""
        return [self.person(email) for email in emails]

    def member(self, email: str, password: str) -> Person:
        """Someone new who follows an invitation, signs up and can log in."""
        invitation = self.ask("GET", "/api/invite")["invite_url"]
        with httpx.Client(base_url=self.url, trust_env=False, follow_redirects=True) as visitor:
            visitor.get(invitation).raise_for_status()
            form = {
                "email": email,
                "password": password,
                "how_find_us": "",
                "csrfmiddlewaretoken": visitor.cookies["csrftoken"],
            }
            page = visitor.post(invitation, data=form, headers={"Referer": self.url})
            # A form that was refused comes back as a page like any other.
            assert "sessionid" in visitor.cookies, f"{email} could not sign up: {_words(page.text)}"
            found = visitor.get("/api/current-user/whoami").raise_for_status().json()
        return Person(found["id"], email, password)

    def login(self, person: Person) -> LabelStudioApi:
        """Calls as someone else who has a password."""
        assert person.password is not None, f"{person.email} cannot log in"
        return LabelStudioApi(self.url, person.email, person.password)

    # Projects and tasks

    def project(self, label_config: str, title: str = "A project", **settings: Any) -> int:
        """The number of a new project."""
        body = {"title": title, "label_config": label_config} | settings
        number: int = self.ask("POST", "/api/projects/", body)["id"]
        return number

    def import_tasks(self, project: int, tasks: Sequence[Json]) -> list[int]:
        """The numbers of new tasks, in order; each is `{"data": …}`, with annotations or not."""
        path = f"/api/projects/{project}/import"
        answer = self.ask("POST", path, list(tasks), return_task_ids=True, commit_to_project=True)
        return sorted(answer["task_ids"])

    def upload(self, project: int, path: Path) -> str:
        """The path at which the server serves a file from now on."""
        where = f"/api/projects/{project}/import"
        with path.open("rb") as stream:
            answer = self.raw(
                "POST", where, files={path.name: stream}, params={"commit_to_project": "false"}
            )
        assert answer.is_success, f"{answer.status_code} {answer.text[:1000]}"
        found = self.ask("GET", f"/api/projects/{project}/file-uploads", all=True)
        newest = max(found, key=lambda upload: upload["id"])
        return f"/data/{newest['file']}"

    def task(self, number: int) -> Json:
        """A task with its annotations, drafts and predictions."""
        found: Json = self.ask("GET", f"/api/tasks/{number}/")
        return found

    def tasks(self, project: int) -> list[Json]:
        """Every task with its annotations, drafts and the numbers of its predictions."""
        path = f"/api/projects/{project}/export"
        found: list[Json] = self.ask("GET", path, exportType="JSON", download_all_tasks=True)
        return sorted(found, key=lambda task: int(task["id"]))

    # Annotating

    def annotate(self, task: int, person: Person, result: Sequence[Json], **fields: Any) -> int:
        """The number of an annotation that the person made."""
        body = {"result": list(result), "completed_by": person.id, "lead_time": 5.0} | fields
        number: int = self.ask("POST", f"/api/tasks/{task}/annotations/", body)["id"]
        return number

    def skip(self, task: int, person: Person) -> int:
        """The number of the annotation that says so."""
        return self.annotate(task, person, (), was_cancelled=True)

    def draft(self, task: int, result: Sequence[Json]) -> int:
        """The number of a draft of the one who makes the calls: begun, not submitted."""
        body = {"result": list(result), "lead_time": 5.0}
        number: int = self.ask("POST", f"/api/tasks/{task}/drafts", body)["id"]
        return number

    # What can be seen

    def predictions(self, project: int, model_version: str | None = None) -> list[Json]:
        """Every prediction, or those of one model."""
        found: Iterable[Json] = self.ask("GET", "/api/predictions/", project=project)
        return [p for p in found if model_version in {None, p["model_version"]}]

    def views(self, project: int) -> list[Json]:
        """The tabs of the Data Manager."""
        found: list[Json] = self.ask("GET", "/api/dm/views/", project=project)
        return found

    def columns(self, project: int) -> dict[str, str]:
        """The columns that tasks' data give the Data Manager, by name, and their types."""
        found = self.ask("GET", "/api/dm/columns/", project=project)["columns"]
        return {str(c["id"]): str(c["type"]) for c in found if c.get("parent") == "data"}

    def shown(self, view: int, project: int) -> list[int]:
        """The numbers of the tasks that a tab shows, in its order."""
        found = self.ask("GET", "/api/tasks/", view=view, project=project, page_size=1000)
        return [int(task["id"]) for task in found["tasks"]]

    def webhooks(self, project: int) -> list[Json]:
        """What the server calls when something happens."""
        found: list[Json] = self.ask("GET", "/api/webhooks/", project=project)
        return found

    def webhook(self, project: int, url: str, **headers: str) -> int:
        """The number of a new webhook for everything that happens."""
        body = {
            "project": project,
            "url": url,
            "send_payload": True,
            "send_for_all_actions": True,
            "headers": {name.replace("_", "-"): value for name, value in headers.items()},
        }
        number: int = self.ask("POST", "/api/webhooks/", body)["id"]
        return number

    def version(self) -> str:
        """Of Label Studio."""
        page = self.ask("GET", "/api/version")
        return re.sub(r"[^0-9.]", "", str(page["release"]))


def _words(page: str) -> str:
    """What a page says, without its code."""
    shown = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>|<[^>]*>", " ", page)
    return " ".join(shown.split())[:1000]
