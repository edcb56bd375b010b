"""Rounds: the addresses that compare the files of the page with a later round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.plugin.open.rounds import Rounds
from goldspan.plugin.open.state import State  # noqa: TC001 - msgspec reads it
from goldspan.plugin.open.web.calls import html_page, read_call, reply

if TYPE_CHECKING:
    from goldspan.plugin.open.measuring import Measurer


class _Compare(msgspec.Struct, frozen=True):
    state: State
    later: str
    tab: str = ""


def round_routes(measurer: Measurer) -> list[Route]:
    """The addresses that compare two rounds and show the whole comparison."""
    rounds = Rounds(measurer)

    async def compare(request: Request) -> Response:
        asked = await read_call(request, _Compare)
        work = rounds.compare
        return reply(await run_in_threadpool(work, asked.state, asked.later, asked.tab))

    def page(request: Request) -> Response:
        return html_page(rounds.page(request.path_params["token"]))

    return [
        Route("/api/rounds", compare, methods=["POST"]),
        Route("/api/media/rounds/{token}", page),
    ]
