"""Scheme: the categories of a corpus, their distances, and the settings of the measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats
    from goldspan.engine.settings import Settings


@dataclass(frozen=True)
class Scheme:
    """The categories of a corpus with their distances; the same for all of its tasks.

    `categories` are those that somebody used. `scale` is all that the labelling scheme has, in its
    order, where that is known.
    """

    categories: tuple[str, ...]
    categorial: Floats
    settings: Settings
    scale: tuple[str, ...] = ()

    @classmethod
    def of(cls, categories: Sequence[str], settings: Settings, scale: Sequence[str] = ()) -> Scheme:
        matrix = settings.dissimilarity.categorial(categories)
        return cls(tuple(categories), matrix, settings, tuple(scale))

    @cached_property
    def index(self) -> dict[str, int]:
        return {category: at for at, category in enumerate(self.categories)}
