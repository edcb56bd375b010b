"""File names for tasks and annotators: safe, no two alike, and the same where possible."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.folder import is_hidden
from goldspan.adapters.files.unique_names import unique_names
from goldspan.engine.facts import Note

LONGEST = 200
"""Bytes of a name; what is added to it has room below the usual limit of 255."""


class FileNames:
    """A name for each id; with `folders`, a slash in an id leads into a folder.

    `reserved` names mean something to the format and are given to none.
    """

    def __init__(
        self, ids: Iterable[str], *, folders: bool = False, reserved: Iterable[str] = ()
    ) -> None:
        self._names = unique_names(
            ids, lambda one: _form(one, folders=folders), fold=_folded, reserved=reserved
        )

    def __getitem__(self, one: str) -> str:
        return self._names[one]

    @property
    def notes(self) -> tuple[Note, ...]:
        """A remark for every id that could not be a file name as it is."""
        return tuple(
            Note.of(FormatFact.FILE_NAME_CHANGED, given=one, name=name)
            for one, name in self._names.items()
            if one != name
        )


def _form(one: str, *, folders: bool) -> str:
    parts = one.split("/") if folders else [one]
    return "/".join(_safe(part) for part in parts)


def _safe(part: str) -> str:
    name = re.sub(r"[/\\\x00-\x1f\x7f\ud800-\udfff]", "_", part)
    while len(name.encode()) > LONGEST:
        name = name[:-1]
    # Nobody would find a hidden file, and readers pass it over.
    name = re.sub(r"^\.", "_", name)
    name = f"_{name}" if is_hidden(name) else name
    return name if name.strip(". ") else re.sub(r"[. ]", "_", name) or "_"


def _folded(name: str) -> str:
    # Some file systems keep neither case nor the form of accents.
    return unicodedata.normalize("NFC", name).casefold()
