"""Views: what the page for a team gets to show."""

from __future__ import annotations

import msgspec


class StoredSet(msgspec.Struct, frozen=True):
    """Files that a person sent together; `until` is in seconds since 1970."""

    names: tuple[str, ...]
    files: int
    bytes: int
    until: float


class Team(msgspec.Struct, frozen=True):
    """The queue, what is stored, and the limits.

    `position` counts the people who are served before, and is 0 for one who does not wait.
    """

    position: int
    is_running: bool
    sets: tuple[StoredSet, ...]
    keep_hours: float
    most_sets: int
    most_files: int
    most_megabytes: int
    most_seconds: float
