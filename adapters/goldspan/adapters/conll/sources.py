"""The files that CoNLL is read from."""

from __future__ import annotations

from pathlib import Path

from goldspan.adapters.files.folder import files_below

SUFFIXES = (".conll", ".conllu", ".conllup", ".bio", ".iob", ".bioes")
PLAIN = (".txt", ".tsv")
"""What CoNLL is called as well, and many other things are: read if no file has its own suffix."""


def conll_files(path: Path) -> list[Path]:
    """The files of a folder that are called like CoNLL, or the file itself."""
    if path.is_file():
        return [path]
    return files_below(path, SUFFIXES)


def files_to_read(path: Path) -> list[Path]:
    """The same, and where none is called like CoNLL, the plain tables of the folder."""
    return conll_files(path) or files_below(path, PLAIN)
