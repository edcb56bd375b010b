"""The draft: what a reader collects before it becomes a corpus.

Every reader hands its spans, texts and presences to a `Draft`, which applies the reading options
in the same way for all formats and tells in notes what it did.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import without_quotes
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.annotator_filter import Roll
from goldspan.adapters.kit.assignments import read_assignments
from goldspan.adapters.kit.channels import chosen, parts, several
from goldspan.adapters.kit.layers import LayerDrafts
from goldspan.adapters.kit.naming import listed, spelled
from goldspan.adapters.kit.rules.closing_notes import closing_notes
from goldspan.adapters.kit.rules.file_layout import PlacedFile, layout_notes
from goldspan.adapters.kit.rules.presence import idle, presences, refuse_empty, unlisted_spans
from goldspan.adapters.kit.rules.selection import Selection
from goldspan.adapters.kit.rules.unlabelled import DROP, UnlabelledSpans
from goldspan.adapters.kit.task_draft import DraftSpan, TaskDraft
from goldspan.adapters.kit.text.edges import trimmed_span
from goldspan.adapters.kit.text.shared_text import SharedText
from goldspan.adapters.kit.tiers import merged_kinds
from goldspan.adapters.kit.touching import join_touching
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Fact, Kind, Note, Parameter
from goldspan.engine.model import Continuum, Corpus, Measure, Position, Presence, Unit

if TYPE_CHECKING:
    from pathlib import Path

    from goldspan.adapters.adapter import ReadOptions


class Draft:
    """The tasks of one reading.

    `open_tasks` lets an assignments file name tasks that no file has, which formats without a
    list of documents need; `tells_channels` lets the layers choose channels of recordings. Where
    spans have no layers (`spans_have_layers` is False), the option `layers` chooses among labels
    of whole tasks, and spans are left out. `scale` may be set to the order of the labelling
    scheme's categories, `layers` keeps what is known of labels of whole tasks.
    """

    def __init__(
        self,
        options: ReadOptions,
        *,
        measure: Measure = Measure.CHARACTER,
        open_tasks: bool = False,
        tells_channels: bool = False,
        spans_have_layers: bool = True,
    ) -> None:
        self.options = options
        self.measure = measure
        self.open_tasks = open_tasks
        self.tells_channels = tells_channels
        self.has_chosen_labels = bool(options.layers) and not spans_have_layers
        self.layers = LayerDrafts(options)
        self.scale: tuple[str, ...] = ()
        self.tasks: dict[str, TaskDraft] = {}
        self._notes: dict[tuple[Fact, str], int] = {}
        self._lost: Counter[str] = Counter()
        self._faults: dict[str, InputError] = {}
        self._roll = Roll(options)
        self._selection = Selection(options)
        self._unlabelled = UnlabelledSpans(options)
        self._spans = 0
        self._kinds: dict[str, set[str]] = {}
        self._files: list[tuple[Path, str, str]] = []
        self._called: dict[str, str] = {}

    def task(self, task: str, *, where: str = "") -> TaskDraft:
        """The task of this id, new or already begun."""
        task = spelled(task)
        found = self.tasks.get(task)
        if found is None:
            found = self.tasks[task] = TaskDraft(task, where, self.measure)
        return found

    def note(
        self, kind: Kind | str, /, *, task: str = "", count: int = 1, **parameters: Parameter
    ) -> None:
        """Tell the user; the same fact about the same task is counted. A sentence is a fact too."""
        fact = Fact.other(kind) if isinstance(kind, str) else Fact.of(kind, **parameters)
        self._notes[fact, task] = self._notes.get((fact, task), 0) + count

    def add_note(self, note: Note) -> None:
        """Tell the user something that is a note already."""
        key = note.fact, note.task
        self._notes[key] = self._notes.get(key, 0) + note.count

    def read_from(self, path: Path, annotator: str, task: str) -> None:
        """The name of this file says whose work it is, and on which task."""
        self._files.append((path, annotator, spelled(task)))

    def of_kind(self, annotator: str, kind: str, spans: int) -> None:
        """So many spans of an annotator come from tiers of this name; where there are several kinds
        of tiers, a note says that they are scored as one, unless the options choose some.
        """
        if spans and kind:
            self._kinds.setdefault(annotator, set()).add(kind)

    def lose(self, what: str, count: int = 1) -> None:
        """Count what is in the files and not in the corpus. One note lists it, if the options ask
        for it: it matters when converting, not when scoring.
        """
        self._lost[what] += count

    def leave_out(self, task: str, fault: InputError) -> None:
        """Go on without a task that cannot be read, if the options say so; else stop. Where none
        is left in the end, the first fault is the answer.
        """
        if not self.options.leave_out_faulty:
            raise fault
        self._faults.setdefault(task, fault)
        _, _, place = fault.where.partition(f"task {task}, ")
        said = without_quotes(fault.message) if self.options.no_text else fault.message
        self.note(FormatFact.FAULTY_TASK, task=task, place=place, fault=said)

    def unknown_elsewhere(self) -> None:
        """For formats whose rows are all they have: an annotator without a span in a task may or
        may not have seen it. The option `empty` settles it for all, an assignments file for each.
        """
        tasks = self.tasks.values()
        met = {task.id: task.labellers.union(span[0] for span in task.spans) for task in tasks}
        names = set().union(*met.values())
        for task in tasks:
            for name in sorted(names - met[task.id]):
                task.presences.setdefault(name, self.undecided)

    @property
    def undecided(self) -> Presence:
        """What is known of an annotator without a span where the files cannot tell: what the
        option `empty` says.
        """
        states = {"seen": Presence.EMPTY, "unseen": Presence.UNSEEN, None: Presence.UNKNOWN}
        return states[self.options.empty]

    def corpus(self) -> Corpus:
        """The corpus, with all options applied and everything worth knowing in its notes.

        The draft is used up: each task is let go as soon as it is built.
        """
        if self.tells_channels:
            self.tasks = parts(self.tasks)
        assigned = self._assigned()
        self._note_layout()
        if self.tells_channels:
            self.tasks = chosen(self.tasks, self.options.layers)
            if told := several(self.tasks.values()):
                self.add_note(told)
        continua = tuple(
            built
            for name in tuple(self.tasks)
            if self._selection.has_task(name)
            and (built := self._built(self.tasks.pop(name), assigned)) is not None
        )
        if self._faults and not continua:
            raise next(iter(self._faults.values()))
        people, rest = self._roll.notes(), self._selection.notes()
        for note in (*people, *rest, *self._unlabelled.notes(self._spans)):
            self.add_note(note)
        layers = self.layers.built(continua, self._call)
        if self.has_chosen_labels:
            self.layers.check_names(layers)
        met = (*self._called, *self.scale)
        kinds = merged_kinds(self._kinds)
        for note in closing_notes(continua, self.options, met, self._lost, kinds):
            self.add_note(note)
        rename = self.options.rename_labels
        scale = tuple(dict.fromkeys(rename.get(category, category) for category in self.scale))
        notes = tuple(Note(fact, task, n) for (fact, task), n in self._notes.items())
        return Corpus(continua, scale=scale, notes=notes, layers=layers)

    def placed_files(self) -> list[PlacedFile]:
        """The files that `read_from` was called with, and their texts."""
        return [
            PlacedFile(path, annotator, task, self._text_of(annotator, task))
            for path, annotator, task in self._files
        ]

    def _note_layout(self) -> None:
        # One annotator's work is converted more often than it is scored.
        alone = len({annotator for _, annotator, _ in self._files}) < 2
        if len(self._files) > 1 and not (alone and self.options.losses):
            for note in layout_notes(self.placed_files(), self.options.annotator_from):
                self.add_note(note)

    def _text_of(self, annotator: str, task: str) -> str | None:
        own = self.tasks[task].texts.get(annotator) if task in self.tasks else None
        return own.replace("\r\n", "\n") if own and "\r" in own else own

    def _assigned(self) -> Mapping[str, Mapping[str, Presence]]:
        path = self.options.assignments
        if path is None:
            return {}
        table = read_assignments(path)
        recordings = {task.recording for task in self.tasks.values()}
        for document in table:
            if document in recordings:
                continue
            if document not in self.tasks and not self.open_tasks:
                known = listed(self.tasks)
                raise InputError(
                    f"there is no document '{document}'; the files have {known}", where=str(path)
                )
            self.task(document)
        return table

    def _built(
        self, task: TaskDraft, assigned: Mapping[str, Mapping[str, Presence]]
    ) -> Continuum | None:
        if task.recording in self._faults:
            return None
        # What is said of a recording holds for each of its channels.
        rows = assigned.get(task.id) or assigned.get(task.recording, {})
        try:
            return self._build(task, rows)
        except InputError as fault:
            self.leave_out(task.id, fault)
            return None

    def _build(self, task: TaskDraft, assigned: Mapping[str, Presence]) -> Continuum | None:
        self._strip_names(task)
        markers = {span[0] for span in task.spans}.union(task.labellers)
        away = self._roll.away(markers.union(task.presences, task.texts), assigned)
        shared = SharedText.of(
            {name: text for name, text in task.texts.items() if name not in away}, task.text
        )
        if shared is None:
            self.note(FormatFact.TEXTS_DIFFER, task=task.id)
            return None
        spans = [s for s in task.spans if s[0] not in away] if away else task.spans
        if self.has_chosen_labels:
            spans = []
        if shared.own:
            self.note(FormatFact.LINE_ENDS_DIFFER, task=task.id)
            spans = [
                (name, shared.move(name, start), shared.move(name, end), category, source)
                for name, start, end, category, source in spans
            ]
            task.move_fragments(shared.move)
        units = tuple(self._units(task, self._of_workers(task, spans, assigned), shared.text))
        if self.options.join_touching:
            units = self._joined(task, units)
        refuse_empty(task.id, units, assigned, self.options.assignments)
        units = self._selection.units(units)
        self._take_labels(task, away, assigned)
        presence = presences(task, markers, assigned, self.options)
        for name in away:
            presence.pop(name, None)
        try:
            return Continuum(
                task.id, units, presence, task.length, task.measure, shared.text, task.media
            )
        except InputError as error:
            raise (error.at(task.where) if task.where else error) from None

    def _take_labels(
        self, task: TaskDraft, away: set[str], assigned: Mapping[str, Presence]
    ) -> None:
        if not task.labels:
            return
        repeated = self.layers.take(task, away | idle(assigned), self._call)
        if repeated:
            self.note(FormatFact.DUPLICATE_LABELS, task=task.id, count=repeated)

    def _strip_names(self, task: TaskDraft) -> None:
        """Names are the same with and without blanks at their edges, which nobody sees."""
        names = {span[0] for span in task.spans}
        names = names.union(task.presences, task.texts, task.labellers)
        odd = {name: spelled(name) for name in names if name != spelled(name)}
        if odd:
            task.rename(odd)
            names = {odd.get(name, name) for name in names}
        padded = {name: name.strip() for name in names if name != name.strip()}
        if padded:
            self.note(FormatFact.NAMES_STRIPPED, names=listed(padded))
            task.rename(padded)

    def _of_workers(
        self, task: TaskDraft, spans: list[DraftSpan], assigned: Mapping[str, Presence]
    ) -> list[DraftSpan]:
        absent = idle(assigned)
        kept = [span for span in spans if span[0] not in absent] if absent else spans
        if len(kept) < len(spans):
            self.note(FormatFact.NOT_ASSIGNED, task=task.id, count=len(spans) - len(kept))
        if unlisted := unlisted_spans(kept, assigned, self.options):
            self.note(FormatFact.NOT_LISTED, task=task.id, count=unlisted)
        return kept

    def _units(self, task: TaskDraft, spans: Sequence[DraftSpan], text: str | None) -> list[Unit]:
        in_text = text if task.measure is Measure.CHARACTER else None
        low, high = _limits(task.length if in_text is None else len(in_text))
        # Sorted as plain tuples, for units compare and hash a good deal slower.
        rows: dict[tuple[str, Position, Position, str], str] = {}
        edges = dropped = 0
        self._spans += len(spans)
        for span in spans:
            annotator, start, end, category, source = span
            if not (low <= start < end <= high and annotator and category):
                mended = self._mend(task, span, low, high)
                if mended is None:
                    dropped += 1
                    continue
                annotator, start, end, category, source = mended
            if in_text is not None and (
                in_text[int(start)].isspace() or in_text[int(end) - 1].isspace()
            ):
                edges += 1
                if self.options.trim:
                    start, end = trimmed_span(in_text, start, end)
                    if start == end:
                        self.note(FormatFact.BLANK_SPANS, task=task.id)
                        dropped += 1
                        continue
            called = self._called.get(category) or self._call(category)
            rows.setdefault((annotator, start, end, called), source)
        if edges:
            trimmed = self.options.trim
            self.note(FormatFact.EDGES_TRIMMED if trimmed else FormatFact.EDGES_KEPT, count=edges)
        duplicates = len(spans) - dropped - len(rows)
        if duplicates > 0:
            self.note(FormatFact.DUPLICATES, task=task.id, count=duplicates)
        units = []
        source, has_gaps = "", bool(task.fragments)
        try:
            for key, source in sorted(rows.items()):
                parts = task.parts(*key[:3], source) if has_gaps else ()
                units.append(Unit(*key, source, parts))
        except InputError as error:
            raise error.at(task.place(source)) from None
        return units

    def _joined(self, task: TaskDraft, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        joined = tuple(join_touching(units))
        if len(joined) < len(units):
            self.note(FormatFact.TOUCHING_JOINED, task=task.id, count=len(units) - len(joined))
        return joined

    def _call(self, category: str) -> str:
        """What the category is called; one text for all its spans."""
        return self._called.setdefault(category, self.options.rename_labels.get(category, category))

    def _mend(
        self, task: TaskDraft, span: DraftSpan, low: Position, high: Position
    ) -> DraftSpan | None:
        """The span put in order by the options, None when it is dropped; else an error."""
        annotator, start, end, category, source = span
        if start > end and self.options.swap:
            self.note(FormatFact.SWAPPED, task=task.id)
            start, end = end, start
        if start == end:
            self.note(FormatFact.NO_LENGTH, task=task.id)
            return None
        complaint = ""
        if start > end:
            complaint = "ends before it starts; correct it, or use --swap"
        elif not start < end:
            complaint = "has a position that is not a finite number"
        elif not (low <= start and end <= high):
            complaint = f"is outside [{low}, {high}); correct its positions, or the length"
        elif not annotator:
            complaint = "has no annotator; name one, or use --annotator-from"
        if complaint:
            raise InputError(f"the span [{start}, {end}) {complaint}", where=task.place(source))
        if not category:
            category = self.options.unlabelled or ""
            if not category:
                self._unlabelled.leave_out(f"[{start}, {end})", task.place(source))
                return None
            if category == DROP:
                self.note(FormatFact.UNLABELLED_DROPPED, task=task.id)
                return None
            self.note(FormatFact.UNLABELLED, task=task.id, category=category)
        return annotator, start, end, category, source


def _limits(length: Position | None) -> tuple[Position, Position]:
    return (-math.inf, math.inf) if length is None else (0, length)
