"""Where work runs: in this process, on several, or on any executor that is handed in."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from goldspan.engine.errors import SettingsError, WorkerError

if TYPE_CHECKING:
    from concurrent.futures import Executor

Map: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]
"""map(function, items): the results in order, wherever the work runs."""

LARGE_BYTES = 1 << 16
"""A function that takes more than this is sent to each worker once, not with each item."""


@dataclass(frozen=True, slots=True)
class Compute:
    """Where the work runs; it changes no figure.

    `workers` is a number of processes on this machine, 1 for this process alone. `executor` may be
    any `concurrent.futures.Executor`, such as that of a Dask client; it is used instead of
    processes, and stays open. `keep` makes another map of the one that does the work: one that
    stores results, or finds them where they were stored before.
    """

    workers: int = 1
    executor: Executor | None = None
    keep: Callable[[Map], Map] | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise SettingsError(f"the number of workers is {self.workers}; it must be 1 or more")

    @property
    def processes(self) -> int:
        """How many processes may take large pieces of work each. What an executor has is not known;
        and where results are stored, the pieces must be the same for any number of processes.
        """
        return self.workers if self.executor is None and self.keep is None else 1


@contextmanager
def mapping(compute: Compute) -> Iterator[Map]:
    """A `map` that gives results in order; an executor that is handed in stays open."""
    with _place(compute) as run:
        yield run if compute.keep is None else compute.keep(run)


@contextmanager
def _place(compute: Compute) -> Iterator[Map]:
    if compute.executor is not None:
        yield compute.executor.map
    elif compute.workers == 1:
        yield map
    else:
        # Slow to import, and most runs have one process.
        import multiprocessing  # noqa: PLC0415
        from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

        # Spawned rather than forked: a fork would copy the solver's threads half alive.
        context = multiprocessing.get_context("spawn")
        with (
            TemporaryDirectory(prefix="goldspan-", ignore_cleanup_errors=True) as folder,
            ProcessPoolExecutor(compute.workers, mp_context=context) as pool,
        ):
            yield _Pool(pool, Path(folder)).map


@contextmanager
def blame(what: Callable[[], str]) -> Iterator[None]:
    """Workers that are lost for good in this block are an error that says what they worked on."""
    try:
        yield
    except RuntimeError as error:
        from concurrent.futures import BrokenExecutor  # noqa: PLC0415 - slow to import

        if not isinstance(error, BrokenExecutor):
            raise
        raise WorkerError(what(), str(error)) from error


@dataclass(slots=True)
class _Pool:
    """Processes on this machine; what is large travels to them through a file."""

    pool: Executor
    folder: Path
    last: tuple[object, Callable[[Any], Any]] = (None, repr)
    stored: int = field(default=0)

    def map(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Iterable[Any]:
        if self.last[0] is not function:
            self.last = function, self._light(function)
        return self.pool.map(self.last[1], items)

    def _light(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The function itself, or one that loads it from a file."""
        content = pickle.dumps(function)
        if len(content) <= LARGE_BYTES:
            return function
        (self.folder / str(self.stored)).unlink(missing_ok=True)
        self.stored += 1
        place = self.folder / str(self.stored)
        place.write_bytes(content)
        return _Stored(str(place))


@dataclass(frozen=True, slots=True)
class _Stored:
    """A function in a file; a process loads it once."""

    place: str

    def __call__(self, item: Any) -> Any:
        return _load(self.place)(item)


@lru_cache(maxsize=1)
def _load(place: str) -> Callable[[Any], Any]:
    # The process that started this one wrote the file, in a folder that only its user can read.
    function: Callable[[Any], Any] = pickle.loads(Path(place).read_bytes())  # noqa: S301
    return function
