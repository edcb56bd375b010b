"""Native kernels: machine code that later runs call without loading numba.

Loading numba takes longer than measuring a small file. Numba compiles a native kernel once, for
arrays that come as addresses; the object code is stored, and later runs load it with llvmlite.

In return, such a kernel keeps to what needs nothing of numba when it runs. Its parameters are
`int`, `float`, and C-contiguous arrays: `Ints`, `Floats`, `Masks`; of two dimensions `IntRows`,
`Matrix`, `MaskRows`. Its result is an `int` or a tuple of them. It reads and writes single items,
`a[i]` and `m[i][j]`. It takes no length and no slice, makes no array and raises nothing.

A call takes some 50 microseconds more than one through numba, so a kernel has much to do in a call:
small continua go through one together (see `batch`). Where this was not tested, a native kernel is
called like any other.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from operator import index
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from goldspan.engine.alignment.kernel import (
    OPTIONS,
    Kernel,
    bundle,
    give_notice,
    load_numba,
    stores,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

TESTED = (sys.platform, platform.machine()) == ("linux", "x86_64")

_ITEMS = {"Ints": "int64", "Floats": "float64", "Masks": "uint64"}
_ROWS = {"IntRows": "int64", "Matrix": "float64", "MaskRows": "uint64"}
_NAMES = _ITEMS | _ROWS

_DIGEST = hashlib.sha256().digest_size


class NativeKernel(Kernel[P, R]):
    """A kernel that is called with positional arguments, through stored machine code."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        made: R = self.native(*args, **kwargs)
        return made

    @cached_property
    def native(self) -> Any:
        """What a call runs."""
        return self.load() if TESTED and _has_library() else self.compiled

    def load(self) -> Any:
        """The stored code; else code that is compiled now, and stored if that is possible."""
        *kinds, back = self.function.__annotations__.values()
        name = f"{self.function.__name__}-{self.key}"
        code = _stored(name)
        if code is None:
            give_notice()
            code = _compile(self.function, kinds, name)
            if code is None:
                return self.compiled
            _store(name, code)
        return Code(code, name, kinds, back.count("int"))

    @property
    def key(self) -> str:
        """It differs wherever the machine code may differ."""
        parts = "\n".join([*_surroundings(), *_meaning(self.function)])
        return hashlib.sha256(parts.encode()).hexdigest()[:32]


def native(function: Callable[P, R]) -> NativeKernel[P, R]:
    """Compile `function` once per machine, to code that does not need numba later."""
    return NativeKernel(function)


def _meaning(function: Any) -> Iterator[str]:
    """A function's code and signature, and what the names in it stand for."""
    code = function.__code__
    yield repr((code.co_code, code.co_consts, code.co_names, function.__annotations__))
    closure = [cell.cell_contents for cell in function.__closure__ or ()]
    for value in [*(function.__globals__.get(name) for name in code.co_names), *closure]:
        if isinstance(value, Kernel):
            yield from _meaning(value.function)
        elif not isinstance(value, ModuleType):
            yield repr(value)


class Code:
    """Machine code that was loaded, and how to call it."""

    def __init__(self, code: bytes, name: str, kinds: list[str], results: int) -> None:
        llvm = _llvm()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        # Numba's convention: where results go, where an error goes, the arguments; 0 for success.
        pointer = ctypes.c_void_p
        numbers: dict[str, Any] = {"int": ctypes.c_int64, "float": ctypes.c_double}
        shape = [pointer, pointer, *(numbers.get(kind, pointer) for kind in kinds)]
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, *shape)(
            self._engine.get_function_address(name)
        )
        self._converters = [_CONVERTERS[kind] for kind in kinds]
        self._results = ctypes.c_int64 * results

    def __call__(self, *args: Any) -> Any:
        results = self._results()
        values = [convert(arg) for convert, arg in zip(self._converters, args, strict=True)]
        if self._call(results, _ERROR, *values):
            raise RuntimeError("a kernel that cannot fail has failed")
        return tuple(results) if len(results) > 1 else results[0]


def _address_of(kind: str) -> Callable[[Any], Any]:
    """Gives the address of an array of this kind; of a matrix the addresses of its rows."""
    items, dimensions = np.dtype(_NAMES[kind]), 2 if kind in _ROWS else 1

    def address(array: Any) -> Any:
        if array.dtype == items and array.ndim == dimensions:
            if dimensions == 1:
                # The fastest way. It takes C-contiguous arrays that can be written to.
                try:
                    return _NOTHING.from_buffer(array)
                except (ValueError, TypeError, BufferError):
                    pass
            if array.flags.c_contiguous:
                return array.ctypes.data if dimensions == 1 else _rows(array)
        raise TypeError(f"a kernel needs {kind}: {array.dtype} {array.shape} {array.strides}")

    return address


_NOTHING = ctypes.c_char * 0
_ERROR = ctypes.byref(ctypes.c_void_p())
"""Where a kernel would put an error; no native kernel has one."""


def _rows(matrix: NDArray[Any]) -> Any:
    addresses: Any = np.arange(len(matrix)) * matrix.strides[0] + matrix.ctypes.data
    return _NOTHING.from_buffer(addresses)


_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "int": index, "float": float, **{kind: _address_of(kind) for kind in _NAMES},
}  # fmt: skip


def _compile(function: Callable[..., Any], kinds: list[str], name: str) -> bytes | None:
    """Object code with the function under a name; None if it needs something from outside."""
    numba = load_numba()
    types, pointer = numba.types, numba.types.CPointer
    known = {
        "int": types.int64,
        "float": types.float64,
        **{kind: pointer(getattr(types, name)) for kind, name in _ITEMS.items()},
        **{kind: pointer(pointer(getattr(types, name))) for kind, name in _ROWS.items()},
    }
    signature = tuple(known[kind] for kind in kinds)
    with bundle(function) as options:
        compiled = numba.njit(signature, **options)(function)
    (overload,) = compiled.overloads.items()
    module = _llvm().parse_assembly(compiled.inspect_llvm(overload[0]))
    entry = module.get_function(overload[1].fndesc.llvm_func_name)
    outside = [one for one in module.functions if one.is_declaration]
    if len(list(entry.arguments)) != 2 + len(kinds) or any(
        not one.name.startswith("llvm.") for one in outside
    ):
        return None
    entry.name = name
    code: bytes = _machine().emit_object(module)
    return code


@cache
def _llvm() -> Any:
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to import

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def _has_library() -> bool:
    """Whether what the code may call is there; loading it would end the process otherwise."""
    process = ctypes.CDLL(None)
    return all(hasattr(process, name) for name in ("pow", "memset", "memcpy"))


@cache
def _surroundings() -> tuple[str, ...]:
    """What compiles, and for what. Each numba needs its own llvmlite, whose version speaks for it,
    because numba's is slow to ask for.
    """
    from llvmlite import __version__ as llvmlite  # noqa: PLC0415 - slow to import

    made_for = _llvm().get_host_cpu_name(), _llvm().get_host_cpu_features().flatten()
    return sys.version, np.__version__, llvmlite, repr(OPTIONS), *made_for


def _machine() -> Any:
    """The machine that this is; an engine takes it away, so each needs its own."""
    llvm = _llvm()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(),
        opt=3, codemodel="jitdefault", jit=True,
    )  # fmt: skip


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.native"


def _stored(name: str) -> bytes | None:
    """The code that was stored under a name; a damaged file counts as none."""
    for folder in stores():
        try:
            kept = _file(folder, name).read_bytes()
        except OSError:
            continue
        digest, code = kept[:_DIGEST], kept[_DIGEST:]
        if hashlib.sha256(code).digest() == digest:
            return code
    return None


def _store(name: str, code: bytes) -> None:
    """Store the code in the first folder that takes it; a reader sees all of it or nothing."""
    for folder in stores():
        part = folder / f"{name}.{os.getpid()}.part"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(hashlib.sha256(code).digest() + code)
            part.replace(_file(folder, name))
        except OSError:
            with suppress(OSError):
                part.unlink()
        else:
            return
