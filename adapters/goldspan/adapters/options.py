"""Options of reading and writing, as values."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeVar

from goldspan.engine.errors import SettingsError


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read; each format takes what it knows, the `Draft` does the rest.

    annotator_from      where annotators' names come from, in the format's own words
    category_from       where categories come from, in the format's own words
    task_from           where tasks' names come from, in formats that do not tell it themselves
    layers              which tiers, layers, span keys or control tags to read; none means all;
                        channel:N for one channel of recordings, where a format tells channels
    assignments         a table document,annotator,status that overrides what the files say
    exclude_annotators  names to leave out, besides those that look like a merged version
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
                        platforms, where one spoiled task should not keep the others waiting
    losses              tell what spans do not hold and the corpus therefore lacks, for who writes
                        it elsewhere
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
    annotator     the name gold goes by
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
            raise SettingsError("the annotator that gold goes by has no name; give one")


Options = TypeVar("Options", ReadOptions, WriteOptions)


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
