"""Command: a verb's two halves, and the type that joins them.

`parse` makes a frozen request of the parsed arguments; it reads no file, so that `run` can refuse
bad outputs before anything is read. `run` does what the request says. An `argparse.Namespace` ends
at `parse`: nothing outside of this folder sees one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

Request = TypeVar("Request")

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


@dataclass(frozen=True, slots=True)
class Command(Generic[Request]):
    """What a verb's parser leaves in its default `command`."""

    parse: Callable[[argparse.Namespace], Request]
    run: Callable[[Request], int]

    def __call__(self, args: argparse.Namespace) -> int:
        """The exit code."""
        return self.run(self.parse(args))
