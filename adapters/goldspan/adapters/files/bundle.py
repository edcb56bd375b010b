"""Bundles: the files of an export, in a folder, in a zip file or alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from goldspan.adapters.files.folder import files_below
from goldspan.adapters.files.zip_file import open_zip


@dataclass(frozen=True, slots=True)
class Member:
    """One file: its path inside the bundle, what to call it in errors, and its bytes on demand."""

    name: PurePosixPath
    where: str
    read: Callable[[], bytes]

    @property
    def suffix(self) -> str:
        """The lower-case suffix with its dot."""
        return self.name.suffix.lower()


@contextmanager
def open_bundle(path: Path) -> Iterator[Sequence[Member]]:
    """The files in a folder, in a .zip file, or the one file; sorted by name."""
    if path.is_dir():
        yield [
            Member(PurePosixPath(f.relative_to(path).as_posix()), str(f), f.read_bytes)
            for f in files_below(path)
        ]
    elif path.suffix.lower() == ".zip":
        with open_zip(path) as archive:
            yield [
                Member(PurePosixPath(name), f"{path}/{name}", _reader(archive.read, name))
                for name in archive.names
            ]
    else:
        yield [Member(PurePosixPath(path.name), str(path), path.read_bytes)]


def _reader(read: Callable[[str], bytes], name: str) -> Callable[[], bytes]:
    return lambda: read(name)
