"""Model: what Label Studio's model protocol is answered, without a token and without a server.

/predict brings tasks with everybody's annotations, so agreement and gold follow from the call
alone; they cover the tasks of that call. Label Studio makes the same call when it opens a task for
an annotator, and shows that person what comes back. Therefore a call for a single task is answered
with nothing, and of several tasks only those that wait for nobody any more are answered: people
never see what others marked before their own work is done.

Label Studio leaves out tasks that hold a prediction of the version /setup names, so /setup names
one that no prediction ever has: all tasks come, every time, and those whose suggestion has not
changed are answered with nothing, which stores nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from goldspan.adapters.files.json_stream import JsonObject
from goldspan.adapters.label_studio.provenance import is_our_version
from goldspan.engine.errors import InputError
from goldspan.plugin.label_studio.events import project_number
from goldspan.plugin.service.rounds import LEAST

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result

NAME = "goldspan"


class Suggested(Protocol):
    """What suggestions() gives: a prediction for each task in order, and what is behind them."""

    @property
    def predictions(self) -> Sequence[JsonObject]: ...
    @property
    def result(self) -> Result: ...
    @property
    def gold(self) -> Gold: ...
    @property
    def corpus(self) -> Corpus: ...


Suggest: TypeAlias = Callable[[Sequence[JsonObject], str], Suggested]


@dataclass(frozen=True, slots=True)
class Call:
    """A call to /predict."""

    project: int
    tasks: tuple[JsonObject, ...]
    label_config: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the call is answered, and what it rests on; `changed` tasks get a new prediction."""

    results: list[JsonObject | list[JsonObject]]
    finished: int
    changed: int
    suggested: Suggested | None


def setup() -> JsonObject:
    """The answer to /setup; the call holds a token and an address, which nobody looks at."""
    return {"model_version": f"{NAME} {version('goldspan')}"}


def versions() -> JsonObject:
    return {"versions": [setup()["model_version"]]}


def read_call(body: bytes) -> Call:
    """The call in a body; an InputError says what is missing, and quotes nothing."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InputError("the call holds no JSON") from error
    if not isinstance(value, dict):
        raise InputError("the call holds no JSON object")
    tasks, config = value.get("tasks"), value.get("label_config")
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise InputError("the call holds no list of tasks")
    if not isinstance(config, str):
        raise InputError("the call holds no labelling configuration")
    return Call(project_number(value.get("project")), tuple(tasks), config)


def predict(call: Call, suggest: Suggest) -> Answer:
    """Suggestions for the tasks that wait for nobody, in the order of the tasks."""
    finished = [task for task in call.tasks if is_finished(task)] if len(call.tasks) > 1 else []
    results: list[JsonObject | list[JsonObject]] = [[] for _ in call.tasks]
    if not finished:
        return Answer(results, 0, 0, None)
    suggested = suggest(finished, call.label_config)
    name = version_of(finished, call.label_config)
    new = {
        id(task): prediction | {"model_version": name}
        for task, prediction in zip(finished, suggested.predictions, strict=True)
        if not any(_says(old, prediction) for old in _predictions(task))
    }
    for place, task in enumerate(call.tasks):
        if id(task) in new:
            results[place] = new[id(task)]
    return Answer(results, len(finished), len(new), suggested)


def is_finished(task: Mapping[str, Any]) -> bool:
    """Whether two people or more have annotated a task, and Label Studio offers it to nobody."""
    annotations = task.get("annotations")
    if not task.get("is_labeled") or not isinstance(annotations, list):
        return False
    people = {
        json.dumps(one.get("completed_by"))
        for one in annotations
        if isinstance(one, dict) and not one.get("was_cancelled")
    }
    return len(people) >= LEAST


def version_of(tasks: Sequence[JsonObject], label_config: str) -> str:
    """A version for what these annotations give: it changes when they do.

    It is shown beside the prediction, so it also says what agreement was measured on.
    """
    digest = hashlib.sha256(label_config.encode("utf-8", "backslashreplace"))
    for task in sorted(tasks, key=lambda task: str(task.get("id"))):
        known = [task.get("id"), task.get("annotations"), task.get("data")]
        digest.update(json.dumps(known, sort_keys=True).encode())
    count = f"{len(tasks)} tasks" if len(tasks) > 1 else "1 task"
    return f"{NAME}-{digest.hexdigest()[:8]} ({count})"


def _predictions(task: JsonObject) -> list[JsonObject]:
    found = task.get("predictions")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _says(old: JsonObject, new: JsonObject) -> bool:
    """Whether a prediction that the task has is ours and says the same."""
    return (
        is_our_version(old.get("model_version"))
        and old.get("result") == new.get("result")
        and _rounded(old.get("score")) == _rounded(new.get("score"))
    )


def _rounded(score: Any) -> float | None:
    return round(float(score), 6) if isinstance(score, (int, float)) else None
