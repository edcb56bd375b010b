"""Doors: what each kind of caller finds; people, webhooks, Label Studio's model protocol."""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from goldspan.engine.errors import InputError
from goldspan.plugin.service import model
from goldspan.plugin.service.access import Access
from goldspan.plugin.service.database import PATIENCE, Busy
from goldspan.plugin.service.events import Event, read_event
from goldspan.plugin.service.history import History
from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.prediction import answer
from goldspan.plugin.service.queue import Queue
from goldspan.plugin.service.request_body import read_json
from goldspan.plugin.service.retrieval import Limits

LIMIT = 32 * 2**20
"""Bytes in a call: a webhook of an import brings up to 5,000 tasks, /predict all that are chosen
with their annotations, about 6 KB each.
"""

LARGE = 2**16
"""Bytes whose parsing is worth a thread. Less is parsed and stored at once: handing it to a thread
takes as long as both.
"""

LATER = {"Retry-After": "10"}
TRAINING = "START_TRAINING"

CHALLENGE = {"WWW-Authenticate": 'Basic realm="goldspan", charset="UTF-8"'}


REFUSED = (
    "refused a webhook whose secret is missing or wrong; `goldspan label-studio status` tells "
    "whether it is a project's own"
)
WRONG_PASSWORD = "refused a wrong password"  # noqa: S105 - what the log says


def require_person(access: Access, request: Request) -> None:
    """Let in who shows the password, or anybody if there is none."""
    if not access.lets_person(request):
        # A browser asks once without any before it asks its user.
        if "authorization" in request.headers:
            LOG.warning(WRONG_PASSWORD)
        raise HTTPException(401, "This takes the service's password.", headers=CHALLENGE)


@dataclass(frozen=True, slots=True)
class Hooks:
    """The webhook. `connected` tells whether there is a server to look at; `only` these projects
    are taken, if any are named.

    Whoever shows the secret may name any project. The key in the model's address is seen by every
    member of a project there, so it only makes the service look again at projects that it knows.
    Nothing of a payload is trusted but these two words: what is done about them is to compare with
    the server.
    """

    access: Access
    queue: Queue
    connected: bool
    only: frozenset[int] = frozenset()
    limit: int = LIMIT

    async def webhook(self, request: Request) -> Response:
        """Take an event; it is stored when this answers."""
        trusted = self.access.shows_secret(request)
        if not (trusted or self._may_ask(request)):
            LOG.warning(REFUSED)
            raise HTTPException(401, "The secret is missing or wrong.", headers=CHALLENGE)
        body = await read_json(request, self.limit)
        project: str | None = request.path_params.get("project")
        taken = await self._taken(body, project, trusted)
        if taken is None:
            return JSONResponse({"status": "ignored"})
        if taken.action == TRAINING:
            return JSONResponse({"status": "queued"})  # the button “Train” wants to see JSON
        # Without a body the answer is one write to the socket instead of two.
        return Response(status_code=204)

    def _may_ask(self, request: Request) -> bool:
        return self.access.shows_key(request) or self.access.shows_password(request)

    async def _taken(self, body: bytes, project: str | None, trusted: bool) -> Event | None:
        if len(body) <= LARGE:
            # Here it waits for no other writer: everybody would wait along.
            with suppress(Busy):
                return self._take(body, project, trusted, patience=0)
        return await run_in_threadpool(self._take, body, project, trusted)

    def _take(
        self, body: bytes, project: str | None, trusted: bool, patience: float = PATIENCE
    ) -> Event | None:
        """Store the event; None if it is not for us."""
        try:
            event = read_event(body, project)
        except InputError as error:
            raise HTTPException(400, f"{error}.") from error
        if event is None or not self._wanted(event):
            return None
        if trusted:
            self.queue.add(event.project, event.action, patience)
            return event
        return event if self.queue.add_known(event.project, event.action, patience) else None

    def _wanted(self, event: Event) -> bool:
        return self.connected and (not self.only or event.project in self.only)


@dataclass(frozen=True, slots=True)
class Model:
    """The model protocol: every answer comes from the call itself.

    Merging takes a while and is done by `executor`, so that webhooks need not wait for it. It is
    ended when it takes too long, and when its caller leaves.
    """

    access: Access
    history: History
    folder: Path
    executor: Executor
    limit: int = LIMIT
    limits: Limits = field(default_factory=Limits)

    async def alive(self, _request: Request) -> Response:
        """Tell anybody that the service is up, and nothing else."""
        return JSONResponse({"status": "UP"})

    async def health(self, request: Request) -> Response:
        """Tell Label Studio that the model is there."""
        self._require(request)
        return JSONResponse({"status": "UP"})

    async def setup(self, request: Request) -> Response:
        """Name the version; the token and the address in the call are not even parsed."""
        self._require(request)
        await read_json(request, self.limit)
        return JSONResponse(model.setup())

    async def versions(self, request: Request) -> Response:
        """The versions there are."""
        self._require(request)
        return JSONResponse(model.versions())

    async def predict(self, request: Request) -> Response:
        """Suggestions for the tasks of the call."""
        self._require(request)
        body = await read_json(request, self.limit)
        try:
            reply = await answer(request, body, self.executor, self.folder, self.limits)
        except ClientDisconnect:
            return Response(status_code=499)  # nobody reads it
        if reply.retrieval is not None:
            await run_in_threadpool(self.history.retrieved, reply.retrieval)
        headers = LATER if reply.status == 503 else None
        return Response(reply.content, reply.status, headers, media_type="application/json")

    def _require(self, request: Request) -> None:
        if not self.access.shows_key(request):
            require_person(self.access, request)
