"""Messages: remarks on standard error, unless the user asked for quiet."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.errors import brief

if TYPE_CHECKING:
    from goldspan.engine.facts import Note


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
        """Each note as a remark, with its task and how often it holds."""
        for note in notes:
            place = f"task '{note.task}': " if note.task else ""
            often = f" ({note.count})" if note.count > 1 else ""
            self.say(f"{place}{note.message}{often}")


def add_quiet(group: argparse._ActionsContainer) -> None:
    """Add the option that silences them."""
    group.add_argument("--quiet", action="store_true", help="print no notes on stderr")


def messages(args: argparse.Namespace) -> Messages:
    """The messages of a verb."""
    return Messages(args.quiet)
