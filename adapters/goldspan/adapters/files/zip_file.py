"""Zip files, opened without trusting them: no way out of the archive, no unbounded expansion."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from goldspan.adapters.files.folder import is_hidden
from goldspan.engine.errors import InputError

MAX_BYTES = 2 * 1024**3
MAX_RATIO = 200
MAX_MEMBERS = 100_000
SMALL = 1024**2
"""Members up to this size may compress as well as they like."""


DAMAGED = (
    zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError,
    struct.error, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""How a damaged file shows: places outside it, unknown methods, data of another kind."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A checked archive: its members by name, read into memory one at a time."""

    path: str
    file: zipfile.ZipFile
    members: Mapping[str, zipfile.ZipInfo]

    @classmethod
    def of(cls, path: str, file: zipfile.ZipFile) -> Archive:
        """The files in it, whether their names begin with `./` or not; folders left out, and what
        would be hidden in one too.
        """
        members: dict[str, zipfile.ZipInfo] = {}
        for info in file.infolist():
            name = PurePosixPath(info.filename)
            if info.is_dir() or any(map(is_hidden, name.parts)):
                continue
            if members.setdefault(str(name), info) is not info:
                raise InputError("it is in the archive twice; keep one", where=f"{path}/{name}")
        return cls(path, file, members)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its files, sorted."""
        return tuple(sorted(self.members))

    def read(self, name: str) -> bytes:
        """A member's bytes; never more than it declared."""
        info = self.members[name]
        try:
            with self.file.open(info) as member:
                data = member.read(info.file_size + 1)
        except DAMAGED as error:
            raise InputError(
                f"it cannot be unpacked: {error}", where=f"{self.path}/{name}"
            ) from error
        if len(data) > info.file_size:
            raise InputError("it is larger than it declares", where=f"{self.path}/{name}")
        return data


@contextmanager
def open_zip(source: Path | bytes, *, where: str = "") -> Iterator[Archive]:
    """The archive, after every member's name and declared size was checked.

    `where` names an archive that is itself a member of another, given as bytes.
    """
    path = where or (str(source) if isinstance(source, Path) else "the archive")
    try:
        file = zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source))
    except DAMAGED as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise InputError(f"this is not a zip file: {error}", where=path) from error
    with file:
        _check(file, path)
        yield Archive.of(path, file)


def _check(file: zipfile.ZipFile, path: str) -> None:
    members = file.infolist()
    if len(members) > MAX_MEMBERS:
        raise InputError(f"it has {len(members)} members; unpack it yourself", where=path)
    total = 0
    for info in members:
        where = f"{path}/{info.filename}"
        if not _stays_inside(info.filename):
            raise InputError("the name points outside the archive; refused", where=where)
        total += info.file_size
        if info.file_size > SMALL and info.file_size > MAX_RATIO * max(info.compress_size, 1):
            raise InputError(
                f"it would expand {info.file_size // max(info.compress_size, 1)} times; refused",
                where=where,
            )
    if total > MAX_BYTES:
        raise InputError(
            f"it would expand to {total / 1024**3:.1f} GiB; unpack it yourself", where=path
        )


def _stays_inside(filename: str) -> bool:
    # Backslashes and drive letters are paths on Windows, whatever the archive was made on.
    name = PurePosixPath(filename.replace("\\", "/"))
    if not name.parts or name.is_absolute():
        return False
    return ".." not in name.parts and ":" not in name.parts[0]
