"""Settings: where the service listens, what it keeps up to date, and when."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import SettingsError
from goldspan.plugin.service.events import MOST

if TYPE_CHECKING:
    # A command declares its options before anything of this is needed.
    from goldspan.plugin.platform import Platform
    from goldspan.plugin.service.sync import MeasureOptions

PASSWORD = "GOLDSPAN_PASSWORD"  # noqa: S105 - a variable's name


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How to serve.

    folder         holds the database, the secret, reports and rounds
    host, port     where to listen; 0 takes a free port
    public_url     how others reach the service, if not by these
    max_megabytes  that a call may hold
    projects       the only ones to keep up to date, if any are named
    annotators     each task should have; None for as many as the project says
    live           write after every change, not only when a round is complete
    debounce       seconds of quiet after the last event of a project
    reconcile      minutes between checks for changes without an event
    """

    folder: Path
    host: str = "127.0.0.1"
    port: int = 9090
    public_url: str = ""
    max_megabytes: int = 32
    projects: tuple[int, ...] = ()
    annotators: int | None = None
    live: bool = False
    debounce: float = 30.0
    reconcile: float = 10.0
    quiet: bool = False

    @property
    def limit(self) -> int:
        """Bytes that a call may hold."""
        return self.max_megabytes * 2**20


@dataclass(frozen=True, slots=True)
class Source:
    """The platform whose projects are kept up to date: how to `open` it, which is done in a process
    of its own (so this must be picklable), and how to measure. `remedy` says what is to be done
    with a new token when the old one is refused.
    """

    open: Callable[[], AbstractContextManager[Platform[Any, Any]]]
    options: MeasureOptions
    remedy: str = "restart the service with it"


def add_listening(parser: argparse.ArgumentParser) -> None:
    """Declare where the service listens."""
    group = parser.add_argument_group("listening")
    group.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS",
        help="the address to listen on; others than this machine's own take a password (127.0.0.1)",
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
        help="refuse calls that hold more (32)",
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


def service_settings(args: argparse.Namespace) -> ServiceSettings:
    """The settings that the arguments name, but for the public address, which the platform checks;
    those without a meaning are refused.
    """
    if not 0 <= args.port < 65536:
        raise SettingsError(f"the port is {args.port}; it must be from 0 to 65535")
    for name in ("debounce", "reconcile", "max_megabytes"):
        if not 0 < getattr(args, name) < float("inf"):
            raise SettingsError(f"--{name.replace('_', '-')} must be more than 0")
    if args.annotators is not None and args.annotators < 2:
        raise SettingsError("--annotators must be 2 or more, or there is nothing to compare")
    for number in args.projects:
        if not 0 < number < MOST:
            raise SettingsError(
                f"--project takes the number of a project, as in its address; {number} is none"
            )
    return ServiceSettings(
        folder=args.folder,
        host=args.host,
        port=args.port,
        max_megabytes=args.max_megabytes,
        projects=tuple(args.projects),
        annotators=args.annotators,
        live=args.live,
        debounce=args.debounce,
        reconcile=args.reconcile,
        quiet=args.quiet,
    )


def read_password(args: argparse.Namespace) -> str | None:
    """The password, None if there is none; listening beyond this machine takes one."""
    from goldspan.plugin.service.access import (  # noqa: PLC0415 - slow to import
        checked,
        read_secret,
    )
    from goldspan.plugin.service.host import is_loopback  # noqa: PLC0415 - as above

    if args.password_file is not None:
        return read_secret(args.password_file)
    if PASSWORD in os.environ:
        return checked(os.environ[PASSWORD], PASSWORD)
    if not is_loopback(args.host):
        raise SettingsError(
            f"{args.host} can be reached from other machines; give the service a password with "
            f"--password-file FILE or in {PASSWORD}, or leave --host out"
        )
    return None
