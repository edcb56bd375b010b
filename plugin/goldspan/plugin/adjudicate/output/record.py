"""Record: which files the adjudication wrote, so that it replaces those and no others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.errors import SettingsError
from goldspan.plugin.adjudicate.output.writing import hard_cases_of, journal_of, sidecar_of

NAME = "output.json"


class _Kept(msgspec.Struct, frozen=True):
    """The digests of the files as they were written, by name. `writing` says that a process was
    writing them: whatever is there then is ours.
    """

    digests: dict[str, str] = {}
    writing: bool = False


class OutputRecord:
    """Of one output, in the folder of its journals."""

    def __init__(self, output: Path, *, force: bool = False) -> None:
        self._paths = (output, sidecar_of(output), hard_cases_of(output))
        self._place = journal_of(output) / NAME
        self._force = force

    def check(self) -> None:
        """Refuse files that are not ours, or that somebody changed since."""
        kept = self._load()
        if self._force or kept.writing:
            return
        for path in self._paths:
            if not path.exists() or kept.digests.get(path.name) == digest(path):
                continue
            why = "was changed since" if path.name in kept.digests else "is not from this journal"
            raise SettingsError(
                f"{path} exists and {why}; choose another --output, or replace it with --force"
            )

    @property
    def may_replace(self) -> bool:
        """Whether it was written before, or may be replaced whatever it is."""
        kept = self._load()
        return self._force or kept.writing or bool(kept.digests)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """What the block writes is ours from then on, also if it is broken off."""
        self.check()
        self._keep(_Kept(writing=True))
        yield
        self._keep(_Kept({path.name: digest(path) for path in self._paths if path.exists()}))
        self._force = False

    def _load(self) -> _Kept:
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(self._place.read_bytes(), type=_Kept)
        return _Kept()

    def _keep(self, kept: _Kept) -> None:
        with new_file(self._place) as temporary:
            temporary.write_bytes(msgspec.json.encode(kept))


def digest(path: Path) -> str:
    """What tells the content of a file, or of all files in a folder."""
    told = hashlib.sha256()
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    for one in files:
        told.update(str(one.relative_to(path)).encode("utf-8", "surrogateescape") + b"\0")
        told.update(hashlib.sha256(one.read_bytes()).digest())
    return told.hexdigest()
