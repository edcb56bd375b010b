"""Exploring: the addresses of the alignment view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from goldspan.plugin.open.exploring import Explorer
from goldspan.plugin.open.state import State  # noqa: TC001 - msgspec reads it
from goldspan.plugin.open.web.calls import read_call, reply

if TYPE_CHECKING:
    from goldspan.plugin.open.measuring import Measurer


class _Draw(msgspec.Struct, frozen=True):
    state: State
    task: str


class _Explain(msgspec.Struct, frozen=True):
    state: State
    task: str
    link: int


def exploring_routes(measurer: Measurer) -> list[Route]:
    """The addresses that draw and explain the alignment of a task."""
    explorer = Explorer(measurer)

    async def draw(request: Request) -> Response:
        asked = await read_call(request, _Draw)
        return reply(await run_in_threadpool(explorer.draw, asked.state, asked.task))

    async def explain(request: Request) -> Response:
        asked = await read_call(request, _Explain)
        work = explorer.explain
        return reply(await run_in_threadpool(work, asked.state, asked.task, asked.link))

    return [
        Route("/api/task", draw, methods=["POST"]),
        Route("/api/unit", explain, methods=["POST"]),
    ]
