"""Retrieval: a call to /predict from its bytes to the bytes of its answer, in another process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from goldspan.engine.errors import GoldspanError, InputError
from goldspan.engine.figure import Figure
from goldspan.plugin.label_studio.private import private
from goldspan.plugin.label_studio.service.archive import Archive
from goldspan.plugin.label_studio.service.faults import told
from goldspan.plugin.label_studio.service.model import Answer, Call, predict, read_call
from goldspan.plugin.label_studio.suggestions import suggestions
from goldspan.plugin.report.page import write_report


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What came of retrieving predictions in Label Studio, without a token.

    Of the `tasks` asked for, `finished` wait for nobody, and `changed` got a new suggestion.
    """

    project: int
    tasks: int
    finished: int
    changed: int
    gamma: Figure
    error: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a call, and what is to be remembered of it."""

    status: int
    content: bytes
    retrieval: Retrieval | None


def retrieve(body: bytes, folder: Path) -> Reply:
    """Suggestions for the tasks in a call, and a report of them in the folder."""
    try:
        call = read_call(body)
    except InputError as error:
        return Reply(400, _json({"error": str(error)}), None)
    none = Figure.undefined("", 0.95)
    try:
        answer = predict(call, suggestions)
    except GoldspanError as error:
        failed = Retrieval(call.project, len(call.tasks), 0, 0, none, told(error))
        return Reply(422, _json({"error": told(error)}), failed)
    reply = _json({"results": answer.results})
    if len(call.tasks) < 2:
        return Reply(200, reply, None)
    gamma = _report(call, answer, folder) or none
    found = Retrieval(call.project, len(call.tasks), answer.finished, answer.changed, gamma, "")
    return Reply(200, reply, found)


def _report(call: Call, answer: Answer, folder: Path) -> Figure | None:
    """Write the report; the γ in it."""
    if answer.suggested is None:
        return None
    with private(folder):
        write_report(
            Archive(folder).place(call.project, "retrieved.html"),
            f"Project {call.project}, the {answer.finished} complete tasks of a retrieval",
            answer.suggested.corpus,
            answer.suggested.result,
            answer.suggested.gold,
        )
    return answer.suggested.result.gamma


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, allow_nan=False).encode()
