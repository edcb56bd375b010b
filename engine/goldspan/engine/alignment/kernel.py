"""Compiled functions: machine code on first use, kept on disk for every later run.

Where nothing can be kept (a read-only installation, and no home folder that can be written to; or a
full disk), each run compiles in memory, which takes longer and gives the same figures. Numba is
loaded by the first call of a kernel, because it takes longer to load than a small file to measure.

Where a native kernel is compiled (see `native`), those that it calls are only parts of it: numba
would optimise each of them, and make machine code of it, which takes a third of the time.
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

_BUNDLES: list[object] = []
"""The native kernels that are compiled at the moment."""


class Kernel(Generic[P, R]):
    """A function that is compiled on its first call; other kernels can call it too. A `hot` one is
    optimised before it becomes a part of a native one, and then again with it.
    """

    def __init__(self, function: Callable[P, R], *, hot: bool = False) -> None:
        self.function = function
        self.hot = hot
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

    @cached_property
    def part(self) -> Any:
        """Numba's function for the code of native kernels; Python cannot call it."""
        numba = load_numba()
        part = numba.njit(**_bundle_options(optimised=self.hot))(self.function)
        _compile_once(part, numba.types.unliteral)
        return part

    @property
    def _numba_type_(self) -> Any:
        """What this is to numba in the code of another kernel."""
        return (self.part if _BUNDLES else self.compiled)._numba_type_


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile `function` once per machine; it releases the interpreter lock while it runs."""
    return Kernel(function)


def hot_kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """A kernel with a loop that takes most of its callers' time. If it is optimised on its own too,
    it runs faster.
    """
    return Kernel(function, hot=True)


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


@contextmanager
def bundle(function: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    """Numba's options for a function that is compiled in the block, with all kernels that it calls
    as parts of it.
    """
    _BUNDLES.append(function)
    try:
        yield _bundle_options(optimised=True)
    finally:
        _BUNDLES.remove(function)


def _bundle_options(*, optimised: bool) -> dict[str, Any]:
    options = OPTIONS | {"no_cpython_wrapper": True}
    pipelines = _pipelines()
    return options if pipelines is None else options | {"pipeline_class": pipelines[optimised]}


@cache
def _pipelines() -> tuple[type, type] | None:
    """Numba's way from Python to LLVM's language and no further: without optimising, and with it.
    None if numba's own classes have changed.
    """
    load_numba()
    from numba.core.codegen import JITCodeLibrary  # noqa: PLC0415 - slow to import
    from numba.core.compiler import Compiler  # noqa: PLC0415

    class NoEnvironment:
        def set_env(self, *_: object) -> None:
            """The code has no address yet."""

    class Optimised(JITCodeLibrary):
        codegen = NoEnvironment()

        def _finalize_final_module(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            del name
            self._ensure_finalized()  # type: ignore[no-untyped-call]
            return 0

    class Part(Optimised):
        def _optimize_final_module(self) -> None:
            """Its caller is optimised, with this in it."""

    def pipeline(library: type) -> type:
        class Bundled(Compiler):
            def define_pipelines(self) -> Any:
                state = self.state
                state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
                return super().define_pipelines()  # type: ignore[no-untyped-call]

        return Bundled

    needed = {*vars(Optimised), *vars(Part)} - {"__module__", "__doc__"}
    if not all(hasattr(JITCodeLibrary, name) for name in needed):
        return None
    return pipeline(Part), pipeline(Optimised)


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
