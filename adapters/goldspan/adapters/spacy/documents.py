"""spaCy's files: documents with their span groups, from .spacy (DocBin) and from spans JSONL."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goldspan.adapters.extras import require
from goldspan.adapters.kit.record import Record, read_records
from goldspan.adapters.kit.roundtrip import KEY
from goldspan.adapters.kit.text.marks import Mark
from goldspan.engine.errors import InputError

PREFIX = "ann/"
"""What stands before an annotator's name in a span key."""

ENTS = "ents"
"""How `doc.ents` is called where a span key is expected."""

LIST = "spans"
"""How a JSONL row's plain list of spans is called, which has no key of its own."""

OFF_TOKEN = "off_token"  # noqa: S105 - where spans off token boundaries are kept, no secret

CATS = "cats"
"""How the layer of labels of whole documents is called."""

CHOSEN = 0.5
"""The least value with which a label of `doc.cats` counts as given."""

MAX_BYTES = 2 * 1024**3
CHUNK = 1024**2


@dataclass(frozen=True, slots=True)
class Group:
    """The spans under one key, and what the group says of itself."""

    marks: tuple[Mark, ...]
    annotator: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One document as a file has it; `ents` is a group like the others, under its own key."""

    where: str
    text: str
    id: str
    groups: Mapping[str, Group]
    leftover: object = None
    cats: Mapping[str, float] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the whole document: those of `doc.cats` with a value of ½ or more."""
        return tuple(label for label, value in self.cats.items() if value >= CHOSEN)


def read_documents(path: Path) -> Iterator[Document]:
    """The documents of a .spacy file or of a JSONL file."""
    if path.suffix.lower() == ".spacy":
        for number, doc in enumerate(load_docs(path), start=1):
            where = f"{path}, document {number}"
            try:
                yield _from_doc(doc, where)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise InputError(
                    f"its spans cannot be read ({type(error).__name__}); write the file again "
                    "with DocBin.to_disk",
                    where=where,
                ) from error
    else:
        for record in read_records(path):
            yield _from_record(record)


def load_docs(path: Path, vocab: Any = None) -> list[Any]:
    """The documents as spaCy has them, with a vocabulary that they share."""
    tokens = require("spacy.tokens", feature="reading .spacy files", extra="spacy")
    if vocab is None:
        vocab = require("spacy.vocab", feature="reading .spacy files", extra="spacy").Vocab()
    data = path.read_bytes()
    _check_size(data, path)
    try:
        docs = list(tokens.DocBin().from_bytes(data).get_docs(vocab))
    except Exception as error:
        # A file that is damaged, or no DocBin, fails inside spaCy in many ways.
        raise InputError(
            f"spaCy cannot read this as a DocBin ({type(error).__name__}); write it again with "
            "DocBin.to_disk",
            where=str(path),
        ) from error
    for number, doc in enumerate(docs, start=1):
        _check_spans(doc, f"{path}, document {number}")
    return docs


def _check_spans(doc: Any, where: str) -> None:
    """Refuse spans outside the tokens: spaCy takes them as they are, and fails at each use."""
    try:
        for group in doc.spans.values():
            # spaCy makes a span, and checks it, when it is asked for.
            for _ in group:
                pass
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"it has a span that is outside its tokens or damaged ({type(error).__name__}); "
            "write the file again with DocBin.to_disk",
            where=where,
        ) from error


def _check_size(data: bytes, path: Path) -> None:
    """Refuse what expands without bound before spaCy unpacks it in one go."""
    unpacker = zlib.decompressobj()
    size, rest = 0, data
    try:
        while rest and size <= MAX_BYTES:
            size += len(unpacker.decompress(rest, CHUNK))
            rest = unpacker.unconsumed_tail
    except zlib.error as error:
        raise InputError("this is not a DocBin: it is not compressed", where=str(path)) from error
    if size > MAX_BYTES:
        raise InputError(
            f"it would expand to more than {MAX_BYTES >> 30} GiB; split it", where=str(path)
        )


def _from_doc(doc: Any, where: str) -> Document:
    groups = {ENTS: Group(tuple(_mark(span, where) for span in doc.ents))}
    for key, group in doc.spans.items():
        if not isinstance(key, str):
            raise TypeError  # damaged: no spaCy writes such a key
        said = {name: group.attrs.get(name) for name in ("annotator", "status")}
        groups[key] = Group(
            tuple(_mark(span, where) for span in group),
            **{name: value for name, value in said.items() if isinstance(value, str)},
        )
    kept = doc.user_data.get(KEY)
    _add_off_token(groups, kept, where)
    name = document_id(doc.user_data.get("doc_id"))
    return Document(where, doc.text, name, groups, kept, _cats(doc.cats, where))


def _mark(span: Any, where: str) -> Mark:
    return Mark(span.start_char, span.end_char, span.label_, source=where)


def _add_off_token(groups: dict[str, Group], kept: object, where: str) -> None:
    off = kept.get(OFF_TOKEN) if isinstance(kept, Mapping) else None
    for key, rows in off.items() if isinstance(off, Mapping) else ():
        group = groups.get(key, Group(()))
        marks = []
        for row in rows:
            start, end, label = row[:3]
            marks.append(Mark(int(start), int(end), str(label), source=where))
        groups[key] = Group((*group.marks, *marks), group.annotator, group.status)


def _from_record(record: Record) -> Document:
    groups: dict[str, Group] = {}
    if record.values.get(ENTS) is not None:
        groups[ENTS] = _group(record, ENTS)
    spans = record.values.get(LIST)
    if isinstance(spans, dict):
        inner = Record(spans, f"{record.where}, spans")
        groups.update((key, _group(inner, key)) for key in spans)
    elif spans is not None:
        groups[LIST] = _group(record, LIST)
    if "entities" in record.values:
        groups[ENTS] = _group(record, "entities")
    name = record.values.get("id", record.values.get("doc_id"))
    return Document(
        record.where,
        record.text("text"),
        document_id(name),
        groups,
        record.values.get(KEY),
        _cats(record.values.get(CATS) or {}, record.where),
    )


def _cats(given: object, where: str) -> Mapping[str, float]:
    """The values of labels of the whole document."""
    if not isinstance(given, Mapping):
        raise InputError("'cats' is not an object of labels and their values", where=where)
    for label, value in given.items():
        if not isinstance(label, str) or not label:
            raise InputError(f"'cats' has the label {label!r}; write a text", where=where)
        if not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise InputError(
                f"'cats' does not give the label '{label}' a number from 0 to 1", where=where
            )
    return {label: float(value) for label, value in given.items()}


def _group(record: Record, key: str) -> Group:
    values = record.entries(key)
    if values and isinstance(values[0], list):
        return Group(tuple(_triple(record, key, value) for value in values))
    return Group(
        tuple(
            Mark(
                one.integer("start"),
                one.integer("end"),
                _label(one),
                one.text("text") if isinstance(one.get("text"), str) else None,
                one.where,
            )
            for one in record.records(key)
        )
    )


def _triple(record: Record, key: str, value: object) -> Mark:
    if not isinstance(value, list) or len(value) != 3:
        raise record.error(f"'{key}' holds something that is not [start, end, label]")
    start, end, label = value
    row = Record({"start": start, "end": end, "label": label}, record.where)
    return Mark(row.integer("start"), row.integer("end"), _label(row), source=record.where)


def _label(span: Record) -> str:
    return "" if span.get("label") is None else span.text("label")


def document_id(value: object) -> str:
    """The id as a task has it; "" when there is none that can be one."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    return str(value)
