"""Endpoints: what people and webhooks find at the service."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from goldspan.engine.errors import InputError
from goldspan.plugin.service.database import LOCK_SECONDS, Busy
from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.web.request_body import read_json

if TYPE_CHECKING:
    from goldspan.plugin.service.queue import Queue
    from goldspan.plugin.service.web.access import Access
    from goldspan.plugin.service.web.events import Event
    from goldspan.plugin.service.web.frontend import Frontend

LIMIT = 32 * 2**20
"""Bytes in a call: a webhook of an import brings thousands of tasks, of about 6 KB each."""

LARGE = 2**16
"""Bytes whose parsing is worth a thread. Less is parsed and stored at once: handing it to a thread
takes as long as both.
"""

CHALLENGE = {"WWW-Authenticate": 'Basic realm="goldspan", charset="UTF-8"'}

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
    """The webhook. Without the address of a platform there is none to look at; `only` these
    projects are taken, if any are named.

    Whoever shows the secret may name any project. The key in the model's address is seen by every
    member of a project there, so it only makes the service look again at projects that it knows.
    Nothing of a payload is trusted but these two words: what is done about them is to compare with
    the server.
    """

    access: Access
    queue: Queue
    frontend: Frontend
    only: frozenset[int] = frozenset()
    limit: int = LIMIT

    async def webhook(self, request: Request) -> Response:
        """Take an event; it is stored when this answers."""
        trusted = self.access.shows_secret(request)
        if not (trusted or self._may_ask(request)):
            LOG.warning(self.frontend.REFUSED)
            raise HTTPException(401, "The secret is missing or wrong.", headers=CHALLENGE)
        body = await read_json(request, self.limit)
        project: str | None = request.path_params.get("project")
        taken = await self._taken(body, project, trusted)
        if taken is None:
            return JSONResponse({"status": "ignored"})
        if taken.is_asked:
            return JSONResponse({"status": "queued"})
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
        self, body: bytes, project: str | None, trusted: bool, patience: float = LOCK_SECONDS
    ) -> Event | None:
        """Store the event; None if it is not for us."""
        try:
            event = self.frontend.read_event(body, project)
        except InputError as error:
            raise HTTPException(400, f"{error}.") from error
        if event is None or not self._wanted(event):
            return None
        if trusted:
            self.queue.add(event.project, event.action, patience)
            return event
        return event if self.queue.add_known(event.project, event.action, patience) else None

    def _wanted(self, event: Event) -> bool:
        return bool(self.frontend.url) and (not self.only or event.project in self.only)


async def alive(_request: Request) -> Response:
    """Tell anybody that the service is up, and nothing else."""
    return JSONResponse({"status": "UP"})
