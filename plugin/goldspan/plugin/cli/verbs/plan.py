"""`goldspan plan`: how many tasks and annotators a study needs, from a pilot round."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.measuring import (
    add_chance,
    add_compute,
    add_seed,
    add_weights,
    compute_request,
    measure,
    settings_of,
    with_distances,
)
from goldspan.plugin.cli.messages import Messages, messages
from goldspan.plugin.cli.outputs import check_outputs
from goldspan.plugin.cli.reading import ReadRequest, add_reading, read_corpus, read_request, resolve
from goldspan.plugin.cli.results import add_json, write_json
from goldspan.plugin.cli.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.planning import Target
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureRequest


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """The pilot, what its figures are to become, and where the plan is written."""

    reading: ReadRequest
    measuring: MeasureRequest
    distances: Path | None
    target: Target
    json: Path | None
    html: Path | None
    messages: Messages


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "plan",
        help=VERBS["plan"],
        description="Say how many tasks a study needs for intervals of a given width, and what "
        "another annotator or more tasks would bring, from a pilot round of 5 tasks or more.",
        epilog="Example: goldspan plan pilot.json --half-width 0.05 --html plan.html",
    )
    add_reading(parser)
    group = parser.add_argument_group("plan")
    group.add_argument(
        "--half-width", type=float, default=0.05, metavar="X",
        help="intervals are to be ± this (0.05)",
    )  # fmt: skip
    group.add_argument(
        "--assurance", type=float, default=0.9, metavar="P",
        help="the share of new rounds that are to reach it (0.9)",
    )  # fmt: skip
    group.add_argument(
        "--more-tasks", type=int, default=50, metavar="N",
        help="also say what so many more tasks would bring (50)",
    )  # fmt: skip
    group = parser.add_argument_group("measuring")
    add_seed(group)
    add_chance(group)
    add_weights(group)
    add_compute(group)
    group = parser.add_argument_group("results")
    add_json(group, "the plan")
    group.add_argument(
        "--html", type=Path, metavar="FILE", help="write the plan with a chart, for the browser"
    )
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> PlanRequest:
    """The request that the arguments make."""
    from goldspan.engine.planning import Target  # noqa: PLC0415 - loads numpy
    from goldspan.plugin.measurement import MeasureRequest  # noqa: PLC0415 - loads numpy

    settings = settings_of(args)
    return PlanRequest(
        reading=read_request(args),
        measuring=MeasureRequest(settings, compute_request(args), pairs=False),
        distances=args.distances,
        target=Target(
            args.half_width, args.assurance, args.more_tasks, settings.level, settings.seed
        ),
        json=args.json,
        html=args.html,
        messages=messages(args),
    )


def run(request: PlanRequest) -> int:
    """Measure the pilot, and with fewer annotators; show the plan; 0 when done."""
    from goldspan.plugin.planning import plan_study  # noqa: PLC0415 - loads the engine
    from goldspan.plugin.report.plan.page import plan_text, write_plan  # noqa: PLC0415
    from goldspan.plugin.report.plan.tables import plan_json  # noqa: PLC0415

    check_outputs([("--json", request.json), ("--html", request.html)], request.reading.inputs)
    measuring = with_distances(request.measuring, request.distances)
    corpus = read_corpus(resolve(request.reading, request.messages), request.messages)

    def measure_one(own: MeasureRequest, one: Corpus) -> Result:
        return measure(own, None, one, request.messages)

    result = measure_one(measuring, corpus)
    found = plan_study(corpus, result, measuring, request.target, measure_one, request.messages.say)
    taken = False
    if request.json is not None:
        taken = write_json(request.json, plan_json(found), request.messages)
    if request.html is not None:
        write_plan(request.html, found)
        request.messages.say(f"wrote {request.html}")
    if not taken:
        print(plan_text(found))  # noqa: T201 - this is what it is for
    return 0
