"""Uploads: the files that a page sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.web.calls import Nothing, read_call, reply

if TYPE_CHECKING:
    from goldspan.plugin.open.data import Shelf


class Uploads:
    """The addresses of sets of files; `shelf_of` says whose they are."""

    def __init__(self, shelf_of: Callable[[Request], Shelf]) -> None:
        self._shelf_of = shelf_of

    @property
    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/data", self.add, methods=["POST"]),
            Route("/api/data/{data}", self.version, methods=["GET"]),
            Route("/api/data/{data}", self.store, methods=["PUT"]),
            Route("/api/data/{data}", self.drop, methods=["DELETE"]),
        ]

    # Starlette calls those that are not coroutines in threads.

    async def add(self, request: Request) -> Response:
        await read_call(request, Nothing)
        return reply({"data": self._shelf_of(request).add().id}, 201)

    def version(self, request: Request) -> Response:
        data = self._shelf_of(request)[request.path_params["data"]]
        return reply({"version": data.version()})

    async def store(self, request: Request) -> Response:
        shelf = self._shelf_of(request)
        data = shelf[request.path_params["data"]]
        declared = request.headers.get("content-length", "")
        try:
            shelf.check_size(data, int(declared) if declared.isdigit() else 0)
            await shelf.store(data, request.query_params.get("name", ""), request.stream())
        except (Refused, ClientDisconnect):
            shelf.drop(data)
            raise
        return reply({"files": data.n_files, "bytes": data.n_bytes}, 201)

    def drop(self, request: Request) -> Response:
        shelf = self._shelf_of(request)
        shelf.drop(shelf[request.path_params["data"]])
        return reply({})
