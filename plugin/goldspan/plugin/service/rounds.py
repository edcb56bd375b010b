"""Rounds: when is a round complete, which round is this, and has anything changed since?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.plugin.platform import TaskState

LEAST = 2
"""Agreement takes two."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A project's tasks counted; `wanted` is the number of annotators each should have.

    `fingerprint` changes with any change of a task or of the labels; `counted` is the number of
    tasks, the number of annotators of all of them together, and when the newest task was made.
    """

    tasks: int
    complete: int
    wanted: int
    fingerprint: str
    counted: str

    @property
    def is_complete(self) -> bool:
        """Whether every task has its annotators."""
        return 0 < self.tasks == self.complete


def tally(tasks: Iterable[TaskState], wanted: int, config: str = "") -> Tally:
    """Count the tasks, in any order."""
    rows = sorted(tasks)
    wanted = max(LEAST, wanted)
    counts = [count for *_, count in rows]
    # Without the Z, times with and without fractions of a second sort as they followed.
    newest = max((made.removesuffix("Z") for _, made, _, _ in rows), default="")
    return Tally(
        tasks=len(rows),
        complete=sum(count >= wanted for count in counts),
        wanted=wanted,
        fingerprint=_digest([f"{wanted}", *(" ".join(map(str, row)) for row in rows), config]),
        counted=f"{len(rows)} {sum(counts)} {newest}",
    )


@dataclass(frozen=True, slots=True)
class Round:
    """The round a project is in; `counted` is what it had when the round was closed."""

    number: int = 1
    closed: bool = False
    counted: str = ""

    def is_outgrown(self, found: Tally) -> bool:
        """Whether there are tasks that were made since the round was closed, or, in tasks that are
        not complete, more annotators: people went on after a request.

        Numbers of tasks tell nothing: a platform may give those of deleted tasks again.
        """
        if not self.closed or not self.counted:
            return False
        _, people, newest = self.counted.split(" ", 2)
        _, new_people, new_newest = found.counted.split(" ", 2)
        return new_newest > newest or (int(new_people) > int(people) and not found.is_complete)


def look(now: Round, found: Tally, *, requested: bool) -> tuple[Round, bool]:
    """The round that the project is in, and whether this look closes it or renews its score.

    A round is closed when every task has the annotators that are wanted, or when a person asks.
    Changes to a closed round renew its score while it is complete; what is taken away and done
    again belongs to it.
    """
    if now.is_outgrown(found):
        now = Round(now.number + 1)
    elif now.closed and not now.counted:
        # An earlier version closed it; what there is now is the best that is known.
        now = replace(now, counted=found.counted)
    if found.is_complete or requested:
        return replace(now, closed=True, counted=found.counted), True
    return now, False


def recount(now: Round, found: Tally) -> Round:
    """The round with as many annotators as there are by now, and no other tasks."""
    tasks, _, newest = now.counted.split(" ", 2)
    _, people, _ = found.counted.split(" ", 2)
    return replace(now, counted=f"{tasks} {people} {newest}")


def begin(now: Round) -> Round:
    """The next round, because a person says so; an open one stays."""
    return Round(now.number + 1) if now.closed else now


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "backslashreplace")).hexdigest()[:32]
