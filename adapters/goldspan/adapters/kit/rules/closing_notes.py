"""Closing notes: what can be said only when everything was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.naming import listed
from goldspan.engine.facts import Note

if TYPE_CHECKING:
    from goldspan.adapters.options import ReadOptions
    from goldspan.engine.model import Continuum

_USE = attrgetter("category", "annotator")


def closing_notes(
    continua: Iterable[Continuum],
    options: ReadOptions,
    labels: Iterable[str],
    lost: Mapping[str, int],
    kinds: tuple[str, ...],
) -> Iterator[Note]:
    """Kinds of tiers that are scored as one, new names for labels that are not there, what spans
    have no place for, and categories that one annotator alone used. `labels` are all that were met
    or can be chosen.
    """
    if len(kinds) > 1 and not options.layers:
        yield Note.of(FormatFact.KINDS_MERGED, kinds=kinds, first=kinds[0])
    unused = options.rename_labels.keys() - set(labels)
    if unused:
        yield Note.of(FormatFact.UNUSED_RENAMING, labels=listed(unused))
    things = ", ".join(f"{what} ({count})" for what, count in lost.items() if count)
    if things and options.losses:
        yield Note.of(FormatFact.NOT_KEPT, things=things)
    used: set[tuple[str, str]] = set()
    everyone: set[str] = set()
    for continuum in continua:
        everyone.update(continuum.presence)
        used.update(map(_USE, continuum.units))
    users = Counter(category for category, _ in used)
    single = sorted(category for category, count in users.items() if count == 1)
    if single and len(everyone) > 1:
        yield Note.of(FormatFact.SINGLE_USERS, count=len(single), categories=listed(single))
