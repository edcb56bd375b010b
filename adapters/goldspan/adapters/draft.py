"""The draft: what a reader collects before it becomes a corpus.

Every reader hands its spans, texts and presences to a `Draft`, which applies the reading options
in the same way for all formats and tells in notes what it did.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.assignments import read_assignments
from goldspan.adapters.offsets import normal_newlines
from goldspan.engine.errors import InputError
from goldspan.engine.model import Continuum, Corpus, Measure, Note, Position, Presence, Unit

PSEUDO_ANNOTATORS = frozenset(
    {
        "adjudicated",
        "adjudication",
        "consensus",
        "curation",
        "curation_user",
        "gold",
        "goldspan",
        "initial_cas",
        "majority",
        "merged",
        "silver",
    }
)
"""Names of merged versions: scoring one against its own sources would flatter them."""

SHOWN = 8
"""How many names a note lists before it says how many more there are."""


class Span(NamedTuple):
    """A span as it was read, before any check."""

    annotator: str
    start: Position
    end: Position
    category: str
    source: str


class TaskDraft:
    """One task while it is read: spans, presences and each annotator's text.

    `where` is said before a span's own source in errors; a reader that gives complete sources
    (a file and line) leaves it empty.
    """

    def __init__(self, task: str, where: str, measure: Measure) -> None:
        self.id = task
        self.where = where
        self.measure = measure
        self.length: Position | None = None
        self.media: str | None = None
        self.text: str | None = None
        self.spans: list[Span] = []
        self.presences: dict[str, Presence] = {}
        self.texts: dict[str, str] = {}

    def span(
        self,
        annotator: str,
        start: Position,
        end: Position,
        category: str,
        source: str = "",
    ) -> None:
        """Add a span; its annotator has done the task unless `saw` says otherwise."""
        self.spans.append(Span(annotator, start, end, category, source))

    def saw(self, annotator: str, presence: Presence = Presence.DONE) -> None:
        """What is known of the annotator and this task; done without a span means empty."""
        self.presences[annotator] = presence

    def read_by(self, annotator: str, text: str) -> None:
        """The text as this annotator had it; the first one is the task's."""
        self.texts[annotator] = text
        if self.text is None:
            self.text = text

    def place(self, source: str) -> str:
        """Where a span stands, for a person."""
        return " ".join(part for part in (self.where, source) if part) or f"task '{self.id}'"


class Draft:
    """The tasks of one reading. `open_tasks` lets an assignments file name tasks that no file has,
    which formats without a list of documents need.
    """

    def __init__(
        self,
        options: ReadOptions,
        *,
        measure: Measure = Measure.CHARACTER,
        open_tasks: bool = False,
    ) -> None:
        self.options = options
        self.measure = measure
        self.open_tasks = open_tasks
        self.scale: tuple[str, ...] = ()
        self.tasks: dict[str, TaskDraft] = {}
        self._notes: dict[tuple[str, str], int] = {}
        self._excluded: dict[str, int] = {}
        self._pseudo = PSEUDO_ANNOTATORS.difference(
            name.casefold() for name in options.include_annotators
        )

    def task(self, task: str, *, where: str = "") -> TaskDraft:
        """The task of this id, new or already begun."""
        found = self.tasks.get(task)
        if found is None:
            found = self.tasks[task] = TaskDraft(task, where, self.measure)
        return found

    def note(self, message: str, *, task: str = "", count: int = 1) -> None:
        """Tell the user; the same message about the same task is counted."""
        key = message, task
        self._notes[key] = self._notes.get(key, 0) + count

    def unknown_elsewhere(self) -> None:
        """For formats whose rows are all they have: an annotator without a span in a task may or
        may not have seen it. The option `empty` settles it for all, an assignments file for each.
        """
        names = {s.annotator for t in self.tasks.values() for s in t.spans}
        states = {"seen": Presence.EMPTY, "unseen": Presence.UNSEEN, None: Presence.UNKNOWN}
        for task in self.tasks.values():
            for name in names.difference(s.annotator for s in task.spans):
                task.presences.setdefault(name, states[self.options.empty])

    def corpus(self) -> Corpus:
        """The corpus, with all options applied and everything worth knowing in its notes."""
        if self.options.assignments is not None:
            self._assign(read_assignments(self.options.assignments), str(self.options.assignments))
        continua = tuple(
            built for task in self.tasks.values() if (built := self._build(task)) is not None
        )
        self._note_excluded()
        self._note_single_categories(continua)
        scale = tuple(dict.fromkeys(self.options.rename_labels.get(c, c) for c in self.scale))
        notes = tuple(Note(message, task, n) for (message, task), n in self._notes.items())
        return Corpus(continua, scale=scale, notes=notes)

    def _assign(self, table: Mapping[str, Mapping[str, Presence]], where: str) -> None:
        for document, states in table.items():
            if document not in self.tasks and not self.open_tasks:
                known = _listed(sorted(self.tasks))
                raise InputError(
                    f"there is no document '{document}'; the files have {known}", where=where
                )
            task = self.task(document)
            task.presences.update(states)
            without = {n for n, s in states.items() if s in (Presence.UNSEEN, Presence.SKIPPED)}
            kept = [span for span in task.spans if span.annotator not in without]
            if len(kept) < len(task.spans):
                count = len(task.spans) - len(kept)
                message = "spans left out because the assignments say their annotator did not work"
                self.note(f"{message} on the document", task=document, count=count)
                task.spans = kept

    def _excludes(self, name: str) -> bool:
        if name not in self.options.exclude_annotators and name.casefold() not in self._pseudo:
            return False
        self._excluded[name] = self._excluded.get(name, 0) + 1
        return True

    def _build(self, task: TaskDraft) -> Continuum | None:
        names = {s.annotator for s in task.spans}.union(task.presences, task.texts)
        left_out = {name for name in names if self._excludes(name)}
        spans = [s for s in task.spans if s.annotator not in left_out]
        shared = _SharedText.of(task, left_out)
        if shared is None:
            self.note("left out: its text is not the same for all annotators", task=task.id)
            return None
        if shared.normalised:
            self.note("texts that differ in their line ends only were taken as equal", task=task.id)
            spans = [shared.move(span) for span in spans]
        units = self._units(task, spans, shared.text)
        presence = {
            name: self._presence(state)
            for name, state in task.presences.items()
            if name not in left_out
        }
        for name in task.texts:
            if name not in left_out:
                presence.setdefault(name, Presence.DONE)
        try:
            return Continuum(
                task.id, units, presence, task.length, task.measure, shared.text, task.media
            )
        except InputError as error:
            raise error.at(task.where or "the corpus") from error

    def _presence(self, state: Presence) -> Presence:
        if state is Presence.PARTIAL and self.options.include_partial:
            return Presence.DONE
        if state is Presence.EMPTY and self.options.empty == "unseen":
            return Presence.UNSEEN
        return state

    def _units(self, task: TaskDraft, spans: Iterable[Span], text: str | None) -> tuple[Unit, ...]:
        rename = self.options.rename_labels
        units: dict[Unit, None] = {}
        edges = duplicates = 0
        in_text = text if task.measure is Measure.CHARACTER else None
        for span in spans:
            checked = self._check(task, span)
            if checked is None:
                continue
            annotator, start, end, category, source = checked
            if in_text is not None and _has_edge(in_text, start, end):
                edges += 1
                if self.options.trim:
                    start, end = _trim(in_text, start, end)
                    if start == end:
                        self.note("spans of white space only dropped", task=task.id)
                        continue
            unit = Unit(annotator, start, end, rename.get(category, category), source)
            if unit in units:
                duplicates += 1
            units[unit] = None
        if edges:
            done = "trimmed" if self.options.trim else "kept; --trim takes it off"
            self.note(f"spans with white space at their edges, {done}", count=edges)
        if duplicates:
            self.note("spans that stood twice counted once", task=task.id, count=duplicates)
        return tuple(units)

    def _check(self, task: TaskDraft, span: Span) -> Span | None:
        """The span in order, None when it has no length; the rest is an error with its place."""
        annotator, start, end, category, source = span
        if start < end:
            if annotator and category:
                return span
        elif start == end:
            self.note("spans without length dropped", task=task.id)
            return None
        elif start > end and self.options.swap:
            self.note("spans with their end before their start swapped", task=task.id)
            start, end = end, start
        if start > end:
            raise InputError(
                f"the span [{start}, {end}) ends before it starts; correct it, or use --swap",
                where=task.place(source),
            )
        if not annotator:
            raise InputError(
                "the annotator is missing; name one, or use --annotator-from",
                where=task.place(source),
            )
        if not category:
            if self.options.unlabelled is None:
                raise InputError(
                    f"the span [{start}, {end}) has no category; "
                    "--unlabelled NAME gives one to all such spans",
                    where=task.place(source),
                )
            category = self.options.unlabelled
            self.note(f"spans without a category called '{category}'", task=task.id)
        return Span(annotator, start, end, category, source)

    def _note_excluded(self) -> None:
        for name, count in sorted(self._excluded.items()):
            if name in self.options.exclude_annotators:
                reason = "left out as asked"
            else:
                reason = "left out: the name says that it is a merged version; "
                reason += f"--include-annotator {name} keeps it"
            self.note(f"annotator '{name}' {reason} (tasks)", count=count)

    def _note_single_categories(self, continua: Iterable[Continuum]) -> None:
        users: dict[str, set[str]] = {}
        everyone: set[str] = set()
        for continuum in continua:
            everyone.update(continuum.annotators)
            for unit in continuum.units:
                users.setdefault(unit.category, set()).add(unit.annotator)
        single = sorted(category for category, by in users.items() if len(by) == 1)
        if single and len(everyone) > 1:
            self.note(
                f"categories used by one annotator only: {_listed(single)}", count=len(single)
            )


@dataclass(frozen=True, slots=True)
class _SharedText:
    """The text that all annotators of a task had, up to line ends."""

    text: str | None
    normalised: bool = False
    own: Mapping[str, str] | None = None

    @classmethod
    def of(cls, task: TaskDraft, left_out: set[str]) -> _SharedText | None:
        """None when the texts differ."""
        texts = {name: text for name, text in task.texts.items() if name not in left_out}
        if len(set(texts.values())) < 2:
            return cls(next(iter(texts.values()), task.text))
        digests = {
            hashlib.sha256(_bytes(normal_newlines(text))).digest() for text in texts.values()
        }
        if len(digests) > 1:
            return None
        return cls(normal_newlines(next(iter(texts.values()))), normalised=True, own=texts)

    def move(self, span: Span) -> Span:
        """The span on the text with line feeds only."""
        own = (self.own or {}).get(span.annotator)
        if own is None:
            return span
        start, end = (int(position) for position in (span.start, span.end))
        start, end = (position - own.count("\r\n", 0, position) for position in (start, end))
        return span._replace(start=start, end=end)


def _bytes(text: str) -> bytes:
    # Lone surrogates occur in files that were cut by other tools; they must compare, not fail.
    return text.encode("utf-8", errors="surrogatepass")


def _has_edge(text: str, start: Position, end: Position) -> bool:
    first, last = int(start), int(end) - 1
    if not 0 <= first <= last < len(text):
        return False
    return text[first].isspace() or text[last].isspace()


def _trim(text: str, start: Position, end: Position) -> tuple[int, int]:
    first, last = int(start), int(end)
    while first < last and text[last - 1].isspace():
        last -= 1
    while first < last and text[first].isspace():
        first += 1
    return first, last


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:SHOWN])
    return f"{shown} and {len(names) - SHOWN} more" if len(names) > SHOWN else shown
