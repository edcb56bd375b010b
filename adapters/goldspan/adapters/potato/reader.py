"""Reading Potato: the annotators' states together, on the texts of the project."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import ANNOTATOR_FROM, Naming, listed
from goldspan.adapters.kit.text.marks import Mark, Marks
from goldspan.adapters.potato.items import Items, read_items
from goldspan.adapters.potato.options import ITEMS
from goldspan.adapters.potato.state import NAME, Span, State, read_state, state_files
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions
    from goldspan.adapters.kit.task_draft import TaskDraft


def read_potato(paths: Paths, options: ReadOptions) -> Corpus:
    """Every span a unit; answers to other questions are labels of the whole item."""
    states = [read_state(file) for given in paths for file in state_files(given)]
    if not states:
        raise InputError(
            f"there is no {NAME} here; name the folder that the project calls "
            "output_annotation_dir",
            where=str(paths[0]),
        )
    reading = _Reading(Draft(options), read_items(options))
    naming = Naming(options.annotator_from) if options.annotator_from else None
    for state in states:
        name = state.user if naming is None else naming.read(state.path.resolve())[0]
        reading.add(state, name)
    return reading.corpus()


@dataclass(slots=True)
class _Reading:
    """The states of one project on their way to a draft."""

    draft: Draft
    items: Items
    states: dict[str, State] = field(default_factory=dict)
    schemas: set[str] = field(default_factory=set)
    parted: int = 0

    def add(self, state: State, name: str) -> None:
        """Take in what one annotator did."""
        other = self.states.setdefault(name, state)
        if other is not state:
            raise InputError(
                f"'{name}' has a state here and in {other.path}; keep one, or tell them apart "
                "with --annotator-from",
                where=str(state.path),
                choices={ANNOTATOR_FROM: ()},
            )

    def corpus(self) -> Corpus:
        """Everything, once all fields of the items that have marks are known."""
        marks = Marks(self.draft)
        done = {
            (name, item): [*s.spans(item)] for name, s in self.states.items() for item in s.items
        }
        targets: dict[str, dict[str, None]] = {}
        for (_, item), spans in done.items():
            targets.setdefault(item, {}).update((span.target, None) for span in spans)
        for (name, item), spans in done.items():
            labelled = self._label(name, item, next(iter(targets[item]), ""))
            unmarked = not spans and not labelled and item == self.states[name].open_item
            for target in targets[item] or {"": None}:
                if unmarked:
                    self._task(item, target).saw(name, Presence.UNSEEN)
                    continue
                own = [span for span in spans if span.target == target]
                self._item(marks, (name, item, target), own)
        marks.settle()
        self._finish()
        return self.draft.corpus()

    def _task(self, item: str, target: str) -> TaskDraft:
        """The task of an item, or of a field of it."""
        return self.draft.task(f"{item}.{target}" if target else item)

    def _label(self, name: str, item: str, target: str) -> bool:
        """Add the labels of an item, to the first of its fields; whether there was an answer."""
        answered = False
        for schema, answer, where in self.states[name].labels(item):
            answered = True
            if answer:
                self._task(item, target).label(schema, name, answer, where)
            else:
                self.draft.lose("free texts")
        return answered

    def _item(self, marks: Marks, key: tuple[str, str, str], spans: list[Span]) -> None:
        name, item, target = key
        task = self._task(item, target)
        task.saw(name)
        wanted = self.draft.options.layers
        self.schemas.update(span.schema for span in spans)
        self.parted += sum(span.parts > 1 for span in spans)
        found = [
            Mark(span.start, span.end, span.name, source=span.where)
            for span in spans
            if not wanted or span.schema in wanted
        ]
        text = self.items.text(item, target)
        if text is not None:
            marks.add(task, name, text, found)
            return
        self.draft.note(
            FormatFact.ITEM_UNKNOWN if ITEMS.of(self.draft.options) else FormatFact.NO_ITEMS
        )
        for mark in found:
            task.span(name, mark.start, mark.end, mark.category, mark.source)

    def _finish(self) -> None:
        for task in self.draft.tasks.values():
            for name in self.states.keys() - task.presences.keys():
                task.saw(name, Presence.UNSEEN)
        questions = {layer for task in self.draft.tasks.values() for layer in task.labels}
        for layer in self.draft.options.layers:
            if layer not in self.schemas | questions:
                known = listed(self.schemas | questions) or "none"
                raise SettingsError(f"--layer: there is no scheme '{layer}'; there are {known}")
        if self.parted:
            self.draft.note(FormatFact.PARTS_JOINED, count=self.parted)
        if len(self.schemas) > 1 and not self.draft.options.layers:
            self.draft.note(FormatFact.SCHEMES_TOGETHER, schemes=listed(self.schemas))
