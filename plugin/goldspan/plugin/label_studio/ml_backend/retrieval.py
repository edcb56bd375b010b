"""Retrieval: a call to /predict from its bytes to the bytes of its answer, in another process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from goldspan.engine.coefficient.figure import Figure
from goldspan.engine.errors import GoldspanError, InputError
from goldspan.engine.settings import Settings
from goldspan.plugin.label_studio.events import project_number
from goldspan.plugin.label_studio.ml_backend.model import (
    Answer,
    Call,
    Suggested,
    predict,
    read_call,
)
from goldspan.plugin.report.page import write_report
from goldspan.plugin.service.archive import Archive
from goldspan.plugin.service.private import private
from goldspan.plugin.service.redaction import redact

ANSWER_SECONDS = 90.0
"""Label Studio waits 100 seconds."""

PAGE = "retrieved.html"
"""The report of the last retrieval, in the folder of its project."""

SCORING_SHARE = 2 / 3
MOST_BYTES = 100
"""In the number of a project."""


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
class Limits:
    """Seconds for the answer to a call, and for each alignment in it, if they have a limit."""

    answer: float = ANSWER_SECONDS
    seconds: float | None = None

    @property
    def settings(self) -> Settings:
        """How to measure, which leaves time to merge and to write a report."""
        return Settings(seconds=self.seconds, max_seconds=self.answer * SCORING_SHARE)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a call, and what is to be remembered of it."""

    status: int
    content: bytes
    retrieval: Retrieval | None


class _Named(msgspec.Struct):
    """Of a call, only whose it is; all the rest is skipped, and takes no memory."""

    project: msgspec.Raw = msgspec.Raw(b"null")


def refusal(status: int, sentence: str) -> Reply:
    """The answer to a call that is not worked on."""
    return Reply(status, _json({"error": sentence}), None)


def failure(status: int, sentence: str, body: bytes) -> Reply:
    """The answer to a call that could not be worked on to the end."""
    return Reply(status, _json({"error": sentence}), _failed(sentence, body))


def _failed(sentence: str, body: bytes) -> Retrieval | None:
    try:
        named = msgspec.json.decode(body, type=_Named).project
        project = project_number(json.loads(bytes(named)[:MOST_BYTES]))
    except (ValueError, RecursionError, InputError):
        return None
    return Retrieval(project, 0, 0, 0, Figure.undefined(None, 0.95), sentence)


def retrieve(suggest: Callable[..., Suggested], body: bytes, folder: Path, limits: Limits) -> Reply:
    """Suggestions for the tasks in a call, and a report of them in the folder."""
    try:
        call = read_call(body)
    except InputError as error:
        return refusal(400, str(error))
    none = Figure.undefined(None, 0.95)
    try:
        answer = predict(call, partial(suggest, settings=limits.settings))
    except GoldspanError as error:
        failed = Retrieval(call.project, len(call.tasks), 0, 0, none, redact(error))
        return Reply(422, _json({"error": redact(error)}), failed)
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
            Archive(folder).place(call.project, PAGE),
            f"Project {call.project}, the {answer.finished} complete tasks of a retrieval",
            answer.suggested.corpus,
            answer.suggested.result,
            answer.suggested.gold,
        )
    return answer.suggested.result.gamma


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, allow_nan=False).encode()
