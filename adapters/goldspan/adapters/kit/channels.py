"""Channels of recordings: a task for each, all of them or those that are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.digits import from_digits
from goldspan.adapters.kit.naming import listed
from goldspan.adapters.kit.rules.presence import WORK
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import Note
from goldspan.engine.model import FIRST_CHANNEL, Continuum, Corpus, Presence, Unit

if TYPE_CHECKING:
    from goldspan.adapters.kit.task_draft import TaskDraft

COUNT = range(1 << 16)
"""So many channels a recording may have."""

PREFIX = "channel:"
"""What stands before a channel among the layers."""


def without_channels(layers: Iterable[str]) -> tuple[str, ...]:
    """The layers that are not channels, for formats that also have channels."""
    return tuple(layer for layer in layers if not layer.startswith(PREFIX))


def counted_from_zero(value: object) -> str:
    """The channel that a file counts from 0; nothing means the first."""
    if value is None:
        return FIRST_CHANNEL
    number = from_digits(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int | float) or number not in COUNT:
        raise InputError(f"'channel' is {value!r:.40} where a number from 0 is expected")
    return str(int(number) + 1)


def parts(tasks: Mapping[str, TaskDraft]) -> dict[str, TaskDraft]:
    """The tasks, and after each the channels that it has beside the first. A first channel on which
    nobody marked anything is not kept for its own sake.
    """
    found: dict[str, TaskDraft] = {}
    for task in tasks.values():
        others = sorted(task.others.values(), key=lambda one: one.id)
        if task.spans or task.labels or not others:
            found[task.id] = task
        for one in others:
            one.share(task)
            found[one.id] = one
    return found


def chosen(tasks: Mapping[str, TaskDraft], layers: Iterable[str]) -> dict[str, TaskDraft]:
    """The tasks of the channels that the layers ask for, none means all; a channel that no task
    has is an error.
    """
    wanted = frozenset(layer[len(PREFIX) :] for layer in layers if layer.startswith(PREFIX))
    if not wanted:
        return dict(tasks)
    known = sorted({one.channel for one in tasks.values() if one.spans})
    for channel in sorted(wanted.difference(known)):
        there = listed(known) or "none"
        raise SettingsError(f"there is no span on the channel '{channel}'; there are {there}")
    return {name: one for name, one in tasks.items() if one.channel in wanted}


def several(tasks: Iterable[TaskDraft]) -> Note | None:
    """The note on recordings of which several channels were read."""
    found: dict[str, list[str]] = {}
    for task in tasks:
        found.setdefault(task.recording, []).append(task.id)
    apart = [names for names in found.values() if len(names) > 1]
    if not apart:
        return None
    return Note.of(FormatFact.CHANNELS_APART, count=len(apart), tasks=listed(apart[0]))


def one_timeline(corpus: Corpus) -> Corpus:
    """The corpus with one task for each recording, where the place for figures and suggestions is
    the recording; notes say so. Spans in the same place on two channels become one.
    """
    recordings: dict[str, list[Continuum]] = {}
    for continuum in corpus:
        recordings.setdefault(continuum.recording, []).append(continuum)
    if len(recordings) == len(corpus) and not any(one.channel for one in corpus):
        return corpus
    notes = [one for one in corpus.notes if one.fact.kind is not FormatFact.CHANNELS_APART]
    continua = []
    for name, channels in recordings.items():
        units = tuple(dict.fromkeys(unit for one in channels for unit in one.units))
        count = sum(len(one.units) for one in channels)
        if len(channels) > 1:
            numbers = listed(one.channel or FIRST_CHANNEL for one in channels)
            notes.append(
                Note.of(FormatFact.CHANNELS_MIXED, task=name, count=count, channels=numbers)
            )
        if count > len(units):
            notes.append(Note.of(FormatFact.CHANNELS_SHARED, task=name, count=count - len(units)))
        continua.append(_joined(name, channels, units))
    return replace(corpus, continua=tuple(continua), notes=tuple(notes))


def _joined(name: str, channels: list[Continuum], units: tuple[Unit, ...]) -> Continuum:
    first = channels[0]
    lengths = [one.length for one in channels if one.length is not None]
    length = max(lengths) if len(lengths) == len(channels) else None
    return Continuum(
        name, units, joined_presence(channels), length, first.measure, first.text, first.media
    )


def joined_presence(channels: Iterable[Continuum]) -> dict[str, Presence]:
    """What is known of each annotator and a recording: the most that was done on a channel."""
    states: dict[str, Presence] = {}
    for continuum in channels:
        for name, state in continuum.presence.items():
            states[name] = min((states.get(name, state), state), key=WORK.index)
    return states
