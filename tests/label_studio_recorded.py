"""A project as a Label Studio would tell it, from memory: for tests that read, and route."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from goldspan.plugin.label_studio.server import Server

CONFIG = """<View>
<Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>
<Text name="text" value="$text"/></View>"""


class Recorded(Server):
    """Answers from what it was given; whatever else is asked for would go over the wire."""

    def __init__(
        self,
        tasks: Sequence[Any],
        predictions: Sequence[Any] = (),
        *,
        tabs: Sequence[Any] = (),
        **settings: Any,
    ) -> None:
        super().__init__("http://localhost", "a-token")
        self.tasks, self.stored, self.shown = tasks, predictions, tabs
        self.settings = {"label_config": CONFIG, "title": "Test", "maximum_annotations": 2}
        self.settings |= settings

    def whoami(self) -> Any:
        return {"email": "ann@example.com"}

    def version(self) -> str:
        return "1.23"

    def project(self, number: int) -> Any:
        return {"id": number} | self.settings

    def tabs(self, number: int) -> list[Any]:
        del number
        return list(self.shown)

    def webhooks(self, number: int) -> list[Any]:
        del number
        return []

    def models(self, number: int) -> list[Any]:
        del number
        return []

    def people(self) -> dict[int, Any]:
        return {}

    def routing_overview(self, number: int) -> Iterator[Any]:
        del number
        for task in self.tasks:
            work = task.get("annotations") or ()
            yield {
                "id": task["id"], "data": task["data"], "overlap": task.get("overlap", 2),
                "annotators": list({one["completed_by"] for one in work}),
                "cancelled_annotations": sum(bool(one.get("was_cancelled")) for one in work),
                "is_labeled": task.get("is_labeled", True),
            }  # fmt: skip

    def unfinished(self, number: int, tasks: Iterable[int]) -> set[int]:
        del number
        wanted = set(tasks)
        return {
            task["id"]
            for task in self.tasks
            if task["id"] in wanted and not task.get("is_labeled", True)
        }

    def predictions(self, number: int, path: Path) -> None:
        del number
        path.write_text(json.dumps(self.stored))

    def export(self, number: int, path: Path) -> None:
        del number
        path.write_text(json.dumps(self.tasks))


class Routable(Recorded):
    """Its tasks can be routed and put back; `calls` are the writes to predictions, annotations and
    tabs.
    """

    def __init__(self, tasks: Sequence[Any], **more: Any) -> None:
        super().__init__([{"overlap": 2, "is_labeled": True, **one} for one in tasks], **more)
        self.calls: list[tuple[Any, ...]] = []

    def task(self, task: int) -> Any:
        return next((one for one in self.tasks if one["id"] == task), None)

    def change_task(self, task: int, **fields: Any) -> None:
        self.task(task).update(fields)

    def change_prediction(self, prediction: int, **fields: Any) -> None:
        self.calls.append(("empty", prediction, fields["result"]))

    def remove_prediction(self, prediction: int) -> None:
        self.calls.append(("remove", prediction))

    def remove_annotation(self, annotation: int) -> None:
        self.calls.append(("remove annotation", annotation))

    def add_tab(self, number: int, data: Any) -> None:
        self.calls.append(("tab", number, data["title"]))
