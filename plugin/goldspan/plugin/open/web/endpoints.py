"""Endpoints: what the page asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.adapters import registry
from goldspan.plugin.open import downloads
from goldspan.plugin.open.data import GIVEN, MOST_BYTES, MOST_FILES
from goldspan.plugin.open.measuring import Stage  # noqa: TC001 - msgspec reads it
from goldspan.plugin.open.refusal import Refusal, Refused
from goldspan.plugin.open.state import State  # noqa: TC001 - as above
from goldspan.plugin.report.page import report_policy
from goldspan.plugin.service.web.request_body import read_json

if TYPE_CHECKING:
    from goldspan.plugin.open.data import Shelf
    from goldspan.plugin.open.measuring import Found, Measurer
    from goldspan.plugin.open.reading import Reader

LONGEST_BODY = 2**20
HTTP_ERRORS = {404: "not-found", 405: "method", 413: "bad-call", 415: "not-json"}

Body = TypeVar("Body", bound=msgspec.Struct)


class _Measure(msgspec.Struct, frozen=True):
    state: State
    stage: Stage
    tab: str = ""


class _Download(msgspec.Struct, frozen=True):
    state: State
    what: Literal["json", "html", "markdown", "csv", "gold", "distances"]
    format: str = ""


class _Read(msgspec.Struct, frozen=True):
    state: State


class _Nothing(msgspec.Struct, frozen=True):
    """A call that says nothing more than its address."""


class Endpoints:
    """The addresses of the page."""

    def __init__(self, shelf: Shelf, reader: Reader, measurer: Measurer) -> None:
        self._shelf = shelf
        self._reader = reader
        self._measurer = measurer

    @property
    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/start", self.start),
            Route("/api/data", self.add, methods=["POST"]),
            Route("/api/data/{data}", self.version, methods=["GET"]),
            Route("/api/data/{data}", self.store, methods=["PUT"]),
            Route("/api/data/{data}", self.drop, methods=["DELETE"]),
            Route("/api/read", self.read, methods=["POST"]),
            Route("/api/measure", self.measure, methods=["POST"]),
            Route("/api/download", self.download, methods=["POST"]),
            Route("/api/media/report/{token}", self.report),
        ]

    # Starlette calls those that are not coroutines in threads.

    def start(self, _request: Request) -> Response:
        """What the page needs to begin with."""
        from goldspan.engine.coefficient.registry import known_coefficients  # noqa: PLC0415 - compiled code

        adapters = registry.load_all()[0]
        measures = known_coefficients().values()
        return reply(
            {
                "given": GIVEN if self._shelf.given is not None else "",
                "formats": [one.name for one in adapters if one.reads],
                "writes": [one.name for one in adapters if one.writes],
                "coefficients": [[one.key, one.symbol, one.about] for one in measures],
                "most_files": MOST_FILES,
                "most_bytes": MOST_BYTES,
            }
        )

    async def add(self, request: Request) -> Response:
        await _body(request, _Nothing)
        return reply({"data": self._shelf.add().id}, 201)

    def version(self, request: Request) -> Response:
        return reply({"version": self._shelf[request.path_params["data"]].version()})

    async def store(self, request: Request) -> Response:
        data = self._shelf[request.path_params["data"]]
        try:
            await self._shelf.store(data, request.query_params.get("name", ""), request.stream())
        except (Refused, ClientDisconnect):
            self._shelf.drop(data)
            raise
        return reply({"files": data.n_files, "bytes": data.n_bytes}, 201)

    def drop(self, request: Request) -> Response:
        self._shelf.drop(self._shelf[request.path_params["data"]])
        return reply({})

    async def read(self, request: Request) -> Response:
        asked = await _body(request, _Read)
        return reply(await run_in_threadpool(self._reader.open, asked.state))

    async def measure(self, request: Request) -> Response:
        asked = await _body(request, _Measure)
        work = self._measurer.measure
        return reply(await run_in_threadpool(work, asked.state, asked.stage, asked.tab))

    async def download(self, request: Request) -> Response:
        asked = await _body(request, _Download)
        name, content = await run_in_threadpool(self._file, asked)
        return Response(
            content, media_type="application/octet-stream",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )  # fmt: skip

    def report(self, request: Request) -> Response:
        """The report in a frame of the page. The frame sends no key; the address has a token."""
        found = self._measurer.report(request.path_params["token"])
        html = "".join(downloads.report_html(found, embedded=True))
        policy = f"{report_policy()}; frame-ancestors 'self'"
        return Response(
            html.encode("utf-8", "backslashreplace"), media_type="text/html",
            headers={"Content-Security-Policy": policy},
        )  # fmt: skip

    def _file(self, asked: _Download) -> tuple[str, bytes]:
        if asked.what == "distances":
            if asked.state.distances is None:
                raise Refused("invalid", reason="No distance between labels was changed.")
            return downloads.distances_file(asked.state.distances)
        found = self._measurer.find(asked.state, "full", lambda: False)
        if asked.what == "gold":
            return downloads.gold_file(found, asked.format)
        makers: dict[str, Callable[[Found], tuple[str, bytes]]] = {
            "json": downloads.json_file,
            "html": downloads.html_file,
            "markdown": downloads.markdown_file,
            "csv": downloads.tables_file,
        }
        return makers[asked.what](found)


def reply(value: Any, status: int = 200) -> Response:
    """The value as JSON."""
    try:
        body = msgspec.json.encode(value)
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can only escape
        body = json.dumps(msgspec.to_builtins(value)).encode()
    return Response(body, status, media_type="application/json")


def refuse(kind: str, **words: object) -> Response:
    """The answer to a call that is refused."""
    return _refusal(Refused(kind, **words).refusal)


async def refuse_call(_request: Request, error: Exception) -> Response:
    """The answer to a call that ended in an error of ours."""
    return _refusal(error.refusal) if isinstance(error, Refused) else refuse("bad-call")


async def refuse_http(_request: Request, error: Exception) -> Response:
    """What Starlette, or reading a call, refuses."""
    status = error.status_code if isinstance(error, HTTPException) else 400
    return refuse(HTTP_ERRORS.get(status, "bad-call"))


def _refusal(refusal: Refusal) -> Response:
    return reply(refusal, refusal.status)


async def _body(request: Request, kind: type[Body]) -> Body:
    text = await read_json(request, LONGEST_BODY)
    try:
        return msgspec.json.decode(text, type=kind)
    except (ValueError, RecursionError) as error:
        raise Refused("invalid", reason=f"This is not a call of the page: {error}.") from error
