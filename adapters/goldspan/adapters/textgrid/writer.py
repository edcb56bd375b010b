"""Writing TextGrids: intervals that cover the whole time, labelled where somebody marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.source_files import SourceFiles
from goldspan.adapters.kit.standoff import mark_files
from goldspan.adapters.kit.task_files import TaskFiles, task_files
from goldspan.adapters.kit.tiers import holders, stacks
from goldspan.adapters.kit.times import Tally, half_up, timed
from goldspan.adapters.kit.votes import votes_line
from goldspan.adapters.textgrid.document import (
    Entry,
    TextGrid,
    Tier,
    format_textgrid,
    read_textgrid,
)
from goldspan.adapters.textgrid.reader import SUFFIX
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, Paths, WriteOptions
    from goldspan.engine.model import Continuum, Corpus

MILLI = Decimal("0.001")


def write_textgrids(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """A file for each task in a folder, or one file when the name ends in .TextGrid."""
    corpus = timed(value, "a TextGrid")
    writing = _Writing()
    with task_files(value, path, SUFFIX, options) as files:
        if isinstance(value, Gold):
            writing.gold(value, options.source, files, options.annotator)
        else:
            writing.corpus(value, files)
    notes = [*files.notes, *writing.notes()]
    if any(continuum.media is not None for continuum in corpus.continua):
        notes.append(Note.of(FormatFact.NO_MEDIA, format="a TextGrid"))
    return notes


@dataclass(slots=True)
class _Writing:
    """One writing, with what a person should know at the end."""

    tally: Tally = field(default_factory=Tally)
    blank: int = 0

    def corpus(self, corpus: Corpus, files: TaskFiles) -> None:
        """Each task a file with a tier for everybody who saw it."""
        for continuum in corpus.continua:
            tiers: list[Tier] = []
            end = _end(continuum)
            for name, units in holders(continuum):
                marks = self.tally.rounded(units, continuum)
                entries = [_entry(mark, mark[2].category) for mark in marks]
                tiers += _tiers(name, entries, Decimal(0), end)
            self.blank += bool(tiers) and not continuum.units
            grid = TextGrid(Decimal(0), end, tuple(tiers), continuum.length is None)
            self._save(grid, files, continuum)

    def gold(self, gold: Gold, source: Paths, files: TaskFiles, annotator: str) -> None:
        """Each task the tiers of its source, then gold and, beside it, its votes."""
        found = (file for given in source for file in mark_files(given, SUFFIX))
        sources = SourceFiles.of((file, [file.stem]) for file in found)
        for continuum in gold.corpus.continua:
            spans = gold.spans.get(continuum.id)
            if spans is None:
                self.tally.skipped += 1
                continue
            file = sources.of_task(continuum)
            end = max([_end(continuum), *(Decimal(half_up(s.end)) * MILLI for s in spans)])
            new = TextGrid(Decimal(0), end, (), continuum.length is None)
            before = new if file is None else read_textgrid(file)
            bounds = before.start, max(before.end, end)
            marks = self.tally.rounded(spans, continuum)
            labels = [_entry(mark, mark[2].category) for mark in marks]
            lines = [_entry(mark, votes_line(mark[2])) for mark in marks]
            tiers = _tiers(annotator, labels, *bounds)
            votes = _tiers(f"{annotator} votes", lines, *bounds)
            kept = tuple(_stretched(tier, *bounds) for tier in before.tiers)
            grid = TextGrid(*bounds, (*kept, *tiers, *votes), before.open)
            self._save(grid, files, continuum)

    def notes(self) -> Iterator[Note]:
        """What a TextGrid could not hold."""
        yield from self.tally.notes()
        if self.blank:
            yield Note.of(FormatFact.LOOKS_UNUSED, count=self.blank)

    def _save(self, grid: TextGrid, files: TaskFiles, continuum: Continuum) -> None:
        self.tally.ends += grid.open
        try:
            files.of(continuum.id).write_bytes(format_textgrid(grid).encode())
        except UnicodeEncodeError as error:
            raise InputError(
                "a label or name holds half a surrogate pair, which UTF-8 cannot hold",
                where=f"task '{continuum.id}'",
            ) from error


def _entry(times: tuple[int, int, object], label: str) -> Entry:
    return Entry(times[0] * MILLI, times[1] * MILLI, label)


def _end(continuum: Continuum) -> Decimal:
    """Where the file ends; a TextGrid cannot be without length."""
    return max(half_up(continuum.bounds[1]), 1) * MILLI


def _tiers(name: str, entries: Sequence[Entry], start: Decimal, end: Decimal) -> list[Tier]:
    """One tier, or as many as entries that overlap need, filled up with empty intervals."""
    tiers = []
    for index, stack in enumerate(stacks(entries) or [[]], start=1):
        own = name if index == 1 else f"{name} [{index}]"
        tiers.append(_stretched(Tier(own, tuple(stack)), start, end))
    return tiers


def _stretched(tier: Tier, start: Decimal, end: Decimal) -> Tier:
    """The tier with empty intervals wherever it has none, so that it covers the whole time."""
    if tier.points:
        return tier
    filled: list[Entry] = []
    at = start
    for entry in tier.entries:
        if at < entry.start:
            filled.append(Entry(at, entry.start, ""))
        filled.append(entry)
        at = entry.end
    if at < end:
        filled.append(Entry(at, end, ""))
    return Tier(tier.name, tuple(filled))
