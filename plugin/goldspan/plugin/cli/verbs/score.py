"""`goldspan score`: how far annotators agree, and where to look."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.gc_pause import gc_pause
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.measuring import (
    add_chance,
    add_coefficients,
    add_compute,
    add_limits,
    add_preset,
    add_resume,
    add_seed,
    add_solver,
    add_weights,
    compute_request,
    measure,
    say_compiling,
    settings_of,
    with_distances,
)
from goldspan.plugin.cli.messages import Messages, messages
from goldspan.plugin.cli.progress import progress_bar
from goldspan.plugin.cli.reading import (
    Reading,
    ReadRequest,
    add_reading,
    each_layer,
    given,
    read_corpus,
    read_request,
    read_settled,
    resolve,
)
from goldspan.plugin.cli.reference import (
    AgainstRequest,
    add_against,
    against_request,
    read_sides,
)
from goldspan.plugin.cli.results import (
    OutputRequest,
    add_full,
    add_paragraph,
    add_results,
    check_targets,
    output_request,
    print_result,
    write_json_text,
    write_text,
)
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.document import text_pieces

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.cli.gates import Gate
    from goldspan.plugin.measurement import MeasureRequest

TITLE_PATHS = 3
"""The files that a report's title names."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What to read, measure and write; `distances` is a file that the settings do not have yet."""

    reading: ReadRequest
    measuring: MeasureRequest
    distances: Path | None
    against: AgainstRequest | None
    output: OutputRequest
    gate: Gate
    messages: Messages
    by_layer: bool = False

    @property
    def title(self) -> str:
        """What a report calls it."""
        paths = self.reading.paths
        named = ", ".join(path.name or str(path) for path in paths[:TITLE_PATHS])
        return f"{named} …" if len(paths) > TITLE_PATHS else named


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "score",
        help=VERBS["score"],
        description="Measure how far annotators agree on spans: γ, γcat for labels, γk per label; "
        "for the corpus, each task, each pair of annotators; and of each annotator against a "
        "reference.",
        epilog="Examples: goldspan score export.json --html report.html --json result.json, "
        "goldspan score export.json --against gold.json, "
        "goldspan score round1.json --against round1-again.json --same-annotators",
    )
    add_reading(parser)
    _add_measuring(parser)
    add_against(parser)
    group = parser.add_argument_group("results")
    add_results(group)
    add_full(group)
    add_paragraph(group)
    _add_gate(group)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> ScoreRequest:
    """The request that the arguments make."""
    return ScoreRequest(
        reading=read_request(args),
        measuring=_measure_request(args),
        distances=args.distances,
        against=against_request(args),
        output=replace(output_request(args), full=args.full, paragraph=args.paragraph),
        gate=_gate(args),
        messages=messages(args),
        by_layer=args.by == "layer",
    )


def _add_measuring(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("measuring")
    add_chance(group)
    add_coefficients(group)
    group.add_argument(
        "--level", type=float, default=0.95, help="the level of intervals and precision (0.95)"
    )
    add_seed(group)
    add_weights(group)
    group.add_argument(
        "--forbid", action="store_true", help="never align units at categorial distance 1"
    )
    group.add_argument(
        "--interval", choices=("log-t", "bootstrap"), default="log-t",
        help="how to compute intervals over tasks (log-t)",
    )  # fmt: skip
    add_preset(group)
    group.add_argument(
        "--by", choices=("layer",),
        help="score each layer by itself (each kind of tiers, or each --layer); its name is added "
        "to the names of the output files",
    )  # fmt: skip
    group.add_argument(
        "--no-pairs", action="store_true",
        help="leave out the figures of annotator pairs and without each annotator",
    )  # fmt: skip
    add_compute(group)
    add_resume(group)
    add_solver(group)
    add_limits(group)


def _measure_request(args: argparse.Namespace) -> MeasureRequest:
    from goldspan.plugin.measurement import MeasureRequest  # noqa: PLC0415 - loads numpy

    settings = replace(settings_of(args), bootstrap=args.interval == "bootstrap")
    return MeasureRequest(
        settings, compute_request(args), tuple(args.coefficient), pairs=not args.no_pairs
    )


def _add_gate(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--min-gamma", type=float, metavar="X",
        help="exit with 1 if the lower limit of γ is below X (see --gate)",
    )  # fmt: skip
    group.add_argument(
        "--min-gamma-k", action="append", default=[], metavar="LABEL=X",
        help="exit with 1 if the lower limit of a label's γk is below X (repeat for more labels)",
    )  # fmt: skip
    group.add_argument(
        "--min-coefficient", "--min", action="append", default=[], metavar="NAME=X",
        help="the same for any coefficient of the result, such as alpha=0.67; against.f1=0.8 is "
        "for each annotator against the reference, sentiment.alpha=0.67 for labels of whole tasks",
    )  # fmt: skip
    group.add_argument(
        "--gate", choices=("lower", "value"), default="lower",
        help="what --min-gamma compares: the interval's lower limit, or the value (lower)",
    )  # fmt: skip


def _gate(args: argparse.Namespace) -> Gate:
    from goldspan.plugin.cli.gates import Gate, parse_gate  # noqa: PLC0415 - loads the engine

    return Gate(
        args.min_gamma,
        dict(parse_gate(text, "label") for text in args.min_gamma_k),
        {
            _coefficient(name): least
            for name, least in (parse_gate(text, "coefficient") for text in args.min_coefficient)
        },
        lower=args.gate == "lower",
    )


def _coefficient(name: str) -> str:
    """The key of a coefficient that may be written with hyphens; a layer's name stays as it is."""
    layer, dot, key = name.rpartition(".")
    return f"{layer}{dot}{key.replace('-', '_')}"


def run(request: ScoreRequest) -> int:
    """Read, measure, show; 0 when done, 1 when a gate was not met."""
    reference = request.against.path if request.against else None
    check_targets(request.output, (*request.reading.inputs, request.distances, reference))
    reading = resolve(request.reading, request.messages)
    return _score_layers(request, reading) if request.by_layer else _score(request, reading)


def _score_layers(request: ScoreRequest, reading: Reading) -> int:
    """Each layer by itself; 1 when a gate was not met in one of them."""
    parts = [
        (name, replace(request, output=request.output.named(name)), one)
        for name, one in each_layer(reading)
    ]
    for _, own, one in parts:
        check_targets(own.output, one.request.inputs)
    codes = []
    for name, own, one in parts:
        print(f"\nLayer {name}")  # noqa: T201 - which result follows
        codes.append(_score(own, one))
    return max(codes)


def _score(request: ScoreRequest, reading: Reading) -> int:
    with gc_pause():
        corpus, result = _measure(request, reading)
    with gc_pause():
        _show(request, reading, corpus, result)
    failures = list(request.gate.failures(result))
    for sentence in failures:
        print(f"goldspan: gate not met: {sentence}", file=sys.stderr)  # noqa: T201 - the reason
    return 1 if failures else 0


def _measure(request: ScoreRequest, reading: Reading) -> tuple[Corpus, Result]:
    """The corpus that is scored, without a reference, and its result."""
    if request.against is None:
        return _measure_settled(request, reading)
    sides = read_sides(request.against, reading, request.messages)
    measuring = with_distances(request.measuring, request.distances)
    with say_compiling(request.messages), progress_bar(quiet=request.messages.quiet) as progress:
        return sides.scored, sides.measure(measuring, progress, request.messages.say)


def _measure_settled(request: ScoreRequest, reading: Reading) -> tuple[Corpus, Result]:
    """The corpus and its result, with each annotator against what a person settled, if anything."""
    from goldspan.plugin.adjudications import Adjudications  # noqa: PLC0415 - loads the engine

    said = request.messages
    corpus = read_corpus(reading, said)
    adjudications = Adjudications.of(corpus, lambda: read_settled(reading))
    measuring = with_distances(request.measuring, request.distances)
    result = measure(measuring, None, corpus, said)
    if adjudications is not None:
        with progress_bar(quiet=said.quiet) as progress:
            result = adjudications.compare(corpus, result, measuring, progress)
    return corpus, result


def _show(request: ScoreRequest, reading: Reading, corpus: Corpus, result: Result) -> None:
    if _write(request, reading, corpus, result):
        return
    if request.output.paragraph:
        from goldspan.plugin.report.paper.paragraph import paragraph  # noqa: PLC0415 - not always wanted

        print(paragraph(result), end="")  # noqa: T201 - what was asked for
        return
    from goldspan.adapters.facts import settled_tasks  # noqa: PLC0415 - as above

    settled = settled_tasks(corpus.notes)
    compares = request.against is not None
    print_result(result, full=request.output.full, settled=settled, compares=compares)


def _write(request: ScoreRequest, reading: Reading, corpus: Corpus, result: Result) -> bool:
    """Write the files that are asked for; whether standard output is taken by one."""
    from goldspan.plugin.report.reproduce import command  # noqa: PLC0415 - loads the engine

    output, distances = request.output, request.distances.name if request.distances else ""
    words = given(reading) + (request.against.words if request.against else [])
    repeat = command(words, request.measuring, distances)
    taken = False
    if output.json is not None:
        pieces = text_pieces(result, command=repeat)
        taken = write_json_text(output.json, pieces, request.messages)
    if output.html is not None or output.markdown is not None:
        taken = _write_report(request, corpus, result, repeat) or taken
    if output.csv is not None:
        from goldspan.plugin.report.tables import write_tables  # noqa: PLC0415 - not always wanted

        write_tables(output.csv, result)
        request.messages.say(f"wrote the tables in {output.csv}")
    return taken


def _write_report(request: ScoreRequest, corpus: Corpus, result: Result, repeat: str) -> bool:
    from goldspan.adapters.facts import settled_tasks  # noqa: PLC0415 - as above
    from goldspan.engine.gold.merging import overview  # noqa: PLC0415 - only a report shows it

    # The report is the one place where templates are needed.
    from goldspan.plugin.report.page import write_report  # noqa: PLC0415
    from goldspan.plugin.report.view import listed_tasks  # noqa: PLC0415

    output, gold = request.output, None
    if result.tasks:
        gold = overview(corpus, result, set(listed_tasks(result)), settled_tasks(corpus.notes))
    if output.html is not None:
        write_report(output.html, request.title, corpus, result, gold, repeat)
        request.messages.say(f"wrote {output.html}")
    if output.markdown is None:
        return False
    from goldspan.plugin.report.markdown import report_text  # noqa: PLC0415

    text = report_text(request.title, corpus, result, gold)
    return write_text(output.markdown, text, request.messages)
