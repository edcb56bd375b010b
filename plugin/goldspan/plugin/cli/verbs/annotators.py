"""`goldspan annotators`: what each annotator does well, their habits, and who should train what."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters import registry
from goldspan.adapters.adapter import times_with
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.gold.adjudication import (
    AdjudicationRequest,
    add_version,
    adjudication_request,
    is_journal,
    read_adjudicated,
)
from goldspan.plugin.cli.measuring import (
    add_compute,
    add_limits,
    add_resume,
    add_seed,
    add_solver,
    add_weights,
    compute_request,
    measure,
    settings_of,
)
from goldspan.plugin.cli.messages import Messages, messages
from goldspan.plugin.cli.outputs import check_folder, check_outputs
from goldspan.plugin.cli.progress import progress_bar
from goldspan.plugin.cli.reading import (
    Reading,
    ReadRequest,
    add_reading,
    read_corpus,
    read_request,
    read_settled,
    resolve,
)
from goldspan.plugin.cli.results import add_full, add_json, write_json
from goldspan.plugin.cli.verbs import VERBS

if TYPE_CHECKING:
    from goldspan.engine.annotators.profile import AnnotatorProfiles
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureRequest


@dataclass(frozen=True, slots=True)
class AnnotatorsRequest:
    """What to read, measure and write; `distances` is a file that the settings do not have yet."""

    reading: ReadRequest
    measuring: MeasureRequest
    distances: Path | None
    adjudication: AdjudicationRequest
    json: Path | None
    html: Path | None
    csv: Path | None
    full: bool
    messages: Messages

    @property
    def inputs(self) -> tuple[Path | None, ...]:
        """What is read, and is never written over."""
        return (*self.reading.inputs, self.distances, self.adjudication.path)


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "annotators",
        help=VERBS["annotators"],
        description="Compare each annotator with the gold that the others' work leads to, and with "
        "adjudicated work where there is some: recall, precision and confusions by label, habits "
        "at boundaries, speed, changes over time, and who should train what.",
        epilog="Example: goldspan annotators export.json --html annotators.html --csv tables",
    )
    add_reading(parser)
    group = parser.add_argument_group("adjudication")
    add_version(
        group,
        "tasks that a person adjudicated, in any format, or the journal of `goldspan adjudicate`, "
        "of which the finished tasks count; without it the ground truth of a Label Studio export "
        "is taken, if it has some",
    )
    group = parser.add_argument_group("measuring")
    group.add_argument("--level", type=float, default=0.95, help="the level of intervals (0.95)")
    add_seed(group)
    add_weights(group)
    group.add_argument(
        "--precision", type=float, default=0.1, metavar="E",
        help="the relative error allowed in the expected disorder, which only the report shows "
        "(0.1)",
    )  # fmt: skip
    add_compute(group)
    add_resume(group)
    add_solver(group)
    add_limits(group)
    group = parser.add_argument_group("results")
    add_json(group)
    group.add_argument(
        "--html", type=Path, metavar="FILE",
        help="write the report for the browser, with a part on each annotator",
    )  # fmt: skip
    group.add_argument(
        "--csv", type=Path, metavar="DIR",
        help="write tables of people, skills, confusions, habits, drift and advice into a folder",
    )  # fmt: skip
    add_full(group)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> AnnotatorsRequest:
    """The request that the arguments make."""
    from goldspan.plugin.measurement import MeasureRequest  # noqa: PLC0415 - loads numpy

    return AnnotatorsRequest(
        reading=read_request(args),
        measuring=MeasureRequest(settings_of(args), compute_request(args), pairs=False),
        distances=args.distances,
        adjudication=adjudication_request(args),
        json=args.json,
        html=args.html,
        csv=args.csv,
        full=args.full,
        messages=messages(args),
    )


def run(request: AnnotatorsRequest) -> int:
    """Read, score, compare everybody, show and write; 0 when done."""
    from goldspan.engine.annotators.profiling import profile  # noqa: PLC0415 - loads the engine

    _check(request)
    said = request.messages
    reading = resolve(request.reading, said)
    corpus = read_corpus(reading, said)
    result = _measure(request, corpus)
    truth = _adjudicated(request, reading, corpus)
    paths = list(reading.request.paths)
    times = times_with(registry.get(reading.format), paths, reading.options)
    with progress_bar(quiet=said.quiet) as progress:
        found = profile(corpus, result, times=times, adjudicated=truth, progress=progress)
    if not _write(request, corpus, result, found):
        _print(found, full=request.full)
    return 0


def _check(request: AnnotatorsRequest) -> None:
    from goldspan.plugin.report.people.tables import PEOPLE_TABLES  # noqa: PLC0415 - as above

    check_folder("--csv", request.csv)
    tables = [request.csv / f"{name}.csv" for name in PEOPLE_TABLES] if request.csv else []
    files = [("--json", request.json), ("--html", request.html)]
    check_outputs([*files, *(("--csv", table) for table in tables)], request.inputs)


def _measure(request: AnnotatorsRequest, corpus: Corpus) -> Result:
    """The agreement; nothing where no task has two annotators, beside adjudicated work say."""
    from goldspan.engine.scoring import is_scorable, unscored  # noqa: PLC0415 - as above

    if is_scorable(corpus):
        return measure(request.measuring, request.distances, corpus, request.messages)
    return unscored(corpus, request.measuring.settings, request.measuring.coefficients)


def _adjudicated(request: AnnotatorsRequest, reading: Reading, corpus: Corpus) -> Corpus | None:
    """The version that a person settled: of the option, else of the same files."""
    from goldspan.plugin.adjudications import Adjudications  # noqa: PLC0415 - loads the engine
    from goldspan.plugin.cli.reference import read_journal  # noqa: PLC0415

    path = request.adjudication.path
    if path is None:
        found = Adjudications.of(corpus, lambda: read_settled(reading))
        return None if found is None else found.by_author
    if is_journal(path):
        return read_journal(path, corpus)
    return read_adjudicated(request.adjudication, path, reading.options, request.messages)


def _write(
    request: AnnotatorsRequest, corpus: Corpus, result: Result, found: AnnotatorProfiles
) -> bool:
    """Write the files that are asked for; whether standard output is taken by one."""
    said, taken = request.messages, False
    if request.json is not None:
        taken = write_json(request.json, found.as_json(), said)
    if request.html is not None:
        # The report needs templates.
        from goldspan.plugin.report.page import write_report  # noqa: PLC0415

        title = ", ".join(path.name or str(path) for path in request.reading.paths)
        write_report(request.html, title, corpus, result, people=found)
        said.say(f"wrote {request.html}")
    if request.csv is not None:
        from goldspan.plugin.report.people.tables import write_people_tables  # noqa: PLC0415

        write_people_tables(request.csv, found)
        said.say(f"wrote the tables in {request.csv}")
    return taken


def _print(found: AnnotatorProfiles, *, full: bool) -> None:
    from goldspan.plugin.report.people.text import people_text  # noqa: PLC0415 - loads the engine
    from goldspan.plugin.terminal import visible  # noqa: PLC0415

    print(visible(people_text(found, full=full), lines=True))  # noqa: T201 - this is what it is for
