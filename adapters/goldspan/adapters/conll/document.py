"""A CoNLL file: documents of sentences of rows, a token and its columns each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from goldspan.adapters.conll.tags import is_tag
from goldspan.adapters.files.text_file import read_text
from goldspan.adapters.kit.digits import from_digits
from goldspan.engine.errors import InputError

COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")
NEW = re.compile(r"#\s*newdoc(?:\s+id\s*= ?(.*))?")
START = "-DOCSTART-"
FORM = "FORM"
STANDARD = frozenset(
    {"ID", FORM, "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"}
)
"""Columns of CoNLL-U, none of which is an annotator's."""

Row = tuple[int, list[str]]


@dataclass(slots=True)
class Document:
    """The sentences of one document; `id` is "" where the file names none."""

    id: str = ""
    sentences: list[list[Row]] = field(default_factory=list)


@dataclass(slots=True)
class Conll:
    """A file; `names` are its columns' names, or none, and `faults` are the lines that cannot be
    read, which no document has, with what is wrong.
    """

    path: Path
    names: tuple[str, ...]
    documents: list[Document]
    width: int
    faults: Mapping[int, str] = field(default_factory=dict)

    @property
    def form(self) -> int:
        """The column of the token."""
        return self.names.index(FORM) if FORM in self.names else 0

    def column(self, name: str) -> int | None:
        """A column by its name, or by its number from 1; None when there is none."""
        if name in self.names:
            return self.names.index(name)
        number = from_digits(name) or 0
        return number - 1 if 0 < number <= self.width else None


def read_conll(path: Path) -> Conll:
    """The file; rows of another width than most are among its faults."""
    lines = [line.removesuffix("\r") for line in read_text(path).split("\n")]
    tabs = "\t" in _first_row(lines)
    width = _usual_width(lines, tabs=tabs)
    names: tuple[str, ...] = ()
    documents: list[Document] = []
    faults: dict[int, str] = {}
    fresh = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            fresh = True
            continue
        cells = _cells(line, tabs=tabs)
        if line.startswith("#") and not (len(cells) == width > 1 and is_tag(cells[-1])):
            if columns := COLUMNS.fullmatch(line):
                before, names = names, tuple(columns[1].split())
                if names != before and any(document.sentences for document in documents):
                    raise InputError(
                        "global.columns is repeated after the first row; put it before",
                        where=f"{path}:{number}",
                    )
            elif new := NEW.fullmatch(line):
                documents.append(Document(new[1] or ""))
                fresh = True
            continue
        if cells[0] == START:
            documents.append(Document())
            fresh = True
            continue
        if names and len(names) != width == len(cells):
            raise InputError(
                f"there are {width} columns, and global.columns names {len(names)}",
                where=f"{path}:{number}",
            )
        if fault := _fault(cells, width, names):
            faults[number] = fault
            continue
        if not documents:
            documents.append(Document())
        if fresh:
            documents[-1].sentences.append([])
            fresh = False
        documents[-1].sentences[-1].append((number, cells))
    filled = any(document.sentences for document in documents)
    width = width if filled else len(names)
    return Conll(path, names, _with_content(documents), width, faults)


def _usual_width(lines: list[str], *, tabs: bool) -> int:
    """The number of columns of most rows that have several; of the first, if it is a tie."""
    plain = [line for line in lines if line.strip() and not line.startswith(("#", START))]
    counts = Counter(len(_cells(line, tabs=tabs)) for line in plain or [_first_row(lines)])
    return max(counts, key=lambda width: (width > 1, counts[width]))


def _first_row(lines: list[str]) -> str:
    """The first line that is not a comment; a token may be "#", so a TAB makes a row as well."""
    plain = (line for line in lines if line.strip() and not line.startswith(("#", START)))
    return next(plain, next((line for line in lines if "\t" in line), ""))


def _with_content(documents: list[Document]) -> list[Document]:
    """Without a nameless document before the first mark of a new one."""
    return [document for document in documents if document.id or document.sentences]


def _cells(line: str, *, tabs: bool) -> list[str]:
    return line.split("\t") if tabs else line.split()


def _fault(cells: list[str], width: int, names: tuple[str, ...]) -> str:
    """What is wrong with a row; "" if nothing is."""
    if len(cells) != width or width < 2:
        wanted = "two or more are needed" if width < 2 else f"{width} are expected"
        found = "is 1 column" if len(cells) == 1 else f"are {len(cells)} columns"
        return f"there {found} where {wanted}"
    if not cells[names.index(FORM) if FORM in names else 0]:
        return "the token is empty; write it"
    return ""


def text_of(document: Document, form: int) -> str:
    """The tokens with a blank between, sentences on lines; a blank in a token does not break."""
    return "\n".join(
        " ".join(cells[form].replace(" ", "\xa0") for _, cells in sentence)
        for sentence in document.sentences
    )


def column_of(document: Document, column: int) -> Iterator[list[tuple[int, str]]]:
    """Line and cell of one column, sentence by sentence."""
    for sentence in document.sentences:
        yield [(line, cells[column]) for line, cells in sentence]
