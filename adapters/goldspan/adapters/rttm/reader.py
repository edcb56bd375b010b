"""Reading RTTM: a file for each annotator, and UEM files that say who saw what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.channels import without_channels
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import Naming
from goldspan.adapters.kit.standoff import mark_files
from goldspan.adapters.rttm.rows import Region, Turn, read_regions, read_turns
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Measure, Presence, channel_id, split_channel

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions

RTTM, UEM = ".rttm", ".uem"
READ = "SPEAKER"
CATEGORIES = ("name", "stype", "ortho", "type")

Spans = list[tuple[int, int]]


def read_rttm(paths: Paths, options: ReadOptions) -> Corpus:
    """Every SPEAKER row a unit, in milliseconds; the speaker is the category."""
    files = [file for given in paths for file in mark_files(given, RTTM)]
    if not files:
        raise InputError(f"there is no {RTTM} file here", where=str(paths[0]))
    if options.category_from not in (None, *CATEGORIES):
        raise SettingsError(
            f"--category-from '{options.category_from}' has no meaning here; "
            f"it can be {', '.join(CATEGORIES)}"
        )
    draft = Draft(options, measure=Measure.MILLISECOND, open_tasks=True, tells_channels=True)
    reading = _Reading(draft, Naming(options.annotator_from or "file"))
    for file in files:
        reading.read(file)
    for given in paths:
        for file in mark_files(given, UEM):
            reading.regions(file)
    reading.finish()
    return draft.corpus()


@dataclass(slots=True)
class _Reading:
    """One reading of many files. Each channel of a recording is a task. Regions are by annotator
    ("" is everybody's), recording and channel; `wanted` has those of each task.
    """

    draft: Draft
    naming: Naming
    annotators: dict[str, None] = field(default_factory=dict)
    turns: dict[str, list[tuple[str, Turn]]] = field(default_factory=dict)
    files: dict[tuple[str, str], Path] = field(default_factory=dict)
    found: dict[str, list[tuple[str, Region]]] = field(default_factory=dict)
    wanted: dict[str, dict[str, Spans]] = field(default_factory=dict)
    measured: set[str] = field(default_factory=set)
    types: Counter[str] = field(default_factory=Counter)

    @property
    def layers(self) -> tuple[str, ...]:
        """The types of rows to read."""
        return without_channels(self.draft.options.layers) or (READ,)

    def read(self, path: Path) -> None:
        """Collect the rows of one file."""
        annotator, named = self.naming.read(path.resolve())
        self.annotators[annotator] = None
        for turn in read_turns(path):
            self.types[turn.fields[0]] += 1
            if turn.fields[0] not in self.layers:
                continue
            recording = named or turn.field("file")
            if not recording:
                raise InputError("the recording is missing; name it", where=turn.where)
            task = channel_id(recording, turn.field("channel"))
            if (annotator, task) not in self.files:
                self.draft.read_from(path, annotator, task)
            other = self.files.setdefault((annotator, task), path)
            if other != path:
                raise InputError(
                    f"'{annotator}' has rows for '{task}' here and in {other}; tell them apart "
                    "with --annotator-from dir, or a pattern such as {annotator}/*.rttm",
                    where=turn.where,
                )
            self.turns.setdefault(annotator, []).append((task, turn))

    def regions(self, path: Path) -> None:
        """Collect the regions of a UEM file: an annotator's, if it is called like theirs."""
        try:
            annotator, named = self.naming.read(path.resolve().with_suffix(RTTM))
        except InputError:
            annotator, named = "", None
        owner = annotator if annotator in self.annotators else ""
        # A file without regions tells too: its annotator was to annotate nothing.
        found = self.found.setdefault(owner, [])
        for region in read_regions(path):
            found.append((named if named and owner else region.file, region))

    def finish(self) -> None:
        """Add the spans and who saw what."""
        asked = without_channels(self.draft.options.layers)
        for layer in asked:
            if layer not in self.types:
                known = ", ".join(sorted(self.types)) or "none"
                raise SettingsError(f"there are no rows of type '{layer}'; there are {known}")
        for kind, count in sorted(self.types.items()):
            if kind not in self.layers:
                self.draft.note(FormatFact.ROWS_LEFT_OUT, count=count, type=kind)
        self._place_regions()
        self._spans()
        for regions in self.wanted.values():
            for task, spans in regions.items():
                one = self.draft.task(task)
                if task not in self.measured:
                    continue
                ends = [end for _, end in spans] + [int(span[2]) for span in one.spans]
                one.length = max(int(one.length or 0), *ends)
        for task in self.draft.tasks:
            for annotator in self.annotators:
                self._presence(annotator, task)

    def _place_regions(self) -> None:
        """Find the tasks that each region is of. Its channel counts where the regions of this
        recording tell its channels apart; otherwise it holds for all of them.
        """
        spoken: dict[str, set[str]] = {}
        for task in dict.fromkeys(task for turns in self.turns.values() for task, _ in turns):
            spoken.setdefault(split_channel(task)[0], set()).add(task)
        apart = {
            recording
            for regions in self.found.values()
            for recording, region in regions
            if region.channel and channel_id(recording, region.channel) in spoken.get(recording, ())
        }
        for owner, regions in self.found.items():
            wanted = self.wanted.setdefault(owner, {})
            for recording, region in regions:
                own = {channel_id(recording, region.channel)}
                several = spoken.get(recording, own)
                for task in own if region.channel and recording in apart else several:
                    wanted.setdefault(task, []).append((region.start, region.end))
                    if not region.open:
                        self.measured.add(task)

    def _spans(self) -> None:
        source = self.draft.options.category_from or "name"
        for annotator, turns in self.turns.items():
            for name, turn in turns:
                task = self.draft.task(name)
                regions = self._regions(annotator, name)
                parts: Sequence[tuple[int, int]] = [(turn.start, turn.end)]
                if regions is not None and turn.start < turn.end:
                    parts = list(_inside(turn.start, turn.end, regions))
                    if not parts:
                        self.draft.note(FormatFact.OUTSIDE_REGIONS, task=name)
                    elif parts != [(turn.start, turn.end)]:
                        self.draft.note(FormatFact.CUT_AT_REGIONS, task=name)
                for start, end in parts:
                    task.span(annotator, start, end, turn.field(source), turn.where)
                # An annotator who wrote a row was there, whatever is left of it.
                task.saw(annotator)

    def _regions(self, annotator: str, task: str) -> Spans | None:
        """The annotator's own regions before everybody's; None where there are none."""
        for owner in (annotator, ""):
            regions: Mapping[str, Spans] = self.wanted.get(owner, {})
            if task in regions:
                return regions[task]
        return None

    def _presence(self, annotator: str, name: str) -> None:
        task = self.draft.task(name)
        if annotator in task.presences:
            return
        if self._regions(annotator, name) is not None:
            task.saw(annotator)
        elif annotator in self.wanted:
            task.saw(annotator, Presence.UNSEEN)
        else:
            task.saw(annotator, self.draft.undecided)


def _inside(start: int, end: int, regions: Spans) -> Iterator[tuple[int, int]]:
    """The parts of a turn that are in the regions; regions that touch are one."""
    merged: Spans = []
    for first, last in sorted(regions):
        if merged and first <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    for first, last in merged:
        if max(start, first) < min(end, last):
            yield max(start, first), min(end, last)
