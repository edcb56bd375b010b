"""Compiled functions: machine code on first use, kept on disk for every later run.

Where nothing can be kept (a read-only installation, and no home folder that can be written to; or a
full disk), each run compiles in memory, which takes longer and gives the same figures. Numba is
loaded by the first call of a kernel, because it takes longer to load than a small file to measure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""Kernels release the interpreter lock. They divide by nothing that can be 0, so no division needs
a check, and no C code calls them: leaving both out makes compiling faster.
"""

STORE = "NUMBA_CACHE_DIR"
"""Names the folder for compiled code; numba reads the same variable."""

_NOTICES: list[Callable[[], None]] = []
"""What is called before something is compiled."""


class Kernel(Generic[P, R]):
    """A function that is compiled on its first call; other kernels can call it too."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        made: R = self.compiled(*args, **kwargs)
        return made

    @cached_property
    def compiled(self) -> Any:
        """Numba's own function, which compiles for each kind of argument that it is given."""
        numba = load_numba()
        try:
            compiled = numba.njit(cache=True, **OPTIONS)(self.function)
            _go_on_without(compiled._cache)
        except RuntimeError:
            # Numba looked for a folder to keep the code in, and found none.
            compiled = numba.njit(**OPTIONS)(self.function)
        _compile_once(compiled, numba.types.unliteral)
        return compiled

    @property
    def _numba_type_(self) -> Any:
        """What this is to numba in the code of another kernel."""
        return self.compiled._numba_type_


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile `function` once per machine; it releases the interpreter lock while it runs."""
    return Kernel(function)


@cache
def load_numba() -> Any:
    """Numba, which gives notice from now on before it compiles."""
    import numba  # noqa: PLC0415 - slow to import
    from numba.core import event  # noqa: PLC0415

    class BeforeCompiling(event.Listener):
        def on_start(self, event: Any) -> None:
            del event
            give_notice()

        def on_end(self, event: Any) -> None:
            """Nobody waits for the end."""

    event.register("numba:compile", BeforeCompiling())  # type: ignore[no-untyped-call]
    return numba


def _compile_once(compiled: Any, plain: Callable[[Any], Any]) -> None:
    """Numba would compile a kernel once more for each number that a caller writes out."""
    resolve = compiled.get_call_template

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


def stores() -> list[Path]:
    """The folders that code may be kept in, the first choice first."""
    if chosen := os.environ.get(STORE):
        return [Path(chosen)]
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    return [Path(__file__).parent / "__pycache__", Path(caches, "goldspan")]


def compiles_in_memory() -> bool:
    """Whether code is compiled again in every run, because it can be kept nowhere."""
    return not any(map(_can_be_written, stores()))


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@contextmanager
def compile_notice(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` before the first kernel that is compiled in the block; loading stored code is not
    compiling.
    """
    _NOTICES.append(tell)
    try:
        yield
    finally:
        with suppress(ValueError):
            _NOTICES.remove(tell)


def give_notice() -> None:
    """Say to all who asked that something is about to be compiled, once."""
    while _NOTICES:
        _NOTICES.pop()()
