"""Reading brat: marks found in the texts they refer to, whoever made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.brat.conf import ANNOTATION, VISUAL, BratConf, conf_files, read_conf
from goldspan.adapters.brat.lines import Mark, Marks, merged, read_marks
from goldspan.adapters.brat.sources import SUFFIXES
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.standoff import Document, Shelf, find_documents, read_documents
from goldspan.adapters.kit.text.offsets import BOM, Stored, fit
from goldspan.adapters.kit.tiers import chosen
from goldspan.adapters.options import FRAGMENTS
from goldspan.engine.errors import InputError, SettingsError

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions
    from goldspan.adapters.kit.task_draft import TaskDraft
    from goldspan.engine.model import Corpus

MARK_KINDS = ("entities", "triggers")


def read_brat(paths: Paths, options: ReadOptions) -> Corpus:
    """Every T line a unit, in code points of the text without its byte order mark."""
    shelf = find_documents(paths, SUFFIXES, options)
    draft = Draft(options)
    reading = _Reading(draft, _conf(shelf, paths))
    read_documents(shelf, draft, SUFFIXES.marks, reading.read)
    reading.finish()
    return draft.corpus()


def _conf(shelf: Shelf, paths: Iterable[Path]) -> BratConf:
    return read_conf(
        *(
            dict.fromkeys(f for top in paths for f in conf_files(_folders(shelf, top), top, name))
            for name in (ANNOTATION, VISUAL)
        )
    )


def _folders(shelf: Shelf, top: Path) -> list[Path]:
    above = top.resolve()
    folders = dict.fromkeys(document.marks.resolve().parent for document in shelf.documents)
    return [folder for folder in folders if folder == above or above in folder.parents] or [top]


@dataclass(frozen=True, slots=True)
class _Category:
    """Where a mark's category comes from: its type, the type's label, an attribute, or both."""

    with_type: bool
    attribute: str | None = None
    labelled: bool = False

    @classmethod
    def of(cls, source: str | None) -> _Category:
        if source in (None, "type"):
            return cls(with_type=True)
        if source == "label":
            return cls(with_type=True, labelled=True)
        name = source.removeprefix("type/")
        if not name:
            raise SettingsError(
                f"there is no category source '{source}'; there are type, label, "
                "the name of an attribute, and type/ATTRIBUTE"
            )
        return cls(with_type=name != source, attribute=name)

    def scale(self, conf: BratConf) -> tuple[str, ...]:
        if self.attribute is None:
            return tuple(conf.labels.get(t, t) if self.labelled else t for t in conf.types)
        return () if self.with_type else conf.values.get(self.attribute, ())

    def read(self, mark: Mark, marks: Marks, conf: BratConf) -> tuple[str, ...]:
        """One category, or several when an attribute has several values; "" is none."""
        kind = conf.labels.get(mark.type, mark.type) if self.labelled else mark.type
        if self.attribute is None:
            return (kind,)
        values = marks.attributes_of(mark).get(self.attribute, ())
        if self.with_type:
            return tuple(f"{kind}/{value}" for value in values) or (kind,)
        return values or ("",)


@dataclass(slots=True)
class _Reading:
    """One reading of many documents, with what has to be known of all of them at the end."""

    draft: Draft
    conf: BratConf
    empty: int = 0
    textless: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    category: _Category = field(init=False)

    def __post_init__(self) -> None:
        self.category = _Category.of(self.draft.options.category_from)
        self.draft.scale = self.category.scale(self.conf)

    def read(self, document: Document) -> None:
        text = None if document.text is None else read_text(document.text, keep_bom=True)
        marks = read_marks(document.marks)
        task = self.draft.task(document.task)
        if text is None:
            self.textless.add(document.task)
            task.saw(document.annotator)
        else:
            task.read_by(document.annotator, text.removeprefix(BOM))
        if marks.strange:
            self.draft.note(FormatFact.UNKNOWN_LINES, task=document.task, count=marks.strange)
        for kind, count in marks.others.items():
            self.draft.lose(kind, count)
        self.draft.lose(
            "attributes", sum(self._unused(names) for names in marks.attributes.values())
        )
        self.empty += not marks.marks
        self.attributes.update(*(names.keys() for names in marks.attributes.values()))
        self.types.update(mark.type for mark in marks.marks.values())
        for mark, fragments in self._placed(task, marks, text):
            self._add(task, document.annotator, mark, marks, fragments)

    def finish(self) -> None:
        """Say what was taken for granted; refuse names that nothing answers to."""
        attribute = self.category.attribute
        if attribute and attribute not in self.attributes.union(self.conf.values):
            known = ", ".join(sorted(self.attributes)) or "none"
            raise SettingsError(f"there is no attribute '{attribute}'; there are {known}")
        for layer in self.draft.options.layers:
            if not chosen((layer,), self.types.union(self.conf.types, MARK_KINDS)):
                known = ", ".join([*MARK_KINDS, *sorted(self.types)])
                raise SettingsError(f"there is no layer '{layer}'; there are {known}")
        if self.empty and self.draft.options.empty is None:
            self.draft.note(FormatFact.EMPTY_FILES, count=self.empty)
        if self.textless:
            self.draft.note(FormatFact.NO_TEXT_FILES, count=len(self.textless))

    def _unused(self, attributes: Mapping[str, Sequence[str]]) -> int:
        """How many values of attributes are not part of a category."""
        others = (values for name, values in attributes.items() if name != self.category.attribute)
        return sum(map(len, others))

    def _placed(
        self, task: TaskDraft, marks: Marks, text: str | None
    ) -> Iterable[tuple[Mark, Sequence[tuple[int, int]]]]:
        """Every mark with its fragments in code points of the text without byte order mark, or as
        they are where there is no text.
        """
        given: list[Stored] = []
        places: list[str] = []
        for mark in marks.marks.values():
            fragments = self._in_order(mark, marks, task)
            given += _stored(fragments, mark.stored)
            places += [marks.where(mark)] * len(fragments)
        if text is None:
            placed = iter(given)
            for mark in marks.marks.values():
                yield mark, [next(placed)[:2] for _ in mark.fragments]
            return
        fitted = fit(text, given, places=places)
        if fitted.counting is not None:
            self.draft.note(FormatFact.TASK_CONVERTED, task=task.id, counting=fitted.counting)
        mark_at = text.startswith(BOM)
        spans = iter(fitted.spans)
        for mark in marks.marks.values():
            fragments = [next(spans) for _ in mark.fragments]
            if len(fragments) > 1:
                _check_stored(mark, [text[s:e] for s, e in fragments], marks.where(mark))
            yield mark, [(max(s - mark_at, 0), max(e - mark_at, 0)) for s, e in fragments]

    def _in_order(self, mark: Mark, marks: Marks, task: TaskDraft) -> list[tuple[int, int]]:
        for start, end in mark.fragments:
            if start > end and not self.draft.options.swap:
                raise InputError(
                    f"the span [{start}, {end}) ends before it starts; correct it, or use --swap",
                    where=marks.where(mark),
                )
            if start > end:
                self.draft.note(FormatFact.SWAPPED, task=task.id)
        return [(min(pair), max(pair)) for pair in mark.fragments]

    def _add(
        self,
        task: TaskDraft,
        annotator: str,
        mark: Mark,
        marks: Marks,
        fragments: Sequence[tuple[int, int]],
    ) -> None:
        layers = self.draft.options.layers
        kind = MARK_KINDS[mark.id in marks.events]
        if not chosen(layers, (kind, mark.type)):
            return
        parts = merged(fragments, task.texts.get(annotator), marks.where(mark))
        spans = [parts]
        if len(parts) > 1 and FRAGMENTS.of(self.draft.options) == "hull":
            if not self.draft.options.losses:
                self.draft.note(FormatFact.DISCONTINUOUS, task=task.id)
        else:
            spans = [[part] for part in parts]
        labels = self.category.read(mark, marks, self.conf)
        if self.draft.options.labels == "join":
            labels = ("|".join(sorted(labels)),)
        for span in spans:
            for label in labels:
                task.span_with_gaps(annotator, tuple(span), label, marks.where(mark))


def _stored(fragments: Sequence[tuple[int, int]], stored: str | None) -> list[Stored]:
    """Each fragment with its own part of the stored text, where the lengths tell which it is."""
    sizes = [end - start for start, end in fragments]
    if stored is None:
        return [(start, end, None) for start, end in fragments]
    if len(fragments) == 1:
        return [(*fragments[0], stored)]
    for between in (1, 0):  # brat before 1.3 put nothing between fragments
        if len(stored) == sum(sizes) + between * (len(sizes) - 1):
            parts, at = [], 0
            for size in sizes:
                parts.append(stored[at : at + size])
                at += size + between
            return [(s, e, part) for (s, e), part in zip(fragments, parts, strict=True)]
    return [(start, end, None) for start, end in fragments]


def _check_stored(mark: Mark, parts: Sequence[str], where: str) -> None:
    """Refuse a mark whose stored text is not its fragments', where no fit could tell."""
    if mark.stored is None or _stored(mark.fragments, mark.stored)[0][2] is not None:
        return
    stored = mark.stored.split()
    if stored not in (" ".join(parts).split(), "".join(parts).split()):
        raise InputError(
            f"the fragments read {' '.join(parts)!r}, not {mark.stored!r}; check the positions",
            where=where,
        )
