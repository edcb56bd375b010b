"""Checkpoint: finished pieces of work in a folder, so that an interrupted run can go on.

The engine does its work in pieces that depend on the data, the settings and the version alone, in
an order that does not depend on where they run. A piece is known by its number in this order, and
the folder of a run by a fingerprint of all that decides its figures. Parts are complete files with
a checksum; one that is damaged is computed again.
"""

from __future__ import annotations

import json
import pickle
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.files.atomic import new_file, place_to_write, writing
from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus
    from goldspan.engine.parallel import Map
    from goldspan.engine.settings import Settings

MARK = "goldspan-checkpoint.txt"
ABOUT = (
    "Finished work of interrupted goldspan runs (--resume), a folder for each.\n"
    "You can delete this folder when you have the results.\n"
)
FINISHED = ".finished"
"""How the files of finished work end; a `.part` would be a file that is not complete."""

EVERY_SECONDS = 1.0
"""Work that took so long is stored together; this much at most is done again after a crash."""

MOST_BYTES = 16 << 20
"""More than this is not kept in memory before it is stored."""

SAFE = {
    ("builtins", "range"), ("builtins", "slice"), ("builtins", "set"), ("builtins", "frozenset"),
    ("numpy", "dtype"), ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"), ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"), ("numpy.core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"), ("numpy.core.numeric", "_frombuffer"),
}  # fmt: skip
"""What a part may be made of, beside the engine's own values. A part that names anything else is
not ours, and nothing of it is run."""

Piece = tuple[int, int, str]
"""The number of a call, of an item in it, and what kind of work it is."""


def fingerprint(what: str, settings: Settings, *corpora: Corpus) -> str:
    """What stands for all that decides the figures: what is measured, the data without its texts,
    the settings, and the version of goldspan.
    """
    digest = sha256(repr((version("goldspan"), what, settings)).encode("utf-8", "surrogatepass"))
    for corpus in corpora:
        digest.update(repr((corpus.scale, len(corpus.continua))).encode())
        for one in corpus.continua:
            units = [(u.annotator, u.start, u.end, u.category) for u in one.units]
            presence = [(name, state.value) for name, state in one.presence.items()]
            said = (one.id, one.length, one.measure.value, presence, units)
            digest.update(repr(said).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


@contextmanager
def open_checkpoint(
    folder: Path, key: str, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
) -> Iterator[Checkpoint]:
    """The finished work of the run that this fingerprint stands for; what is finished in the block
    is stored, also when the block fails.
    """
    _claim(folder)
    own = folder / key
    others = [one for one in folder.iterdir() if one.is_dir() and one != own]
    if others and not own.is_dir():
        say(
            f"{folder} has finished work, but of other data, settings or another version of "
            "goldspan; it is not used"
        )
    with writing(own):
        own.mkdir(exist_ok=True)
    stored: dict[Piece, _Place] = {}
    for path in sorted(own.glob(f"*{FINISHED}")):
        pieces = _index(path, key)
        if pieces is None:
            say(f"{path} is damaged; its work is done again")
        else:
            stored |= pieces
    if stored:
        say(f"{folder}: {len(stored)} pieces of work are finished and are not repeated")
    checkpoint = Checkpoint(own, key, stored, clock)
    try:
        yield checkpoint
    finally:
        checkpoint.flush()


def _claim(folder: Path) -> None:
    """Make the folder ours; refuse one that has other things in it."""
    place = place_to_write(folder)
    if place.is_file():
        raise SettingsError(f"--resume: {folder} is a file; name a folder")
    if place.is_dir() and any(place.iterdir()) and not (place / MARK).is_file():
        raise SettingsError(
            f"--resume: {folder} has files that goldspan did not write; name a new folder, or that "
            "of an interrupted run"
        )
    with new_file(folder / MARK) as temporary:
        temporary.write_text(ABOUT, encoding="ascii")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the result of a piece is."""

    path: Path
    offset: int
    size: int

    def load(self) -> Any:
        with self.path.open("rb") as file:
            file.seek(self.offset)
            content = file.read(self.size)
        try:
            return _Unpickler(BytesIO(content)).load()
        except Exception as error:
            raise SettingsError(
                f"{self.path} cannot be used ({error}); delete it, and its work is done again"
            ) from error


class _Unpickler(pickle.Unpickler):
    """Makes the engine's own values and arrays, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """The class or function of this name, if a part may have it."""
        if (module, name) in SAFE:
            return super().find_class(module, name)
        if module.startswith("goldspan.engine.") and "." not in name:
            found = super().find_class(module, name)
            if (isinstance(found, type) and found.__module__ == module) or name == "_arrive":
                return found
        raise pickle.UnpicklingError(f"it names {module}.{name}, which no result has")


class Checkpoint:
    """The finished pieces of one run. `repeated` counts those that were found, and `done` those
    that had to be computed.
    """

    def __init__(
        self,
        folder: Path,
        key: str,
        stored: dict[Piece, _Place],
        clock: Callable[[], float],
    ) -> None:
        self.repeated = self.done = 0
        self._folder, self._key, self._stored, self._clock = folder, key, stored, clock
        self._calls = self._bytes = 0
        self._waiting: list[tuple[Piece, bytes]] = []
        self._since = clock()

    def keep(self, run: Map) -> Map:
        """A map that computes only what is not stored, and stores it."""

        def kept(function: Callable[[Any], Any], items: Sequence[Any]) -> Iterable[Any]:
            self._calls += 1
            kind = f"{type(function).__name__} {len(items)}"
            pieces = [(self._calls, number, kind) for number in range(len(items))]
            return self._answer(run, function, dict(zip(pieces, items, strict=True)))

        return kept

    def _answer(
        self, run: Map, function: Callable[[Any], Any], items: dict[Piece, Any]
    ) -> Iterator[Any]:
        missing = [item for piece, item in items.items() if piece not in self._stored]
        fresh = iter(run(function, missing) if missing else ())
        for piece in items:
            place = self._stored.get(piece)
            if place is not None:
                self.repeated += 1
                yield place.load()
                continue
            result = next(fresh)
            self.done += 1
            self._add(piece, result)
            yield result

    def _add(self, piece: Piece, result: object) -> None:
        content = pickle.dumps(result)
        self._waiting.append((piece, content))
        self._bytes += len(content)
        if self._clock() - self._since >= EVERY_SECONDS or self._bytes > MOST_BYTES:
            self.flush()

    def flush(self) -> None:
        """Store what is finished."""
        self._since = self._clock()
        if not self._waiting:
            return
        body = b"".join(content for _, content in self._waiting)
        head = {
            "key": self._key,
            "sha256": sha256(body).hexdigest(),
            "pieces": [[*piece, len(content)] for piece, content in self._waiting],
        }
        with new_file(self._folder / f"{secrets.token_hex(8)}{FINISHED}") as temporary:
            temporary.write_bytes(json.dumps(head).encode("ascii") + b"\n" + body)
        self._waiting.clear()
        self._bytes = 0


def _index(path: Path, key: str) -> dict[Piece, _Place] | None:
    """Where the pieces of a part are; None if it is damaged, or of another run."""
    try:
        with path.open("rb") as file:
            first = file.readline()
            body = file.read()
        head = json.loads(first)
        if head["key"] != key or head["sha256"] != sha256(body).hexdigest():
            return None
        found, offset = {}, len(first)
        for call, number, kind, size in head["pieces"]:
            found[int(call), int(number), str(kind)] = _Place(path, offset, int(size))
            offset += size
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found
