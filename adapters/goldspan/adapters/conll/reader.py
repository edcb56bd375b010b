"""Reading CoNLL: a column of tags for each annotator, or a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.conll.coverage import checked_sign, is_unseen, parts, without_sign
from goldspan.adapters.conll.document import (
    STANDARD,
    Conll,
    Document,
    column_of,
    read_conll,
    text_of,
)
from goldspan.adapters.conll.faults import BadRows
from goldspan.adapters.conll.options import NOT_ANNOTATED
from goldspan.adapters.conll.sources import SUFFIXES, files_to_read
from goldspan.adapters.conll.tags import Decoding, is_tag
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import ANNOTATOR_FROM, Naming
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.model import Corpus, Measure, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions

MORE = re.compile(r"(.+)\[\d+\]")
"""A further column of the same annotator, for spans that overlap: `ann`, `ann[2]`."""

UNSEEN = ("_", "")
WORDS = "column (a column each), file, dir, or a pattern such as '{task}.{annotator}.conll'"


def read_conlls(paths: Paths, options: ReadOptions) -> Corpus:
    """Every span of tags a unit, counted in tokens."""
    files = [file for given in paths for file in files_to_read(given)]
    if not files:
        raise InputError(
            f"there is no {', '.join(SUFFIXES)} file here, and no .txt", where=str(paths[0])
        )
    draft = Draft(options, measure=Measure.TOKEN)
    reading = _Reading(draft, checked_sign(NOT_ANNOTATED.of(options)), BadRows(draft))
    for file in files:
        reading.read(read_conll(file))
    reading.finish()
    return draft.corpus()


@dataclass(slots=True)
class _Reading:
    """One reading of many files, with what has to be known of all of them at the end."""

    draft: Draft
    sign: str
    bad_rows: BadRows
    annotators: set[str] = field(default_factory=set)
    files: dict[tuple[str, str], Path] = field(default_factory=dict)
    begun: int = 0
    iob1: int = 0
    cut: int = 0

    def read(self, conll: Conll) -> None:
        """Add every document of a file, or its parts where not all of it was given to the same
        annotators.
        """
        self.bad_rows.check_widths(conll)
        columns = self._columns(conll)
        conll = self.bad_rows.without(conll, [column for column, _ in columns], self.sign)
        for number, document in enumerate(conll.documents, start=1):
            name = self._task(conll, document, number)
            found = parts(document, columns, self.sign)
            self.cut += len(found) > 1
            for index, part in enumerate(found, start=1):
                called = name if len(found) == 1 else f"{name} part {index}"
                self._part(conll, part, called, columns)

    def _part(
        self, conll: Conll, document: Document, name: str, columns: list[tuple[int, str]]
    ) -> None:
        text = text_of(document, conll.form)
        for annotator in dict.fromkeys(owner for _, owner in columns):
            other = self.files.get((name, annotator))
            self.files[name, annotator] = conll.path
            if other == conll.path:
                raise InputError(
                    f"'{annotator}' has the document '{name}' twice; keep one", where=str(other)
                )
            if other is not None:
                raise InputError(
                    f"'{annotator}' has '{name}' here and in {other}; tell them apart with "
                    "--annotator-from",
                    where=str(conll.path),
                    choices={ANNOTATOR_FROM: ()},
                )
            own = [column for column, owner in columns if owner == annotator]
            self._document(conll, document, (name, annotator, text), own)

    def finish(self) -> None:
        """Say what was repaired, and complete the table of who saw what."""
        self.bad_rows.tell()
        if self.cut:
            self.draft.note(FormatFact.DOCUMENTS_CUT, count=self.cut)
        if self.begun:
            self.draft.note(FormatFact.TAGS_BEGUN, count=self.begun)
        if self.iob1:
            self.draft.note(FormatFact.IOB1, count=self.iob1)
        for task in self.draft.tasks.values():
            for name in self.annotators.difference(task.presences):
                task.saw(name, Presence.UNSEEN)

    def _document(
        self, conll: Conll, document: Document, key: tuple[str, str, str], columns: list[int]
    ) -> None:
        name, annotator, text = key
        task = self.draft.task(name)
        self.annotators.add(annotator)
        if self.draft.options.annotator_from not in (None, "column"):
            self.draft.read_from(conll.path, annotator, name)
        task.length = sum(map(len, document.sentences))
        cells = [cell for c in columns for part in column_of(document, c) for _, cell in part]
        if is_unseen(cells, self.sign):
            task.saw(annotator, Presence.UNSEEN)
            task.text = task.text if task.text is not None else text
            return
        task.read_by(annotator, text)
        task.saw(annotator, Presence.PARTIAL if self.sign in cells else Presence.DONE)
        for column in columns:
            decoding = Decoding()
            at = 0
            for sentence in column_of(document, column):
                decoding.feed(at, without_sign(sentence, self.sign), str(conll.path))
                at += len(sentence)
            self.iob1 += decoding.iob1
            self.begun += 0 if decoding.iob1 else decoding.begun
            for start, end, label, line in decoding.spans:
                task.span(annotator, start, end, label, f"{conll.path}:{line}")

    def _columns(self, conll: Conll) -> list[tuple[int, str]]:
        """The columns of tags to read, each with its annotator."""
        source = self.draft.options.annotator_from
        if source is None and not conll.names:
            raise InputError(
                f"the file does not say who made the tags; use --annotator-from: {WORDS}",
                where=str(conll.path),
                remedy=("--annotator-from", "file"),
            )
        if source in (None, "column"):
            return list(self._named(conll))
        if source not in ("file", "dir") and "{" not in source:
            raise SettingsError(f"--annotator-from '{source}' is not valid here; it can be {WORDS}")
        annotator, _ = Naming(source).read(conll.path.resolve())
        layers = self.draft.options.layers or (str(conll.width),)
        return [(self._column(conll, layer), annotator) for layer in layers]

    def _named(self, conll: Conll) -> Iterator[tuple[int, str]]:
        """Columns of tags, by their names in the file or by their numbers."""
        rows = [cells for d in conll.documents for s in d.sentences for _, cells in s]
        wanted = {self._column(conll, layer) for layer in self.draft.options.layers}
        for column in range(conll.width):
            name = conll.names[column] if conll.names else f"column {column + 1}"
            if column == conll.form or name in STANDARD or (wanted and column not in wanted):
                continue
            # A requested column is read, so that a cell that is not a tag is named with its line.
            if not (conll.names or wanted or self._is_of_tags(column, [r[column] for r in rows])):
                continue
            more = MORE.fullmatch(name)
            yield column, more[1] if more is not None and more[1] in conll.names else name

    def _is_of_tags(self, column: int, cells: list[str]) -> bool:
        """Whether most cells are tags, so that another is a mistake; words may look like tags too.

        Cells that say nothing count neither way, and a column of nothing else is an annotator's.
        """
        said = [cell for cell in cells if cell not in (*UNSEEN, self.sign)]
        tags = sum(map(is_tag, said))
        if not said or 2 * tags > len(said):
            return True
        if tags:
            self.draft.note(FormatFact.COLUMN_SKIPPED, column=column + 1)
        return False

    def _column(self, conll: Conll, layer: str) -> int:
        column = conll.column(layer)
        if column is None:
            known = ", ".join(conll.names) or f"1 to {conll.width}"
            raise SettingsError(f"there is no column '{layer}' in {conll.path}; there are {known}")
        return column

    def _task(self, conll: Conll, document: Document, number: int) -> str:
        if document.id:
            return document.id
        source = self.draft.options.annotator_from or "column"
        path = conll.path.resolve()
        base = path.stem
        if source != "column":
            naming = Naming(source)
            base = (naming.read(path)[1] if naming.names_task else None) or path.parent.name
        return base if len(conll.documents) == 1 else f"{base}#{number}"
