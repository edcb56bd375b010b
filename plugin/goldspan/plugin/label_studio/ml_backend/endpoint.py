"""Endpoint: what Label Studio's model protocol finds at the service."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from goldspan.plugin.label_studio.ml_backend import model
from goldspan.plugin.label_studio.ml_backend.prediction import answer
from goldspan.plugin.label_studio.ml_backend.retrieval import Limits
from goldspan.plugin.service.endpoints import LIMIT, require_person
from goldspan.plugin.service.request_body import read_json

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.ml_backend.retrievals import Retrievals
    from goldspan.plugin.service.access import Access

LATER = {"Retry-After": "10"}


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """The model protocol: every answer comes from the call itself.

    Merging takes a while and is done by `executor`, so that webhooks need not wait for it. It is
    ended when it takes too long, and when its caller leaves.
    """

    access: Access
    retrievals: Retrievals
    folder: Path
    executor: Executor
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
            reply = await answer(request, body, self.executor, self.folder, self.limits)
        except ClientDisconnect:
            return Response(status_code=499)  # nobody reads it
        if reply.retrieval is not None:
            await run_in_threadpool(self.retrievals.add, reply.retrieval)
        headers = LATER if reply.status == 503 else None
        return Response(reply.content, reply.status, headers, media_type="application/json")

    def _require(self, request: Request) -> None:
        if not self.access.shows_key(request):
            require_person(self.access, request)
