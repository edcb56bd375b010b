"""`goldspan label-studio serve`: the service that keeps projects up to date."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.engine.errors import MissingExtra, SettingsError
from goldspan.plugin.cli.command import Command, Subparsers
from goldspan.plugin.cli.measuring import add_limits
from goldspan.plugin.cli.serving import add_listening, add_notify, add_rounds, service_settings
from goldspan.plugin.cli.verbs.label_studio.arguments import (
    SyncFiles,
    add_connection,
    add_extras,
    add_measuring,
    connection_request,
    given,
    sync_files,
    sync_options,
)
from goldspan.plugin.service.settings import ServiceSettings, read_password

if TYPE_CHECKING:
    from goldspan.plugin.label_studio.connection import ConnectionRequest
    from goldspan.plugin.label_studio.platform import SyncOptions


@dataclass(frozen=True, slots=True)
class ServeRequest:
    """A service. Without an address in the connection it monitors no project, and only answers
    retrievals.
    """

    service: ServiceSettings
    public_url: str | None
    password_file: Path | None
    connection: ConnectionRequest
    options: SyncOptions
    files: SyncFiles


def add(subparsers: Subparsers) -> None:
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
    add_notify(parser)
    add_connection(parser)
    add_measuring(parser)
    add_limits(
        parser.add_argument_group("limits"),
        "measuring a project, and for the answer to a retrieval under Settings > Model (90 there)",
    )
    parser.set_defaults(command=Command(parse, run))


def parse(args: argparse.Namespace) -> ServeRequest:
    """The request that the arguments make."""
    service = service_settings(args, args.folder)
    _refuse_without_url(args)
    return ServeRequest(
        service=service,
        public_url=args.public_url,
        password_file=args.password_file,
        connection=connection_request(args),
        options=sync_options(args),
        files=sync_files(args),
    )


def _refuse_without_url(args: argparse.Namespace) -> None:
    useless = given(args, add_rounds, add_extras, add_notify, add_measuring)
    if args.token_file:
        useless.append("--token-file")
    if useless and not args.url:
        raise SettingsError(
            f"{', '.join(useless)} would do nothing: without --url the service monitors no "
            "project; give --url, or leave them out"
        )


def run(request: ServeRequest) -> int:
    """Serve until stopped; 0 then."""
    password = read_password(request.password_file, request.service.host)
    try:
        from goldspan.plugin.label_studio.frontend import LabelStudioFrontend  # noqa: PLC0415
        from goldspan.plugin.label_studio.http_client import checked_address  # noqa: PLC0415
        from goldspan.plugin.label_studio.ml_backend.retrieval import (  # noqa: PLC0415
            ANSWER_SECONDS,
            Limits,
        )
        from goldspan.plugin.label_studio.platform import make_source  # noqa: PLC0415
        from goldspan.plugin.service.running import run as serve  # noqa: PLC0415 - an extra, as above
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("goldspan"):
            raise
        raise MissingExtra("the service", "label-studio") from error
    # Bad settings are reported before anything starts.
    url = request.connection.connect().url if request.connection.url else ""
    options = request.files.read_into(request.options)
    source = make_source(request.connection, options) if url else None
    public = checked_address(request.public_url, "goldspan service") if request.public_url else ""
    measured = options.measuring.settings
    limits = Limits(measured.max_seconds or ANSWER_SECONDS, measured.seconds)
    connection = request.connection if url else None
    frontend = LabelStudioFrontend("Label Studio", url, limits, connection, options.browser_url)
    return serve(replace(request.service, public_url=public), password, frontend, source)
