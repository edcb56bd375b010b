"""Aliases: annotators without their names."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence


def aliases(names: Sequence[str], task: str, seed: int) -> Mapping[str, str]:
    """A1, A2, … for the annotators of a task; which is whom differs from task to task."""

    def rank(name: str) -> bytes:
        return hashlib.sha256(f"{seed}\0{task}\0{name}".encode()).digest()

    return {name: f"A{at}" for at, name in enumerate(sorted(names, key=rank), start=1)}
