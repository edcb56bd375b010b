"""Serving for verbs: the options of a service that know no platform, and its settings."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldspan.plugin.service.notify.targets import SMTP, read_targets
from goldspan.plugin.service.settings import PASSWORD, ServiceSettings


def add_listening(parser: argparse.ArgumentParser) -> None:
    """Declare where the service listens."""
    group = parser.add_argument_group("listening")
    group.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS",
        help="the address to listen on; all but this machine's own need a password (127.0.0.1)",
    )  # fmt: skip
    group.add_argument(
        "--port", type=int, default=9090, metavar="N", help="the port; 0 takes a free one (9090)"
    )
    group.add_argument(
        "--public-url", metavar="URL",
        help="the address by which others reach the service, where a proxy stands in front of it; "
        "the dashboard shows it (the one that the dashboard was opened by)",
    )  # fmt: skip
    group.add_argument(
        "--password-file", type=Path, metavar="FILE",
        help="a file with the password of the dashboard, and of calls without a key (or the "
        f"environment variable {PASSWORD})",
    )  # fmt: skip
    group.add_argument(
        "--max-megabytes", type=int, default=32, metavar="N",
        help="refuse calls that are larger (32)",
    )  # fmt: skip


def add_rounds(group: argparse._ActionsContainer) -> None:
    """Declare what is kept up to date, and when."""
    group.add_argument(
        "--project", dest="projects", type=int, action="append", default=[], metavar="N",
        help="monitor only this project (repeat for more); without it, those that `setup` has "
        "connected or a person has scored",
    )  # fmt: skip
    group.add_argument(
        "--annotators", type=int, metavar="N",
        help="a round is complete when every task has N annotators (as the project says)",
    )  # fmt: skip
    group.add_argument(
        "--live", action="store_true",
        help="write agreement and gold after every change, not only when a round is complete",
    )  # fmt: skip
    group.add_argument(
        "--debounce", type=float, default=30.0, metavar="S",
        help="seconds of quiet after the last event of a project; at most ten times as long after "
        "the first (30)",
    )  # fmt: skip
    group.add_argument(
        "--reconcile", type=float, default=10.0, metavar="M",
        help="check every M minutes for changes without an event (10)",
    )  # fmt: skip


def add_notify(parser: argparse.ArgumentParser) -> None:
    """Declare who gets messages about what happens."""
    group = parser.add_argument_group("notifications")
    group.add_argument(
        "--notify", action="append", default=[], metavar="TARGET",
        help="say when a round closes, γ falls or a sync fails (repeat for more): https://… of a "
        "Slack or Mattermost webhook, teams:https://…, mailto:ADDRESS (the mail server is in the "
        f"environment variable {SMTP}), command:PROGRAM, or @FILE with one of these on each line",
    )  # fmt: skip
    group.add_argument(
        "--notify-drop", type=float, default=0.05, metavar="X",
        help="say that γ fell if it is lower than in the round before by more than this (0.05)",
    )  # fmt: skip


def service_settings(args: argparse.Namespace, folder: Path) -> ServiceSettings:
    """What the arguments say of a service with this folder, but for the public address, which the
    platform checks.
    """
    return ServiceSettings(
        folder=folder,
        host=args.host,
        port=args.port,
        max_megabytes=args.max_megabytes,
        projects=tuple(args.projects),
        annotators=args.annotators,
        live=args.live,
        debounce=args.debounce,
        reconcile=args.reconcile,
        quiet=args.quiet,
        channels=read_targets(args.notify),
        drop=args.notify_drop,
    )
