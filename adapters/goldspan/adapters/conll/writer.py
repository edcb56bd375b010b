"""Writing CoNLL: one file of tokens, with a column of IOB2 tags for each annotator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.conll.document import FORM, STANDARD
from goldspan.adapters.conll.tags import encode
from goldspan.adapters.conll.tokens import Tokens, given_tokens, made_tokens
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.unique_names import unique_names, without_blanks
from goldspan.adapters.kit.assignments import (
    assignment_rows,
    tells_more,
    with_assignments,
)
from goldspan.adapters.kit.tiers import stacks
from goldspan.adapters.kit.votes import votes_line
from goldspan.engine.errors import InputError
from goldspan.engine.facts import Note
from goldspan.engine.gold.gold import Gold, GoldSpan
from goldspan.engine.model import Continuum, Corpus, Measure, Presence, Unit

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Notes, WriteOptions

BREAK = re.compile(r"[\t\r\n]")
UNSEEN = "_"

Columns = Mapping[str, list[list[tuple[int, int, str]]]]


def write_conll(value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
    """Write the file, all or nothing; what comes back is what CoNLL could not hold."""
    corpus = value.corpus if isinstance(value, Gold) else value
    writing = _Writing(unique_names((continuum.id for continuum in corpus.continua), _line))
    names = [options.annotator] if isinstance(value, Gold) else list(corpus.annotators)
    columns = unique_names(names, without_blanks, reserved=STANDARD)
    text = writing.file(value, columns)
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise InputError("a text or name holds half a surrogate pair; UTF-8 cannot") from error
    table = not isinstance(value, Gold) and tells_more(corpus)
    states = assignment_rows(corpus) if table else ()
    rows = ((writing.tasks[task], columns[name], state) for task, name, state in states)
    with with_assignments(path, rows, options) as told, new_file(path) as file:
        file.write_bytes(data)
    return [*writing.notes(), *told]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A task to write: its tokens, the spans of each column on them, and remarks before it."""

    task: str
    tokens: Tokens
    columns: Columns
    remarks: list[str]


@dataclass(slots=True)
class _Writing:
    """One writing, with what a person should know at the end."""

    tasks: Mapping[str, str]
    made: int = 0
    joined: int = 0
    lost: int = 0
    blank: int = 0
    skipped: int = 0
    renamed: dict[str, str] = field(default_factory=dict)

    def file(self, value: Corpus | Gold, names: Mapping[str, str]) -> str:
        """The whole file: the names of the columns, then the documents."""
        for given, name in (*names.items(), *self.tasks.items()):
            if given != name:
                self.renamed[given] = name
        sheets = [*self._sheets(value, next(iter(names), ""))]
        depth = {
            name: max([1, *(len(sheet.columns.get(name, ())) for sheet in sheets)])
            for name in names
        }
        header = [FORM]
        for name, count in depth.items():
            header += [names[name], *(f"{names[name]}[{i}]" for i in range(2, count + 1))]
        parts = [f"# global.columns = {' '.join(header)}\n"]
        for sheet in sheets:
            parts.append(f"# newdoc id = {self.tasks[sheet.task]}\n")
            parts += (f"{remark}\n" for remark in sheet.remarks)
            parts += self._rows(sheet, depth)
        return "".join(parts)

    def _sheets(self, value: Corpus | Gold, gold: str) -> Iterator[_Sheet]:
        corpus = value.corpus if isinstance(value, Gold) else value
        for continuum in corpus.continua:
            marks: Mapping[str, Sequence[Unit | GoldSpan]] = _seen(continuum)
            remarks: list[str] = []
            if isinstance(value, Gold):
                spans = value.spans.get(continuum.id)
                if spans is None:
                    self.skipped += 1
                    continue
                marks = {gold: spans}
                remarks = [
                    f"# span = {s.start}-{s.end} {_line(s.category)} {votes_line(s)}" for s in spans
                ]
            tokens = self._tokens(continuum, [s for own in marks.values() for s in own])
            columns = {name: self._stacks(own, tokens) for name, own in marks.items()}
            yield _Sheet(continuum.id, tokens, columns, remarks)

    def notes(self) -> Iterator[Note]:
        """What CoNLL could not hold."""
        for given, name in self.renamed.items():
            yield Note.of(FormatFact.NAME_CHANGED, format="CoNLL", given=given, name=name)
        if self.made:
            yield Note.of(FormatFact.TEXTS_CUT, count=self.made)
        if self.joined:
            yield Note.of(FormatFact.SENTENCES_JOINED, count=self.joined)
        if self.lost:
            yield Note.of(FormatFact.UNTOKENISED_SPANS, count=self.lost)
        if self.blank:
            yield Note.of(FormatFact.UNTOKENISED_TEXTS, count=self.blank)
        if self.skipped:
            yield Note.of(FormatFact.NO_GOLD, count=self.skipped)

    def _tokens(self, continuum: Continuum, spans: Sequence[Unit | GoldSpan]) -> Tokens:
        where = f"task '{continuum.id}'"
        if continuum.text is None or not continuum.measure.is_text:
            raise InputError("CoNLL needs a text, and the task has none", where=where)
        if continuum.measure is Measure.TOKEN:
            tokens = given_tokens(continuum.text, continuum.length, where)
        else:
            self.made += 1
            edges = (int(p) for span in spans for p in (span.start, span.end))
            tokens = made_tokens(continuum.text, edges)
        self.blank += not tokens.words
        return tokens

    def _stacks(
        self, spans: Iterable[Unit | GoldSpan], tokens: Tokens
    ) -> list[list[tuple[int, int, str]]]:
        """The spans in tokens, on as many columns as they need."""
        placed = []
        for span in spans:
            place = tokens.span(span.start, span.end)
            if place is None:
                self.lost += 1
                continue
            placed.append(_Placed(*place, self._cell(span.category)))
        return [[(s.start, s.end, s.label) for s in stack] for stack in stacks(placed)]

    def _cell(self, text: str) -> str:
        cell = _line(text)
        if cell != text:
            self.renamed[text] = cell
        return cell

    def _rows(self, sheet: _Sheet, depth: Mapping[str, int]) -> Iterator[str]:
        tokens = sheet.tokens
        size = len(tokens.words)
        tags: list[list[str]] = []
        inside: set[int] = set()
        for name, count in depth.items():
            own = sheet.columns.get(name)
            for index in range(count):
                if own is None:
                    tags.append([UNSEEN] * size)
                    continue
                spans = own[index] if index < len(own) else []
                inside.update(i for start, end, _ in spans for i in range(start, end - 1))
                tags.append(encode(size, spans))
        for index, word in enumerate(tokens.words):
            yield "\t".join([_line(word), *(column[index] for column in tags)]) + "\n"
            if index in tokens.last and index in inside:
                self.joined += 1
            elif index in tokens.last:
                yield "\n"


@dataclass(frozen=True, slots=True)
class _Placed:
    """A span on the tokens."""

    start: int
    end: int
    label: str


def _seen(continuum: Continuum) -> dict[str, Sequence[Unit | GoldSpan]]:
    """The units of everybody who has a column in this task."""
    return {
        name: continuum.of(name)
        for name, state in continuum.presence.items()
        if state.takes_part or state is Presence.PARTIAL or continuum.of(name)
    }


def _line(text: str) -> str:
    """The text as one cell."""
    return BREAK.sub("_", text)
