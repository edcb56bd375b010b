"""Arguments that the parts of `goldspan label-studio` share, and the requests they make."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.label_studio.options import STARRED
from goldspan.plugin.cli.gold.adjudication import load
from goldspan.plugin.cli.measuring import (
    add_chance,
    add_coefficients,
    add_compute,
    add_seed,
    compute_request,
    settings_of,
)
from goldspan.plugin.cli.messages import Messages, add_quiet, messages
from goldspan.plugin.cli.reading import add_no_text
from goldspan.plugin.label_studio.connection import TOKENS, URL, ConnectionRequest

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.platform import SyncOptions
    from goldspan.plugin.measurement import MeasureRequest

FOLDER = Path("goldspan-label-studio")


@dataclass(frozen=True, slots=True)
class ProjectRequest:
    """A project of a server, and the folder that goldspan keeps its files in."""

    connection: ConnectionRequest
    number: int
    folder: Path
    messages: Messages


@dataclass(frozen=True, slots=True)
class SyncFiles:
    """Files that a sync takes a part of its options from."""

    calibration: Path | None
    rename_labels: Path | None

    def read_into(self, options: SyncOptions) -> SyncOptions:
        """The options with what is in the files."""
        from goldspan.adapters.kit.labels import read_labels  # noqa: PLC0415 - loads the kit

        if self.calibration is not None:
            options = replace(options, calibration=load(self.calibration))
        if self.rename_labels is not None:
            new_names = read_labels(self.rename_labels)
            options = replace(options, reading=replace(options.reading, rename_labels=new_names))
        return options


def add_connection(parser: argparse.ArgumentParser) -> None:
    """Add how to reach the server, and the folder that goldspan keeps its files in."""
    group = parser.add_argument_group("connection")
    group.add_argument(
        "--url", default=os.environ.get(URL), metavar="URL",
        help=f"the address of Label Studio (or the environment variable {URL})",
    )  # fmt: skip
    group.add_argument(
        "--token-file", type=Path, metavar="FILE",
        help="a file with the access token (or the environment variable "
        f"{' or '.join(TOKENS)}); Account & Settings > Personal Access Token makes one",
    )  # fmt: skip
    group.add_argument(
        "--folder", type=Path, default=FOLDER, metavar="DIR",
        help=f"where reports, results and the service's data go ({FOLDER})",
    )  # fmt: skip
    add_quiet(group)


def connection_request(args: argparse.Namespace) -> ConnectionRequest:
    """Which server the arguments of `add_connection` name."""
    return ConnectionRequest(args.url, args.token_file)


def add_project(parser: argparse.ArgumentParser) -> None:
    """Add which project is meant."""
    parser.add_argument(
        "--project", type=int, required=True, metavar="N",
        help="the project's number, as in its address: /projects/N/",
    )  # fmt: skip


def project_request(args: argparse.Namespace) -> ProjectRequest:
    """What the arguments of `add_project` and `add_connection` say."""
    return ProjectRequest(connection_request(args), args.project, args.folder, messages(args))


def add_extras(group: argparse._ActionsContainer) -> None:
    """Add what may be done beside the usual."""
    group.add_argument(
        "--ground-truth", action="store_true",
        help="also write gold as ground-truth annotations, unless a person marked one",
    )  # fmt: skip
    group.add_argument(
        "--with-predictions", action="append", default=[], metavar="MODEL_VERSION",
        help="score this model together with the people, in a separate report (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--browser-url", metavar="URL",
        help="the address by which people open Label Studio, where it is not --url, as with "
        "containers; reports and the dashboard link to it",
    )  # fmt: skip


def add_layer(group: argparse._ActionsContainer) -> None:
    """Add which of several controls or objects is meant."""
    group.add_argument(
        "--layer", dest="layers", action="append", default=[], metavar="NAME",
        help="measure only this control or object (repeat for more)",
    )  # fmt: skip


def add_measuring(parser: argparse.ArgumentParser) -> None:
    """Add how annotations are read, scored and merged."""
    group = parser.add_argument_group("measuring")
    add_layer(group)
    group.add_argument(
        "--labels", choices=("split", "join"), default="split",
        help="a span with several labels: one unit for each, or one with all of them (split)",
    )  # fmt: skip
    add_no_text(group)
    group.add_argument(
        "--unlabelled", metavar="NAME",
        help="the category of spans that have none; drop leaves them out",
    )  # fmt: skip
    group.add_argument(
        "--exclude-annotator", dest="exclude_annotators", action="append", default=[],
        metavar="NAME", help="leave this annotator out, by e-mail (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--include-annotator", dest="include_annotators", action="append", default=[],
        metavar="NAME",
        help="keep this annotator, whose name otherwise means a merged version (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--trim", action="store_true", help="remove white space at the edges of every span"
    )
    group.add_argument(
        "--swap", action="store_true", help="exchange start and end if the end comes first"
    )
    group.add_argument(
        "--join-touching", action="store_true",
        help="make one span of touching spans of one annotator and category",
    )  # fmt: skip
    group.add_argument(
        "--rename-labels", type=Path, metavar="FILE", help="csv old,new (or a JSON object)"
    )
    group.add_argument(
        STARRED.flag, choices=STARRED.choices, default=STARRED.default, help=STARRED.help
    )
    add_chance(group)
    add_coefficients(group)
    add_seed(group)
    add_compute(group)
    group.add_argument(
        "--min-confidence", type=float, default=0.0, metavar="X",
        help="suggest only spans of this confidence or more (0)",
    )  # fmt: skip
    group.add_argument(
        "--calibration", type=Path, metavar="FILE",
        help="the calibration of confidences that `goldspan gold --adjudicated` stored",
    )  # fmt: skip
    group.add_argument(
        "--low", type=limit, metavar="X",
        help="the γ below which a task is in the tab “Low agreement” (0.6 when the tab is made)",
    )  # fmt: skip


def sync_files(args: argparse.Namespace) -> SyncFiles:
    """The files that the arguments of `add_measuring` name."""
    return SyncFiles(args.calibration, args.rename_labels)


def given(
    args: argparse.Namespace, *declared: Callable[[argparse.ArgumentParser], None]
) -> list[str]:
    """Those of the declared options that were given, and not as they are anyway."""
    parser = argparse.ArgumentParser(add_help=False)
    for declare in declared:
        declare(parser)
    return [
        option.option_strings[0]
        for option in parser._actions
        if getattr(args, option.dest) != option.default
    ]


def limit(text: str) -> float:
    """A number that γ can be compared with."""
    value = float(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a limit for γ; give one such as 0.6")
    return value


def sync_options(args: argparse.Namespace) -> SyncOptions:
    """What the arguments of `add_extras`, `add_measuring` and `add_limits` say, without the files
    that they name.
    """
    from goldspan.engine.gold.merging import DEFAULT, check_options  # noqa: PLC0415 - loads the engine
    from goldspan.plugin.label_studio.http_client import checked_address  # noqa: PLC0415 - as above
    from goldspan.plugin.label_studio.platform import SyncOptions  # noqa: PLC0415 - as above

    check_options(DEFAULT, args.min_confidence)
    return SyncOptions(
        folder=args.folder,
        ground_truth=args.ground_truth,
        with_predictions=tuple(args.with_predictions),
        low=args.low,
        browser_url=checked_address(args.browser_url) if args.browser_url else "",
        min_confidence=args.min_confidence,
        reading=ReadOptions(
            layers=tuple(args.layers),
            exclude_annotators=tuple(args.exclude_annotators),
            include_annotators=tuple(args.include_annotators),
            trim=args.trim,
            swap=args.swap,
            join_touching=args.join_touching,
            unlabelled=args.unlabelled,
            labels=args.labels,
            no_text=args.no_text,
            own={STARRED.name: args.starred},
        ),
        measuring=_measure_request(args),
    )


def _measure_request(args: argparse.Namespace) -> MeasureRequest:
    from goldspan.plugin.measurement import MeasureRequest  # noqa: PLC0415 - loads numpy

    return MeasureRequest(settings_of(args), compute_request(args), tuple(args.coefficient))
