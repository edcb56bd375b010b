"""How often a function is called while a block runs, whoever calls it."""

from __future__ import annotations

import cProfile
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType


class Calls:
    """What was called, by code."""

    def __init__(self) -> None:
        self.profile = cProfile.Profile()

    def of(self, function: object) -> int:
        """How often; a generator counts each time that it goes on."""
        assert isinstance(function, FunctionType)
        code = function.__code__
        return sum(one.callcount for one in self.profile.getstats() if one.code is code)


@contextmanager
def counted() -> Iterator[Calls]:
    calls = Calls()
    calls.profile.enable()
    try:
        yield calls
    finally:
        calls.profile.disable()
