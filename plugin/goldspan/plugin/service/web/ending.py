"""Ending: a server that a signal ends, after which our own code goes on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn


class EndsOnSignal(uvicorn.Server):
    """Uvicorn, which ends when asked, and lets us end what we began."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Uvicorn would end the process by the signal itself, and nothing after it would run."""

        def end(_number: int, _frame: FrameType | None) -> None:
            self.force_exit = self.should_exit
            self.should_exit = True

        before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
