"""All-or-nothing writing: a temporary name beside the target, on disk, then a rename.

What is replaced keeps its mode, and its owner where the system allows it; what is new gets the mode
that the user's umask gives.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

from goldspan.adapters.files.part_file import OLD, part_file, part_folder
from goldspan.engine.errors import SettingsError

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
"""What the system says of a file that cannot take more, without saying which file."""

AT_A_TIME = 8
"""Files of a folder that are waited for at once."""


def real_place(path: Path) -> Path:
    """Where the path leads, links followed; one that leads in circles ends somewhere in them."""
    # Path.resolve fails at circles before Python 3.13, with an error of no kind of its own.
    return Path(os.path.realpath(path))


def place_to_write(path: Path) -> Path:
    """The place itself, whatever links lead to it; an error where something is that is neither a
    file nor a folder, or that is read-only.
    """
    place = real_place(path) if path.is_symlink() else path
    if place.is_symlink() or (place != path and not place.exists()):
        raise SettingsError(f"{path} is a link that leads nowhere; choose another place")
    if place.exists() and not place.is_file() and not place.is_dir():
        raise SettingsError(f"{path} is neither a file nor a folder; choose another place")
    if place.exists() and _is_read_only(place):
        raise SettingsError(f"{path} is read-only; make it writable, or choose another place")
    return place


def file_to_write(path: Path) -> Path:
    """The place of a file, as `place_to_write`; an error where a folder is."""
    place = place_to_write(path)
    if place.is_dir():
        raise SettingsError(f"{path} is a folder; name a file to write")
    return place


@contextmanager
def new_file(given: Path) -> Iterator[Path]:
    """A temporary path to write to; it becomes `given`, or the file that a link of this name leads
    to, when the block ends well, else it is gone.
    """
    path = file_to_write(given)
    with ExitStack() as stack:
        with writing(given):
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = stack.enter_context(part_file(path))
        with writing(given, temporary):
            yield temporary
            _to_disk(temporary)
            _take_mode(temporary, path)
            temporary.replace(path)
            _to_disk(path.parent)


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
        raise SettingsError(f"the folder {given} is not empty; choose a new one, or use --replace")
    with ExitStack() as stack:
        with writing(given):
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = stack.enter_context(part_folder(path))
        with writing(given, temporary):
            yield temporary
            _settle_all(temporary, path)
            _put(temporary, path)
            _to_disk(path.parent)


@contextmanager
def writing(path: Path, part: Path | None = None) -> Iterator[None]:
    """Errors of the system that come from writing name the path that the user chose, not the part
    that is written first. With a part, errors about other files stay as they are.
    """
    try:
        yield
    except OSError as error:
        if part is not None and not _is_about(error, part):
            raise
        reason = error.strerror or error
        raise SettingsError(f"{path} cannot be written: {reason}; choose another place") from error


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """A full disk names the file that the block writes, which the system does not; for scratch
    files, which no user chose.
    """
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in FULL:
            error.filename = str(path)
        raise


def _is_about(error: OSError, part: Path) -> bool:
    if error.filename is None:
        return error.errno in FULL
    named = Path(os.fsdecode(error.filename))
    return named == part or part in named.parents


def _is_read_only(place: Path) -> bool:
    # The system lets root write to everything, also where nobody has the permission to.
    return not place.stat().st_mode & 0o222 or not os.access(place, os.W_OK)


def _put(temporary: Path, path: Path) -> None:
    if not path.exists():
        temporary.rename(path)
        return
    with part_folder(path, OLD) as aside:
        path.rename(aside / path.name)
        try:
            temporary.rename(path)
        except OSError:
            (aside / path.name).rename(path)
            raise


def _take_mode(new: Path, old: Path) -> None:
    """Give what is new the mode, and the owner if that is possible, of what it replaces."""
    if old.exists() and old.is_dir() == new.is_dir():
        found = old.stat()
        if hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(new, found.st_uid, found.st_gid)
        new.chmod(stat.S_IMODE(found.st_mode))
        return
    # Parts are made private; what a user asked for has the user's usual mode.
    mask = os.umask(0)
    os.umask(mask)
    handed_down = stat.S_IMODE(new.stat().st_mode) & stat.S_ISGID
    new.chmod((0o777 if new.is_dir() else 0o666) & ~mask | handed_down)


def _settle_all(new: Path, old: Path) -> None:
    """Bring a folder and all that is in it to the disk, each with its mode."""
    made = (*new.rglob("*"), new)
    # Waiting for many files at a time takes a tenth of the time that one after the other takes.
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - slow to import

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for _ in pool.map(_to_disk, made):
            pass
    for one in made:
        _take_mode(one, old / one.relative_to(new))


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk: a rename that outlives a power
    cut must not lead to an empty file.
    """
    folder = path.is_dir()
    # Windows cannot do it for folders, nor can some network file systems.
    with suppress(OSError) if folder else nullcontext():
        handle = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
