"""A CoNLL file: documents of sentences of rows, a token and its columns each."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    """A file; `names` are its columns' names, or none."""

    path: Path
    names: tuple[str, ...]
    documents: list[Document]
    width: int

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
    """The file; rows of different width are an error with their line."""
    lines = [line.removesuffix("\r") for line in read_text(path).split("\n")]
    first = _first_row(lines)
    tabs = "\t" in first
    width = len(_cells(first, tabs=tabs))
    names: tuple[str, ...] = ()
    documents: list[Document] = []
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
        _check(cells, width, names, f"{path}:{number}")
        if not documents:
            documents.append(Document())
        if fresh:
            documents[-1].sentences.append([])
            fresh = False
        documents[-1].sentences[-1].append((number, cells))
    filled = any(document.sentences for document in documents)
    return Conll(path, names, _with_content(documents), width if filled else len(names))


def _first_row(lines: list[str]) -> str:
    """The first line that is not a comment; a token may be "#", so a TAB makes a row as well."""
    plain = (line for line in lines if line.strip() and not line.startswith(("#", START)))
    return next(plain, next((line for line in lines if "\t" in line), ""))


def _with_content(documents: list[Document]) -> list[Document]:
    """Without a nameless document before the first mark of a new one."""
    return [document for document in documents if document.id or document.sentences]


def _cells(line: str, *, tabs: bool) -> list[str]:
    return line.split("\t") if tabs else line.split()


def _check(cells: list[str], width: int, names: tuple[str, ...], where: str) -> None:
    if len(cells) != width or width < 2:
        wanted = "two or more are needed" if width < 2 else f"{width} are expected"
        raise InputError(f"there are {len(cells)} columns where {wanted}", where=where)
    if names and len(names) != width:
        raise InputError(
            f"there are {width} columns, and global.columns names {len(names)}", where=where
        )
    if not cells[names.index(FORM) if FORM in names else 0]:
        raise InputError("the token is empty; write it", where=where)


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
