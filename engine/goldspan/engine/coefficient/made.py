"""Made: a sequence whose values are made when somebody looks at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class Made(Sequence[Item], Generic[Item]):
    """Values that are made when somebody looks; `_make` makes one."""

    def _make(self, at: int) -> Item:
        raise NotImplementedError

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> list[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | list[Item]:
        if isinstance(at, slice):
            return [self._make(k) for k in range(len(self))[at]]
        return self._make(range(len(self))[at])
