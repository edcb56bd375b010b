"""The files that CoNLL is read from."""

from __future__ import annotations

from pathlib import Path

from goldspan.adapters.files.folder import files_below

SUFFIXES = (".conll", ".conllu", ".conllup", ".bio", ".iob", ".bioes")


def conll_files(path: Path) -> list[Path]:
    """The files of a folder that are called like CoNLL, or the file itself."""
    if path.is_file():
        return [path]
    return files_below(path, SUFFIXES)
