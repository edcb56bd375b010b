"""Adjudications: tasks that a person settled, and what follows from them.

The reader names a settled task in a note, and leaves the settling annotation out of the corpus
unless it is an annotator's own work. The settled version is read apart; annotators are measured
against it, and confidences are calibrated on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from goldspan.adapters.facts import chosen_tasks, settled_tasks
from goldspan.engine.model import Continuum, Corpus, Presence

if TYPE_CHECKING:
    from goldspan.engine.gold.calibration import Calibration
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureRequest

Progress: TypeAlias = Callable[[str, int, int], None]

NAME = "ground truth"
"""What the settled version is called beside annotators."""


@dataclass(frozen=True, slots=True)
class Adjudications:
    """The settled version of each settled task, by one name whoever made it. `authors` says whose
    it is where it is the work of one of the annotators.
    """

    reference: Corpus
    authors: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: Corpus, read_settled: Callable[[], Corpus]) -> Adjudications | None:
        """Those of a corpus; None if nothing is settled. `read_settled` reads the same data with
        the option `adjudicated`.
        """
        tasks = settled_tasks(corpus.notes)
        if not tasks:
            return None
        found = [one for one in read_settled() if one.id in tasks and len(one.annotators) == 1]
        continua = tuple(
            replace(
                one,
                units=tuple(replace(unit, annotator=NAME) for unit in one.units),
                presence={NAME: Presence.DONE},
            )
            for one in found
        )
        chosen = chosen_tasks(corpus.notes)
        authors = {one.id: one.annotators[0] for one in found if one.id in chosen}
        return cls(Corpus(continua), authors) if continua else None

    @property
    def tasks(self) -> frozenset[str]:
        return frozenset(one.id for one in self.reference)

    @property
    def by_author(self) -> Corpus:
        """The settled version under its author's name where it is an annotator's own work."""
        continua = tuple(
            replace(
                one,
                units=tuple(replace(unit, annotator=author) for unit in one.units),
                presence={author: Presence.DONE},
            )
            for one in self.reference
            for author in [self.authors.get(one.id, NAME)]
        )
        return Corpus(continua)

    def compare(
        self, corpus: Corpus, result: Result, request: MeasureRequest, progress: Progress | None
    ) -> Result:
        """The result with each annotator measured against the settled version, except where it is
        their own.
        """
        from goldspan.engine import against  # noqa: PLC0415 - loads compiled code

        corpus = replace(corpus, continua=tuple(map(self._without_author, corpus)))
        common = {one.id for one in corpus if one.annotators}
        if not any(one.units for one in self.reference if one.id in common):
            return result
        work = request.compute.open("against", request.settings, corpus, self.reference)
        with work as compute:
            found = against(
                corpus, self.reference,
                settings=request.settings, compute=compute, progress=progress,
            )  # fmt: skip
        return replace(result, against=found)

    def _without_author(self, task: Continuum) -> Continuum:
        author = self.authors.get(task.id)
        if author is None:
            return task
        return replace(
            task,
            units=tuple(unit for unit in task.units if unit.annotator != author),
            presence={name: how for name, how in task.presence.items() if name != author},
        )

    def calibration(self, gold: Gold) -> Calibration | None:
        """What the settled version teaches about the confidences of a gold that is not calibrated;
        None as long as too few of its spans were judged. Where it is an annotator's own work it
        teaches nothing: the gold was made of the same work.
        """
        # These load numpy.
        from goldspan.engine.gold.calibration import COMFORTABLE, fit, match  # noqa: PLC0415

        judged = [
            one
            for settled in self.reference
            if settled.id not in self.authors
            for one in match(settled.id, gold.spans.get(settled.id, ()), settled.units)
        ]
        return fit(judged, gold.strategy) if len(judged) >= COMFORTABLE else None
