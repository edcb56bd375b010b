"""Tiers: how annotators are read off the names of tiers, and overlapping spans put on several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from heapq import heappop, heappush
from typing import Any, Protocol, TypeVar

from goldspan.engine.errors import SettingsError
from goldspan.engine.model import Continuum, Presence, Unit

FIELDS = ("annotator", "layer")
DEFAULT = "default"
"""The tier that tools make before anybody has named one."""


class _Spanned(Protocol):
    @property
    def start(self) -> Any: ...
    @property
    def end(self) -> Any: ...


S = TypeVar("S", bound=_Spanned)


@dataclass(frozen=True, slots=True)
class TierNaming:
    """A pattern for names of tiers, such as `Rater {annotator} *` or `{layer}@{annotator}`.

    `*` stands for anything. `layer` is what is left of a name when the annotator is taken off.
    """

    pattern: str = "{annotator}"

    def __post_init__(self) -> None:
        names = re.findall(r"\{(.*?)\}", self.pattern)
        if "annotator" not in names or set(names) - set(FIELDS) or len(set(names)) < len(names):
            raise SettingsError(
                f"the tier pattern '{self.pattern}' should hold {{annotator}}, and may hold "
                "{layer}, each once; such as {layer}@{annotator}"
            )

    def read(self, name: str) -> tuple[str, str] | None:
        """The annotator and the layer; None when the name does not fit."""
        parts = re.split(r"(\{annotator\}|\{layer\}|\*)", self.pattern)
        match = re.fullmatch("".join(_expression(part) for part in parts), name, re.DOTALL)
        if match is None:
            return None
        found = match.groupdict()
        return found["annotator"].strip(), found.get("layer", name).strip()


def _expression(part: str) -> str:
    if part in ("{annotator}", "{layer}"):
        return f"(?P<{part[1:-1]}>.+)"
    return ".*" if part == "*" else re.escape(part)


def chosen(layers: Sequence[str], names: Iterable[str]) -> bool:
    """Whether one of a tier's names is asked for, by itself or by a pattern with `*`; no layers
    ask for all.
    """
    asked = [(name, layer) for name in names for layer in layers]
    return not layers or any(name == layer or fnmatchcase(name, layer) for name, layer in asked)


def kind_of(tier: str, annotator: str) -> str:
    """What is left of a tier's name without the annotator's: `FACE` of `Rater #1 FACE`; the whole
    name if the annotator's is not in it, and "" if it is nothing else.
    """
    before, found, after = tier.partition(annotator)
    return f"{before} {after}".strip(" \t_-@:.#/") if found else tier


def merged_kinds(tiers: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """The kinds of tiers that annotators have, as names or patterns with `*`, by the names of each
    annotator's tiers; () if there is only one kind.

    Names of kinds are the same for several annotators. Where no two share a name, what all names of
    one annotator begin or end with is the annotator's: `*FACE` of `Rater #1 FACE`.
    """
    several = [names for names in tiers.values() if len(names) > 1]
    if not several:
        return ()
    users = Counter(name for names in tiers.values() for name in names)
    if len(tiers) > 1 and max(users.values()) == 1:
        for cut in (_without_start, _without_end):
            users = Counter(kind for names in several for kind in cut(names))
            if max(users.values()) == len(several):
                break
        else:
            return ()
    return tuple(sorted(users))


def _without_start(names: Collection[str]) -> Iterator[str]:
    shared = _shared_start(names)
    return (f"*{name[shared:]}" for name in names)


def _without_end(names: Collection[str]) -> Iterator[str]:
    shared = _shared_start([name[::-1] for name in names])
    return (f"{name[: len(name) - shared]}*" for name in names)


def _shared_start(names: Collection[str]) -> int:
    """With how many characters all names begin alike."""
    first, last = min(names), max(names)
    pairs = zip(first, last, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), len(first))


def holders(continuum: Continuum) -> Iterator[tuple[str, Sequence[Unit]]]:
    """Every annotator with a tier, because they marked something or saw the task; their units."""
    for name, state in continuum.presence.items():
        units = continuum.of(name)
        if units or state in (Presence.DONE, Presence.EMPTY, Presence.PARTIAL):
            yield name, units


def stacks(spans: Iterable[S]) -> list[list[S]]:
    """The spans on as few tiers as hold them without overlap, each in order of time."""
    tiers: list[list[S]] = []
    busy: list[tuple[Any, int]] = []
    free: list[int] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        while busy and busy[0][0] <= span.start:
            heappush(free, heappop(busy)[1])
        if free:
            index = heappop(free)
        else:
            index = len(tiers)
            tiers.append([])
        tiers[index].append(span)
        heappush(busy, (span.end, index))
    return tiers
