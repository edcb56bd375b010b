"""Endpoint: what Label Studio's model protocol finds at the service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from goldspan.plugin.label_studio.ml_backend import model
from goldspan.plugin.label_studio.ml_backend.retrieval import (
    Limits,
    Reply,
    failure,
    refusal,
    retrieve,
)
from goldspan.plugin.service.log import LOG
from goldspan.plugin.service.processes import (
    EndedError,
    FullError,
    OutOfMemoryError,
    WorkError,
)
from goldspan.plugin.service.redaction import SENTENCE
from goldspan.plugin.service.web.endpoints import LIMIT, require_person
from goldspan.plugin.service.web.request_body import read_json

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.ml_backend.model import Suggested
    from goldspan.plugin.label_studio.ml_backend.retrievals import Retrievals
    from goldspan.plugin.service.web.access import Access

LATER = {"Retry-After": "10"}


class TooSlowError(Exception):
    """The answer took longer than it may."""


FULL = "the service is measuring as many retrievals as it can; try again in 10 s"
SLOW = (
    "the answer took longer than {seconds:g} s; retrieve fewer tasks at a time, or start the "
    "service with a larger --max-seconds"
)
LARGE = "the tasks take more memory than a retrieval may use; retrieve fewer at a time"
ENDED = (
    "the process that measured the tasks was ended, by the system or with the service; retrieve "
    "them again"
)
FAILURES: dict[type[Exception], tuple[int, str]] = {
    TooSlowError: (503, SLOW),
    OutOfMemoryError: (413, LARGE),
    EndedError: (503, ENDED),
    WorkError: (500, SENTENCE),
}


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """The model protocol: every answer comes from the call itself.

    Merging takes a while: `executor` calls `suggest` in a process of its own, so that webhooks need
    not wait for it. The work ends with the answer, when it takes too long, and when its caller
    leaves. What goes wrong on the way is a sentence to Label Studio and on the dashboard.
    """

    access: Access
    retrievals: Retrievals
    folder: Path
    executor: Executor
    suggest: Callable[..., Suggested]
    limit: int = LIMIT
    limits: Limits = field(default_factory=Limits)

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
            reply = await self._answer(request, body)
        except ClientDisconnect:
            return Response(status_code=499)  # nobody reads it
        if reply.retrieval is not None:
            await run_in_threadpool(self.retrievals.add, reply.retrieval)
        headers = LATER if reply.status == 503 else None
        return Response(reply.content, reply.status, headers, media_type="application/json")

    async def _answer(self, request: Request, body: bytes) -> Reply:
        """The answer to a call; ClientDisconnect if nobody waits for it any more."""
        try:
            work = self.executor.submit(retrieve, self.suggest, body, self.folder, self.limits)
        except FullError:
            return refusal(503, FULL)
        try:
            return await _finish(work, request, self.limits.answer)
        except tuple(FAILURES) as error:
            if isinstance(error, WorkError):
                LOG.error("/predict: %s", error.place)
            status, sentence = FAILURES[type(error)]
            said = sentence.format(seconds=self.limits.answer)
            return await run_in_threadpool(failure, status, said, body)

    def _require(self, request: Request) -> None:
        if not self.access.shows_key(request):
            require_person(self.access, request)


async def _finish(work: Future[Reply], request: Request, seconds: float) -> Reply:
    done = asyncio.wrap_future(work)
    left = asyncio.create_task(_left(request))
    both: set[asyncio.Future[Any]] = {done, left}
    try:
        await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if done.done():
            return done.result()
        raise ClientDisconnect if left.done() else TooSlowError
    finally:
        left.cancel()
        done.cancel()


async def _left(request: Request) -> None:
    """Return when the caller has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
