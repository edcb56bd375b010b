"""Cluster: the workers of a Dask scheduler as an executor that the engine can use.

Dask's own executor sends a function along with every item, and holds all items of a `map` at once.
Here the function is a task of its own, which the scheduler can compute again wherever it is lost,
and only as many items are on their way as keep the workers busy. A worker that dies loses nothing:
the scheduler repeats its tasks elsewhere, and no result depends on where it was computed.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from importlib.metadata import version
from itertools import islice
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import MissingExtra, SettingsError

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 10
"""How long a Dask scheduler has to answer."""

WORKER_SECONDS = 60
"""How long a scheduler without a worker has to get one."""

ITEMS_AT_ONCE = 16
"""Items that travel together at most."""

AHEAD = 4
"""Tasks that are on their way for each thread of the cluster."""


class ClusterError(SettingsError):
    """A Dask cluster cannot be reached or used; waiting may help."""


@contextmanager
def open_cluster(address: str, *, wait: float = WORKER_SECONDS) -> Iterator[Executor]:
    """The workers of the scheduler at this address, until the block ends; `wait` is the time in
    seconds that the first of them may take to join.
    """
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("a Dask cluster", "dask") from error
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=wait)
        except TimeoutError as error:
            raise ClusterError(
                f"the Dask scheduler at {address} has no worker; start one: dask worker {address}"
            ) from error
        yield ClusterExecutor(client)


class ClusterExecutor(Executor):
    """Runs `map` on a cluster; it has no `submit`, which the engine does not use."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._last: tuple[object, Future[Any] | None] = (None, None)

    def map(
        self,
        fn: Callable[..., Any],
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 0,
    ) -> Iterator[Any]:
        """The results in order. `chunksize` is the number of items that travel together; 0 lets
        the size of the cluster decide.
        """
        items = list(zip(*iterables, strict=False))
        threads = max(1, sum(self._client.nthreads().values()))
        size = chunksize or min(ITEMS_AT_ONCE, -(-len(items) // (AHEAD * threads))) or 1
        chunks = (items[low : low + size] for low in range(0, len(items), size))
        function = self._share(fn)
        waiting = deque(self._send(function, one) for one in islice(chunks, AHEAD * threads))
        while waiting:
            results = self._result(waiting.popleft(), timeout)
            waiting.extend(self._send(function, one) for one in islice(chunks, 1))
            yield from results

    def _share(self, fn: Callable[..., Any]) -> Future[Any]:
        """The function, on its way to the cluster; the last one is there already."""
        known, future = self._last
        if future is None or known is not fn or future.status in ("error", "cancelled"):
            with warnings.catch_warnings():
                # It is large, and is sent once on purpose.
                warnings.filterwarnings("ignore", message="Sending large graph")
                future = self._client.submit(_Check(version("goldspan")), fn, pure=False)
            self._last = fn, future
        return future

    def _send(self, function: Future[Any], items: Sequence[tuple[Any, ...]]) -> Future[Any]:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self._client.submit(_Calls(items), function, pure=False)

    def _result(self, future: Future[Any], timeout: float | None) -> list[Any]:
        from distributed import CancelledError, KilledWorker  # noqa: PLC0415 - an extra

        try:
            results: list[Any] = future.result(timeout)
        except KilledWorker as error:
            raise BrokenExecutor(
                f"{error.allowed_failures + 1} workers of the Dask cluster died of it"
            ) from error
        except CancelledError as error:
            raise ClusterError(
                "the Dask scheduler was lost, and the work with it; start it again"
            ) from error
        except ModuleNotFoundError as error:
            raise ClusterError(
                f"a Dask worker cannot run goldspan ({error}); install the same version there"
            ) from error
        finally:
            future.release()
        return results


class _Check:
    """Hands a function on, on a worker that has the same goldspan."""

    def __init__(self, expected: str) -> None:
        self.expected = expected

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        found = version("goldspan")
        if found != self.expected:
            raise ClusterError(
                f"a Dask worker has goldspan {found}, and here it is {self.expected}; install the "
                "same version everywhere"
            )
        return function


class _Calls:
    """Calls a function with each of some items; Dask need not look into them."""

    def __init__(self, items: Sequence[tuple[Any, ...]]) -> None:
        self.items = items

    def __call__(self, function: Callable[..., Any]) -> list[Any]:
        return [function(*item) for item in self.items]
