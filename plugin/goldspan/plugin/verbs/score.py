"""`goldspan score`: how far annotators agree, on which labels, who differs, where to look."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import MissingExtra, SettingsError
from goldspan.plugin.measuring import add_chance, add_coefficients, add_limits, say_compiling
from goldspan.plugin.progress import progress_bar
from goldspan.plugin.reading import add_reading, read_corpus
from goldspan.plugin.results import add_results, check_targets, write_results
from goldspan.plugin.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.cli import Subparsers


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "score",
        help=VERBS["score"],
        description="Measure how far annotators agree on spans: γ, γcat for labels, γk per label; "
        "for the corpus, each task, each pair of annotators.",
        epilog="Example: goldspan score export.json --html report.html --json result.json",
    )
    add_reading(parser)
    _add_measuring(parser)
    group = parser.add_argument_group("results")
    add_results(group)
    group.add_argument(
        "--min-gamma", type=float, metavar="X",
        help="exit with 1 if the lower limit of γ is below X (see --gate)",
    )  # fmt: skip
    group.add_argument(
        "--min-gamma-k", action="append", default=[], metavar="LABEL=X",
        help="exit with 1 if the lower limit of a label's γk is below X (repeat for more labels)",
    )  # fmt: skip
    group.add_argument(
        "--min-coefficient", action="append", default=[], metavar="NAME=X",
        help="the same for any coefficient of the result",
    )  # fmt: skip
    group.add_argument(
        "--gate", choices=("lower", "value"), default="lower",
        help="what --min-gamma compares: the interval's lower limit, or the value (lower)",
    )  # fmt: skip
    parser.set_defaults(run=run)


def _add_measuring(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("measuring")
    add_chance(group)
    add_coefficients(group)
    group.add_argument(
        "--level", type=float, default=0.95, help="the level of intervals and precision (0.95)"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="the random seed (0)")
    group.add_argument("--alpha", type=float, default=1.0, help="the weight of positions (1)")
    group.add_argument("--beta", type=float, default=1.0, help="the weight of categories (1)")
    group.add_argument(
        "--distances", type=Path, metavar="FILE",
        help="distances between categories: a csv matrix, or JSON (ordinal, interval, matrix)",
    )  # fmt: skip
    group.add_argument(
        "--forbid", action="store_true", help="never align units at categorial distance 1"
    )
    group.add_argument(
        "--interval", choices=("log-t", "bootstrap"), default="log-t",
        help="how to compute intervals over tasks (log-t)",
    )  # fmt: skip
    group.add_argument(
        "--no-pairs", action="store_true",
        help="leave out the figures of annotator pairs and without each annotator",
    )  # fmt: skip
    group.add_argument("--workers", type=int, default=1, metavar="N", help="processes (1)")
    group.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster to use")
    group.add_argument(
        "--solver", metavar="NAME", help="a PuLP solver for the integer programs (HiGHS)"
    )
    add_limits(group)


def run(args: argparse.Namespace) -> int:
    """Read, measure, show; 0 when done, 1 when a gate was not met."""
    from goldspan.plugin.gates import Gate, parse_gate  # noqa: PLC0415 - loads the engine

    gate = Gate(
        args.min_gamma,
        dict(parse_gate(text, "label") for text in args.min_gamma_k),
        dict(parse_gate(text, "coefficient") for text in args.min_coefficient),
        lower=args.gate == "lower",
    )
    check_targets(args)
    corpus = read_corpus(args)
    result = measure(args, corpus)
    _show(args, corpus, result)
    failures = list(gate.failures(result))
    for sentence in failures:
        print(f"goldspan: gate not met: {sentence}", file=sys.stderr)  # noqa: T201 - the reason
    return 1 if failures else 0


def measure(args: argparse.Namespace, corpus: Corpus) -> Result:
    """Score a corpus as the arguments say, with a progress bar."""
    # The engine loads compiled code, which `--help` need not wait for.
    from goldspan.engine.scoring import score  # noqa: PLC0415
    from goldspan.plugin.distances import read_distances  # noqa: PLC0415

    distances = read_distances(args.distances) if args.distances else None
    with (
        say_compiling(args),
        _executor(args.dask) as executor,
        progress_bar(quiet=args.quiet) as progress,
    ):
        return score(
            corpus,
            seed=args.seed,
            precision=args.precision,
            level=args.level,
            chance=args.chance,
            alpha=args.alpha,
            beta=args.beta,
            distances=distances,
            forbid=args.forbid,
            bootstrap=args.interval == "bootstrap",
            pairs=not args.no_pairs,
            workers=args.workers,
            executor=executor,
            solver=args.solver,
            seconds=args.seconds,
            max_seconds=args.max_seconds,
            coefficients=args.coefficient,
            progress=progress,
        )


@contextmanager
def _executor(address: str | None) -> Iterator[Executor | None]:
    if address is None:
        yield None
        return
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("a Dask cluster", "dask") from error
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise SettingsError(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        yield client.get_executor()


def _show(args: argparse.Namespace, corpus: Corpus, result: Result) -> None:
    if write_results(args, corpus, result):
        return
    from goldspan.plugin.console import VisibleConsole  # noqa: PLC0415 - slow to import
    from goldspan.plugin.summary import print_summary  # noqa: PLC0415 - slow to import

    print_summary(result, VisibleConsole())
