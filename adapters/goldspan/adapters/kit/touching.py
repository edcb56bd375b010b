"""Touching units: those of one annotator and category without a gap between them, made one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.model import Position, Unit


def join_touching(units: Iterable[Unit]) -> list[Unit]:
    """The units, where no two of one annotator and category touch any more: a unit that starts
    exactly where another ends continues it, from the earliest start. Units that overlap stay as
    they are, because they were marked one over the other.
    """
    joined: list[Unit] = []
    ends: dict[tuple[str, str, Position], list[int]] = {}
    for unit in sorted(units):
        waiting = ends.get((unit.annotator, unit.category, unit.start))
        if waiting:
            at = waiting.pop(0)
            joined[at] = _one(joined[at], unit)
        else:
            at = len(joined)
            joined.append(unit)
        ends.setdefault((unit.annotator, unit.category, unit.end), []).append(at)
    return sorted(set(joined))


def _one(unit: Unit, following: Unit) -> Unit:
    """The two as one unit; the parts of each stay, and the two that touch become one."""
    parts = [*(unit.fragments or ((unit.start, unit.end),))]
    (_, end), *others = following.fragments or ((following.start, following.end),)
    parts[-1] = parts[-1][0], end
    parts += others
    return replace(unit, end=following.end, fragments=tuple(parts) if len(parts) > 1 else ())
