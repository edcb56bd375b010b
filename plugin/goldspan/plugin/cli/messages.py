"""Messages: remarks on standard error, unless the user asked for quiet."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.errors import brief

if TYPE_CHECKING:
    from goldspan.engine.facts import Fact, Note

MOST_TASKS = 3
"""So many tasks get a line each for the same remark."""


@dataclass(frozen=True, slots=True)
class Messages:
    """Where a verb says what a person should know."""

    quiet: bool = False

    def say(self, sentence: str) -> None:
        """A remark, as one line."""
        if not self.quiet:
            line = brief(" ".join(sentence.split()))
            print(f"goldspan: {line}", file=sys.stderr)  # noqa: T201 - this is what it is for

    def say_notes(self, notes: Iterable[Note]) -> None:
        """Each note as a remark, with its task and how often it holds; what holds for many tasks
        is said once.
        """
        alike: dict[tuple[Fact, bool], list[Note]] = {}
        for note in notes:
            alike.setdefault((note.fact, bool(note.task)), []).append(note)
        for (_, has_task), same in alike.items():
            if has_task and len(same) > MOST_TASKS:
                named = ", ".join(f"'{note.task}'" for note in same[:MOST_TASKS])
                place = f"{len(same)} tasks ({named}, …): "
                self._say_note(place, same[0], sum(note.count for note in same))
            else:
                for note in same:
                    place = f"task '{note.task}': " if note.task else ""
                    self._say_note(place, note, note.count)

    def _say_note(self, place: str, note: Note, count: int) -> None:
        often = f" ({count})" if count > 1 else ""
        self.say(f"{place}{note.message}{often}")


def add_quiet(group: argparse._ActionsContainer) -> None:
    """Add the option that silences them."""
    group.add_argument("--quiet", action="store_true", help="print no notes on stderr")


def messages(args: argparse.Namespace) -> Messages:
    """The messages of a verb."""
    return Messages(args.quiet)
