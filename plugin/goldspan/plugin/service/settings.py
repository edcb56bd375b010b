"""Settings: where the service listens, what it keeps up to date, and when."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import SettingsError
from goldspan.plugin.service.web.events import MOST

if TYPE_CHECKING:
    # A command declares its options before anything of this is needed.
    from goldspan.plugin.measurement import MeasureOptions
    from goldspan.plugin.platform import Platform
    from goldspan.plugin.service.notify.channels import Channel

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
    channels       for messages when a round closes, γ falls or a sync fails
    drop           γ fell if it is lower than in the round before by more than this
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
    channels: tuple[Channel, ...] = ()
    drop: float = 0.05

    def __post_init__(self) -> None:
        if not 0 <= self.port < 65536:
            raise SettingsError(f"the port is {self.port}; it must be from 0 to 65535")
        for name in ("debounce", "reconcile", "max_megabytes"):
            if not 0 < getattr(self, name) < float("inf"):
                raise SettingsError(f"--{name.replace('_', '-')} must be more than 0")
        if not 0 <= self.drop < float("inf"):
            raise SettingsError("--notify-drop must be 0 or more")
        if self.annotators is not None and self.annotators < 2:
            raise SettingsError("--annotators must be 2 or more, or there is nothing to compare")
        for number in self.projects:
            if not 0 < number < MOST:
                raise SettingsError(
                    f"--project takes the number of a project, as in its address; {number} is none"
                )

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


def read_password(file: Path | None, host: str) -> str | None:
    """The password in the file or in the environment, None if there is none; listening on a host
    beyond this machine takes one.
    """
    from goldspan.plugin.service.web.access import (  # noqa: PLC0415 - slow to import
        checked,
        read_secret,
    )
    from goldspan.plugin.service.web.host import is_loopback  # noqa: PLC0415 - as above

    if file is not None:
        return read_secret(file)
    if PASSWORD in os.environ:
        return checked(os.environ[PASSWORD], PASSWORD)
    if not is_loopback(host):
        raise SettingsError(
            f"{host} can be reached from other machines; give the service a password with "
            f"--password-file FILE or in {PASSWORD}, or leave --host out"
        )
    return None
