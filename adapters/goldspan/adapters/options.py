"""Options of reading and writing: those that every format shares, and those that it declares."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from goldspan.engine.errors import SettingsError

Kind: TypeAlias = type[str] | type[int] | type[float] | type[bool] | type[Path]

OPTION_KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "True or False",
         Path: "a path"}  # fmt: skip
"""What the value of an option can be, in words."""

Value = TypeVar("Value", bound="str | float | Path | None")


@dataclass(frozen=True, slots=True)
class Option(Generic[Value]):
    """An option of a format's own, declared beside its adapter.

    name     the keyword of `read` or `write`; on the command line --name, with hyphens
    help     what it does, in a few words
    default  what holds if the option is not given
    kind     str, int, float, Path, or bool for a flag
    choices  the values that it can have; none means any
    metavar  what --help shows in place of the value
    """

    name: str
    help: str
    default: Value
    kind: Kind = str
    choices: tuple[str, ...] = ()
    metavar: str = "VALUE"

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", self.name):
            raise SettingsError(f"'{self.name}' cannot be an option; write it like_this")
        if self.kind not in OPTION_KINDS:
            raise SettingsError(
                f"the kind of the option '{self.name}' can be str, int, float, bool or Path"
            )
        if self.kind is bool and self.default is not False:
            raise SettingsError(f"the option '{self.name}' is a flag; its default is False")

    @property
    def flag(self) -> str:
        """How the command line says it."""
        return as_flag(self.name)

    def of(self, options: ReadOptions | WriteOptions) -> Value:
        """The value among the options that a reader or writer got."""
        value: Value = options.own.get(self.name, self.default)
        return value

    def given(self, options: Options, value: str | float | Path) -> Options:
        """The same options with another value of this one."""
        return replace(options, own={**options.own, self.name: value})

    def checked(self, value: object) -> object:
        """The value as this option has it; an error where it cannot be one."""
        if self.kind is Path and isinstance(value, str):
            value = Path(value)
        if self.kind is float and type(value) is int:
            value = float(value)
        fits = isinstance(value, self.kind) and isinstance(value, bool) == (self.kind is bool)
        if self.choices and value not in self.choices:
            known = " or ".join(f"'{one}'" for one in self.choices)
            raise SettingsError(f"{self.name} is '{value}'; it can be {known}")
        if isinstance(value, str) and not value.strip():
            raise SettingsError(f"{as_flag(self.name)} is blank; give it a value, or leave it out")
        if not fits:
            raise SettingsError(f"{self.name} is {value!r}; it should be {OPTION_KINDS[self.kind]}")
        return value


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read; each format takes what it knows, the `Draft` does the rest.

    annotator_from      where annotators' names come from, in the format's own words
    category_from       where categories come from, in the format's own words
    layers              which tiers, layers, span keys or control tags to read; none means all;
                        channel:N for one channel of recordings, in formats that have channels
    assignments         a table document,annotator,status that overrides what the files say; an
                        annotator whom it does not list for a task, and who marked nothing there,
                        has not seen it
    exclude_annotators  names to leave out, in addition to names of merged versions
    include_annotators  names to keep although they look like a merged version
    exclude_labels      labels whose spans are left out, by their new names if they are renamed
    exclude_tasks       tasks that are left out
    trim                remove white space at the edges of every span
    rename_labels       old category to new category
    swap                exchange start and end where the end comes first
    empty               what an annotation without spans proves; None leaves it to the format
    unlabelled          the category of spans that have none, or "drop" to leave them out; None
                        leaves out up to 5 % of all spans, and makes more an error
    labels              several labels on one span: a unit each ("split"), or one joined ("join")
    join_touching       make one unit of units of one annotator and category that touch
    include_partial     count unfinished work as done
    leave_out_faulty    leave out tasks that cannot be read, with a note, instead of stopping; for
                        platforms, where one damaged task should not block the others
    losses              note what spans cannot hold and the corpus therefore lacks; converting
                        needs this
    no_text             read no texts: positions and lengths stay; nothing that is written or said
                        quotes the data
    adjudicated         read the settled version: ground truth where a task has one, and work that
                        began with our own suggestions, which is not independent, but may be right
    own                 values of the options that the format declares itself, by name
    """

    annotator_from: str | None = None
    category_from: str | None = None
    layers: tuple[str, ...] = ()
    assignments: Path | None = None
    exclude_annotators: tuple[str, ...] = ()
    include_annotators: tuple[str, ...] = ()
    exclude_labels: tuple[str, ...] = ()
    exclude_tasks: tuple[str, ...] = ()
    trim: bool = False
    rename_labels: Mapping[str, str] = field(default_factory=dict)
    swap: bool = False
    empty: Literal["seen", "unseen"] | None = None
    unlabelled: str | None = None
    labels: Literal["split", "join"] = "split"
    join_touching: bool = False
    include_partial: bool = False
    leave_out_faulty: bool = False
    losses: bool = False
    no_text: bool = False
    adjudicated: bool = False
    own: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.empty not in (None, "seen", "unseen"):
            raise SettingsError(f"empty is '{self.empty}'; it can be 'seen' or 'unseen'")
        if self.labels not in ("split", "join"):
            raise SettingsError(f"labels is '{self.labels}'; it can be 'split' or 'join'")
        if self.unlabelled is not None and not self.unlabelled.strip():
            raise SettingsError("--unlabelled is blank; name a label, or say drop")
        if not all(layer.strip() for layer in self.layers):
            raise SettingsError("--layer is blank; name a layer, or leave it out")


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How to write.

    source        the files the value was read from, in the format that is written: writers take
                  from them what the model does not hold (tag names, tiers, configuration)
    annotator     the annotator's name for gold
    replace       a folder that is not empty may be replaced, and so may a table beside a new file
    keep          files that were read, and that nothing may be written over
    own           values of the options that the format declares itself, by name
    """

    source: tuple[Path, ...] = ()
    annotator: str = "gold"
    replace: bool = False
    keep: tuple[Path, ...] = ()
    own: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.annotator.strip():
            raise SettingsError("the annotator's name for gold is empty; give one")


GROUND_TRUTH = Option(
    "ground_truth",
    "write gold as finished annotations, not as suggestions",
    default=False,
    kind=bool,
)
"""Of formats that have both; declared by several."""

FRAGMENTS = Option(
    "fragments",
    "discontinuous spans: one unit over all fragments, or one for each",
    default="hull",
    choices=("hull", "split"),
)
"""Of formats that have spans with gaps; declared by several."""

LISTS = (
    "layers", "exclude_annotators", "include_annotators", "exclude_labels", "exclude_tasks",
)  # fmt: skip
"""Options of reading that take several names, or one."""

Options = TypeVar("Options", ReadOptions, WriteOptions)


def read_options(declared: Iterable[Option[Any]] = (), /, **given: Any) -> ReadOptions:
    """Options from keyword arguments, also of the declared ones; an unknown one lists the known."""
    for name in LISTS:
        if name in given:
            one = isinstance(given[name], str)
            given[name] = (given[name],) if one else tuple(given[name])
    if given.get("assignments") is not None:
        given["assignments"] = Path(given["assignments"])
    return _build(ReadOptions, declared, given)


def write_options(declared: Iterable[Option[Any]] = (), /, **given: Any) -> WriteOptions:
    """Options from keyword arguments, also of the declared ones; an unknown one lists the known."""
    for name in ("source", "keep"):
        if name in given:
            one = isinstance(given[name], (str, os.PathLike))
            given[name] = tuple(map(Path, (given[name],) if one else given[name]))
    return _build(WriteOptions, declared, given)


def own_options(
    format: str, declared: Iterable[Option[Any]], own: Mapping[str, Any]
) -> dict[str, Any]:
    """The values that a format gets for its own options, each checked by its declaration.

    One that the format does not declare is refused, unless it is None or False: not given.
    """
    known = {option.name: option for option in declared}
    for name, value in own.items():
        if name not in known and value is not None and value is not False:
            raise SettingsError(
                f"{as_flag(name)} does not apply to the format '{format}'; leave it out"
            )
    return {
        name: known[name].checked(value)
        for name, value in own.items()
        if name in known and value is not None
    }


def as_flag(name: str) -> str:
    """How the command line says the option of this name."""
    return f"--{name.replace('_', '-')}"


def shared_names(kind: type[ReadOptions | WriteOptions]) -> tuple[str, ...]:
    """The names of the options that every format has."""
    return tuple(one.name for one in fields(kind) if one.name != "own")


def _build(
    kind: type[Options], declared: Iterable[Option[Any]], given: Mapping[str, Any]
) -> Options:
    shared: tuple[str, ...] = shared_names(kind)
    known = (*shared, *dict.fromkeys(option.name for option in declared))
    for name in given:
        if name not in known:
            raise SettingsError(f"there is no option '{name}'; there are {', '.join(known)}")
    own = {name: value for name, value in given.items() if name not in shared}
    return kind(**{name: given[name] for name in given if name in shared}, own=own)
