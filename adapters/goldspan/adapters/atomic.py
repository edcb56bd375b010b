"""All-or-nothing writing: a temporary name beside the target, then a rename."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldspan.engine.errors import SettingsError


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A temporary path to write to; it becomes `path` when the block ends well, else it is gone."""
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; name a file to write")
    with _named(path):
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
def new_folder(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """A temporary folder to fill; it becomes `path` when the block ends well, else it is gone.

    A target that is not empty is refused unless it may be replaced; then it is moved aside first
    and removed last, so that there is a complete folder at every moment but one rename.
    """
    if path.is_file():
        raise SettingsError(f"{path} is a file; name a folder to write")
    filled = path.is_dir() and any(path.iterdir())
    if filled and not replace:
        raise SettingsError(f"the folder {path} is not empty; choose a new one, or say --replace")
    with _named(path):
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
