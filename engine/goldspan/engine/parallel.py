"""Where work runs: in this process, on several, or on any executor that is handed in."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from goldspan.engine.errors import SettingsError


@contextmanager
def mapping(
    workers: int = 1, executor: Executor | None = None
) -> Iterator[Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]]:
    """A `map` that gives results in order; an executor that is handed in stays open."""
    if workers < 1:
        raise SettingsError(f"the number of workers is {workers}; it must be 1 or more")
    if executor is not None:
        # Some executors take no iterators.
        yield lambda function, items: executor.map(function, list(items))
    elif workers == 1:
        yield map
    else:
        # Spawned rather than forked: a fork would copy the solver's threads half alive.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            yield pool.map
