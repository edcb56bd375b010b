"""Part files: what is not complete yet has a name of its own, which a later run clears away.

A part is called `.NAME.RANDOM.goldspan.part` and is beside its target. The process that writes it
holds a lock on it, which the system takes away when the process ends, however it ends. A part that
nobody holds is therefore a dead run's, also where process numbers mean nothing: in a container that
shares the folder, or after a restart.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: nothing is locked there, and nothing cleared away
    fcntl = None  # type: ignore[assignment]

PART, OLD = ".goldspan.part", ".goldspan.old"
"""How names end: of what is being written, and of folders that are being replaced."""

MOST_CHARACTERS = 40
"""Of the target's name, in the part's: a name may have 255 bytes."""


@contextmanager
def part_file(path: Path) -> Iterator[Path]:
    """An empty file beside `path` that only its owner can read; what is left of it is removed."""
    clear_dead(path.parent)
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=_prefix(path), suffix=PART)
        try:
            if not _claim(handle):
                continue
            try:
                yield Path(name)
            finally:
                Path(name).unlink(missing_ok=True)
            return
        finally:
            os.close(handle)


@contextmanager
def part_folder(path: Path, suffix: str = PART) -> Iterator[Path]:
    """An empty folder beside `path` that only its owner can read; what is left of it is removed."""
    clear_dead(path.parent)
    while True:
        name = tempfile.mkdtemp(dir=path.parent, prefix=_prefix(path), suffix=suffix)
        with nullcontext() if fcntl is None else _opened(name) as handle:
            if handle is not None and not _claim(handle):
                continue
            try:
                yield Path(name)
            finally:
                shutil.rmtree(name, ignore_errors=True)
            return


def clear_dead(folder: Path) -> None:
    """Remove what dead runs of this user left in a folder; a live run's is held, and stays."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") and entry.name.endswith((PART, OLD)):
                with suppress(OSError), _opened(entry.path) as handle:
                    if _is_ours(handle) and _hold(handle):
                        _clear(Path(entry.path))


def _clear(path: Path) -> None:
    if not path.is_dir():
        path.unlink()
    elif path.name.endswith(PART) or _is_replaced(path):
        shutil.rmtree(path)


def _is_replaced(aside: Path) -> bool:
    """Whether the folder that was moved aside has a successor; else it is the only one there is."""
    return all((aside.parent / inside.name).exists() for inside in aside.iterdir())


def _prefix(path: Path) -> str:
    return f".{path.name[:MOST_CHARACTERS]}."


@contextmanager
def _opened(path: str) -> Iterator[int]:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags)
    try:
        yield handle
    finally:
        os.close(handle)


def _claim(handle: int) -> bool:
    """Whether what was just made is ours; somebody may have taken it for a dead run's."""
    if fcntl is None:
        return True
    try:
        return _hold(handle)
    except OSError:
        # This file system has no locks, so nobody can take it for dead.
        return True


def _hold(handle: int) -> bool:
    """Whether it is held from now on: nobody else holds it, and it is still there."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(handle).st_nlink > 0


def _is_ours(handle: int) -> bool:
    found = os.fstat(handle)
    kind = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
    return kind and found.st_uid == os.geteuid()
