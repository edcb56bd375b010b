"""Reading: the corpus in files, or the questions that they leave open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from goldspan.adapters import registry
from goldspan.adapters.adapter import read_with
from goldspan.engine.errors import GoldspanError, InputError
from goldspan.plugin.open.data import FOLDER
from goldspan.plugin.open.questions import LARGEST_TRIAL, presence_question, questions, suggestions
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.views import Annotator, Asked, Opened
from goldspan.plugin.open.wording import PRESENCE_UNKNOWN

if TYPE_CHECKING:
    from goldspan.adapters.options import ReadOptions
    from goldspan.engine.model import Corpus
    from goldspan.plugin.open.data import Candidate, Data, Shelf
    from goldspan.plugin.open.state import State

MOST_CORPORA = 4
MOST_NOTES = 20

Words = Callable[[str, "ReadOptions"], list[str]]
"""The options of a command that reads in a format."""


@dataclass(frozen=True, slots=True)
class Source:
    """Files that can be read: which, as what, and how.

    key    what is the same only for the same files and options
    words  of a command that reads them
    names  of the files that they are, as the page says them
    place  where the command works, as a sentence
    """

    data: Data
    paths: tuple[Path, ...]
    format: str
    options: ReadOptions
    key: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    place: str

    @property
    def title(self) -> str:
        """What a report of them is called."""
        return ", ".join(Path(name).name for name in self.names[:3])

    def read(self) -> Corpus:
        """The corpus."""
        return read_with(registry.get(self.format), list(self.paths), self.options)

    def read_settled(self) -> Corpus:
        """The version that a person settled, of the same files."""
        options = replace(self.options, adjudicated=True)
        return read_with(registry.get(self.format), list(self.paths), options)


class Reader:
    """Reads what a state names, and remembers the last corpora."""

    def __init__(self, shelf: Shelf, words: Words) -> None:
        self._shelf = shelf
        self._words = words
        self._lock = Lock()
        self._corpora: dict[str, Corpus] = {}

    def open(self, state: State) -> Opened | Asked:
        """What the files are, with everything; or what they leave open. Files that cannot be
        read at all are a Refused.
        """
        data = self._data(state)
        try:
            source = self._source(data, replaced(state))
            corpus = self._read(source)
        except InputError as error:
            if error.remedy or error.choices:
                return self._asked(data, state, error)
            raise _unreadable(data, state, error) from error
        except GoldspanError as error:
            raise _unreadable(data, state, error) from error
        asked = presence_question(corpus)
        return Asked(PRESENCE_UNKNOWN, (asked,)) if asked else _opened(source, corpus)

    def corpus(self, state: State) -> tuple[Source, Corpus]:
        """The corpus that is measured, without what is left out."""
        data = self._data(state)
        try:
            source = self._source(data, state)
            return source, self._read(source)
        except GoldspanError as error:
            raise Refused("invalid", reason=_sentence(data, error)) from error

    def _data(self, state: State) -> Data:
        data = self._shelf[state.data]
        if not data.paths:
            raise Refused("gone")
        return data

    def _source(self, data: Data, state: State) -> Source:
        candidate, name = _detected(data, state.format)
        options = state.reading()
        words = (*candidate.shown, *self._words(name, options))
        key = f"{data.id} {data.version()} {candidate.paths} {name} {options!r}"
        return Source(
            data, candidate.paths, name, options, key, words, candidate.names, candidate.place
        )

    def _read(self, source: Source) -> Corpus:
        with self._lock:
            found = self._corpora.pop(source.key, None)
            if found is None:
                found = source.read()
            self._corpora[source.key] = found
            while len(self._corpora) > MOST_CORPORA:
                self._corpora.pop(next(iter(self._corpora)))
        return found

    def _asked(self, data: Data, state: State, error: InputError) -> Asked:
        name = state.format or suggestions(error).get("--from", "")
        paths: tuple[Path, ...] = data.paths
        attempt = None
        if "--from" not in error.choices:
            try:
                candidate, name = _detected(data, name)
            except GoldspanError:
                raise Refused("unreadable", reason=_sentence(data, error)) from error
            paths = candidate.paths
            if _size(paths) <= LARGEST_TRIAL:

                def attempt(answers: Mapping[str, str]) -> Corpus:
                    options = replaced(state).reading(answers)
                    corpus = read_with(registry.get(name), list(paths), options)
                    if data.root is not None and FOLDER in corpus.annotators:
                        raise InputError("a folder of this server is nobody's name")
                    return corpus

        return Asked(_sentence(data, error), questions(error, paths, attempt))


def replaced(state: State) -> State:
    """The state with everything that it leaves out."""
    import msgspec  # noqa: PLC0415 - for this only

    return msgspec.structs.replace(state, left_out=(), left_out_labels=(), left_out_tasks=())


def _detected(data: Data, name: str) -> tuple[Candidate, str]:
    """The first way to take the files that some format recognises; the first error if none does,
    unless only a later one says what is missing.
    """
    first: InputError | None = None
    for candidate in data.candidates():
        try:
            return candidate, name or registry.detect(candidate.paths).name
        except InputError as error:  # noqa: PERF203 - there are three at most
            if first is None or (error.remedy or error.choices):
                first = error
    raise first or Refused("gone")


def _opened(source: Source, corpus: Corpus) -> Opened:
    units: Counter[str] = Counter()
    tasks: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    for continuum in corpus:
        tasks.update(continuum.annotators)
        for unit in continuum.units:
            units[unit.annotator] += 1
            labels[unit.category] += 1
    adapter = registry.get(source.format)
    return Opened(
        format=adapter.name,
        summary=adapter.summary,
        files=source.names,
        tasks=len(corpus.continua),
        units=sum(units.values()),
        annotators=tuple(Annotator(one, tasks[one], units[one]) for one in corpus.annotators),
        labels=tuple(sorted(labels)),
        label_units=tuple(labels[one] for one in sorted(labels)),
        task_names=tuple(continuum.id for continuum in corpus),
        task_units=tuple(len(continuum.units) for continuum in corpus),
        notes=tuple(_note(source.data, note.message, note.task) for note in corpus.notes)[
            :MOST_NOTES
        ],
        version=source.data.version(),
        place=source.place,
    )


def _note(data: Data, message: str, task: str | None) -> str:
    return data.clean(f"Task '{task}': {message}" if task else message)


def _unreadable(data: Data, state: State, error: GoldspanError) -> Refused:
    name = "unreadable-so" if state.answers else "unreadable"
    return Refused(name, reason=_sentence(data, error))


def _sentence(data: Data, error: GoldspanError) -> str:
    return data.clean(str(error))


def _size(paths: Sequence[Path]) -> int:
    files = (file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]))
    return sum(file.stat().st_size for file in files if file.is_file())
