"""Reading TextGrids: whose tiers they are, and which intervals say something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import Naming
from goldspan.adapters.kit.rules.file_layout import usual_source
from goldspan.adapters.kit.standoff import mark_files
from goldspan.adapters.kit.tiers import DEFAULT, TierNaming, chosen, kind_of
from goldspan.adapters.kit.times import milliseconds
from goldspan.adapters.textgrid.document import TextGrid, Tier, read_textgrid
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Measure, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions

SUFFIX = ".TextGrid"
MORE = re.compile(r"(.+) \[\d+\]", re.DOTALL)
"""A further tier of the same annotator, for spans that overlap: `ann`, `ann [2]`."""

WORDS = (
    "tier (a tier each), 'tier:{layer}@{annotator}' (a pattern for tier names), file, dir, or a "
    "pattern for paths such as '{annotator}/{task}.TextGrid'"
)


def read_textgrids(paths: Paths, options: ReadOptions) -> Corpus:
    """Every interval with a label a unit; points have no length and are dropped, with a note."""
    files = [file for given in paths for file in mark_files(given, SUFFIX)]
    if not files:
        raise InputError(f"there is no {SUFFIX} file here", where=str(paths[0]))
    if options.category_from not in (None, "label", "tier"):
        raise SettingsError(
            f"--category-from '{options.category_from}' is not valid here; it can be label or tier"
        )
    draft = Draft(options, measure=Measure.MILLISECOND)
    reading = _Reading(draft, _Whose.of(options.annotator_from, files))
    for file in files:
        reading.read(file)
    reading.finish()
    return draft.corpus()


@dataclass(frozen=True, slots=True)
class _Whose:
    """Where annotators' names come from; one of the two is set."""

    tiers: TierNaming | None = None
    files: Naming | None = None

    @classmethod
    def of(cls, source: str | None, files: Sequence[Path]) -> _Whose:
        if source is None:
            raise InputError(
                f"a TextGrid does not say who made it; use --annotator-from: {WORDS}",
                where=str(files[0]),
                remedy=("--annotator-from", usual_source(files)),
            )
        if source == "tier" or source.startswith("tier:"):
            return cls(
                tiers=TierNaming(source.removeprefix("tier").removeprefix(":") or "{annotator}")
            )
        if source in ("file", "dir") or "{" in source:
            return cls(files=Naming(source))
        raise SettingsError(f"--annotator-from '{source}' is not valid here; it can be {WORDS}")

    def read(self, tier: str, others: set[str], path: Path) -> tuple[str, str] | None:
        """The annotator and the name of the layer; None for a tier that is nobody's."""
        more = MORE.fullmatch(tier)
        if more is not None and more[1] in others:
            tier = more[1]
        if self.files is not None:
            return self.files.read(path.resolve())[0], tier
        return self.tiers.read(tier) if self.tiers is not None else None

    def task(self, path: Path) -> str:
        if self.files is None:
            return path.stem
        return self.files.read(path.resolve())[1] or path.resolve().parent.name


@dataclass(slots=True)
class _Reading:
    """One reading of many files, with what has to be known of all of them at the end."""

    draft: Draft
    whose: _Whose
    known: dict[str, None] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    nobodys: dict[str, None] = field(default_factory=dict)
    read_from: dict[tuple[str, str], Path] = field(default_factory=dict)

    def read(self, path: Path) -> None:
        """Add the spans of one file."""
        grid = read_textgrid(path)
        name = self.whose.task(path)
        task = self.draft.task(name)
        if not grid.open:
            task.length = max(task.length or 0, milliseconds(grid.end))
        begun = any(entry.label.strip() for tier in grid.tiers for entry in tier.entries)
        for tier, annotator, layer in self._tiers(grid, path):
            if self.whose.files is not None and (name, annotator) not in self.read_from:
                self.draft.read_from(path, annotator, name)
            other = self.read_from.setdefault((name, annotator), path)
            if other != path:
                raise InputError(
                    f"'{annotator}' has tiers for '{name}' here and in {other}; tell them apart "
                    "with --annotator-from and a pattern such as {annotator}/{task}.TextGrid",
                    where=str(path),
                )
            task.saw(annotator, Presence.DONE if begun else self._template(name))
            by_tier = self.draft.options.category_from == "tier"
            marked = sum(bool(entry.label.strip()) for entry in tier.entries)
            self.draft.of_kind(annotator, kind_of(layer, annotator), marked)
            for start, end, label, line in tier.entries:
                if label.strip():
                    category = layer if by_tier else label
                    where = f"{path}:{line}"
                    task.span(annotator, milliseconds(start), milliseconds(end), category, where)
                elif label:
                    self.draft.note(FormatFact.BLANK_LABELS, task=name)

    def finish(self) -> None:
        """Note what was left out, and complete the table of who saw what."""
        tiers = ", ".join(f"'{name}'" for name in self.known) or "none"
        for layer in self.draft.options.layers:
            if not chosen((layer,), self.names):
                raise SettingsError(f"there is no tier '{layer}'; there are {tiers}")
        if not self.read_from:
            raise InputError(f"no tier can be read by --annotator-from; there are {tiers}")
        if self.nobodys:
            shown = ", ".join(f"'{name}'" for name in self.nobodys)
            self.draft.note(FormatFact.NO_ANNOTATOR_TIERS, tiers=shown)
        everyone = {annotator for _, annotator in self.read_from}
        for task in self.draft.tasks.values():
            for name in everyone.difference(task.presences):
                task.saw(name, Presence.UNSEEN)

    def _tiers(self, grid: TextGrid, path: Path) -> Iterator[tuple[Tier, str, str]]:
        """The tiers to read, each with its annotator and layer; names are padded at times."""
        names = {tier.name.strip() for tier in grid.tiers}
        for tier in grid.tiers:
            name = tier.name.strip()
            self.known[name] = None
            empty = not any(entry.label.strip() for entry in tier.entries)
            found = self.whose.read(name, names, path)
            answers = {name, found[1], kind_of(found[1], found[0])} if found else {name}
            self.names |= answers
            if not chosen(self.draft.options.layers, answers):
                continue
            if found is None or (self.whose.files is None and name.casefold() == DEFAULT and empty):
                self.nobodys[name] = None
                continue
            yield tier, *found

    def _template(self, task: str) -> Presence:
        if self.draft.options.empty == "seen":
            return Presence.DONE
        self.draft.note(FormatFact.UNUSED_TIERS, task=task)
        return Presence.UNSEEN
