"""Sheets: what one annotator's file holds, the same for XMI and TSV."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Features: TypeAlias = Mapping[str, tuple[str, ...]]
"""Feature to its values; none where the annotator left it open."""


@dataclass(frozen=True, slots=True)
class Found:
    """One annotation of a span layer, in code points of the text; `fragments` where it has gaps."""

    layer: str
    start: int
    end: int
    features: Features
    source: str
    fragments: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A text, the annotations on it, and the features of each span layer that may hold some.

    `all_layers` is true where these are all layers of the project, whether they are used or not.
    """

    text: str
    found: tuple[Found, ...]
    layers: Mapping[str, tuple[str, ...]]
    all_layers: bool = False


def short(layer: str) -> str:
    """A layer's name without its package."""
    return layer.rpartition(".")[2]
