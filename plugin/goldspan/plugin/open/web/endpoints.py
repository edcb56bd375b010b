"""Endpoints: what the page asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.adapters import registry
from goldspan.plugin.open import downloads
from goldspan.plugin.open.data import GIVEN
from goldspan.plugin.open.measuring import Measurer, Stage
from goldspan.plugin.open.planning import Planner
from goldspan.plugin.open.reading import Reader
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.rounds import Rounds
from goldspan.plugin.open.state import State  # noqa: TC001 - as above
from goldspan.plugin.open.web.calls import html_page, read_call, reply
from goldspan.plugin.open.web.exploring import exploring_routes

if TYPE_CHECKING:
    from goldspan.plugin.open.data import Shelf
    from goldspan.plugin.open.measuring import Found
    from goldspan.plugin.open.reading import Words


class _Measure(msgspec.Struct, frozen=True):
    state: State
    stage: Stage
    tab: str = ""
    turn: int = 0


class _Download(msgspec.Struct, frozen=True):
    state: State
    what: Literal["json", "html", "markdown", "csv", "gold", "distances", "paragraph"]
    format: str = ""


class _Compare(msgspec.Struct, frozen=True):
    state: State
    later: str
    answers: dict[str, str] | None = None
    tab: str = ""
    turn: int = 0


class _Plan(msgspec.Struct, frozen=True):
    state: State
    half_width: float = 0.05
    more: int = 50
    tab: str = ""


class _Read(msgspec.Struct, frozen=True):
    state: State


class Endpoints:
    """The addresses of the page."""

    def __init__(self, shelf: Shelf, reader: Reader, measurer: Measurer) -> None:
        self._shelf = shelf
        self._reader = reader
        self._measurer = measurer
        self._rounds = Rounds(measurer)
        self._planner = Planner(measurer)

    @property
    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/start", self.start),
            Route("/api/read", self.read, methods=["POST"]),
            Route("/api/measure", self.measure, methods=["POST"]),
            Route("/api/download", self.download, methods=["POST"]),
            Route("/api/media/report/{token}", self.report),
            Route("/api/rounds", self.compare, methods=["POST"]),
            Route("/api/media/rounds/{token}", self.comparison),
            Route("/api/plan", self.plan, methods=["POST"]),
            *exploring_routes(self._measurer),
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
                "most_files": self._shelf.limits.files,
                "most_bytes": self._shelf.limits.bytes,
            }
        )

    async def read(self, request: Request) -> Response:
        asked = await read_call(request, _Read)
        return reply(await run_in_threadpool(self._reader.open, asked.state))

    async def measure(self, request: Request) -> Response:
        asked = await read_call(request, _Measure)
        work = self._measurer.measure
        return reply(await run_in_threadpool(work, asked.state, asked.stage, asked.tab, asked.turn))

    async def download(self, request: Request) -> Response:
        asked = await read_call(request, _Download)
        name, content = await run_in_threadpool(self._file, asked)
        return Response(
            content, media_type="application/octet-stream",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )  # fmt: skip

    def report(self, request: Request) -> Response:
        """The report in a frame of the page. The frame sends no key; the address has a token."""
        found = self._measurer.report(request.path_params["token"])
        return html_page(downloads.report_html(found, embedded=True))

    async def compare(self, request: Request) -> Response:
        asked = await read_call(request, _Compare)
        answers = asked.state.answers if asked.answers is None else asked.answers
        later = msgspec.structs.replace(asked.state, data=asked.later, answers=answers)
        work = self._rounds.compare
        return reply(await run_in_threadpool(work, asked.state, later, asked.tab, asked.turn))

    def comparison(self, request: Request) -> Response:
        """The page of a comparison, in a tab of its own; the address has a token."""
        return html_page(self._rounds.page(request.path_params["token"]))

    async def plan(self, request: Request) -> Response:
        asked = await read_call(request, _Plan)
        work = self._planner.plan
        return reply(
            await run_in_threadpool(work, asked.state, asked.half_width, asked.more, asked.tab)
        )

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
            "paragraph": downloads.paragraph_file,
        }
        return makers[asked.what](found)


def computing(shelf: Shelf, words: Words, ending: Callable[[], bool]) -> list[Route]:
    """All addresses whose answers are computed from the files on the shelf."""
    reader = Reader(shelf, words)
    return Endpoints(shelf, reader, Measurer(reader, ending)).routes
