"""Arguments that the parts of `goldspan label-studio` share, and what they lead to."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import ReadOptions
from goldspan.engine.errors import SettingsError
from goldspan.plugin.measuring import add_chance, add_coefficients

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.server import Server
    from goldspan.plugin.label_studio.sync import SyncOptions

TOKENS = ("GOLDSPAN_LABEL_STUDIO_TOKEN", "LABEL_STUDIO_API_KEY")
URL = "LABEL_STUDIO_URL"
FOLDER = Path("goldspan-label-studio")


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
    group.add_argument("--quiet", action="store_true", help="print no notes on stderr")


def add_project(parser: argparse.ArgumentParser) -> None:
    """Add which project is meant."""
    parser.add_argument(
        "--project", type=int, required=True, metavar="N",
        help="the project's number, as in its address: /projects/N/",
    )  # fmt: skip


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
    group.add_argument("--unlabelled", metavar="NAME", help="the category of spans that have none")
    group.add_argument(
        "--exclude-annotator", dest="exclude_annotators", action="append", default=[],
        metavar="NAME", help="leave this annotator out, by e-mail (repeat for more)",
    )  # fmt: skip
    group.add_argument(
        "--rename-labels", type=Path, metavar="FILE", help="csv old,new (or a JSON object)"
    )
    add_chance(group)
    add_coefficients(group)
    group.add_argument("--seed", type=int, default=0, metavar="N", help="the random seed (0)")
    group.add_argument("--workers", type=int, default=1, metavar="N", help="processes (1)")
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


def connect(args: argparse.Namespace) -> Server:
    """The server the arguments name; the token never comes from the command line."""
    from goldspan.plugin.label_studio.server import Server  # noqa: PLC0415 - slow to import

    if not args.url:
        raise SettingsError(f"the address of Label Studio is missing; give --url, or set {URL}")
    # A file can hold another token later; the environment stays what it is.
    renew = partial(read_token, args.token_file) if args.token_file else None
    return Server(args.url, read_token(args.token_file), renew=renew)


def sync_options(args: argparse.Namespace) -> SyncOptions:
    """How to sync, as the arguments say."""
    from goldspan.adapters.kit.labels import read_labels  # noqa: PLC0415 - loads the kit
    from goldspan.engine.gold.merging import DEFAULT, check_options  # noqa: PLC0415 - loads the engine
    from goldspan.plugin.adjudication import load  # noqa: PLC0415 - loads the engine
    from goldspan.plugin.label_studio.sync import SyncOptions  # noqa: PLC0415 - loads the engine

    check_options(DEFAULT, args.min_confidence)
    return SyncOptions(
        folder=args.folder,
        ground_truth=getattr(args, "ground_truth", False),
        with_predictions=tuple(getattr(args, "with_predictions", ())),
        low=args.low,
        min_confidence=args.min_confidence,
        calibration=load(args.calibration) if args.calibration else None,
        reading=ReadOptions(
            layers=tuple(args.layers),
            exclude_annotators=tuple(args.exclude_annotators),
            unlabelled=args.unlabelled,
            labels=args.labels,
            rename_labels=read_labels(args.rename_labels) if args.rename_labels else {},
        ),
        scoring={
            "seed": args.seed, "precision": args.precision, "chance": args.chance,
            "workers": args.workers, **limits(args), **coefficients(args),
        },
    )  # fmt: skip


def limits(args: argparse.Namespace) -> dict[str, float]:
    """The limits that were given, as arguments of `goldspan.engine.score`."""
    named = {"seconds": args.seconds, "max_seconds": args.max_seconds}
    return {name: value for name, value in named.items() if value is not None}


def coefficients(args: argparse.Namespace) -> dict[str, tuple[str, ...]]:
    """The coefficients that were given, as an argument of `goldspan.engine.score`."""
    from goldspan.engine.coefficient.registry import chosen  # noqa: PLC0415 - loads the engine

    chosen(args.coefficient)  # an unknown name shows now, not when a project is scored
    return {"coefficients": tuple(args.coefficient)} if args.coefficient else {}


def read_token(path: Path | None) -> str:
    """The access token in the file, or without one in the environment."""
    if path is not None:
        try:
            # Editors on Windows put a byte order mark first.
            token = path.read_text(encoding="utf-8-sig").strip()
        except OSError as error:
            raise SettingsError(f"the token file {path} cannot be read") from error
        except UnicodeDecodeError as error:
            raise SettingsError(
                f"the token file {path} is not valid UTF-8; save it as UTF-8"
            ) from error
    else:
        token = next((os.environ[name] for name in TOKENS if os.environ.get(name)), "").strip()
    if not token:
        raise SettingsError(
            "an access token is needed: make one under Account & Settings > Personal Access "
            f"Token, and give it with --token-file FILE or in {TOKENS[0]}"
        )
    return token
