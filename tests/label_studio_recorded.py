"""A project as a Label Studio would tell it, from memory: for tests that only read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
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
            people = [one["completed_by"] for one in task.get("annotations") or ()]
            yield {"id": task["id"], "data": task["data"], "annotators": people, "overlap": 2}

    def predictions(self, number: int, path: Path) -> None:
        del number
        path.write_text(json.dumps(self.stored))

    def export(self, number: int, path: Path) -> None:
        del number
        path.write_text(json.dumps(self.tasks))
