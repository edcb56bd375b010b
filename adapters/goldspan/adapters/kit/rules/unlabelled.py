"""Unlabelled spans: a few are left out with a note, many are a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note

if TYPE_CHECKING:
    from goldspan.adapters.options import ReadOptions

DROP = "drop"
"""The value of the option `unlabelled` that leaves such spans out; any other is a category."""

MOST_SHARE = 0.05
"""The share of all spans up to which unlabelled ones are left out with a note. Above it, whether
they have a category is a question about the data, and the reading stops.
"""


class UnlabelledSpans:
    """Spans without a category in one reading."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.left_out = 0
        self._first: InputError | None = None

    def leave_out(self, span: str, where: str) -> None:
        """Go on without a span; the first is what an error is about, if there are too many."""
        fault = InputError(f"the span {span} has no category", where=where)
        if self.options.leave_out_faulty:
            # A task is left out for itself, without a look at the others.
            raise _question(fault, "")
        self.left_out += 1
        self._first = self._first or fault

    def notes(self, spans: int) -> tuple[Note, ...]:
        """The remark on what was left out of so many spans; an error if it is too much."""
        if self._first is None:
            return ()
        if self.left_out > MOST_SHARE * spans:
            raise _question(self._first, f" ({self.left_out} of {spans})")
        fact = FormatFact.UNLABELLED_LEFT_OUT
        return (Note.of(fact, count=self.left_out, spans=spans),)


def _question(first: InputError, count: str) -> InputError:
    return InputError(
        f"{first.message}; --unlabelled {DROP} leaves such spans out{count}, and "
        "--unlabelled NAME gives one to all such spans",
        where=first.where,
        remedy=("--unlabelled", DROP),
    )
