"""Compiled functions: machine code on first use, kept on disk for every later run."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` once per machine; it releases the interpreter lock while it runs."""
    return cast("Callable[P, R]", numba.njit(cache=True, nogil=True)(function))
