"""The continuum model: units, continua and corpora, as frozen values.

An impossible value cannot be built: every constructor checks, and says what to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter, lt
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from goldspan.engine.errors import InputError

if TYPE_CHECKING:
    from goldspan.engine.facts import Note

Position: TypeAlias = int | float
"""A place on a continuum, in the continuum's own measure."""

FIRST, LAST = -(2**53), 2**53
"""Where positions begin and end: as far as floats tell whole numbers apart."""

SHORTEST = 1e-9
"""How long a unit is at least; less is what is left of rounding, and no place on a continuum."""

FIRST_CHANNEL = "1"
CHANNEL = re.compile(r"(.+) \[channel (.+)\]", re.DOTALL)


def channel_id(recording: str, channel: str) -> str:
    """The id of the task that is one channel of a recording. The first channel ("1", or "") has the
    id of the recording, so that a task has one id in all files, whatever else they hold.
    """
    first = channel in ("", FIRST_CHANNEL)
    return recording if first else f"{recording} [channel {channel}]"


def split_channel(task: str) -> tuple[str, str]:
    """The recording and the channel that a task's id names; "" for an id that names none."""
    found = CHANNEL.fullmatch(task)
    return (found[1], found[2]) if found and found[2] != FIRST_CHANNEL else (task, "")


class Presence(str, Enum):
    """What is known of one annotator and one task.

    An annotator who saw a task and marked nothing counts; one who never saw it does not.
    """

    DONE = "done"
    EMPTY = "empty"
    PARTIAL = "partial"
    SKIPPED = "skipped"
    UNSEEN = "unseen"
    UNKNOWN = "unknown"

    @property
    def takes_part(self) -> bool:
        """Whether the annotator counts in the task's agreement."""
        return self in _TAKE_PART

    def __str__(self) -> str:
        return self.value


_TAKE_PART = (Presence.DONE, Presence.EMPTY)


class Measure(str, Enum):
    """What one step on the continuum is."""

    CHARACTER = "character"
    MILLISECOND = "millisecond"
    FRAME = "frame"
    TOKEN = "token"  # noqa: S105 - a piece of text, not a secret
    STEP = "step"

    @property
    def is_text(self) -> bool:
        return self in (Measure.CHARACTER, Measure.TOKEN)

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """A span that one annotator marked: the half-open interval [start, end), and its category.

    Positions go from -2**53 to 2**53, and the end is 1e-9 or more behind the start. `source` says
    where it was read (a region id, a line). `fragments` are the parts of a span with gaps, each a
    half-open interval, from the start to the end; () is a span without gaps. Neither takes part in
    comparisons.
    """

    annotator: str
    start: Position
    end: Position
    category: str
    source: str = field(default="", compare=False)
    fragments: tuple[tuple[Position, Position], ...] = field(default=(), compare=False)

    def __init__(
        self,
        annotator: str,
        start: Position,
        end: Position,
        category: str,
        source: str = "",
        fragments: tuple[tuple[Position, Position], ...] = (),
    ) -> None:
        # The slots' own setters take half the time of what dataclass would write, which searches
        # for each by name; a corpus has hundreds of thousands of units.
        set_annotator, set_start, set_end, set_category, set_source, set_fragments = _SETTERS
        set_annotator(self, annotator)
        set_start(self, start)
        set_end(self, end)
        set_category(self, category)
        set_source(self, source)
        set_fragments(self, fragments)
        if fragments and not _in_a_row(fragments, start, end):
            raise InputError(
                f"the unit {self._span()} has fragments that do not go from its start to its end "
                "in order; correct them"
            )
        if not (
            annotator and category and FIRST <= start < end <= LAST and end - start >= SHORTEST
        ):
            raise InputError(f"the unit {self._span()} {self._fault()}")

    def _fault(self) -> str:
        if not self.annotator:
            return "has no annotator; name one"
        if not self.category:
            return "has no category; give it one"
        if not all(FIRST <= position <= LAST for position in (self.start, self.end)):
            return "has a position that is not a finite number within 2**53 of 0; correct it"
        if self.end == self.start:
            return "has no length; drop it, or give it an end"
        if self.start < self.end:
            return f"is shorter than {SHORTEST}; drop it, or count in smaller steps"
        return "ends before it starts; swap its positions"

    def _span(self) -> str:
        return f"[{self.start}, {self.end}) '{self.category}' by '{self.annotator}'"

    @property
    def length(self) -> Position:
        return self.end - self.start


def _in_a_row(
    fragments: tuple[tuple[Position, Position], ...], start: Position, end: Position
) -> bool:
    """Whether they go from the start to the end, each with a length, with gaps between them."""
    edges = [edge for fragment in fragments for edge in fragment]
    in_order = all(one < other for one, other in pairwise(edges))
    return len(fragments) > 1 and (edges[0], edges[-1]) == (start, end) and in_order


_SETTERS = tuple(vars(Unit)[name].__set__ for name in Unit.__slots__)
_COMPARED = attrgetter("annotator", "start", "end", "category")
"""What units are compared by."""
_read_only = lru_cache(maxsize=1024)(lambda states: MappingProxyType(dict(states)))
"""One mapping for all tasks with the same annotators, which most tasks of a corpus have."""


@dataclass(frozen=True, slots=True)
class Continuum:
    """One task: a text, recording or video, and what each annotator did with it.

    `units` are kept sorted. `presence` names every annotator concerned; annotators with units
    need not be given (they are `done`). `length` is in the continuum's measure and is taken from
    `text` when it is not given; without either, the continuum reaches from the first unit's start
    to the last unit's end. `media` refers to a recording, it is never opened.
    """

    id: str
    units: tuple[Unit, ...] = ()
    presence: Mapping[str, Presence] = field(default_factory=dict, hash=False)
    length: Position | None = None
    measure: Measure = Measure.CHARACTER
    text: str | None = None
    media: str | None = None

    def __post_init__(self) -> None:
        where = f"task '{self.id}'"
        if not self.id:
            raise InputError("a task has no id; give each task its own")
        length = self.length
        if length is None and self.text is not None and self.measure is Measure.CHARACTER:
            length = len(self.text)
        if length is not None and not 0 <= length <= LAST:
            raise InputError(f"the length {length} is not a number from 0 to 2**53", where=where)
        units = _in_order(self.units, where)
        if length is not None:
            _check_bounds(units, length, where)
        object.__setattr__(self, "length", length)
        object.__setattr__(self, "units", units)
        object.__setattr__(self, "presence", _complete_presence(units, self.presence, where))

    def __reduce__(self) -> tuple[object, ...]:
        # A read-only mapping cannot be pickled, and continua travel to other processes.
        return Continuum, (self.id, self.units, dict(self.presence), self.length, self.measure,
                           self.text, self.media)  # fmt: skip

    @property
    def annotators(self) -> tuple[str, ...]:
        """Those who take part: done, or seen and left empty. Sorted by name."""
        return tuple([name for name, state in self.presence.items() if state in _TAKE_PART])

    @property
    def recording(self) -> str:
        """The id of the recording that the task is a channel of; the task's own id if it is all."""
        return self.id if self.measure.is_text else split_channel(self.id)[0]

    @property
    def channel(self) -> str:
        """The channel of the recording that the task is; "" for the first, and for all of it."""
        return "" if self.measure.is_text else split_channel(self.id)[1]

    @property
    def bounds(self) -> tuple[Position, Position]:
        """Where the continuum starts and ends; (0, 0) when nothing is known of it."""
        if self.length is not None:
            return 0, self.length
        if not self.units:
            return 0, 0
        return min(u.start for u in self.units), max(u.end for u in self.units)

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(sorted({u.category for u in self.units}))

    def of(self, annotator: str) -> tuple[Unit, ...]:
        """The units of one annotator, sorted."""
        return tuple(u for u in self.units if u.annotator == annotator)

    def only(self, annotators: Iterable[str]) -> Continuum:
        """The same task as if just these annotators had worked on it."""
        kept = frozenset(annotators)
        units = tuple(u for u in self.units if u.annotator in kept)
        states = {name: state for name, state in self.presence.items() if name in kept}
        return replace(self, units=units, presence=states)

    def without_text(self) -> Continuum:
        """The same task without its text; its length stays, so that no figure changes."""
        return self if self.text is None else replace(self, text=None)

    def labelled(
        self,
        labels: Iterable[tuple[str, str, str]],
        presence: Mapping[str, Presence] | None = None,
    ) -> Continuum:
        """The same task with labels of the whole instead of units: each (annotator, label, source)
        becomes a unit from the start to the end. A task without a known length is 1 long. Of a
        channel, the whole is the recording.

        An annotator who did the task and gave no label has left it empty; `presence` may say
        otherwise.
        """
        length = self.length or 1
        units = tuple(Unit(name, 0, length, label, source) for name, label, source in labels)
        states = {
            name: Presence.DONE if state is Presence.EMPTY else state
            for name, state in (self.presence if presence is None else presence).items()
        }
        return replace(self, id=self.recording, units=units, presence=states, length=length)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The continua of one annotation effort, all with the same set of categories.

    A corpus is a collection of its continua: `for continuum in corpus`, `len(corpus)`. A task's id
    finds its continuum, `corpus[id]`, and `id in corpus` says whether there is one.

    `scale` is the order of the labelling scheme's categories, where one is known; it may name
    categories that nobody used. `notes` are the reader's remarks.

    `layers` are the labels that annotators gave to whole tasks, by the name of what they answered:
    each is a corpus of the same tasks, whose units go from the start of a task to its end. Several
    labels of one annotator are a set. The channels of a recording are one task there.
    """

    continua: tuple[Continuum, ...]
    scale: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    layers: Mapping[str, Corpus] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", MappingProxyType(dict(self.layers)))
        for name, layer in self.layers.items():
            _check_layer(name, layer)
        seen: set[str] = set()
        for continuum in self.continua:
            if continuum.id in seen:
                raise InputError(f"two tasks have the id '{continuum.id}'; rename one")
            seen.add(continuum.id)

    def __reduce__(self) -> tuple[object, ...]:
        # A read-only mapping cannot be pickled.
        return Corpus, (self.continua, self.scale, self.notes, dict(self.layers))

    def without_texts(self) -> Corpus:
        """The same corpus without any text, for data that must not be shown."""
        layers = {name: layer.without_texts() for name, layer in self.layers.items()}
        return replace(
            self, continua=tuple(one.without_text() for one in self.continua), layers=layers
        )

    @property
    def annotators(self) -> tuple[str, ...]:
        """All names that occur, whether they took part or not; sorted."""
        return tuple(sorted({name for c in self.continua for name in c.presence}))

    @property
    def categories(self) -> tuple[str, ...]:
        """The scale first, then what else was used, sorted."""
        used = {u.category for c in self.continua for u in c.units}
        return (*self.scale, *sorted(used.difference(self.scale)))

    def __getitem__(self, task: str) -> Continuum:
        for continuum in self.continua:
            if continuum.id == task:
                return continuum
        raise KeyError(task)

    def __iter__(self) -> Iterator[Continuum]:
        return iter(self.continua)

    def __len__(self) -> int:
        return len(self.continua)

    def __contains__(self, task: object) -> bool:
        """Whether there is a task of this id, or this very continuum."""
        return any(task in (continuum.id, continuum) for continuum in self.continua)

    def _repr_html_(self) -> str:
        from goldspan.engine.notebook import corpus_html  # noqa: PLC0415 - for notebooks alone

        return corpus_html(self)


def _check_layer(name: str, layer: Corpus) -> None:
    if not name:
        raise InputError("a layer of labels has no name; give it one")
    if layer.layers:
        raise InputError(f"the layer '{name}' has layers itself; put them beside it")
    for continuum in layer.continua:
        for unit in continuum.units:
            if unit.start != 0 or unit.end != continuum.length:
                said = f"the unit {unit._span()} of the layer '{name}' is not over the whole task"
                remedy = "units of places belong to the corpus itself"
                raise InputError(f"{said}; {remedy}", where=f"task '{continuum.id}'")


def _in_order(units: Iterable[Unit], where: str) -> tuple[Unit, ...]:
    """The units sorted, none of them twice."""
    # Compared as plain tuples, several times as fast as units; readers hand them over sorted.
    keys = list(map(_COMPARED, ordered := tuple(units)))
    if all(map(lt, keys, keys[1:])):
        return ordered
    ordered = tuple(sorted(ordered, key=_COMPARED))
    for one, other in pairwise(ordered):
        if one == other:
            raise InputError(f"the unit {one._span()} stands twice; keep one", where=where)
    return ordered


def _check_bounds(units: Iterable[Unit], length: Position, where: str) -> None:
    for unit in units:
        if unit.start < 0 or unit.end > length:
            said = f"the unit {unit._span()} is outside the continuum [0, {length})"
            raise InputError(f"{said}; correct its positions or the length", where=where)


def _complete_presence(
    units: Iterable[Unit], given: Mapping[str, Presence], where: str
) -> Mapping[str, Presence]:
    done, empty = Presence.DONE, Presence.EMPTY
    busy = {unit.annotator for unit in units}
    complete = dict.fromkeys(busy, done)
    for name, told in given.items():
        state = told if told.__class__ is Presence else Presence(told)
        if not name:
            raise InputError("an annotator has no name; give one", where=where)
        if state is empty and name in busy:
            count = sum(unit.annotator == name for unit in units)
            said = f"'{name}' is said to have marked nothing but has {count} units"
            raise InputError(f"{said}; call the presence done", where=where)
        # Done without a unit is what empty means; one word for one thing.
        complete[name] = empty if state is done and name not in busy else state
    return _read_only(tuple(sorted(complete.items())))
