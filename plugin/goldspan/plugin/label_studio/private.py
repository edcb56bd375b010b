"""Private files: texts, names and secrets of projects, which nobody but their owner can read."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

OWN = re.compile(r"service\..+|webhook-secret|project-\d+|\..+\.goldspan\.(part|old)")
"""What goldspan calls its files in the folder of `--folder`."""

OTHERS = stat.S_IRWXG | stat.S_IRWXO


@contextmanager
def private(folder: Path) -> Iterator[None]:
    """What the block makes is its owner's alone, and so is what goldspan has in this folder.

    The folder itself is closed to others if there is nothing but goldspan's in it: a folder that
    holds other things as well is somebody's own to open and close.
    """
    before = os.umask(OTHERS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(PermissionError):
            _close_all(folder)
        yield
    finally:
        os.umask(before)


def _close_all(folder: Path) -> None:
    found = sorted(folder.iterdir())
    ours = [path for path in found if OWN.fullmatch(path.name)]
    if found == ours:
        _close(folder)
    for path in ours:
        # A link leads to what is not ours.
        inside = path.rglob("*") if path.is_dir() and not path.is_symlink() else ()
        for one in (path, *inside):
            _close(one)


def _close(path: Path) -> None:
    mode = path.lstat().st_mode
    if mode & OTHERS and not stat.S_ISLNK(mode):
        path.chmod(stat.S_IMODE(mode) & ~OTHERS)
