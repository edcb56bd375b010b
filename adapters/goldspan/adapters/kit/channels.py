"""Channels of recordings: one continuum holds them all, with a note, or one is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.naming import listed
from goldspan.engine.errors import SettingsError
from goldspan.engine.facts import Note
from goldspan.engine.model import Position

PREFIX = "channel:"
"""What stands before a channel among the layers."""

Place = tuple[str, Position, Position, str]
"""Annotator, start, end and category."""


def without_channels(layers: Iterable[str]) -> tuple[str, ...]:
    """The layers that are not channels, for formats that also have channels."""
    return tuple(layer for layer in layers if not layer.startswith(PREFIX))


def chosen_channels(layers: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """The channels that the layers ask for, none means all; one that is not known is an error."""
    chosen = frozenset(layer[len(PREFIX) :] for layer in layers if layer.startswith(PREFIX))
    for channel in sorted(chosen.difference(known)):
        there = listed(known) or "none"
        raise SettingsError(f"there is no span on the channel '{channel}'; there are {there}")
    return chosen


def repeats(places: Mapping[Place, set[str]]) -> int:
    """How many spans are there again on another channel."""
    return sum(len(channels) - 1 for channels in places.values())


def channel_notes(
    task: str, spans: Sequence[object], places: Mapping[Place, set[str]]
) -> Iterator[Note]:
    """Notes on a task whose spans are on several channels."""
    channels = sorted({channel for found in places.values() for channel in found})
    if len(channels) > 1:
        yield Note.of(
            FormatFact.CHANNELS_MIXED,
            task=task,
            count=len(spans),
            channels=listed(channels),
            layer=f"{PREFIX}{channels[0]}",
        )
    if several := repeats(places):
        yield Note.of(FormatFact.CHANNELS_SHARED, task=task, count=several)
