"""`goldspan label-studio`: agreement and suggested gold inside a Label Studio project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.plugin.cli.verbs import VERBS
from goldspan.plugin.cli.verbs.label_studio.command import add_setup, add_status, add_sync
from goldspan.plugin.cli.verbs.label_studio.serve import add_serve

if TYPE_CHECKING:
    from goldspan.plugin.cli import Subparsers


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
    for add_part in (add_sync, add_serve, add_setup, add_status):
        add_part(parts)
