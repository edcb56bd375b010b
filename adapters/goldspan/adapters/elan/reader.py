"""Reading EAF: which tiers, whose, and what each annotation is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.elan.annotator_source import Whose
from goldspan.adapters.elan.category import Category
from goldspan.adapters.elan.document import LENGTH, TASK, Annotation, Eaf, Tier, read_eaf
from goldspan.adapters.elan.options import INCLUDE_INFERRED
from goldspan.adapters.elan.sources import SUFFIX
from goldspan.adapters.elan.times import Times
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.digits import from_digits
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import listed
from goldspan.adapters.kit.standoff import mark_files
from goldspan.adapters.kit.tiers import chosen, kind_of
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Measure, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions
    from goldspan.adapters.kit.task_draft import TaskDraft


@dataclass(slots=True)
class _Sheet:
    """What one file gives: the annotators who have tiers in it, and their spans."""

    path: Path
    task: str
    media: str | None
    properties: Mapping[str, str]
    started: bool
    spans: dict[str, list[tuple[int, int, str, str]]] = field(default_factory=dict)
    unplaced: set[str] = field(default_factory=set)


def read_elan(paths: Paths, options: ReadOptions) -> Corpus:
    """Every annotation of a time-aligned tier a unit, in milliseconds."""
    files = [file for given in paths for file in mark_files(given, SUFFIX)]
    if not files:
        raise InputError(f"there is no {SUFFIX} file here", where=str(paths[0]))
    draft = Draft(options, measure=Measure.MILLISECOND)
    documents: Iterable[Eaf] = (read_eaf(file) for file in files)
    if options.annotator_from is None:
        documents = list(documents)
        whose = Whose.judged(documents)
    else:
        whose = Whose.of(options.annotator_from)
    reading = _Reading(draft, whose)
    sheets = [reading.sheet(eaf) for eaf in documents]
    reading.finish()
    for sheet in _with_tasks(sheets, draft, whose):
        _fill(draft.task(sheet.task), sheet, draft)
        for name in sheet.spans if whose.files is not None else ():
            draft.read_from(sheet.path, name, sheet.task)
    everyone = {name for sheet in sheets for name in sheet.spans}
    for task in draft.tasks.values():
        for name in everyone.difference(task.presences):
            task.saw(name, Presence.UNSEEN)
    return draft.corpus()


@dataclass(slots=True)
class _Reading:
    """One reading of many files, with what has to be known of all of them at the end."""

    draft: Draft
    whose: Whose
    read: set[str] = field(default_factory=set)
    known: dict[str, None] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    nobodys: set[str] = field(default_factory=set)
    nested: set[str] = field(default_factory=set)
    scale: dict[str, None] = field(default_factory=dict)
    category: Category = field(init=False)

    def __post_init__(self) -> None:
        self.category = Category.of(self.draft.options.category_from)

    def sheet(self, eaf: Eaf) -> _Sheet:
        """The spans of one file by annotator."""
        self.known.update(dict.fromkeys(eaf.tiers))
        # A file that goldspan wrote is not a template: there, an empty tier is an answer.
        started = TASK in eaf.properties or any(t.annotations for t in eaf.tiers.values())
        sheet = _Sheet(eaf.path, self.whose.task(eaf), eaf.media, eaf.properties, started)
        times = Times(eaf)
        children = self.category.children(eaf)
        for tier, annotator, layer in self._tiers(eaf):
            self.read.add(tier.id)
            self.scale.update(dict.fromkeys(self.category.scale(tier, eaf)))
            spans = sheet.spans.setdefault(annotator, [])
            before = len(spans)
            spans += self._spans(tier, layer, times, children, sheet.task)
            self.draft.of_kind(annotator, kind_of(layer, annotator), len(spans) - before)
            if tier.annotations and len(spans) == before:
                sheet.unplaced.add(annotator)
        return sheet

    def finish(self) -> None:
        """Say which tiers were read and which were not; refuse to read none."""
        options = self.draft.options
        tiers = ", ".join(f"'{name}'" for name in self.known)
        for layer in options.layers:
            if not chosen((layer,), self.names):
                raise SettingsError(f"there is no tier '{layer}'; there are {tiers}")
        if not self.read:
            raise InputError(
                f"no tier can be read by --annotator-from {options.annotator_from or 'annotator'}; "
                f"there are {tiers or 'none'}"
            )
        if self.category.child is not None and not self.category.found:
            raise SettingsError(
                f"there is no tier or linguistic type '{self.category.child}' that refers to "
                f"another tier; there are {tiers}"
            )
        if self.nobodys:
            self.draft.note(FormatFact.NO_ANNOTATOR_TIERS, tiers=listed(self.nobodys))
        if self.nested:
            self.draft.note(FormatFact.NESTED_TIERS, tiers=listed(self.nested))
        self.draft.scale = tuple(value for value in self.scale if value)

    def _tiers(self, eaf: Eaf) -> Iterator[tuple[Tier, str, str]]:
        """The tiers to read, each with its annotator and layer."""
        layers = self.draft.options.layers
        for tier in eaf.tiers.values():
            found = self.whose.read(tier, eaf.path)
            names = {tier.id, tier.type}
            if found:
                names |= {found[1], kind_of(found[1], found[0])}
            self.names |= names
            if not chosen(layers, names):
                continue
            if not layers and not tier.aligned:
                if not self.category.asks_for(tier):
                    kind = "annotations that refer to others (--layer NAME reads their tier)"
                    self.draft.lose(kind, len(tier.annotations))
                continue
            if found is None:
                self.nobodys.add(tier.id)
                continue
            parent = eaf.tiers.get(tier.parent or "")
            if parent is not None and parent.aligned and not layers:
                self.nested.add(tier.id)
            yield tier, *found

    def _spans(
        self,
        tier: Tier,
        layer: str,
        times: Times,
        children: Mapping[str, Sequence[str]],
        task: str,
    ) -> Iterator[tuple[int, int, str, str]]:
        intervals = times.of(tier)
        options = self.draft.options
        strange = 0
        for annotation in tier.annotations:
            interval = intervals.get(annotation.id)
            if interval is None:
                self.draft.note(FormatFact.NO_TIME, task=task)
                continue
            if interval.inferred and not INCLUDE_INFERRED.of(options):
                self.draft.note(FormatFact.INFERRED_TIMES, task=task)
                continue
            strange += _differs(annotation, tier, times.eaf)
            labels = self.category.labels(annotation, layer, children)
            if options.labels == "join":
                labels = ("|".join(sorted(labels)),)
            where = times.eaf.where(annotation.line)
            yield from ((interval.start, interval.end, label, where) for label in labels)
        if strange:
            self.draft.note(FormatFact.VOCABULARY_DIFFERS, task=task, count=strange)


def _differs(annotation: Annotation, tier: Tier, eaf: Eaf) -> bool:
    entry = eaf.vocabularies.get(tier.vocabulary or "", {}).get(annotation.entry or "")
    return entry is not None and annotation.value not in entry.values()


def _with_tasks(sheets: Sequence[_Sheet], draft: Draft, whose: Whose) -> Sequence[_Sheet]:
    """The sheets, with one task for files of one recording where that leaves everybody one file.

    Files that the same annotator has tiers in are parts of the work, and each is a task.
    """
    by_task: dict[str, list[_Sheet]] = {}
    for sheet in sheets:
        by_task.setdefault(sheet.task, []).append(sheet)
    for task, group in by_task.items():
        twice = [n for i, one in enumerate(group) for n in one.spans
                 if any(n in other.spans for other in group[:i])]  # fmt: skip
        if not twice:
            _note_places(task, group, draft, whose)
            continue
        stems = {sheet.path.stem for sheet in group}
        if whose.files is not None or len(stems) < len(group) or by_task.keys() & stems - {task}:
            files = ", ".join(str(sheet.path) for sheet in group[:3])
            raise InputError(
                f"'{twice[0]}' has annotations of '{task}' in several files ({files}); tell them "
                "apart with --annotator-from and a pattern such as {annotator}/{task}.eaf"
            )
        draft.note(FormatFact.SEVERAL_FILES, recording=task)
        for sheet in group:
            sheet.task = sheet.path.stem
    return sheets


def _note_places(task: str, group: Sequence[_Sheet], draft: Draft, whose: Whose) -> None:
    """Add a note if files share only the name of the recording: its path may differ between the
    annotators' machines, and two recordings may have the same name.
    """
    if whose.files is not None and whose.files.names_task:
        return
    places = sorted({s.media for s in group if s.media and TASK not in s.properties})
    if len(places) > 1:
        draft.note(FormatFact.SEVERAL_PLACES, task=task, places=listed(places))


def _fill(task: TaskDraft, sheet: _Sheet, draft: Draft) -> None:
    task.media = task.media or sheet.media
    length = from_digits(sheet.properties.get(LENGTH, ""))
    if length is not None:
        task.length = length
    for name, spans in sheet.spans.items():
        for start, end, category, where in spans:
            task.span(name, start, end, category, where)
        task.saw(name, _presence(name, spans, sheet, draft))


def _presence(name: str, spans: Sequence[object], sheet: _Sheet, draft: Draft) -> Presence:
    if spans:
        return Presence.DONE
    if name in sheet.unplaced:
        draft.note(FormatFact.ABSENT, task=sheet.task, annotator=name)
        return Presence.SKIPPED
    if sheet.started or draft.options.empty == "seen":
        return Presence.DONE
    draft.note(FormatFact.UNUSED_FILE, task=sheet.task)
    return Presence.UNSEEN
