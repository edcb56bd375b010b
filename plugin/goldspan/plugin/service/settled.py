"""Settled: what a time limit cut short is written once, until somebody annotates.

Two runs that end by the clock differ in a digit here and there. Written again and again, each would
look like a change, and the service would never come to rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.kit.digest import digest

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result


@dataclass(frozen=True, slots=True)
class Settled:
    """What people marked and how it was measured, as a digest, and the file that keeps it."""

    file: Path
    work: str

    @classmethod
    def of(cls, place: Path, corpus: Corpus, options: object) -> Settled:
        """Of a project; `options` are the same when their representation is."""
        marked = [
            (one.id, one.text, sorted(one.annotators), sorted(map(repr, one.units)))
            for one in corpus.continua
        ]
        return cls(place / "settled.digest", digest(marked, repr(options)))

    def keeps(self, result: Result, *, is_written: bool) -> bool:
        """Whether the project keeps what an earlier run found and wrote."""
        return is_cut_short(result) and is_written and self._holds()

    def note(self) -> None:
        """Everything was written."""
        if not self._holds():
            with new_file(self.file) as temporary:
                temporary.write_text(self.work, encoding="ascii")

    def _holds(self) -> bool:
        try:
            return self.file.read_text(encoding="ascii") == self.work
        except (OSError, UnicodeDecodeError):
            return False


def is_cut_short(result: Result) -> bool:
    """Whether a time limit had a part in the figures, so that the next run has others."""
    was_hasty = result.settings.seconds is not None and not result.optimal
    return was_hasty or bool(result.cut_short)
