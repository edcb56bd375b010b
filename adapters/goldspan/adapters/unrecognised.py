"""Unrecognised files: what no format recognises, and why, if that is known."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from goldspan.adapters.csv.columns import SUFFIXES, check_header
from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.text_file import head
from goldspan.adapters.files.zip_file import open_zip
from goldspan.engine.errors import InputError

Recognise: TypeAlias = Callable[[Path], list[str]]
"""The names of the formats that take a path for their own."""

MOST_FILES = 100
"""How many files of a folder are looked at one by one."""

OURS = re.compile(r'\s*\{\s*"schema"\s*:\s*\d+,\s*"goldspan"\s*:\s*"[^"]*",\s*"(\w+)"')
SCORED = "settings"
"""What the JSON of `goldspan score` says third; gold and comparisons say something else."""

PAGE = re.compile(r"\s*<(!doctype\s+)?html", re.IGNORECASE)


def refuse(path: Path, recognise: Recognise) -> None:
    """An error that says more than that no format knows it, where there is more to say."""
    if recognise(path):
        return
    if path.is_dir():
        _refuse_folder(path, recognise)
    elif path.is_file():
        _refuse_unreadable(path)
        _refuse_other(path)


def _refuse_folder(path: Path, recognise: Recognise) -> None:
    files = files_below(path)
    if not files:
        raise InputError("the folder is empty (hidden files do not count)", where=str(path))
    known = {file: recognise(file) for file in files[:MOST_FILES]}
    for name in dict.fromkeys(name for names in known.values() for name in names):
        fitting = [file for file, names in known.items() if name in names]
        suffixes = {file.suffix.lower() for file in fitting}
        odd = [f for f in known if f not in fitting and f.suffix.lower() in suffixes]
        if odd:
            which = f"this and {len(odd) - 1} more are" if len(odd) > 1 else "this is"
            raise InputError(
                f"{which} not of the format {name}, as {fitting[0].relative_to(path)} is; leave "
                f"{'them' if len(odd) > 1 else 'it'} out",
                where=str(odd[0]),
            )
    for file in files:
        _refuse_other(file)


def _refuse_unreadable(path: Path) -> None:
    with path.open("rb") as file:
        if not file.read(1):
            raise InputError("the file is empty; export it again", where=str(path))
    if path.suffix.lower() == ".zip":
        with open_zip(path):
            return


def _refuse_other(path: Path) -> None:
    text = head(path)
    if ours := OURS.match(text):
        what = (
            "a result of goldspan score, which goldspan compare takes"
            if ours[1] == SCORED
            else "a result of goldspan"
        )
        raise InputError(f"this is {what}; give the annotations instead", where=str(path))
    if PAGE.match(text):
        raise InputError("this is a web page; give the annotations instead", where=str(path))
    if path.suffix.lower() in SUFFIXES:
        check_header(path)
