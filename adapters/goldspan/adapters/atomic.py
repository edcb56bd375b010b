"""All-or-nothing writing: a temporary name beside the target, then a rename."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldspan.engine.errors import SettingsError


def real_place(path: Path) -> Path:
    """Where the path leads, links followed; one that leads in circles ends somewhere in them."""
    # Path.resolve fails at circles before Python 3.13, with an error of no kind of its own.
    return Path(os.path.realpath(path))


def place_to_write(path: Path) -> Path:
    """The place itself, whatever links lead to it; an error where something is that is neither a
    file nor a folder.
    """
    place = real_place(path) if path.is_symlink() else path
    if place.is_symlink() or (place != path and not place.exists()):
        raise SettingsError(f"{path} is a link that leads nowhere; choose another place")
    if place.exists() and not place.is_file() and not place.is_dir():
        raise SettingsError(f"{path} is neither a file nor a folder; choose another place")
    return place


@contextmanager
def new_file(given: Path) -> Iterator[Path]:
    """A temporary path to write to; it becomes `given`, or the file that a link of this name leads
    to, when the block ends well, else it is gone.
    """
    path = place_to_write(given)
    if path.is_dir():
        raise SettingsError(f"{given} is a folder; name a file to write")
    with _named(given):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _open_mode(temporary, 0o666)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def new_folder(given: Path, *, replace: bool = False) -> Iterator[Path]:
    """A temporary folder to fill; it becomes `given`, or the folder that a link of this name leads
    to, when the block ends well, else it is gone.

    A target that is not empty is refused unless it may be replaced; then it is moved aside first
    and removed last, so that there is a complete folder at every moment but one rename.
    """
    path = place_to_write(given)
    if path.is_file():
        raise SettingsError(f"{given} is a file; name a folder to write")
    filled = path.is_dir() and any(path.iterdir())
    if filled and not replace:
        raise SettingsError(f"the folder {given} is not empty; choose a new one, or say --replace")
    with _named(given):
        path.parent.mkdir(parents=True, exist_ok=True)
        name = tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    temporary = Path(name)
    try:
        yield temporary
        _open_mode(temporary, 0o777)
        _put(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    # A temporary name says nothing to the user who chose another.
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(f"{path} cannot be written: {reason}; choose another place") from error


def _put(temporary: Path, path: Path) -> None:
    if not path.exists():
        temporary.rename(path)
        return
    aside = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".old"))
    path.rename(aside / path.name)
    try:
        temporary.rename(path)
    except OSError:
        (aside / path.name).rename(path)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _open_mode(path: Path, mode: int) -> None:
    # Temporary names are made private; what a user asked for has the user's usual mode.
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(mode & ~mask)
