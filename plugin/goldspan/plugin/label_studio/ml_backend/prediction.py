"""Prediction: a call to /predict, worked on in a process of its own until it is answered.

The work ends with the answer, when it takes too long, and when its caller leaves. What goes wrong
on the way is a sentence to Label Studio and on the dashboard.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

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


async def answer(
    request: Request, body: bytes, executor: Executor, folder: Path, limits: Limits
) -> Reply:
    """The answer to a call; ClientDisconnect if nobody waits for it any more."""
    try:
        work = executor.submit(retrieve, body, folder, limits)
    except FullError:
        return refusal(503, FULL)
    try:
        return await _finish(work, request, limits.answer)
    except tuple(FAILURES) as error:
        if isinstance(error, WorkError):
            LOG.error("/predict: %s", error.place)
        status, sentence = FAILURES[type(error)]
        said = sentence.format(seconds=limits.answer)
        return await run_in_threadpool(failure, status, said, body)


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
