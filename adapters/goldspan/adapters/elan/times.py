"""Times in an EAF file: those people placed, and those that follow from the places of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from goldspan.adapters.kit.times import half_up

if TYPE_CHECKING:
    from goldspan.adapters.elan.document import Annotation, Eaf, Tier


class TimeInterval(NamedTuple):
    """Milliseconds; `inferred` says that no human placed at least one of the ends."""

    start: int
    end: int
    inferred: bool = False


@dataclass(slots=True)
class Times:
    """The interval of every annotation of a file, worked out tier by tier when asked for."""

    eaf: Eaf
    _tiers: dict[str, Mapping[str, TimeInterval]] = field(default_factory=dict)
    _homes: dict[str, Tier] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._homes = {
            annotation.id: tier
            for tier in self.eaf.tiers.values()
            for annotation in tier.annotations
        }

    def of(self, tier: Tier) -> Mapping[str, TimeInterval]:
        """Annotation id to interval; an annotation that nothing gives a time is not in it."""
        waiting = [tier]
        begun: set[str] = set()
        # A chain of tiers may be longer than Python calls.
        while waiting:
            one = waiting[-1]
            if one.id not in begun and one.id not in self._tiers:
                # A tier that refers to itself in circles is begun once.
                begun.add(one.id)
                waiting += (home for home in self._above(one) if home.id not in begun)
                continue
            if one.id not in self._tiers:
                self._tiers[one.id] = dict(self._aligned(one)) | dict(self._referring(one))
            waiting.pop()
        return self._tiers[tier.id]

    def _above(self, tier: Tier) -> list[Tier]:
        """The tiers that its annotations refer to."""
        parents = (one.parent for one in tier.annotations if one.parent is not None)
        return list({(home := self._homes[parent]).id: home for parent in parents}.values())

    def _aligned(self, tier: Tier) -> Iterator[tuple[str, TimeInterval]]:
        """Slots without a time divide the space between their neighbours *in the tier* equally.

        In the order of all time slots, those of other tiers stand between them.
        """
        slots = self.eaf.slots
        by_start = {one.slots[0]: one for one in tier.annotations if one.slots is not None}
        for annotation in tier.annotations:
            if annotation.slots is None or slots[annotation.slots[0]] is None:
                continue
            chain = _chain(annotation, by_start, slots)
            start, end = slots[annotation.slots[0]], slots[chain[-1][1]]
            if start is None or end is None:
                continue
            if len(chain) == 1:
                yield annotation.id, TimeInterval(start, end)
                continue
            edges = [half_up(start + (end - start) * i / len(chain)) for i in range(len(chain) + 1)]
            for (name, _), first, last in zip(chain, edges, edges[1:], strict=False):
                yield name, TimeInterval(first, last, inferred=True)

    def _referring(self, tier: Tier) -> Iterator[tuple[str, TimeInterval]]:
        """One to one, the parent's time; a subdivision shares the parent's time out equally."""
        children: dict[str, list[Annotation]] = {}
        for annotation in tier.annotations:
            if annotation.parent is not None:
                children.setdefault(annotation.parent, []).append(annotation)
        for parent, group in children.items():
            whole = self._tiers.get(self._homes[parent].id, {}).get(parent)
            if whole is None:
                continue
            if tier.constraint != "Symbolic_Subdivision":
                yield from ((one.id, whole) for one in group)
                continue
            size = (whole.end - whole.start) / len(group)
            edges = [half_up(whole.start + size * i) for i in range(len(group) + 1)]
            for one, first, last in zip(_in_order(group), edges, edges[1:], strict=False):
                yield one.id, TimeInterval(first, last, inferred=True)


def _chain(
    first: Annotation, by_start: Mapping[str, Annotation], slots: Mapping[str, int | None]
) -> list[tuple[str, str]]:
    """The annotations from the first on to the next slot with a time, each with its last slot."""
    chain: list[tuple[str, str]] = []
    one: Annotation | None = first
    while one is not None and one.slots is not None and len(chain) <= len(by_start):
        chain.append((one.id, one.slots[1]))
        one = by_start.get(one.slots[1]) if slots[one.slots[1]] is None else None
    return chain


def _in_order(group: list[Annotation]) -> list[Annotation]:
    """As PREVIOUS_ANNOTATION says; as written where it does not say."""
    follows = {one.previous: one for one in group}
    ordered: list[Annotation] = []
    one = follows.get(None)
    while one is not None and len(ordered) < len(group):
        ordered.append(one)
        one = follows.get(one.id)
    return ordered if len(ordered) == len(group) else group
