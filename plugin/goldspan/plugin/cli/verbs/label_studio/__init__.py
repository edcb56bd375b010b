"""`goldspan label-studio`: agreement and suggested gold inside a Label Studio project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.cli.verbs.label_studio import route, serve, setup, status, sync

if TYPE_CHECKING:
    from goldspan.plugin.cli.command import Subparsers


def add(subparsers: Subparsers) -> None:
    """Declare the verb and its parts."""
    parser = subparsers.add_parser(
        "label-studio",
        help=VERBS["label-studio"],
        description="Agreement and suggested gold inside a Label Studio project.",
        epilog="Example: goldspan label-studio status --url http://localhost:8080 --project 1",
    )
    parts = parser.add_subparsers(
        dest="part", metavar="PART", required=True, parser_class=type(parser)
    )
    for part in (sync, serve, setup, status, route):
        part.add(parts)
