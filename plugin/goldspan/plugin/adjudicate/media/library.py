"""Library: the recordings of a corpus, each found in a folder that the user named.

A corpus may come from elsewhere and name any file. Only recordings inside the folders of the input,
or given with --media, are ever opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum, Corpus

TYPES = {
    ".aac": "audio/aac", ".aif": "audio/aiff", ".aiff": "audio/aiff", ".avi": "video/x-msvideo",
    ".flac": "audio/flac", ".m4a": "audio/mp4", ".m4v": "video/mp4", ".mkv": "video/x-matroska",
    ".mov": "video/quicktime", ".mp3": "audio/mpeg", ".mp4": "video/mp4", ".mpeg": "video/mpeg",
    ".mpg": "video/mpeg", ".oga": "audio/ogg", ".ogg": "audio/ogg", ".ogv": "video/ogg",
    ".opus": "audio/ogg", ".wav": "audio/wav", ".webm": "video/webm", ".wma": "audio/x-ms-wma",
    ".wmv": "video/x-ms-wmv",
}  # fmt: skip
"""What a recording is called, and its type; nothing else is served."""

NOT_PLAYED = (".aif", ".aiff", ".avi", ".mkv", ".mov", ".mpeg", ".mpg", ".wma", ".wmv")
"""What browsers do not play, or not all of them."""

UPLOADED = re.compile(r"[0-9a-f]{8}-(?=.)")
"""What Label Studio puts before the name of a file that was uploaded."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A file that can be served."""

    path: Path

    @property
    def type(self) -> str:
        return TYPES[self.path.suffix.lower()]

    @property
    def kind(self) -> str:
        """Audio or video."""
        return self.type.partition("/")[0]

    @property
    def say(self) -> str:
        """What a person should know of it."""
        suffix = self.path.suffix.lower()
        if suffix in NOT_PLAYED:
            return (
                f"Browsers do not play {suffix}. Convert the recording to .mp4 or .wav, and give "
                "it with --media TASK=FILE."
            )
        if suffix == ".mp3":
            return "Players seek an .mp3 of varying bit rate only roughly; a .wav is exact."
        return ""


@dataclass(frozen=True, slots=True)
class MediaRequest:
    """Where recordings may be: folders, and files by the task's name."""

    folders: tuple[Path, ...] = ()
    files: tuple[tuple[str, Path], ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The recordings of a task; `say` tells what was looked for where there is none."""

    recordings: tuple[Recording, ...] = ()
    say: str = ""


NOTHING = Found()


@dataclass(frozen=True, slots=True)
class Library:
    """The recordings of each task, by the task's number."""

    tasks: tuple[Found, ...] = field(default=())

    def __getitem__(self, n: int) -> Found:
        return self.tasks[n] if 0 <= n < len(self.tasks) else NOTHING


def media_request(words: Iterable[str]) -> MediaRequest:
    """What the values of --media say: DIR or TASK=FILE."""
    folders, files = [], []
    for word in words:
        task, sign, name = word.partition("=")
        if Path(word).is_dir():
            folders.append(Path(word))
        elif not sign or not task:
            raise SettingsError(f"--media {word} is not a folder; give a folder, or TASK=FILE")
        elif not Path(name).is_file():
            raise SettingsError(f"--media {word}: there is no file {name}")
        elif Path(name).suffix.lower() not in TYPES:
            raise SettingsError(
                f"--media {word}: {name} is not a recording; those end with {', '.join(TYPES)}"
            )
        else:
            files.append((task, Path(name)))
    return MediaRequest(tuple(folders), tuple(files))


def find_media(corpus: Corpus, inputs: Sequence[Path], request: MediaRequest) -> Library:
    """The recordings that the corpus names and that are where they may be, and those that the
    request gives.
    """
    tasks = {one.id for one in corpus}
    for task, _ in request.files:
        if task not in tasks:
            known = ", ".join(sorted(tasks)[:5])
            raise SettingsError(f"--media {task}=…: no task has this name; there are {known}")
    search = _Search(inputs, request)
    return Library(tuple(search.find(one) for one in corpus))


class _Search:
    def __init__(self, inputs: Sequence[Path], request: MediaRequest) -> None:
        beside = [path if path.is_dir() else path.parent for path in inputs]
        self._roots = list(dict.fromkeys([*request.folders, *beside]))
        self._given = request
        self._elan = _elan_media(inputs)
        self._by_stem: dict[str, list[Path]] = {}
        for folder in request.folders:
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in TYPES and path.is_file():
                    self._by_stem.setdefault(path.stem, []).append(path)

    def find(self, task: Continuum) -> Found:
        given = [path for name, path in self._given.files if name == task.id]
        if given:
            return Found(tuple(Recording(path) for path in given))
        named = self._named(task)
        found = [path for one in named for path in [self._place(*one)] if path is not None]
        if not found:
            stem = PurePosixPath(task.id).stem
            found = self._by_stem.get(task.id) or self._by_stem.get(stem) or []
        if found:
            return Found(tuple(Recording(path) for path in dict.fromkeys(found)))
        if not named:
            return NOTHING
        names = ", ".join(dict.fromkeys(_name(names[0]) for names in named))
        return Found(
            say=f"The recording {names} was not found beside the input; give its folder with "
            "--media DIR."
        )

    def _named(self, task: Continuum) -> list[tuple[str, ...]]:
        """What the corpus says of each recording: an address, and perhaps a relative place."""
        own = self._elan.get(task.media or "") or self._elan.get(task.id)
        if own:
            return own
        return [(task.media,)] if task.media else []

    def _place(self, *names: str) -> Path | None:
        """The file that one of the names means, in one of the folders."""
        for root in self._roots:
            for name in names:
                for relative in _relative_places(name):
                    path = _inside(root, relative)
                    if path is not None:
                        return path
        return None


def _elan_media(inputs: Sequence[Path]) -> dict[str, list[tuple[str, ...]]]:
    """All recordings of each EAF file, by the address of its first one and by the file's name."""
    files = [one for path in inputs for one in (path.rglob("*") if path.is_dir() else [path])]
    eafs = sorted(one for one in files if one.suffix.lower() == ".eaf")
    if not eafs:
        return {}
    from goldspan.adapters.elan.media import media_descriptors  # noqa: PLC0415 - needs lxml

    found: dict[str, list[tuple[str, ...]]] = {}
    for path in eafs:
        named = [tuple(filter(None, (one.url, one.relative))) for one in media_descriptors(path)]
        if named:
            found.setdefault(named[0][0], named)
            found.setdefault(path.stem, named)
    return found


def _relative_places(name: str) -> list[str]:
    """Where a name may lead from a folder: as it is written, and by the file's name alone."""
    split = urlsplit(name.replace("\\", "/"))
    written = unquote(split.path or split.query)
    last = _name(name)
    places = [written] if not split.scheme and not written.startswith("/") else []
    return [*places, last, *([UPLOADED.sub("", last, count=1)] if UPLOADED.match(last) else [])]


def _name(address: str) -> str:
    """The file's name in an address; Label Studio has it in the query for local files."""
    split = urlsplit(address.replace("\\", "/"))
    path = split.query.rpartition("d=")[2] if "local-files" in split.path else split.path
    return PurePosixPath(unquote(path)).name


def _inside(root: Path, relative: str) -> Path | None:
    """The recording at a place inside the folder, links followed; None if there is none."""
    try:
        home = root.resolve()
        path = (home / relative).resolve()
        is_file = path.is_file()
    except (OSError, ValueError, RuntimeError):
        return None
    if not is_file or home not in path.parents or path.suffix.lower() not in TYPES:
        return None
    return path
