"""Private files: texts, names and secrets of projects, which nobody but their owner can read."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from goldspan.adapters.files.atomic import real_place

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
        _close_all(real_place(folder))
        yield
    finally:
        os.umask(before)


def _close_all(folder: Path) -> None:
    found = [path.name for path in folder.iterdir()] if os.access(folder, os.R_OK) else []
    ours = [name for name in found if OWN.fullmatch(name)]
    if len(ours) == len(found):
        _close(folder)
    for name in ours:
        _close(folder / name)
        if (folder / name).is_symlink():
            continue  # it leads to what is not goldspan's
        for place, folders, files in os.walk(folder / name):
            for inside in (*folders, *files):
                _close(Path(place, inside))


def _close(path: Path) -> None:
    # The service removes and renames files meanwhile, and some may be another user's.
    with suppress(FileNotFoundError, PermissionError):
        mode = path.lstat().st_mode
        # The sticky bit says that a folder is shared on purpose, as /tmp is.
        if mode & OTHERS and not stat.S_ISLNK(mode) and not mode & stat.S_ISVTX:
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)
