"""Compiled functions: machine code on first use, kept on disk for every later run.

Where nothing can be kept (a read-only installation, and no home folder that can be written to; or a
full disk), each run compiles in memory, which takes longer and gives the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""Kernels release the interpreter lock. They divide by nothing that can be 0, so no division needs
a check, and no C code calls them: leaving both out makes compiling faster.
"""

_IN_MEMORY: set[str] = set()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` once per machine; it releases the interpreter lock while it runs."""
    compiled: Any
    try:
        compiled = numba.njit(cache=True, **OPTIONS)(function)
        _go_on_without(compiled._cache)
    except RuntimeError:
        # Numba looked for a folder to keep the code in, and found none.
        compiled = numba.njit(**OPTIONS)(function)
        _IN_MEMORY.add(function.__qualname__)
    _compile_once(compiled)
    return cast("Callable[P, R]", compiled)


def _compile_once(compiled: Any) -> None:
    """Numba would compile a kernel once more for each number that a caller writes out."""
    resolve = compiled.get_call_template
    plain: Callable[[Any], Any] = numba.types.unliteral

    def resolve_plain(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(plain, args)), {name: plain(kind) for name, kind in kws.items()})

    compiled.get_call_template = resolve_plain


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


@contextmanager
def compile_notice(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` before the first kernel that is compiled in the block; loading stored code is not
    compiling.
    """
    with event.install_listener("numba:compile", _FirstStart(tell)):
        yield


class _FirstStart(event.Listener):
    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell: Callable[[], None] | None = tell

    def on_start(self, event: Any) -> None:
        del event
        tell, self.tell = self.tell, None
        if tell is not None:
            tell()

    def on_end(self, event: Any) -> None:
        """Nobody waits for the end."""
