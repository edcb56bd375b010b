"""Data: the files that are measured, given by path or sent by the page.

Files that the page sends are stored in a private folder, which is deleted when the server ends.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from goldspan.adapters.files.folder import files_below, is_hidden
from goldspan.adapters.files.zip_file import open_zip
from goldspan.engine.errors import InputError
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.wording import PLACES

LEAST_FREE = 2**30
"""Bytes that stay free on the disk."""

DEEPEST = 20
GIVEN = "given"
"""The name of the files that were given by path."""

FOLDER = "dropped"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a set may hold, sent or unpacked, and how many `sets` are stored.

    A new set takes the place of the oldest.
    """

    files: int = 20_000
    bytes: int = 512 * 1024**2
    sets: int = 4


USUAL = Limits()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Paths that may be readable together, how a command says them, the names of the files that
    they are, and where the command works.
    """

    paths: tuple[Path, ...]
    shown: tuple[str, ...]
    names: tuple[str, ...]
    place: str = PLACES["any"]


@dataclass(slots=True)
class Data:
    """Files and folders; `root` is what no sentence shows of their paths, and `scratch` is where
    archives are unpacked. `is_shared` says that others see it, who must not see where it is.
    """

    id: str
    paths: tuple[Path, ...]
    scratch: Path
    root: Path | None = None
    limits: Limits = USUAL
    is_shared: bool = False
    added: float = field(default_factory=time.time)
    n_files: int = 0
    n_bytes: int = 0
    unpacked: dict[Path, Path] = field(default_factory=dict)

    def candidates(self) -> Iterator[Candidate]:
        """The ways in which the files may be readable: as they are, as one folder, unpacked."""
        names = tuple(self._shown(path) for path in self.paths)
        yield Candidate(self.paths, names, names, PLACES["any" if self.root is None else "beside"])
        if self.root is not None and len(self.paths) > 1:
            yield Candidate((self.root,), (".",), names, PLACES["alone"])
        if any(_is_zip(path) for path in self.paths):
            paths = tuple(self._folder(path) if _is_zip(path) else path for path in self.paths)
            shown = tuple(self._shown(path) for path in paths)
            archives = ", ".join(path.name for path in self.paths if _is_zip(path))
            yield Candidate(paths, shown, shown, PLACES["unpacked"].format(archives=archives))

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
        if self.root is not None:
            sentence = sentence.replace(f"'{FOLDER}/", "'")
        for path in self.paths if self.is_shared else ():
            for shown in {path, path.resolve()}:
                sentence = sentence.replace(str(shown), shown.name)
        return sentence

    def _shown(self, path: Path) -> str:
        is_ours = self.root is not None or path.parent == self.scratch
        return path.name if is_ours or self.is_shared else str(path)

    def _folder(self, path: Path) -> Path:
        if path not in self.unpacked:
            self.unpacked[path] = unpack(path, self.scratch / path.stem, self.limits)
        return self.unpacked[path]


def unpack(path: Path, folder: Path, limits: Limits) -> Path:
    """The files of an archive, in a new folder; an InputError if it holds too much."""
    with open_zip(path) as archive:
        size = sum(info.file_size for info in archive.members.values())
        if size > limits.bytes or len(archive.members) > limits.files:
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
    """All sets of files that a person may name: those given by path, and those sent."""

    def __init__(self, folder: Path, given: Data | None = None, limits: Limits = USUAL) -> None:
        self._folder = folder
        self._sent: dict[str, Data] = {}
        self.given = given
        self.limits = limits

    def __getitem__(self, name: str) -> Data:
        if name == GIVEN and self.given is not None:
            return self.given
        if name not in self._sent:
            raise Refused("gone")
        return self._sent[name]

    @property
    def sent(self) -> list[Data]:
        """The sets that were sent, the oldest first."""
        return list(self._sent.values())

    def add(self) -> Data:
        """A new set without files; the oldest one is deleted if there are too many."""
        while len(self._sent) >= self.limits.sets:
            self.drop(next(iter(self._sent.values())))
        name = secrets.token_urlsafe(9)
        (self._folder / name / FOLDER).mkdir(parents=True)
        return self._know(name)

    def find(self) -> None:
        """Know the sets that are in the folder now, and no others: another process stores them."""
        there = sorted(one.name for one in self._folder.iterdir() if (one / FOLDER).is_dir())
        for name in [name for name in self._sent if name not in there]:
            del self._sent[name]
        for name in there:
            data = self._sent.get(name) or self._know(name)
            data.paths = tuple(sorted((self._folder / name / FOLDER).iterdir()))

    def _know(self, name: str) -> Data:
        home = self._folder / name
        data = Data(name, (), home / "unpacked", home / FOLDER, self.limits)
        self._sent[name] = data
        return data

    async def store(self, data: Data, name: str, body: AsyncIterator[bytes]) -> None:
        """Store a file that the page sends; one of a hidden name is ignored."""
        if data.root is None:
            raise Refused("gone")
        parts = _parts(name)
        if any(map(is_hidden, parts)):
            return
        data.n_files += 1
        if data.n_files > self.limits.files:
            raise Refused("too-many", most=self.limits.files)
        if shutil.disk_usage(self._folder).free < LEAST_FREE:
            raise Refused("full-disk")
        place = data.root.joinpath(*parts)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as file:
                async for piece in body:
                    data.n_bytes += len(piece)
                    self.check_size(data)
                    file.write(piece)
        except OSError as error:
            raise Refused("bad-name", name=name[:80]) from error
        data.paths = tuple(sorted(data.root.iterdir()))

    def check_size(self, data: Data, more: int = 0) -> None:
        """A Refused if the set would hold too much with `more` bytes."""
        if data.n_bytes + more > self.limits.bytes:
            raise Refused("too-large", most=self.limits.bytes // 1024**2)

    def drop(self, data: Data) -> None:
        """Delete a set."""
        self._sent.pop(data.id, None)
        if data.root is not None:
            shutil.rmtree(data.root.parent, ignore_errors=True)


def given_data(paths: Sequence[Path], scratch: Path, *, is_shared: bool = False) -> Data | None:
    """The files that were given by path; None if there are none."""
    return Data(GIVEN, tuple(paths), scratch, is_shared=is_shared) if paths else None


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder that nobody else can read, deleted when the block ends."""
    with tempfile.TemporaryDirectory(prefix="goldspan-open-", ignore_cleanup_errors=True) as name:
        yield Path(name)


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
