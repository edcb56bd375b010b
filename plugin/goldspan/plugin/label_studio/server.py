"""The server: every call goldspan makes to a Label Studio."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.plugin.label_studio.http_client import LONG, Wire
from goldspan.plugin.label_studio.responses import ServerError

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json

__all__ = ["Server", "ServerError"]

PAGE = 200
"""Tasks asked for at a time."""


class Server(Wire):
    """A Label Studio, as one user sees it."""

    # Projects

    def whoami(self) -> Json:
        """The user the token belongs to."""
        return self.call("GET", "api/current-user/whoami")

    def version(self) -> str:
        """Label Studio's own version; "" where it does not say."""
        answer = self.call("GET", "api/version")
        return str(answer.get("release") or "") if isinstance(answer, dict) else ""

    def projects(self) -> Iterator[tuple[int, str]]:
        """Number and title of every project that the token's user may see."""
        page, more = 0, True
        while more:
            page += 1
            params = {"page": page, "page_size": 100, "include": "id,title"}
            answer = self.call("GET", "api/projects/", params=params)
            for one in answer["results"]:
                yield int(one["id"]), str(one.get("title") or "")
            more = bool(answer.get("next"))

    def project(self, number: int) -> Json:
        """The project's settings."""
        return self.call("GET", f"api/projects/{number}/")

    def change_project(self, number: int, **settings: Json) -> None:
        """Change these settings and no others."""
        self.call("PATCH", f"api/projects/{number}/", json=settings)

    def people(self) -> Mapping[int, Json]:
        """The users who can annotate, by number."""
        return {person["id"]: person for person in self.call("GET", "api/users/")}

    # Tasks

    def export(self, number: int, path: Path) -> None:
        """All tasks with annotations and drafts into a file, as they come over the wire."""
        params = {"exportType": "JSON", "download_all_tasks": "true", "interpolate_key_frames": 0}
        self.save(f"api/projects/{number}/export", params, path)

    def tasks_overview(self, number: int) -> Iterator[tuple[int, str, str, int]]:
        """Id, times of creation and last change, and number of annotators of every task. An
        annotator who skips a task counts. Some servers give only the number of skips.
        """
        fields = "id,created_at,updated_at,annotators,total_annotations,cancelled_annotations"
        # Without `review` the list of annotators is there, and empty.
        for task in self._tasks(number, fields, PAGE, review="true"):
            times = int(task["total_annotations"] or 0) + int(task["cancelled_annotations"] or 0)
            people = len(task.get("annotators") or ()) or times
            yield task["id"], str(task["created_at"]), str(task["updated_at"]), people

    def data(self, task: int) -> Json | None:
        """A task's data as it is stored, None when there is no such task any more.

        The usual answer has addresses of Label Studio's own in place of those in a storage, and
        would spoil them when it is written back.
        """
        found = self.task(task)
        return None if found is None else found["data"]

    def task(self, task: int) -> Json | None:
        """A task with its annotations and predictions, and its data as it is stored; None when
        there is no such task any more.
        """
        try:
            return self.call("GET", f"api/tasks/{task}/", params={"resolve_uri": "false"})
        except ServerError as error:
            if error.status == 404:
                return None
            raise

    def data_of(self, number: int, tasks: Iterable[int]) -> Iterator[tuple[int, Json]]:
        """The data of these tasks of a project as it is stored, many tasks at a time; nothing of
        those that are not there any more.
        """
        for task in self._some_tasks(number, tasks, "id,data"):
            yield task["id"], task["data"]

    def unfinished(self, number: int, tasks: Iterable[int]) -> set[int]:
        """Those of these tasks that Label Studio still offers to people."""
        found = self._some_tasks(number, tasks, "id,is_labeled")
        return {task["id"] for task in found if not task["is_labeled"]}

    def _some_tasks(self, number: int, tasks: Iterable[int], fields: str) -> Iterator[Json]:
        """These fields of these tasks, many tasks at a time."""
        wanted = list(tasks)
        for start in range(0, len(wanted), PAGE):
            some = wanted[start : start + PAGE]
            chosen = {"selectedItems": {"all": False, "included": some}}
            params = {
                "project": number, "page_size": len(some), "fields": "task_only",
                "include": fields, "resolve_uri": "false",
                "query": dumps(chosen, separators=(",", ":")),
            }  # fmt: skip
            try:
                answer = self.call("GET", "api/tasks/", params=params)
            except ServerError as error:
                if error.status != 404:
                    raise
                continue
            yield from (task for task in answer["tasks"] if task["id"] in some)

    def change_data(self, task: int, data: Mapping[str, Json]) -> None:
        """Replace the task's data: whatever is not in `data` is gone afterwards."""
        # With `review` the server computes fewer of the columns that it does not answer with.
        params = {"review": "true"}
        self.call("PATCH", f"api/tasks/{task}/", params=params, json={"data": data})

    def change_task(self, task: int, **fields: Json) -> None:
        """Change these fields of a task; `data` is replaced as a whole."""
        self.call("PATCH", f"api/tasks/{task}/", params={"review": "true"}, json=fields)

    def routing_overview(self, number: int) -> Iterator[Json]:
        """Of every task its id, its data as it is stored, who annotated or skipped it, how often it
        was skipped, how many people should annotate it, and whether they have.
        """
        fields = "id,data,annotators,cancelled_annotations,overlap,is_labeled"
        yield from self._tasks(number, fields, PAGE, review="true", resolve_uri="false")

    def set_field(self, number: int, tasks: Sequence[int], name: str, value: str | float) -> None:
        """Set one field of the data of several tasks to one value. The rest of their data stays.
        A whole number is stored as a float.
        """
        if not tasks:
            # Label Studio would take this for all tasks of the project.
            return
        body = {
            "selectedItems": {"all": False, "included": list(tasks)},
            "value_name": name,
            "value_type": "String" if isinstance(value, str) else "Number",
            "value": value,
        }
        params = {"id": "add_data_field", "project": number}
        self.call("POST", "api/dm/actions/", params=params, json=body, repeatable=True)

    # Predictions

    def predictions(self, number: int, path: Path) -> None:
        """All predictions of a project into a file."""
        self.save("api/predictions/", {"project": number}, path)

    def add_predictions(self, number: int, predictions: Sequence[Json]) -> int:
        """Store predictions; how many Label Studio took, because it drops invalid ones silently."""
        answer = self.call(
            "POST", f"api/projects/{number}/import/predictions", json=list(predictions)
        )
        return int(answer["created"])

    def change_prediction(self, prediction: int, **fields: Json) -> None:
        """Change a prediction in place."""
        self.call("PATCH", f"api/predictions/{prediction}/", json=fields)

    def remove_prediction(self, prediction: int) -> None:
        """Remove one prediction; it is not an error if it is already gone."""
        self.remove(f"api/predictions/{prediction}/")

    def remove_version(self, number: int, model_version: str) -> None:
        """Remove every prediction of one model version."""
        self.call(
            "DELETE",
            f"api/projects/{number}/model-versions/",
            json={"model_version": model_version},
            timeout=LONG,
        )

    # Annotations

    def add_annotation(self, task: int, **fields: Json) -> Json:
        """Store an annotation by the token's user."""
        return self.call("POST", f"api/tasks/{task}/annotations/", json=fields)

    def remove_annotation(self, annotation: int) -> None:
        """Remove one annotation; it is not an error if it is already gone."""
        self.remove(f"api/annotations/{annotation}/")

    # Columns, tabs, webhooks, models

    def columns(self, number: int) -> list[str]:
        """The fields of tasks' data that the Data Manager has columns for."""
        answer = self.call("GET", "api/dm/columns/", params={"project": number})
        return [str(one["id"]) for one in answer["columns"] if one.get("parent") == "data"]

    def tabs(self, number: int) -> list[Json]:
        """The Data Manager's tabs."""
        return list(self.call("GET", "api/dm/views/", params={"project": number}))

    def add_tab(self, number: int, data: Json) -> None:
        """A new tab, which everybody sees."""
        self.call("POST", "api/dm/views/", json={"project": number, "data": data})

    def change_tab(self, number: int, tab: int, data: Json) -> None:
        """Change a tab."""
        self.call("PATCH", f"api/dm/views/{tab}/", json={"project": number, "data": data})

    def remove_tab(self, tab: int) -> None:
        """Remove a tab; it is not an error if it is already gone."""
        self.remove(f"api/dm/views/{tab}/")

    def webhooks(self, number: int) -> list[Json]:
        """The project's webhooks."""
        try:
            found = self.call("GET", "api/webhooks/", params={"project": number})
        except ServerError as error:
            if error.status == 400:
                # For a project that does not exist, the server only says “Validation error”.
                self.project(number)
            raise
        return [one for one in found if one.get("project") == number]

    def add_webhook(self, number: int, **fields: Json) -> Json:
        """Register a webhook for a project."""
        return self.call("POST", "api/webhooks/", json={"project": number, **fields})

    def change_webhook(self, webhook: int, **fields: Json) -> None:
        """Change a webhook."""
        self.call("PATCH", f"api/webhooks/{webhook}/", json=fields)

    def remove_webhook(self, webhook: int) -> None:
        """Remove a webhook; it is not an error if it is already gone."""
        self.remove(f"api/webhooks/{webhook}/")

    def models(self, number: int) -> list[Json]:
        """The models (ML backends) that are connected to a project."""
        return list(self.call("GET", "api/ml/", params={"project": number}))

    def _tasks(self, number: int, fields: str, size: int, **more: str) -> Iterator[Json]:
        params = {
            "project": number, "page_size": size, "fields": "task_only", "include": fields, **more,
        }  # fmt: skip
        page = seen = 0
        while True:
            page += 1
            try:
                answer = self.call("GET", "api/tasks/", params=params | {"page": page})
            except ServerError as error:
                # Past the end, after somebody deleted tasks.
                if error.status == 404 and page > 1:
                    return
                raise
            yield from answer["tasks"]
            seen += len(answer["tasks"])
            if seen >= answer["total"] or not answer["tasks"]:
                return
