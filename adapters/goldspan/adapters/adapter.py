"""The adapter: what one file format has to offer, and the options of reading and writing."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from goldspan.engine.errors import InputError, MissingExtra, SettingsError
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import Corpus, Note

Paths: TypeAlias = Sequence[Path]
Notes: TypeAlias = Sequence[Note]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read; each format takes what it knows, the `Draft` does the rest.

    annotator_from      where annotators' names come from, in the format's own words
    category_from       where categories come from, in the format's own words
    task_from           where tasks' names come from, in formats that do not tell it themselves
    layers              which tiers, layers, span keys or control tags to read; none means all;
                        channel:N for one channel of recordings, where a format tells channels
    assignments         a table document,annotator,status that overrides what the files say
    exclude_annotators  names to leave out, in addition to names of merged versions
    include_annotators  names to keep although they look like a merged version
    trim                take white space off the edges of every span
    rename_labels       old category to new category
    swap                exchange start and end where the end comes first
    empty               what an annotation without spans proves; None leaves it to the format
    unlabelled          the category of spans that have none; None makes them an error
    labels              several labels on one span: a unit each ("split"), or one joined ("join")
    fragments           discontinuous spans: one unit over all ("hull"), or one each ("split")
    include_partial     count unfinished work as done
    include_predictions read machine predictions as annotators
    include_inferred    keep spans whose times no human placed
    leave_out_faulty    leave out tasks that cannot be read, with a note, instead of stopping; for
                        platforms, where one damaged task should not block the others
    losses              note what spans cannot hold and the corpus therefore lacks; converting
                        needs this
    adjudicated         read the settled version: ground truth where a task has one, and work that
                        began with our own suggestions, which is not independent, but may be right
    """

    annotator_from: str | None = None
    category_from: str | None = None
    task_from: str | None = None
    layers: tuple[str, ...] = ()
    assignments: Path | None = None
    exclude_annotators: tuple[str, ...] = ()
    include_annotators: tuple[str, ...] = ()
    trim: bool = False
    rename_labels: Mapping[str, str] = field(default_factory=dict)
    swap: bool = False
    empty: Literal["seen", "unseen"] | None = None
    unlabelled: str | None = None
    labels: Literal["split", "join"] = "split"
    fragments: Literal["hull", "split"] = "hull"
    include_partial: bool = False
    include_predictions: bool = False
    include_inferred: bool = False
    leave_out_faulty: bool = False
    losses: bool = False
    adjudicated: bool = False

    def __post_init__(self) -> None:
        if self.empty not in (None, "seen", "unseen"):
            raise SettingsError(f"empty is '{self.empty}'; it can be 'seen' or 'unseen'")
        if self.labels not in ("split", "join"):
            raise SettingsError(f"labels is '{self.labels}'; it can be 'split' or 'join'")
        if self.fragments not in ("hull", "split"):
            raise SettingsError(f"fragments is '{self.fragments}'; it can be 'hull' or 'split'")


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How to write.

    source        the files the value was read from, in the format that is written: writers take
                  from them what the model does not hold (tag names, tiers, configuration)
    annotator     the annotator's name for gold
    ground_truth  write gold as finished annotations instead of suggestions, where there are both
    replace       a folder that is not empty may be replaced, and so may a table beside a new file
    keep          files that were read, and that nothing may be written over
    """

    source: tuple[Path, ...] = ()
    annotator: str = "gold"
    ground_truth: bool = False
    replace: bool = False
    keep: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if not self.annotator.strip():
            raise SettingsError("the annotator's name for gold is empty; give one")


SETTLED = "ground truth, read as the settled version"
"""The note on a task whose ground truth was read, when the adjudicated version was asked for."""


Options = TypeVar("Options", ReadOptions, WriteOptions)


class Adapter:
    """One file format. A subclass names itself and fills in what it can do.

    The class attributes are shown by `goldspan formats`; `extra` is the optional part of goldspan
    that reading or writing needs, `holds_scale` whether written files keep the order of the
    categories, `ignores` which of the options `layers` and `category_from` mean nothing in the
    format, `takes` whether it understands `task_from`, which few formats need. A module imports its
    extra inside the function that needs it (see `require`), so that listing formats stays quick.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    annotators: ClassVar[str]
    presence: ClassVar[str]
    reads: ClassVar[bool] = True
    writes: ClassVar[bool] = True
    extra: ClassVar[str] = ""
    holds_scale: ClassVar[bool] = True
    ignores: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[tuple[str, ...]] = ()

    def sniff(self, path: Path) -> bool:
        """Whether the content is of this format, judged from its head; never raises for content."""
        del path
        return False

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """The corpus in the files or folders."""
        del paths, options
        raise SettingsError(f"the format '{self.name}' cannot be read")

    def check(self, path: Path, *, gold: bool) -> None:
        """Refuse a place that a corpus, or gold, cannot be written to; asked before the work."""
        del path, gold

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """Write to a file or folder, all or nothing. Returns what a person should know: files
        written in addition to `path`, and what the format could not hold.
        """
        del value, path, options
        raise SettingsError(f"the format '{self.name}' cannot be written")


def read_with(adapter: Adapter, paths: Paths, options: ReadOptions) -> Corpus:
    """Read, after the checks that are the same for all formats."""
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file or folder", where=str(path))
    if not adapter.reads:
        raise SettingsError(f"the format '{adapter.name}' can be written but not read")
    for name, said in (
        ("layers", "--layer"), ("category_from", "--category-from"), ("task_from", "--task-from")
    ):  # fmt: skip
        unknown = name in adapter.ignores or (name == "task_from" and name not in adapter.takes)
        if getattr(options, name) and unknown:
            raise SettingsError(
                f"{said} does not apply to the format '{adapter.name}'; leave it out"
            )
    corpus = adapter.read(paths, options)
    # Where tasks were there and none is left, the notes say why.
    if not corpus.continua and not any(note.task for note in corpus.notes):
        raise InputError(
            "there is no task in it; check the export, and --from", where=str(paths[0])
        )
    return corpus


def write_with(
    adapter: Adapter, value: Corpus | Gold, path: Path, options: WriteOptions
) -> tuple[Note, ...]:
    """Write, and also note what the adapter declares that its format cannot hold."""
    adapter.check(path, gold=isinstance(value, Gold))
    try:
        notes = tuple(adapter.write(value, path, options))
    except UnicodeEncodeError as error:
        raise InputError(
            f"a name, label or text holds half a surrogate pair ({error.object[error.start]!a}), "
            f"which {adapter.name} cannot hold; correct it in the input",
            where=str(path),
        ) from error
    if isinstance(value, Corpus) and value.scale and not adapter.holds_scale:
        notes += (Note(f"the order of the categories is not kept by {adapter.name}"),)
    return notes


def require(module: str, *, feature: str, extra: str) -> ModuleType:
    """The optional module, or an error that names the extra to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(feature, extra) from error


def read_options(**given: Any) -> ReadOptions:
    """Options from keyword arguments; an unknown one lists the known."""
    for name in ("layers", "exclude_annotators", "include_annotators"):
        if name in given:
            one = isinstance(given[name], str)
            given[name] = (given[name],) if one else tuple(given[name])
    if given.get("assignments") is not None:
        given["assignments"] = Path(given["assignments"])
    return _build(ReadOptions, given)


def write_options(**given: Any) -> WriteOptions:
    """Options from keyword arguments; an unknown one lists the known."""
    for name in ("source", "keep"):
        if name in given:
            one = isinstance(given[name], (str, os.PathLike))
            given[name] = tuple(map(Path, (given[name],) if one else given[name]))
    return _build(WriteOptions, given)


def _build(kind: type[Options], given: Mapping[str, Any]) -> Options:
    known = tuple(one.name for one in fields(kind))
    for name in given:
        if name not in known:
            raise SettingsError(f"there is no option '{name}'; there are {', '.join(known)}")
    return kind(**given)
