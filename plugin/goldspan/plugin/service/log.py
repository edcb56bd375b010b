"""Log: what the service writes to its standard error stream, a line for each thing that happens.

Every line begins with its time and holds no control characters. A line that comes again within a
minute is counted instead of written, so that nobody can fill the disk by calling often; when the
minute is over, one more line says how many there were.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from typing import TextIO

from goldspan.plugin.service.redaction import place
from goldspan.plugin.terminal import visible

LOG = logging.getLogger("goldspan.service")

WINDOW_SECONDS = 60.0
MOST_KINDS = 100
"""Different lines in a minute; all others are counted together."""

MOST_CHARACTERS = 1000
OTHERS = "other lines"
TICK_SECONDS = 5.0


class LineFormatter(logging.Formatter):
    """One line a record: the time with its zone, what happened, and where an error came from."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        return f"{self.formatTime(record)} {sentence(record)}"

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802, ARG002 - logging's name
        """When it happened: ISO 8601, in the zone of this machine."""
        then = datetime.fromtimestamp(record.created, timezone.utc)
        return then.astimezone().isoformat(timespec="seconds")


class ThrottledHandler(logging.Handler):
    """Writes a line when it comes first in a minute, and at the end of it how often it came again.

    `tick` must be called from time to time, or the end of a minute waits for the next line.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.setFormatter(LineFormatter())
        self._stream = stream
        self._clock = clock
        self._begun = clock()
        self._lines: set[str] = set()
        self._again: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Write or count a record; `logging` holds the lock of the handler."""
        try:
            self._end_minute_if_over()
            said = sentence(record)
            if said in self._lines:
                self._again[said] += 1
            elif len(self._lines) < MOST_KINDS:
                self._lines.add(said)
                self._write(record)
            else:
                self._again[OTHERS] += 1
        except Exception:  # noqa: BLE001 - as every handler of `logging`
            self.handleError(record)

    def tick(self) -> None:
        """Say what was counted, if the minute is over."""
        with self._locked():
            self._end_minute_if_over()

    def close(self) -> None:
        """Say what was counted so far."""
        with self._locked():
            self._end_minute()
        super().close()

    def _end_minute_if_over(self) -> None:
        if self._clock() - self._begun >= WINDOW_SECONDS:
            self._end_minute()

    def _end_minute(self) -> None:
        counted, self._again = self._again, Counter()
        self._lines.clear()
        self._begun = self._clock()
        for said, count in counted.items():
            more = f"{said} … and {count} more in the last minute"
            self._write(logging.makeLogRecord({"msg": more}))

    def _write(self, record: logging.LogRecord) -> None:
        # A stream that is closed or full must not end the service.
        with suppress(OSError, ValueError):
            self._stream.write(f"{self.format(record)}\n")
            self._stream.flush()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.acquire()
        try:
            yield
        finally:
            self.release()


def sentence(record: logging.LogRecord) -> str:
    """What a record says, on one line.

    Of an error it names the place: its words and its traceback may quote a payload.
    """
    said = record.getMessage().strip()
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        said = f"{said}: {place(error)}"
    return visible(said)[:MOST_CHARACTERS]


def log_to_stderr(*, quiet: bool) -> None:
    """Write the log of this process to the standard error stream, libraries' warnings included.

    A program that has set up a log of its own keeps it.
    """
    LOG.setLevel(logging.WARNING if quiet else logging.INFO)
    if logging.getLogger().handlers:
        return
    handler = ThrottledHandler(sys.stderr)
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    threading.Thread(
        target=_tick_for_ever, args=(handler,), name="goldspan-log", daemon=True
    ).start()


def _tick_for_ever(handler: ThrottledHandler) -> None:
    while True:
        time.sleep(TICK_SECONDS)
        handler.tick()
