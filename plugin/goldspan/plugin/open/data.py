"""Data: the files that are measured, given by path or sent by the page.

Files that the page sends are stored in a private folder, which is deleted when the server ends.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from goldspan.adapters.files.folder import files_below, is_hidden
from goldspan.adapters.files.zip_file import open_zip
from goldspan.engine.errors import InputError
from goldspan.plugin.open.refusal import Refused

MOST_FILES = 20_000
MOST_BYTES = 512 * 1024**2
MOST_SETS = 4
"""So many sets of sent files are stored; a new one takes the place of the oldest."""

LONGEST_PART = 200
DEEPEST = 20
GIVEN = "given"
"""The name of the files that were given by path."""

FOLDER = "dropped"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Paths that may be readable together, and how a command says them."""

    paths: tuple[Path, ...]
    shown: tuple[str, ...]


@dataclass(slots=True)
class Data:
    """Files and folders; `root` is what no sentence shows of their paths, and `scratch` is where
    archives are unpacked.
    """

    id: str
    paths: tuple[Path, ...]
    scratch: Path
    root: Path | None = None
    n_files: int = 0
    n_bytes: int = 0
    unpacked: dict[Path, Path] = field(default_factory=dict)

    def candidates(self) -> Iterator[Candidate]:
        """The ways in which the files may be readable: as they are, as one folder, unpacked."""
        yield Candidate(self.paths, tuple(self._shown(path) for path in self.paths))
        if self.root is not None and len(self.paths) > 1:
            yield Candidate((self.root,), (self.root.name,))
        if any(_is_zip(path) for path in self.paths):
            paths = tuple(self._folder(path) if _is_zip(path) else path for path in self.paths)
            yield Candidate(paths, tuple(self._shown(path) for path in paths))

    def version(self) -> str:
        """What changes when a file changes."""
        found = blake2b(digest_size=12)
        for path in self.paths:
            for file in files_below(path) if path.is_dir() else [path]:
                with suppress(OSError):
                    stat = file.stat()
                    found.update(f"{file}\0{stat.st_mtime_ns}\0{stat.st_size}\0".encode())
        return found.hexdigest()

    def clean(self, sentence: str) -> str:
        """A sentence without the folders that only this server knows."""
        for folder in (self.root, self.scratch):
            if folder is not None:
                sentence = sentence.replace(f"{folder}/", "").replace(str(folder), FOLDER)
        return sentence

    def _shown(self, path: Path) -> str:
        return path.name if self.root is not None or path.parent == self.scratch else str(path)

    def _folder(self, path: Path) -> Path:
        if path not in self.unpacked:
            self.unpacked[path] = unpack(path, self.scratch / path.stem)
        return self.unpacked[path]


def unpack(path: Path, folder: Path) -> Path:
    """The files of an archive, in a new folder; an InputError if it holds too much."""
    with open_zip(path) as archive:
        size = sum(info.file_size for info in archive.members.values())
        if size > MOST_BYTES or len(archive.members) > MOST_FILES:
            raise InputError("it holds too much; unpack it yourself", where=path.name)
        try:
            for name in archive.names:
                place = folder.joinpath(*_parts(name))
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(archive.read(name))
        except (OSError, Refused) as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise InputError(f"it cannot be unpacked: {error}", where=path.name) from error
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Shelf:
    """All sets of files that the server knows."""

    def __init__(self, folder: Path, given: Sequence[Path]) -> None:
        self._folder = folder
        self._sent: dict[str, Data] = {}
        self.given: Data | None = None
        if given:
            self.given = Data(GIVEN, tuple(given), folder / GIVEN)

    def __getitem__(self, name: str) -> Data:
        if name == GIVEN and self.given is not None:
            return self.given
        if name not in self._sent:
            raise Refused("gone")
        return self._sent[name]

    def add(self) -> Data:
        """A new set without files; the oldest one is deleted if there are too many."""
        while len(self._sent) >= MOST_SETS:
            oldest = self._sent.pop(next(iter(self._sent)))
            shutil.rmtree(oldest.scratch.parent, ignore_errors=True)
        name = secrets.token_urlsafe(9)
        home = self._folder / name
        (home / FOLDER).mkdir(parents=True)
        self._sent[name] = Data(name, (), home / "unpacked", home / FOLDER)
        return self._sent[name]

    async def store(self, data: Data, name: str, body: AsyncIterator[bytes]) -> None:
        """Store a file that the page sends; one of a hidden name is ignored."""
        if data.root is None:
            raise Refused("gone")
        parts = _parts(name)
        if any(map(is_hidden, parts)):
            return
        data.n_files += 1
        if data.n_files > MOST_FILES:
            raise Refused("too-many", most=MOST_FILES)
        place = data.root.joinpath(*parts)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as file:
                async for piece in body:
                    data.n_bytes += len(piece)
                    if data.n_bytes > MOST_BYTES:
                        raise Refused("too-large", most=MOST_BYTES // 1024**2)
                    file.write(piece)
        except OSError as error:
            raise Refused("bad-name", name=name[:80]) from error
        data.paths = tuple(sorted(data.root.iterdir()))

    def drop(self, data: Data) -> None:
        """Delete a set that cannot be used."""
        self._sent.pop(data.id, None)
        if data.root is not None:
            shutil.rmtree(data.root.parent, ignore_errors=True)


@contextmanager
def open_shelf(given: Sequence[Path]) -> Iterator[Shelf]:
    """A shelf whose folder nobody else can read, until the block ends."""
    with tempfile.TemporaryDirectory(prefix="goldspan-open-") as name:
        yield Shelf(Path(name), given)


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a relative path that stays inside its folder."""
    parts = PurePosixPath(name).parts
    good = 0 < len(parts) <= DEEPEST and not name.startswith("/")
    if not good or not all(_is_plain(part) for part in parts):
        raise Refused("bad-name", name=name[:80])
    return parts


def _is_plain(part: str) -> bool:
    odd = any(mark in part for mark in ("\\", "\0", ":"))
    return part not in ("..", "/") and not odd and len(part.encode("utf-8", "replace")) <= 255


def _is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip" and path.is_file()
