"""Layouts: the units of many continua in one set of columns, one continuum after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.alignment.layout import Layout

if TYPE_CHECKING:
    from goldspan.engine.alignment.clusters import Floats, Ints


@dataclass(frozen=True, slots=True)
class Layouts:
    """The units of layout k are those from begin[k] on, up to begin[k + 1]; it has n[k] annotators.

    The units of each are in the order of a `Layout`.
    """

    annotator: Ints
    start: Floats
    end: Floats
    category: Ints
    begin: Ints
    n: Ints

    @classmethod
    def of(cls, layouts: Sequence[Layout]) -> Layouts:
        """The same layouts as columns."""
        begin = np.zeros(len(layouts) + 1, np.int64)
        np.cumsum([layout.size for layout in layouts], out=begin[1:])
        return cls(
            np.concatenate([layout.annotator for layout in layouts]),
            np.concatenate([layout.start for layout in layouts]),
            np.concatenate([layout.end for layout in layouts]),
            np.concatenate([layout.category for layout in layouts]),
            begin,
            np.array([layout.n for layout in layouts], dtype=np.int64),
        )

    def between(self, first: int, last: int) -> Layouts:
        """Those from number `first` on, up to `last`."""
        own = slice(self.begin[first], self.begin[last])
        return Layouts(
            self.annotator[own], self.start[own], self.end[own], self.category[own],
            self.begin[first : last + 1] - self.begin[first], self.n[first:last],
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.n)

    def __getitem__(self, k: int) -> Layout:
        own = slice(self.begin[k], self.begin[k + 1])
        return Layout(
            self.annotator[own], self.start[own], self.end[own], self.category[own], int(self.n[k])
        )

    def __iter__(self) -> Iterator[Layout]:
        return (self[k] for k in range(len(self)))

    @property
    def columns(self) -> tuple[Ints, Floats, Floats, Ints]:
        return self.annotator, self.start, self.end, self.category

    @property
    def sizes(self) -> Ints:
        """The number of units in each."""
        return np.diff(self.begin)
