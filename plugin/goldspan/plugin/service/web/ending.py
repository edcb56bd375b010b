"""Ending: how a signal ends a server, and what comes after it, in order."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Ending:
    """Takes Ctrl-C and SIGTERM from `catch` to the end of its block.

    `catch` comes before the address is announced, because a person may press Ctrl-C as soon as it
    is there. From then on a signal asks for an end and breaks nothing off: the output is written
    and processes are ended however often it comes. Before `catch` a signal interrupts as usual.
    After an end that was asked for, signals are ignored: all is done, and Python itself takes a
    while to end. `goldspan.plugin.cli.main` gives them back to a program that called it.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Ending:  # noqa: PYI034 - Self needs Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if self.asked else handler)

    def catch(self, server: EndsOnSignal) -> None:
        """End the server at a signal from now on."""
        server.caught = True

        def ask(_number: int, _frame: FrameType | None) -> None:
            self.asked = True
            server.end()

        for number in SIGNALS:
            self._before[number] = signal.signal(number, ask)


class EndsOnSignal(uvicorn.Server):
    """Uvicorn, which ends when asked, and lets us end what we began."""

    caught = False
    """Whether signals are an `Ending`'s that goes on after the server's end."""

    def end(self) -> None:
        """Finish what is begun; asked again, do not wait for that."""
        self.force_exit = self.should_exit
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Uvicorn would end the process by the signal itself, and nothing after it would run."""
        if self.caught:
            yield
        else:
            with Ending() as ending:
                ending.catch(self)
                yield
