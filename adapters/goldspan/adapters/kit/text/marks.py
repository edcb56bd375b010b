"""Marks: spans as text formats store them, put on the text once all of a document are known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.text.offsets import fit

if TYPE_CHECKING:
    from goldspan.adapters.kit.draft import Draft
    from goldspan.adapters.kit.task_draft import TaskDraft


class Mark(NamedTuple):
    """Positions as the file counts them, the marked text where it is stored, and the place."""

    start: int
    end: int
    category: str
    stored: str | None = None
    source: str = ""


class Marks:
    """The marks of one reading, by document.

    How positions were counted is judged on everybody's marks together: a single annotator's may
    fit by accident where the others' show that the tool counted in another way.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._held: dict[tuple[str, str], list[tuple[str, Mark]]] = {}

    def add(self, task: TaskDraft, annotator: str, text: str, marks: Iterable[Mark]) -> None:
        """Hold an annotator's marks on a text; the text goes to the task at once."""
        task.read_by(annotator, text)
        held = self._held.setdefault((task.id, text), [])
        held.extend((annotator, mark) for mark in marks)

    def settle(self) -> None:
        """Hand everything to the draft, in code points; what had to be converted is noted."""
        for (name, text), held in self._held.items():
            self._settle(self.draft.tasks[name], text, held)

    def _settle(self, task: TaskDraft, text: str, held: list[tuple[str, Mark]]) -> None:
        # Spans that run backwards are the draft's business: it swaps or refuses them.
        forward = [(name, mark) for name, mark in held if mark.start <= mark.end]
        stored = [(mark.start, mark.end, mark.stored) for _, mark in forward]
        fitted = fit(text, stored, places=[task.place(mark.source) for _, mark in forward])
        if fitted.counting is not None:
            self.draft.note(
                FormatFact.SPANS_CONVERTED,
                task=task.id,
                count=len(forward),
                counting=fitted.counting,
            )
        for (name, mark), (start, end) in zip(forward, fitted.spans, strict=True):
            task.span(name, start, end, mark.category, mark.source)
        for name, mark in held:
            if mark.start > mark.end:
                task.span(name, mark.start, mark.end, mark.category, mark.source)
