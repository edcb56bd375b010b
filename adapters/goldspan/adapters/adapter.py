"""The adapter: what one file format has to offer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from goldspan.adapters.facts import FormatFact
from goldspan.adapters.options import Option, ReadOptions, WriteOptions, own_options
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import Note
from goldspan.engine.model import Corpus

if TYPE_CHECKING:
    from goldspan.engine.annotators.worktime import Times
    from goldspan.engine.gold.gold import Gold

__all__ = [
    "Adapter",
    "Notes",
    "Option",
    "Paths",
    "ReadOptions",
    "WriteOptions",
    "read_tasks_with",
    "read_with",
    "times_with",
    "write_with",
]

QUOTED = re.compile(r"""(?<!\w)(['"“])(?:.*)(['"”])(?!\w)""", re.DOTALL)
"""Everything from the first quotation mark to the last one."""

Paths: TypeAlias = Sequence[Path]
"""The files or folders that are read."""

Notes: TypeAlias = Sequence[Note]
"""What a person should know of a file that was written."""


class Adapter:
    """One file format. A subclass names itself and fills in what it can do.

    The class attributes are shown by `goldspan formats`; `extra` is the optional part of goldspan
    that reading or writing needs, `holds_scale` whether written files keep the order of the
    categories, `holds_labels` whether they keep labels of whole tasks, `holds_fragments` whether
    they keep the parts of spans with gaps, `ignores` which of the options `layers` and
    `category_from` mean nothing in the format, `suffixes` what its files are called, if they are
    always called so: other files are not sniffed. `reading_options` and `writing_options` are
    options of the format's own, which no other format has to know. The command line loads every
    adapter to show them: a module imports what reads and writes inside the methods, and its extra
    in the function that needs it (`extras`).
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    annotators: ClassVar[str]
    presence: ClassVar[str]
    reads: ClassVar[bool] = True
    writes: ClassVar[bool] = True
    extra: ClassVar[str] = ""
    holds_scale: ClassVar[bool] = True
    holds_labels: ClassVar[bool] = False
    holds_fragments: ClassVar[bool] = False
    ignores: ClassVar[tuple[str, ...]] = ()
    suffixes: ClassVar[tuple[str, ...]] = ()
    reading_options: ClassVar[tuple[Option[Any], ...]] = ()
    writing_options: ClassVar[tuple[Option[Any], ...]] = ()

    def sniff(self, path: Path) -> bool:
        """Whether the content is of this format, judged from its head; never raises for content."""
        del path
        return False

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """The corpus in the files or folders."""
        del paths, options
        raise SettingsError(f"the format '{self.name}' cannot be read")

    def read_tasks(self, tasks: Iterable[Any], options: ReadOptions) -> Corpus:
        """The corpus in tasks that are values already, as the format's files hold them."""
        del tasks, options
        raise SettingsError(f"the format '{self.name}' can be read from files only")

    def times(self, paths: Paths, options: ReadOptions) -> Times:
        """When each annotator did each task, and how long it took, by task and annotator as `read`
        names them; nothing where the files do not say.
        """
        del paths, options
        return {}

    def check(self, path: Path, *, gold: bool) -> None:
        """Refuse a place that a corpus, or gold, cannot be written to; asked before the work."""
        del path, gold

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """Write to a file or folder, all or nothing. Returns what a person should know: files
        written in addition to `path`, and what the format could not hold.
        """
        del value, path, options
        raise SettingsError(f"the format '{self.name}' cannot be written")


def read_with(adapter: Adapter, paths: Paths, options: ReadOptions) -> Corpus:
    """Read, after the checks that are the same for all formats."""
    for path in paths:
        if not path.exists():
            raise InputError("there is no such file or folder", where=str(path))
    checked = _checked(adapter, options)
    with quotes_left_out(options):
        corpus = _with_tasks(adapter.read(paths, checked), str(paths[0]))
    return corpus.without_texts() if options.no_text else corpus


def read_tasks_with(adapter: Adapter, tasks: Iterable[Any], options: ReadOptions) -> Corpus:
    """The same for tasks that are values."""
    checked = _checked(adapter, options)
    with quotes_left_out(options):
        corpus = _with_tasks(adapter.read_tasks(tasks, checked), "the tasks")
    return corpus.without_texts() if options.no_text else corpus


def times_with(adapter: Adapter, paths: Paths, options: ReadOptions) -> Times:
    """When work was done and how long it took, of files that were read with the same options."""
    with quotes_left_out(options):
        return adapter.times(paths, _checked(adapter, options))


@contextmanager
def quotes_left_out(options: ReadOptions) -> Iterator[None]:
    """Where no text may be shown, errors of reading lose what they quote: it may be from one."""
    try:
        yield
    except InputError as error:
        if not options.no_text:
            raise
        said = without_quotes(error.message)
        raise InputError(
            said, where=error.where, remedy=error.remedy, choices=error.choices
        ) from None


def without_quotes(sentence: str) -> str:
    """The sentence without anything between quotation marks."""
    return QUOTED.sub(r"\1…\2", sentence)


def _checked(adapter: Adapter, options: ReadOptions) -> ReadOptions:
    """The options, if the format has all that were given."""
    if not adapter.reads:
        raise SettingsError(f"the format '{adapter.name}' can be written but not read")
    for name, said in (("layers", "--layer"), ("category_from", "--category-from")):
        if getattr(options, name) and name in adapter.ignores:
            raise SettingsError(
                f"{said} does not apply to the format '{adapter.name}'; leave it out"
            )
    own = own_options(adapter.name, adapter.reading_options, options.own)
    return replace(options, own=own)


def _with_tasks(corpus: Corpus, where: str) -> Corpus:
    # Where tasks were there and none is left, the notes say why.
    if not corpus.continua and not any(note.task for note in corpus.notes):
        raise InputError("there is no task in it; check the export, and --from", where=where)
    return corpus


def write_with(
    adapter: Adapter, value: Corpus | Gold, path: Path, options: WriteOptions
) -> tuple[Note, ...]:
    """Write, and also note what the adapter declares that its format cannot hold."""
    adapter.check(path, gold=not isinstance(value, Corpus))
    own = own_options(adapter.name, adapter.writing_options, options.own)
    options = replace(options, own=own)
    try:
        notes = tuple(adapter.write(value, path, options))
    except UnicodeEncodeError as error:
        raise InputError(
            f"a name, label or text holds half a surrogate pair ({error.object[error.start]!a}), "
            f"which {adapter.name} cannot hold; correct it in the input",
            where=str(path),
        ) from error
    if isinstance(value, Corpus) and value.scale and not adapter.holds_scale:
        notes += (Note.of(FormatFact.SCALE_LOST, format=adapter.name),)
    if not adapter.holds_fragments and (gaps := _spans_with_gaps(value)):
        notes += (Note.of(FormatFact.FRAGMENTS_LOST, count=gaps),)
    layers = value.layers if isinstance(value, Corpus) else value.corpus.layers
    if layers and not adapter.holds_labels:
        names = ", ".join(f"'{name}'" for name in layers)
        notes += (Note.of(FormatFact.LABELS_LOST, format=adapter.name, layers=names),)
    return notes


def _spans_with_gaps(value: Corpus | Gold) -> int:
    if isinstance(value, Corpus):
        return sum(bool(unit.fragments) for continuum in value for unit in continuum.units)
    return sum(bool(span.fragments) for spans in value.spans.values() for span in spans)
