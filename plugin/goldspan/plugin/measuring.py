"""Measuring for verbs: the shared options of how chance is estimated and how long it may take."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from contextlib import contextmanager

from goldspan.plugin.reading import say

COMPILING = (
    "there is no folder to store compiled code in, so every run compiles it again, which can take "
    "a minute; set NUMBA_CACHE_DIR to a writable folder"
)
COMPILING_ONCE = "compiling, once on this machine; this takes some seconds"


def add_chance(group: argparse._ActionsContainer) -> None:
    """Add the model of chance and its precision."""
    group.add_argument(
        "--chance", choices=("auto", "shift", "corpus", "statistical"), default="auto",
        help="the model of chance (auto: corpus if there are as many tasks as annotators)",
    )  # fmt: skip
    group.add_argument(
        "--precision", type=float, default=0.02, metavar="E",
        help="the relative error allowed in the expected disorder (0.02)",
    )  # fmt: skip


def add_coefficients(group: argparse._ActionsContainer) -> None:
    """Add what is measured beside γ, γcat and γk."""
    group.add_argument(
        "--coefficient", "--also", action="append", default=[], metavar="NAME,…",
        help="measure these coefficients as well, such as alpha,cu-alpha,f1; or all of them: all",
    )  # fmt: skip


def add_limits(group: argparse._ActionsContainer, whole: str = "the whole run") -> None:
    """Add how long measuring may take; `whole` is what the second limit is for."""
    group.add_argument(
        "--seconds", type=seconds, metavar="S",
        help="time limit for each alignment; figures then say if one is not proved optimal",
    )  # fmt: skip
    group.add_argument(
        "--max-seconds", type=seconds, metavar="S",
        help=f"time limit for {whole}; the result then says what was left out",
    )  # fmt: skip


def seconds(text: str) -> float:
    """A time that has an end."""
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time limit; give seconds, such as 30")
    return value


@contextmanager
def say_compiling(args: argparse.Namespace) -> Iterator[None]:
    """Say that the engine compiles its code, if it has to do so in this block."""
    # Loads numba.
    from goldspan.engine.alignment.kernel import (  # noqa: PLC0415
        compile_notice,
        compiles_in_memory,
    )

    def tell() -> None:
        say(args, COMPILING if compiles_in_memory() else COMPILING_ONCE)

    with compile_notice(tell):
        yield
