"""Settled: what a time limit cut short is written once, until somebody annotates.

Two runs that end by the clock differ in a digit here and there. Written again and again, each would
look like a change, and the service would never come to rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.model import Corpus, Note
from goldspan.engine.result import Result
from goldspan.plugin.label_studio.ground_truth import digest
from goldspan.plugin.label_studio.plan import Plan
from goldspan.plugin.label_studio.snapshot import Snapshot

KEPT = (
    "measuring was cut short (--seconds, --max-seconds) and nobody has annotated since the last "
    "time, so the project keeps what it says"
)


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

    def calmed(self, plan: Plan, snapshot: Snapshot, result: Result) -> Plan:
        """The plan, or an empty one if the project says already what an earlier run found."""
        is_written = bool(snapshot.suggestions or snapshot.columns)
        if not (is_cut_short(result) and is_written and plan.counts() and self._holds()):
            return plan
        return Plan(plan.project, notes=[*plan.notes, Note(KEPT)])

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
