"""`goldspan curves`: how coefficients respond to errors of growing magnitude."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.measuring import add_compute, add_seed, compute_request, say_compiling
from goldspan.plugin.cli.messages import Messages, add_quiet, messages
from goldspan.plugin.cli.outputs import check_folder, check_outputs
from goldspan.plugin.cli.progress import progress_bar
from goldspan.plugin.cli.simulation.arguments import (
    LawsRequest,
    ReferenceRequest,
    add_laws,
    add_reference,
    error_kinds,
    laws_of,
    laws_request,
    reference_of,
    reference_request,
)
from goldspan.plugin.cli.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldspan.engine.simulation.curves import CurvesRequest
    from goldspan.engine.simulation.experiment import CurveFigure
    from goldspan.engine.simulation.point import Point
    from goldspan.plugin.measurement import ComputeRequest

MEASURES = "gamma,gamma-cat,cu-alpha,ser"
JOURNAL = "points.jsonl"

OWN_OPTIONS = {
    "measures": MEASURES, "annotators": 3, "reference": "dense", "reference_from": None,
    "reference_annotator": "", "shift": None, "extra": None, "splits": None, "prevalence": False,
    "confusion": None, "no_overlap": False, "segments": False,
}  # fmt: skip
"""The options of an experiment of the user's own, and what they are if nobody gives them."""


@dataclass(frozen=True, slots=True)
class OwnRequest:
    """An experiment of the user's own."""

    errors: tuple[str, ...]
    measures: tuple[str, ...]
    reference: ReferenceRequest
    laws: LawsRequest
    annotators: int


@dataclass(frozen=True, slots=True)
class CurvesVerbRequest:
    """Figures of the papers, or an experiment of the user's own; and where their files go."""

    papers: tuple[str, ...]
    own: OwnRequest | None
    points: CurvesRequest
    compute: ComputeRequest
    output: Path
    messages: Messages

    def __post_init__(self) -> None:
        if bool(self.papers) == (self.own is not None):
            raise SettingsError("give --paper for a published figure, or --errors for your own")


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "curves",
        help=VERBS["curves"],
        description="Measure coefficients on annotators who err more and more: the figures of the "
        "papers of 2015 and 2017, or an experiment of your own. Writes a csv and an SVG file for "
        "each figure. A run that was interrupted goes on where it stopped.",
        epilog="Example: goldspan curves --paper 2015:26a --output curves",
    )
    group = parser.add_argument_group("experiment")
    group.add_argument(
        "--paper", action="append", default=[], metavar="YEAR:FIG,…",
        help="published figures, such as 2015:26a or 2017:12; or all of them: all",
    )  # fmt: skip
    group.add_argument(
        "--errors", metavar="KIND,…",
        help="your own experiment: kinds of error, such as position,category",
    )  # fmt: skip
    group.add_argument(
        "--measures", default=MEASURES, metavar="NAME,…",
        help=f"the coefficients that it measures ({MEASURES})",
    )  # fmt: skip
    group.add_argument(
        "--annotators", type=int, default=OWN_OPTIONS["annotators"], metavar="N",
        help="how many (3)",
    )  # fmt: skip
    group.add_argument(
        "--step", type=float, default=0.05, metavar="X", help="between two magnitudes (0.05)"
    )
    group.add_argument(
        "--sets", type=int, default=40, metavar="N", help="annotation sets for each point (40)"
    )
    group.add_argument(
        "--precision", type=float, default=0.02, metavar="E",
        help="the relative error allowed in the expected disorder (0.02)",
    )  # fmt: skip
    add_seed(group)
    add_reference(parser, "dense")
    add_laws(parser)
    group = parser.add_argument_group("running")
    add_compute(group)
    group.add_argument(
        "--output", "-o", type=Path, default=Path("curves"), metavar="DIR",
        help="the folder for the files (curves)",
    )  # fmt: skip
    add_quiet(group)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> CurvesVerbRequest:
    """The request that the arguments make."""
    from goldspan.engine.simulation.curves import CurvesRequest  # noqa: PLC0415 - loads numpy

    own = None
    given = [name for name, usual in OWN_OPTIONS.items() if getattr(args, name) != usual]
    if args.errors is None and args.paper and given:
        raise SettingsError(
            f"--{given[0].replace('_', '-')} is for an experiment of your own (--errors); the "
            "papers' figures have fixed settings"
        )
    if args.errors is not None:
        own = OwnRequest(
            error_kinds(args.errors), tuple(args.measures.split(",")), reference_request(args),
            laws_request(args), args.annotators,
        )  # fmt: skip
    return CurvesVerbRequest(
        papers=tuple(name.strip() for text in args.paper for name in text.split(",")),
        own=own,
        points=CurvesRequest(args.step, args.sets, args.seed, args.precision),
        compute=compute_request(args),
        output=args.output,
        messages=messages(args),
    )


def run(request: CurvesVerbRequest) -> int:
    """Measure the points that are missing, write the figures, print the marks; 0 when done."""
    from goldspan.engine.settings import Settings  # noqa: PLC0415 - loads numpy
    from goldspan.engine.simulation.curves import measure_points  # noqa: PLC0415 - compiled code
    from goldspan.plugin.journal import Journal  # noqa: PLC0415

    check_folder("--output", request.output)
    figures = tuple({one.name: one for one in _figures(request)}.values())
    check_outputs(
        [("--output", _file(request, one, kind)) for one in figures for kind in ("csv", "svg")],
        request.own.reference.inputs if request.own else (),
    )
    wanted = request.points.points(one for figure in figures for one in figure.experiments)
    journal = Journal(request.output / JOURNAL)
    known = journal.read(wanted)
    if known:
        request.messages.say(f"points that were measured before: {len(known)} of {len(wanted)}")
    quiet = request.messages.quiet
    with (
        say_compiling(request.messages),
        progress_bar(quiet=quiet) as progress,
        request.compute.open("curves", Settings()) as compute,
    ):
        points = measure_points(wanted, compute, progress, known, journal.add)
    if request.own is not None:
        figures = tuple(_with_labels(one, points, request.messages) for one in figures)
    for figure in figures:
        _write(request, figure, points)
    _print(figures, points)
    seconds = sum(point.seconds for point in points)
    request.messages.say(f"points: {len(points)}, seconds of processor time: {seconds:.0f}")
    return 0


def _figures(request: CurvesVerbRequest) -> Iterator[CurveFigure]:
    from goldspan.engine.simulation.papers import FIGURES, paper_figure  # noqa: PLC0415 - numpy

    for name in request.papers:
        if name == "all":
            yield from FIGURES.values()
        else:
            yield paper_figure(name)
    if request.own is not None:
        yield _own(request.own, request.messages)


def _own(request: OwnRequest, said: Messages) -> CurveFigure:
    from goldspan.engine.coefficient.registry import found_coefficients  # noqa: PLC0415 - compiled
    from goldspan.engine.simulation.experiment import Experiment, one_panel  # noqa: PLC0415

    measures = tuple(one.key for one in found_coefficients(request.measures))
    experiment = Experiment(
        "own", request.errors, reference_of(request.reference, said), laws_of(request.laws),
        measures, request.annotators, last=0.95 if "false_negatives" in request.errors else 1.0,
    )  # fmt: skip
    return one_panel(experiment, " and ".join(request.errors).replace("_", " "))


def _with_labels(figure: CurveFigure, points: Sequence[Point], said: Messages) -> CurveFigure:
    """The user's own figure with the curves that there are: some measures have one for each label,
    and others are not defined for such units.
    """
    from goldspan.engine.simulation.experiment import one_panel  # noqa: PLC0415

    (experiment,) = figure.experiments
    found = dict.fromkeys(key for point in points for key in point.means)
    keys = tuple(key for one in experiment.measures for key in found if key[0] == one)
    missing = [one for one in experiment.measures if all(key[0] != one for key in found)]
    if missing:
        said.say(f"not defined for these annotations, at any magnitude: {', '.join(missing)}")
    return one_panel(experiment, figure.title, keys)


def _file(request: CurvesVerbRequest, figure: CurveFigure, kind: str) -> Path:
    return request.output / f"{figure.name.replace(':', '-')}.{kind}"


def _write(request: CurvesVerbRequest, figure: CurveFigure, points: Sequence[Point]) -> None:
    from goldspan.adapters.files.atomic import new_file  # noqa: PLC0415
    from goldspan.plugin.report.curve_chart import curves_svg  # noqa: PLC0415
    from goldspan.plugin.report.curve_table import curves_csv  # noqa: PLC0415

    for kind, text in (("csv", curves_csv(figure, points)), ("svg", curves_svg(figure, points))):
        path = _file(request, figure, kind)
        with new_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="")
        request.messages.say(f"wrote {path}")


def _print(figures: Sequence[CurveFigure], points: Sequence[Point]) -> None:
    from goldspan.plugin.report.curve_table import marks_text  # noqa: PLC0415

    print(marks_text(figures, points))  # noqa: T201 - this is what it is for
