"""Prodigy's tasks: which rows are about the same input, and what to call it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.adapters.kit.record import Record


class TaskIds:
    """A task for each input: `_input_hash` says what is the same input, else the text does.

    A task is called by the row's own id where it has one, else by the hash, else by file and line.
    """

    def __init__(self) -> None:
        self._known: dict[int | str, str] = {}
        self._taken: set[str] = set()

    def of(self, record: Record, path: Path) -> str:
        """The id of the record's task."""
        given = record.values.get("_input_hash")
        key = given if isinstance(given, int) else record.text("text")
        if key not in self._known:
            line = record.where.removeprefix(str(path)).strip(":, ")
            fallback = f"{path.stem}:{line}" if isinstance(key, str) else str(key)
            own = record.values.get("id")
            named = isinstance(own, (str, int)) and not isinstance(own, bool) and own != ""
            self._known[key] = self._free(str(own) if named else fallback, fallback)
        return self._known[key]

    def _free(self, name: str, fallback: str) -> str:
        if name in self._taken:
            name = fallback
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        return name
