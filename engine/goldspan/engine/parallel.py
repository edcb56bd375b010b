"""Where work runs: in this process, on several, or on any executor that is handed in."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from goldspan.engine.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Compute:
    """Where the work runs; it changes no figure.

    `workers` is a number of processes on this machine, 1 for this process alone. `executor` may be
    any `concurrent.futures.Executor`, such as that of a Dask client; it is used instead of
    processes, and stays open.
    """

    workers: int = 1
    executor: Executor | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise SettingsError(f"the number of workers is {self.workers}; it must be 1 or more")


@contextmanager
def mapping(
    compute: Compute,
) -> Iterator[Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]]:
    """A `map` that gives results in order; an executor that is handed in stays open."""
    workers, executor = compute.workers, compute.executor
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
