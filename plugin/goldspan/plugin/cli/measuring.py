"""Measuring for verbs: the options they share, their requests, and the result with a progress bar.

What loads numpy is imported by the functions that make a request or run it, so that `--help` need
not wait for it.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.plugin.cli.progress import progress_bar

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.engine.settings import Settings
    from goldspan.plugin.cli.messages import Messages
    from goldspan.plugin.measurement import ComputeRequest, MeasureRequest

SETTINGS = (
    "preset", "seed", "chance", "precision", "level", "alpha", "beta", "forbid",
    "position", "exponent", "solver", "seconds", "max_seconds",
    "spacing", "floor_mean", "alpha_weights", "average",
)  # fmt: skip
"""The options that decide figures, by the names that the engine has for them."""

COMPILING_ONCE = "compiling, once on this machine; this takes some seconds"


def add_chance(group: argparse._ActionsContainer) -> None:
    """Add the model of chance and its precision."""
    group.add_argument(
        "--chance", choices=("auto", "shift", "corpus", "statistical", "normal"),
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


def add_weights(group: argparse._ActionsContainer) -> None:
    """Add the weights of positions and categories, and the distances of categories."""
    group.add_argument(
        "--alpha", type=float, help="the weight of positions; 0 compares labels only (1)"
    )
    group.add_argument("--beta", type=float, default=1.0, help="the weight of categories (1)")
    group.add_argument(
        "--position", choices=("ratio", "iou"), default="ratio",
        help="how positions are compared: the differences of the ends in relation to the lengths, "
        "or 1 - intersection over union (ratio)",
    )  # fmt: skip
    group.add_argument(
        "--exponent", type=float, metavar="P",
        help="the power to which the ratio of positions is raised (2)",
    )  # fmt: skip
    group.add_argument(
        "--distances", type=Path, metavar="FILE",
        help="distances between categories: a csv matrix, or JSON (ordinal, interval, matrix, "
        "sets, tree)",
    )  # fmt: skip


def add_preset(group: argparse._ActionsContainer) -> None:
    """Add what makes figures comparable with other software."""
    group.add_argument(
        "--preset", choices=("authors", "pygamma"),
        help="the settings of other software, where no option says otherwise: the γ software of "
        "the papers' authors, or the chance of pygamma-agreement",
    )  # fmt: skip
    group.add_argument(
        "--spacing", type=float, metavar="X",
        help="how far apart two shifts are at the least, in mean lengths of a unit (1)",
    )  # fmt: skip
    group.add_argument(
        "--floor-mean", action=argparse.BooleanOptionalAction,
        help="round the mean number of units per annotator down",
    )  # fmt: skip
    group.add_argument(
        "--alpha-weights", action=argparse.BooleanOptionalAction,
        help="weigh the pairs of γcat and γk by 1 - α·d_pos instead of 1 - d_pos",
    )  # fmt: skip
    group.add_argument(
        "--average", choices=("sums", "samples"),
        help="the expected disorder: from sums over the chance samples, or the mean of the "
        "samples' own disorders (sums)",
    )  # fmt: skip


def settings_of(args: argparse.Namespace) -> Settings:
    """What the arguments of the functions above say, as far as a verb has them; None is not said.
    The file of distances is read by `measure`.
    """
    from goldspan.engine.settings import Settings  # noqa: PLC0415 - loads numpy

    said = {name: getattr(args, name, None) for name in SETTINGS}
    return Settings.of(**{name: value for name, value in said.items() if value is not None})


def add_seed(group: argparse._ActionsContainer) -> None:
    """Add the random seed."""
    group.add_argument("--seed", type=int, default=0, metavar="N", help="the random seed (0)")


def add_compute(group: argparse._ActionsContainer) -> None:
    """Add where the work runs."""
    group.add_argument(
        "--workers", type=int, default=1, metavar="N", help="how many processes work (1)"
    )
    group.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster to use")


def add_resume(group: argparse._ActionsContainer) -> None:
    """Add where finished work is kept."""
    group.add_argument(
        "--resume", type=Path, metavar="DIR",
        help="store finished work in this folder, and go on from it after an interruption",
    )  # fmt: skip


def compute_request(args: argparse.Namespace) -> ComputeRequest:
    """What the arguments of `add_compute` say, and of `add_resume` where a verb has it."""
    from goldspan.plugin.measurement import ComputeRequest  # noqa: PLC0415 - loads numpy

    return ComputeRequest(args.workers, args.dask, getattr(args, "resume", None))


def add_solver(group: argparse._ActionsContainer) -> None:
    """Add the solver of integer programs."""
    group.add_argument(
        "--solver", metavar="NAME", help="a PuLP solver for the integer programs (HiGHS)"
    )


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


def measure(
    request: MeasureRequest, distances: Path | None, corpus: Corpus, messages: Messages
) -> Result:
    """The agreement of a corpus, with the distances in a file if there is one, and a progress bar
    on a terminal.
    """
    from goldspan.engine.scoring import score  # noqa: PLC0415 - loads compiled code

    request = with_distances(request, distances)
    with say_compiling(messages), progress_bar(quiet=messages.quiet) as progress:
        return request.measure(score, corpus, progress, messages.say)


def with_distances(request: MeasureRequest, file: Path | None) -> MeasureRequest:
    """The request with the distances in a file, if there is one."""
    if file is None:
        return request
    from goldspan.plugin.cli.distances import read_distances  # noqa: PLC0415 - loads numpy

    weights = replace(request.settings.dissimilarity, distances=read_distances(file))
    return replace(request, settings=replace(request.settings, dissimilarity=weights))


@contextmanager
def say_compiling(messages: Messages) -> Iterator[None]:
    """Say that the engine compiles its code, if it has to do so in this block."""
    # Loads numba.
    from goldspan.engine.alignment.kernel import (  # noqa: PLC0415
        compile_notice,
        compiles_in_memory,
    )
    from goldspan.plugin.measurement import COMPILING  # noqa: PLC0415 - loads numpy

    def tell() -> None:
        messages.say(COMPILING if compiles_in_memory() else COMPILING_ONCE)

    with compile_notice(tell):
        yield
