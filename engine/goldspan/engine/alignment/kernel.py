"""Compiled functions: machine code on first use, kept on disk for every later run.

Where nothing can be kept (a read-only installation, and no home folder that can be written to; or a
full disk), each run compiles in memory, which takes longer and gives the same figures.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")

_IN_MEMORY: set[str] = set()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` once per machine; it releases the interpreter lock while it runs."""
    compiled: Any
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
        _go_on_without(compiled._cache)
    except RuntimeError:
        # Numba looked for a folder to keep the code in, and found none.
        compiled = numba.njit(nogil=True)(function)
        _IN_MEMORY.add(function.__qualname__)
    return cast("Callable[P, R]", compiled)


def _go_on_without(store: Any) -> None:
    """What numba cannot store, on a full disk, is used all the same."""
    save = store.save_overload

    def save_if_possible(signature: Any, code: Any) -> None:
        with suppress(OSError):
            save(signature, code)

    store.save_overload = save_if_possible


def compiles_in_memory() -> bool:
    """Whether code is compiled again in every run, because it can be kept nowhere."""
    return bool(_IN_MEMORY)
