"""The draft of one task: what a reader collects of it, before any check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from goldspan.adapters.kit.rules.fragments import Parts, fitted, moved
from goldspan.adapters.kit.rules.presence import WORK
from goldspan.engine.errors import InputError
from goldspan.engine.model import (
    FIRST_CHANNEL,
    Measure,
    Position,
    Presence,
    channel_id,
    split_channel,
)

DraftSpan: TypeAlias = tuple[str, Position, Position, str, str]
"""Annotator, start, end, category and source as they were read, before any check.

A plain tuple: a large export has hundreds of thousands, and the garbage collector soon leaves
tuples of texts and numbers alone.
"""


Gapped: TypeAlias = tuple[str, Position, Position, str]
"""Annotator, start, end and source of a span with gaps."""

Label: TypeAlias = tuple[str, str, str]
"""Annotator, label and source of a label of the whole task."""


class TaskDraft:
    """One task while it is read: spans, presences and each annotator's text.

    `where` is said before a span's own source in errors; a reader that gives complete sources
    (a file and line) leaves it empty. `text`, `media`, `length` and `measure` may be set freely.
    `others` are the channels that a recording has beside its first, each a task by itself;
    `fragments` are the parts of spans with gaps, by annotator, start, end and source.
    """

    __slots__ = (
        "fragments", "id", "labels", "length", "measure", "media", "others", "presences", "spans",
        "text", "texts", "where",
    )  # fmt: skip

    def __init__(self, task: str, where: str, measure: Measure) -> None:
        self.id = task
        self.where = where
        self.measure = measure
        self.length: Position | None = None
        self.media: str | None = None
        self.text: str | None = None
        self.spans: list[DraftSpan] = []
        self.presences: dict[str, Presence] = {}
        self.texts: dict[str, str] = {}
        self.others: dict[str, TaskDraft] = {}
        self.labels: dict[str, list[Label]] = {}
        self.fragments: dict[Gapped, Parts] = {}

    def span(
        self,
        annotator: str,
        start: Position,
        end: Position,
        category: str,
        source: str = "",
    ) -> None:
        """Add a span; its annotator has done the task unless `saw` says otherwise."""
        self.spans.append((annotator, start, end, category, source))

    def span_with_gaps(self, annotator: str, parts: Parts, category: str, source: str = "") -> None:
        """Add a span of several parts, in order; it goes from the first to the last."""
        start, end = parts[0][0], parts[-1][1]
        self.span(annotator, start, end, category, source)
        if len(parts) > 1:
            self.fragments.setdefault((annotator, start, end, source), tuple(parts))

    def parts(self, annotator: str, start: Position, end: Position, source: str) -> Parts:
        """The parts of a span, which may have been cut at its edges; () if it has no gaps."""
        if not self.fragments:
            return ()
        found = self.fragments.get((annotator, start, end, source))
        if found is not None:
            return found
        for (name, first, last, place), parts in self.fragments.items():
            if (name, place) == (annotator, source) and first <= start and end <= last:
                return fitted(parts, start, end)
        return ()

    def move_fragments(self, move: Callable[[str, Position], Position]) -> None:
        """Count the positions of all parts in another way, by annotator."""
        self.fragments = {
            (name, move(name, start), move(name, end), source): moved(parts, partial(move, name))
            for (name, start, end, source), parts in self.fragments.items()
        }

    def label(self, layer: str, annotator: str, label: str, source: str = "") -> None:
        """Add a label of the whole task; several of one annotator are a set."""
        if not annotator or not label:
            missing = "label" if annotator else "annotator"
            raise InputError(
                f"a label of the whole task has no {missing}; name one", where=self.place(source)
            )
        self.labels.setdefault(layer, []).append((annotator, label, source))

    @property
    def labellers(self) -> set[str]:
        """The annotators who gave the task a label."""
        return {name for labels in self.labels.values() for name, _, _ in labels}

    @property
    def recording(self) -> str:
        """The recording that the task is a channel of; the task itself if it is all of it."""
        return self.id if self.measure.is_text else split_channel(self.id)[0]

    @property
    def channel(self) -> str:
        """The channel of the recording that the task is."""
        channel = "" if self.measure.is_text else split_channel(self.id)[1]
        return channel or FIRST_CHANNEL

    def on_channel(self, channel: str) -> TaskDraft:
        """Where spans on this channel of the recording go; presences and labels belong to the
        recording.
        """
        name = channel_id(self.id, channel)
        if name == self.id:
            return self
        if name not in self.others:
            self.others[name] = TaskDraft(name, self.where, self.measure)
        return self.others[name]

    def share(self, recording: TaskDraft) -> None:
        """Take what is known of the whole recording."""
        self.presences = dict(recording.presences)
        self.length, self.media = recording.length, recording.media
        self.measure, self.where = recording.measure, recording.where

    def saw(self, annotator: str, presence: Presence = Presence.DONE) -> None:
        """What is known of the annotator and this task; done without a span means empty."""
        self.presences[annotator] = presence

    def read_by(self, annotator: str, text: str) -> None:
        """The text as this annotator had it; positions of this annotator's spans refer to it."""
        self.texts[annotator] = text
        if self.text is None:
            self.text = text

    def rename(self, names: Mapping[str, str]) -> None:
        """Rename annotators whose name was found later. If two names become one, the annotator
        gets the further state of the two.
        """
        self.spans = [(names.get(s[0], s[0]), *s[1:]) for s in self.spans]
        for other in self.others.values():
            other.rename(names)
        self.fragments = {(names.get(k[0], k[0]), *k[1:]): v for k, v in self.fragments.items()}
        self.labels = {
            layer: [(names.get(name, name), label, source) for name, label, source in labels]
            for layer, labels in self.labels.items()
        }
        presences: dict[str, Presence] = {}
        for name, state in self.presences.items():
            told = (state, presences.get(names.get(name, name), state))
            presences[names.get(name, name)] = min(told, key=WORK.index)
        self.presences = presences
        texts: dict[str, str] = {}
        for name, text in self.texts.items():
            if texts.setdefault(names.get(name, name), text) != text:
                raise InputError(
                    f"'{names.get(name, name)}' has two texts of the task; keep one",
                    where=self.place(""),
                )
        self.texts = texts

    def forget(self, annotator: str) -> None:
        """Nothing of what the annotator did counts."""
        self.spans = [span for span in self.spans if span[0] != annotator]
        for other in self.others.values():
            other.forget(annotator)
        self.labels = {
            layer: [one for one in labels if one[0] != annotator]
            for layer, labels in self.labels.items()
        }
        self.presences.pop(annotator, None)
        self.texts.pop(annotator, None)

    def place(self, source: str) -> str:
        """Where a span stands, for a person."""
        return " ".join(part for part in (self.where, source) if part) or f"task '{self.id}'"
