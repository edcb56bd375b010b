"""A progress bar on a terminal, for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TextIO

from goldspan.plugin.terminal import visible

DELAY_SECONDS = 1.0
"""How long work takes before a bar is shown."""


@contextmanager
def progress_bar(
    *, quiet: bool, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[str, int, int], None]]:
    """A function progress(what, done, total); it shows nothing in a pipe, or when quiet."""
    target = stream or sys.stderr
    if quiet or not target.isatty():
        yield lambda _what, _done, _total: None
        return
    # rich is slow to import, and short work needs no bar.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    from goldspan.plugin.cli.console import VisibleConsole  # noqa: PLC0415
    from goldspan.plugin.cli.remaining import Remaining  # noqa: PLC0415

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        console=VisibleConsole(target),
        transient=True,
        # rich would obey the escape sequences in what others print meanwhile.
        redirect_stdout=False,
        redirect_stderr=False,
    )
    row = bar.add_task("", left="")
    begin = clock()
    remaining = Remaining(clock)
    with ExitStack() as stack:

        def progress(what: str, done: int, total: int) -> None:
            left = remaining.estimate(what, done, total)
            if not bar.live.is_started:
                if clock() - begin < DELAY_SECONDS:
                    return
                stack.enter_context(bar)
            bar.update(row, description=visible(what), completed=done, total=total, left=left)

        yield progress
