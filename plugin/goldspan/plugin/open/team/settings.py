"""Settings: where the page for a team listens, and what each person may use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from goldspan.engine.errors import SettingsError
from goldspan.plugin.open.data import Limits

SETS = 4
FILES = 5_000


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """How to serve a team.

    host, port     where to listen; port 0 takes a free one
    shared         files that everybody who has the password may measure
    keep_hours     until a person's files are deleted
    max_megabytes  that a set of files may hold
    max_seconds    that a computation may take
    workers        computations at a time, in a process each
    """

    host: str
    port: int
    shared: tuple[Path, ...]
    keep_hours: float
    max_megabytes: int
    max_seconds: float
    workers: int
    quiet: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.port < 65536:
            raise SettingsError(f"the port is {self.port}; it must be from 0 to 65535")
        for name in ("keep_hours", "max_megabytes", "max_seconds", "workers"):
            if not 0 < getattr(self, name) < float("inf"):
                raise SettingsError(f"--{name.replace('_', '-')} must be more than 0")

    @property
    def limits(self) -> Limits:
        """What a person may store."""
        return Limits(FILES, self.max_megabytes * 2**20, SETS)

    @property
    def keep_seconds(self) -> float:
        """Until files are deleted."""
        return self.keep_hours * 3600
