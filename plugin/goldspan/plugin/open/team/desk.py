"""Desk: a person's files in a process that computes. It answers the calls of their page.

A process keeps what it has read and measured for the last few people, so that the next call of one
of them is quick; what was deleted, it forgets with the next call of anybody.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from goldspan.plugin.open.data import Shelf, given_data
from goldspan.plugin.open.team.calls import (
    JSON,
    NOT_FOUND,
    OK,
    Answer,
    Call,
    Desk,
    Maker,
    report_token,
)
from goldspan.plugin.open.web.calls import make_app
from goldspan.plugin.open.web.endpoints import computing

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import ASGIApp, Message

MOST_DESKS = 4


class _Open:
    """The page's addresses for the files of one person."""

    def __init__(self, desk: Desk) -> None:
        self.folder = desk.folder
        given = given_data(desk.shared, desk.folder / "given", is_shared=True)
        self._shelf = Shelf(desk.folder, given, desk.limits)
        self._sets: list[str] = []
        self._words = desk.words
        self._flag = desk.folder
        self._app = self._build()

    def answer(self, call: Call) -> Answer:
        """Answer a call."""
        self._flag = call.flag
        self.find()
        return asyncio.run(_ask(self._app, call))

    def find(self) -> None:
        """Look at what is stored; what was deleted is forgotten, with all that was made of it."""
        self._shelf.find()
        there = [data.id for data in self._shelf.sent]
        if any(name not in there for name in self._sets):
            self._app = self._build()
        self._sets = there

    def _is_left(self) -> bool:
        return self._flag.exists()

    def _build(self) -> ASGIApp:
        return make_app(computing(self._shelf, self._words, self._is_left))


_DESKS: OrderedDict[str, _Open] = OrderedDict()
"""Of this process, the last used at the end."""


def answer(desk: Desk, call: Call, made_by: Maker | None = None) -> Answer:
    """Answer a call of a person's page. Another process may have made the report that it asks for:
    then it is made again, as `made_by` says.
    """
    tidy()
    found = _DESKS.pop(desk.person, None) or _Open(desk)
    _DESKS[desk.person] = found
    while len(_DESKS) > MOST_DESKS:
        _DESKS.popitem(last=False)
    made = found.answer(call)
    if made.status == NOT_FOUND and made_by is not None:
        body = _alone(made_by.body)
        again = replace(call, method="POST", path=made_by.path, kind=JSON, body=body)
        made = found.answer(again)
        if made.status == OK:
            place = call.path.rpartition("/")[0]
            made = found.answer(replace(call, path=f"{place}/{report_token(made.body)}"))
    tidy()
    return _without(made, desk.folder)


def _alone(body: bytes) -> bytes:
    """The call as that of no page, of which newer calls do not take the place."""
    asked = msgspec.json.decode(body)
    return msgspec.json.encode({**asked, "tab": "", "turn": 0})


def tidy() -> None:
    """Forget what was deleted."""
    for person, found in list(_DESKS.items()):
        if found.folder.is_dir():
            found.find()
        else:
            del _DESKS[person]


def _without(made: Answer, folder: Path) -> Answer:
    """No sentence shows where the files are."""
    shown = str(folder).encode()
    if shown not in made.body:
        return made
    body = made.body.replace(shown + b"/", b"").replace(shown, b"")
    headers = tuple(pair for pair in made.headers if pair[0] != b"content-length")
    return Answer(made.status, (*headers, (b"content-length", b"%d" % len(body))), body)


async def _ask(app: ASGIApp, call: Call) -> Answer:
    """The application's answer, without a socket."""
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
        "method": call.method, "path": call.path, "raw_path": call.path.encode(),
        "query_string": call.query, "root_path": "", "client": None, "server": None,
        "headers": [(b"content-type", call.kind)],
    }  # fmt: skip
    begun: list[Message] = []
    pieces: list[bytes] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": call.body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            begun.append(message)
        else:
            pieces.append(message.get("body", b""))

    await app(scope, receive, send)
    return Answer(begun[0]["status"], tuple(begun[0]["headers"]), b"".join(pieces))
