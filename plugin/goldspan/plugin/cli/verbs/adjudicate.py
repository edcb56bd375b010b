"""`goldspan adjudicate`: settle the disagreements, in the browser."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.adjudicating.arguments import (
    Project,
    add_page,
    add_project,
    add_settling,
    desk_settings,
    media_of,
    page_request,
    project_of,
    usual_output,
)
from goldspan.plugin.cli.adjudicating.source import Source, open_source
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.gold.merging import (
    MergeRequest,
    add_merging,
    merge_corpus,
    merge_measuring,
    merge_request,
)
from goldspan.plugin.cli.measuring import measure
from goldspan.plugin.cli.messages import Messages, messages
from goldspan.plugin.cli.pages.page import PageRequest, announce
from goldspan.plugin.cli.reading import ReadRequest, add_reading, read_request
from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.cli.writing import (
    TargetRequest,
    add_writing,
    check_target,
    target_request,
    with_format,
    write_value,
)

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.plugin.adjudicate.docket import Docket
    from goldspan.plugin.adjudicate.media.library import MediaRequest
    from goldspan.plugin.adjudicate.settings import DeskSettings
    from goldspan.plugin.adjudicate.views import Written
    from goldspan.plugin.measurement import MeasureRequest

HOW_TO_END = "Ctrl-C writes the output and ends; decisions are stored as they are made"


@dataclass(frozen=True, slots=True)
class AdjudicateRequest:
    """What to read and merge, how to settle it, and where the gold goes.

    project       to read instead of files
    only_settled  write nothing that is only suggested
    force         replace an output that this command did not write
    """

    reading: ReadRequest
    project: Project | None
    measuring: MeasureRequest
    distances: Path | None
    merging: MergeRequest
    target: TargetRequest
    settings: DeskSettings
    media: MediaRequest
    page: PageRequest
    only_settled: bool
    force: bool
    messages: Messages

    @property
    def inputs(self) -> tuple[Path, ...]:
        """What is read, and is never written over."""
        return (*self.reading.inputs, *([self.distances] if self.distances else []))


def add(subparsers: Subparsers) -> None:
    """Declare the verb."""
    parser = subparsers.add_parser(
        "adjudicate",
        help=VERBS["adjudicate"],
        description="Settle the places where annotators disagree, in the browser: the most "
        "valuable first, one key for a decision. Every decision is stored in a journal beside the "
        "output before the page goes on. Nothing leaves this machine.",
        epilog="Example: goldspan adjudicate export.json --output gold.json --adjudicator ana",
    )
    add_reading(parser, paths="*")
    add_settling(parser)
    add_page(parser)
    add_project(parser)
    add_merging(parser)
    add_writing(parser, again=True)
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> AdjudicateRequest:
    """The request that the arguments make."""
    project = project_of(args)
    args.output = usual_output(project, args.output, args.folder)
    return AdjudicateRequest(
        reading=read_request(args),
        project=project,
        measuring=merge_measuring(args),
        distances=args.distances,
        merging=merge_request(args),
        target=target_request(args),
        settings=desk_settings(args),
        media=media_of(args),
        page=page_request(args),
        only_settled=args.only_settled,
        force=args.force,
        messages=messages(args),
    )


def run(request: AdjudicateRequest) -> int:
    """Serve the page until Ctrl-C, then write the output; 0 when done."""
    # These load the engine, or the web server.
    from goldspan.engine.gold.merging import check_options  # noqa: PLC0415
    from goldspan.plugin.adjudicate.desk import open_desk  # noqa: PLC0415
    from goldspan.plugin.adjudicate.media.library import find_media  # noqa: PLC0415
    from goldspan.plugin.adjudicate.output.derivation import derive  # noqa: PLC0415
    from goldspan.plugin.adjudicate.output.record import OutputRecord  # noqa: PLC0415
    from goldspan.plugin.adjudicate.output.writing import journal_of  # noqa: PLC0415
    from goldspan.plugin.adjudicate.views import Written  # noqa: PLC0415
    from goldspan.plugin.adjudicate.web.serving import serve  # noqa: PLC0415
    from goldspan.plugin.service.web.ending import Ending  # noqa: PLC0415

    said, output = request.messages, request.target.output
    check_options(request.merging.strategy, request.merging.min_confidence)
    source = open_source(request.reading, request.project, said)
    request = replace(request, target=with_format(request.target, source.reading.format))
    check_target(request.target, request.inputs, gold=True)
    record = OutputRecord(output, force=request.force)
    record.check()
    gold = _suggested(request, source)

    def write(docket: Docket) -> Written:
        target = request.target.with_replacing(record.may_replace)
        with record.writing():
            written = _write(replace(request, target=target), source, docket)
        beside = source.write(docket, derive(docket).gold)
        return msgspec.structs.replace(written, notes=(*written.notes, *beside))

    library = find_media(gold.corpus, request.reading.paths, request.media)
    folder = journal_of(output)
    desk = open_desk(gold, folder, request.settings, write=write, say=said.say)
    with Ending() as ending, closing(desk):
        serve(
            desk, folder, library, port=request.page.port, say=said.say, ending=ending,
            ready=lambda address: announce(address.url, request.page, said, HOW_TO_END),
        )  # fmt: skip
        done = desk.write()
    if not isinstance(done, Written):
        raise SettingsError(f"{done.say} The decisions are in {folder}.")
    said.say(
        f"{done.settled} places are settled, {done.suggested} suggested, {done.contested} contested"
    )
    return 0


def _suggested(request: AdjudicateRequest, source: Source) -> Gold:
    said = request.messages
    corpus, settled = source.read()
    result = measure(request.measuring, request.distances, corpus, said)
    gold = merge_corpus(request.merging, corpus, result, None)
    said.say_notes(gold.notes)
    return gold.settled(settled)


def _write(request: AdjudicateRequest, source: Source, docket: Docket) -> Written:
    from goldspan.plugin.adjudicate.output.writing import write_output  # noqa: PLC0415 - as above

    def write_gold(gold: Gold) -> list[str]:
        notes = write_value(request.target, gold, source.reading, request.inputs, request.messages)
        return [f"Task '{one.task}': {one.message}" if one.task else one.message for one in notes]

    return write_output(
        docket, request.target.output, write_gold,
        only_settled=request.only_settled, blind=request.settings.blind, seed=request.settings.seed,
    )  # fmt: skip
