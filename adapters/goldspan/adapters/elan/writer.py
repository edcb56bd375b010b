"""Writing EAF: a tier for each annotator, or gold as a tier more in a copy of the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldspan.adapters.elan.document import LENGTH, TASK, Eaf, read_eaf
from goldspan.adapters.elan.sources import SUFFIX, read_sources
from goldspan.adapters.elan.tree import LAST_ID, EafTree, Entry
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.xml_file import REFUSED, parse_xml, xml_text
from goldspan.adapters.kit.standoff import mark_files
from goldspan.adapters.kit.task_files import TaskFiles, task_files
from goldspan.adapters.kit.tiers import holders, stacks
from goldspan.adapters.kit.times import Tally, half_up, timed
from goldspan.adapters.kit.votes import votes_line
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, Paths, WriteOptions
    from goldspan.adapters.kit.source_files import SourceFiles
    from goldspan.engine.model import Continuum, Corpus, Unit

MERGED = "merged"
"""The ANNOTATOR of a gold tier."""

PLAIN = "goldspan"
"""The linguistic type of tiers that have no other."""

NOTHING: Mapping[str, str] = MappingProxyType({})


def write_elan(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """A file for each task in a folder, or one file when the name ends in .eaf."""
    corpus = timed(value, "EAF")
    writing = _Writing()
    # Read first: nothing is written where a source cannot be read.
    lost = 0 if isinstance(value, Gold) else _vocabularies(options.source)
    with task_files(value, path, SUFFIX, options, inside=True) as files:
        if isinstance(value, Gold):
            writing.gold(value, read_sources(options.source), files, options.annotator)
        else:
            writing.corpus(value, files)
    notes = [*files.notes, *writing.notes()]
    if lost:
        notes.append(Note.of(FormatFact.VOCABULARIES_LOST, count=lost))
    if any(continuum.text is not None for continuum in corpus.continua):
        notes.append(Note.of(FormatFact.NO_TEXTS, format="EAF"))
    return notes


@dataclass(slots=True)
class _Writing:
    """One writing, with what a person should know at the end."""

    tally: Tally = field(default_factory=Tally)
    new: list[str] = field(default_factory=list)

    def corpus(self, corpus: Corpus, files: TaskFiles) -> None:
        """Each task a file with a tier for everybody who saw it."""
        for continuum in corpus.continua:
            tree = _blank(continuum)
            kind = tree.type_name(PLAIN)
            for name, units in holders(continuum):
                _add_tiers(tree, name, name, kind, self._entries(units, continuum))
            files.of(continuum.id).write_bytes(tree.close())

    def gold(self, gold: Gold, sources: SourceFiles, files: TaskFiles, annotator: str) -> None:
        """Each task a copy of its source file with a tier, or several, of gold."""
        for continuum in gold.corpus.continua:
            spans = gold.spans.get(continuum.id)
            if spans is None:
                self.tally.skipped += 1
                continue
            source = sources.of_task(continuum)
            if source is None:
                self.new.append(continuum.id)
                tree = _blank(continuum)
                kind, entries = tree.type_name(PLAIN), NOTHING
            else:
                tree = EafTree(parse_xml(source).getroot())
                kind, entries = _gold_type(
                    tree, read_eaf(source), frozenset(s.category for s in spans)
                )
            marks = self._entries(spans, continuum, entries)
            _add_tiers(tree, xml_text(annotator, where="--annotator"), MERGED, kind, marks)
            files.of(continuum.id).write_bytes(tree.close())

    def notes(self) -> Iterator[Note]:
        """What EAF could not hold, and which files are new."""
        yield from self.tally.notes()
        if self.new:
            names = ", ".join(f"'{task}'" for task in self.new[:8])
            yield Note.of(FormatFact.NO_SOURCE_FILE, count=len(self.new), names=names)

    def _entries(
        self,
        spans: Iterable[Unit | GoldSpan],
        continuum: Continuum,
        vocabulary: Mapping[str, str] = NOTHING,
    ) -> list[Entry]:
        where = f"task '{continuum.id}'"
        entries = []
        for start, end, span in self.tally.rounded(spans, continuum):
            note = votes_line(span) if isinstance(span, GoldSpan) else ""
            value = xml_text(span.category, where=where)
            entry = vocabulary.get(span.category)
            entries.append(Entry(start, end, value, entry, REFUSED.sub("?", note)))
        return entries


def _blank(continuum: Continuum) -> EafTree:
    """A new file with what there is to say of the task."""
    where = f"task '{continuum.id}'"
    for text in (continuum.id, continuum.media or "", *continuum.presence):
        xml_text(text, where=where)
    tree = EafTree.new()
    if continuum.media is not None:
        tree.media(continuum.media)
    tree.property(LAST_ID, "0")
    tree.property(TASK, continuum.id)
    if continuum.length is not None:
        tree.property(LENGTH, str(half_up(continuum.length)))
    return tree


def _vocabularies(source: Paths) -> int:
    """How many controlled vocabularies the files have that were read."""
    files = (file for given in source for file in mark_files(given, SUFFIX))
    return sum(len(read_eaf(file).vocabularies) for file in files)


def _add_tiers(
    tree: EafTree, name: str, annotator: str, kind: str, entries: Sequence[Entry]
) -> None:
    """One tier, or as many as entries that overlap need."""
    for index, stack in enumerate(stacks(entries) or [[]]):
        own = tree.tier_name(name if index == 0 else f"{name}-{index + 1}")
        tree.tier(own, kind, annotator, stack)


def _gold_type(
    tree: EafTree, source: Eaf, categories: frozenset[str]
) -> tuple[str, Mapping[str, str]]:
    """A linguistic type of the source for gold, and the vocabulary entry of each category.

    The type is that of a tier that belongs to no other: with a vocabulary that has every
    category, else without one, else a new one.
    """
    tiers = sorted(source.tiers.values(), key=lambda tier: -len(tier.annotations))
    top = [tier for tier in tiers if tier.constraint is None and tier.parent is None]
    for tier in top:
        if tier.vocabulary is not None:
            entries = source.vocabularies.get(tier.vocabulary, {}).items()
            names = {value: name for name, values in entries for value in values.values()}
            if categories <= names.keys():
                return tier.type, {v: n for v, n in names.items() if not n.startswith("#")}
    for tier in top:
        if tier.vocabulary is None:
            return tier.type, {}
    return tree.type_name(PLAIN), {}
