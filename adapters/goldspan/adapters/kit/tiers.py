"""Tiers: how annotators are read off the names of tiers, and overlapping spans put on several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
    return not layers or any(fnmatchcase(name, layer) for name in names for layer in layers)


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
