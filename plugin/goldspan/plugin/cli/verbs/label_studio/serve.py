"""The command `goldspan label-studio serve`: its options, and the service it starts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from goldspan.engine.errors import MissingExtra, SettingsError
from goldspan.plugin.cli.measuring import add_limits
from goldspan.plugin.cli.verbs.label_studio.arguments import (
    add_connection,
    add_extras,
    add_measuring,
    connect,
    given,
    sync_options,
)
from goldspan.plugin.service.settings import (
    Source,
    add_listening,
    add_rounds,
    read_password,
    service_settings,
)

if TYPE_CHECKING:
    from goldspan.plugin.cli import Subparsers
    from goldspan.plugin.label_studio.platform import LabelStudio, SyncOptions


def add_serve(subparsers: Subparsers) -> None:
    """Declare `serve`."""
    parser = subparsers.add_parser(
        "serve",
        help="keep projects up to date after each round, and answer Settings > Model",
        description="Run the service: it learns of changes by webhook and writes agreement and "
        "suggested gold into projects whose round is complete; it answers Label Studio under "
        "Settings > Model, for which neither --url nor a token is needed; and it shows a "
        "dashboard with rounds, reports and errors.",
        epilog="Example: goldspan label-studio serve --url http://localhost:8080 "
        "--token-file token.txt",
    )
    add_listening(parser)
    rounds = parser.add_argument_group("rounds")
    add_rounds(rounds)
    add_extras(rounds)
    add_connection(parser)
    add_measuring(parser)
    add_limits(
        parser.add_argument_group("limits"),
        "measuring a project, and for the answer to a retrieval under Settings > Model (90 there)",
    )
    parser.set_defaults(run=run_serve)


def run_serve(args: argparse.Namespace) -> int:
    """Serve until stopped; 0 then."""
    settings = service_settings(args)
    _refuse_without_url(args)
    password = read_password(args)
    try:
        from goldspan.plugin.label_studio.frontend import LabelStudioFrontend  # noqa: PLC0415
        from goldspan.plugin.label_studio.http_client import checked_address  # noqa: PLC0415
        from goldspan.plugin.label_studio.ml_backend.retrieval import (  # noqa: PLC0415
            ANSWER_SECONDS,
            Limits,
        )
        from goldspan.plugin.service.running import run  # noqa: PLC0415 - an extra, as above
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("goldspan"):
            raise
        raise MissingExtra("the service", "label-studio") from error
    # Bad settings are reported before anything starts.
    url = connect(args).url if args.url else ""
    source = make_source(args)
    public = checked_address(args.public_url, "goldspan service") if args.public_url else ""
    limits = Limits(args.max_seconds or ANSWER_SECONDS, args.seconds)
    frontend = LabelStudioFrontend("Label Studio", url, limits)
    return run(replace(settings, public_url=public), password, frontend, source if url else None)


def make_source(args: argparse.Namespace) -> Source:
    """The Label Studio that the arguments name, and how they say to measure."""
    # Not every monitored project has every model.
    options = replace(sync_options(args), lenient=True)
    remedy = f"put it into {args.token_file}" if args.token_file else "restart the service with it"
    return Source(partial(open_label_studio, args, options), options, remedy)


@contextmanager
def open_label_studio(args: argparse.Namespace, options: SyncOptions) -> Iterator[LabelStudio]:
    """The Label Studio that the arguments name, until the block ends."""
    # The engine, which only the process that opens it needs.
    from goldspan.plugin.label_studio.platform import LabelStudio  # noqa: PLC0415

    with connect(args) as server:
        yield LabelStudio(server, options)


def _refuse_without_url(args: argparse.Namespace) -> None:
    useless = given(args, add_rounds, add_extras, add_measuring)
    if args.token_file:
        useless.append("--token-file")
    if useless and not args.url:
        raise SettingsError(
            f"{', '.join(useless)} would do nothing: without --url the service monitors no "
            "project; give --url, or leave them out"
        )
